"""The logs of runs and requests that fail: an id in every line, and nobody's data."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from structlog.contextvars import bound_contextvars

from accounts.models import OptOutToken, User
from deliveries import tasks
from deliveries.models import Delivery
from scout_project.logs import configuration
from tests.factories import JobFactory, person, queued
from tests.smtp_faults import Fault, FaultySMTP

OURS = ("accounts", "jobs", "deliveries", "scout_project", "django", "django-q")
TITLE = "Purple django dashboard"
REPLY = f"550 5.1.1 <ana@example.com> will not read {TITLE}"


def handler(stream: io.StringIO, *, people: bool = False) -> logging.Handler:
    made = logging.StreamHandler(stream)
    values = configuration(people=people)["formatters"]["structured"]
    made.setFormatter(values.pop("()")(**values))
    return made


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """All that our loggers say, at DEBUG, as production writes it."""
    stream = io.StringIO()
    ours = [logging.getLogger(name) for name in OURS]
    levels, into = [one.level for one in ours], handler(stream)
    for one in ours:
        one.setLevel(logging.DEBUG)
    logging.getLogger().addHandler(into)
    yield stream
    logging.getLogger().removeHandler(into)
    for one, level in zip(ours, levels, strict=True):
        one.setLevel(level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@contextmanager
def refusing(table: str, rule: str) -> Iterator[None]:
    """The database refuses other rows: its error quotes the whole row."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT poison CHECK ({rule}) NOT VALID")
    try:
        yield
    finally:
        with connection.cursor() as cursor:  # a run may have ended the connection
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT poison")


@pytest.fixture
def trouble(settings, tmp_path):
    """Somebody who cannot be judged, one who cannot be mailed, one whose digest cannot be made."""
    settings.SCOUT_SOURCES = [f"file:{tmp_path / 'ana@example.com.json'}"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "scout", "open sesame"
    job = JobFactory(title=TITLE)
    for name in ("ana", "ben"):
        person(f"{name}@example.com", words_any=["django"], min_score=0)
    for name in ("eve", "zoe"):
        person(f"{name}@example.com", mode="daily", digest_hour=0)
        queued(User.objects.get(email=f"{name}@example.com"), job, route="daily")
    ben = User.objects.get(email="ben@example.com").pk
    with (
        refusing("jobs_verdict", f"user_id <> '{ben}'"),
        refusing("deliveries_mail", "recipient <> 'eve@example.com'"),
        FaultySMTP([Fault("rcpt", REPLY)], then=Fault("rcpt", REPLY)) as server,
    ):
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        yield


@pytest.mark.django_db(transaction=True)
def test_failing_runs_name_nobody(trouble, settings, log):
    secrets = [settings.SECRET_KEY, settings.EMAIL_HOST_PASSWORD]
    hidden = [*secrets, *OptOutToken.objects.values_list("token", flat=True), TITLE, "Purple"]
    for user in User.objects.all():
        hidden += [user.pk, user.email, user.email.partition("@")[0] + "@"]
    assert tasks.scan()["errors"] == tasks.digest()["errors"] == 1
    assert set(Delivery.objects.values_list("status", flat=True)) == {"failed", "queued", "sealed"}
    said = log.getvalue()
    assert [word for word in hidden if word in said] == []
    assert {line["run"].split()[0] for line in lines(log)} == {"scan", "digest"}
    events = {line["event"] for line in lines(log)}
    assert {
        "a user could not be judged: IntegrityError",
        "a digest could not be frozen: IntegrityError",
    } <= events


@pytest.mark.django_db
def test_an_error_is_told_by_type_code_and_lines(log):
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO accounts_suppression VALUES ('x', 'ana@example.com', now())"
            )
    except Exception:
        logging.getLogger("deliveries").exception("it failed")
    [line] = [line for line in lines(log) if line["event"] == "it failed"]
    ours, theirs = line["error"]
    assert (ours["type"], theirs["sqlstate"]) == ("django.db.utils.IntegrityError", "23514")
    assert theirs["constraint_name"] == "suppression_reason_known"
    assert ours["lines"][0].startswith("tests/scout_project/test_logs.py:")


@pytest.mark.django_db
def test_a_request_has_an_id_and_its_address_no_token(log, settings):
    settings.CRON_SECRET = "open sesame"
    Client().get(f"/v/{'x' * 43}/?next=ana@example.com", secure=True)
    Client().post("/cron/scan?secret=open+sesame")
    first, second = [line for line in lines(log) if line["logger"] == "django.request"]
    assert first["event"] == "Not Found: /v/…/"
    assert second["event"] == "Method Not Allowed: /cron/scan"
    assert len({first["request_id"], second["request_id"]}) == 2
    assert "request" not in first


def test_people_get_lines_they_can_read():
    stream = io.StringIO()
    record = logging.LogRecord("deliveries", logging.INFO, "", 0, "to %s", ("a@b.example",), None)
    with bound_contextvars(run="scan 1"):
        stream.write(handler(stream, people=True).format(record))
    assert "to …" in stream.getvalue()
    assert "run='scan 1'" in stream.getvalue()
