"""`POST /inbox/jobs`: who may send, what is taken, and what it is told back."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts.boundaries import watched
from jobs.fetching import fetch_all
from jobs.inbox import receiving, senders
from jobs.models import InboxMessage, InboxSender
from jobs.sources.inbox import InboxSource
from tests.threads import together

pytestmark = pytest.mark.django_db
JOB = {"uid": "~021990000000000000001", "title": "Django shop", "budget": "$500"}


@pytest.fixture(autouse=True)
def _inbox(settings):
    settings.SCOUT_SOURCES = ["inbox"]


@pytest.fixture
def token():
    return senders.make("ana-laptop")


def send(token, body, method="POST", **headers):
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    data = body if isinstance(body, bytes | str) else json.dumps(body)
    headers = {"HTTP_AUTHORIZATION": f"Bearer {token}", "HTTP_HOST": "scout.test"} | headers
    return client.generic(method, "/inbox/jobs", data, "application/json", **headers)


@pytest.mark.parametrize(
    ("body", "good", "rejected"),
    [
        (JOB, 1, 0),
        ([JOB, {"no": "title"}, 7], 1, 2),
        ({"jobs": [JOB, JOB]}, 2, 0),
        ({"event": "new_job", "job": JOB}, 1, 0),
        ([], 0, 0),
        ({"jobs": []}, 0, 0),
        ({"kind": "jobs", "data": {"results": [], "total": 0}}, 0, 0),
        ({"error": "no such search", "jobs": []}, 0, 1),
        ({"success": False, "jobs": []}, 0, 1),
        ([JOB, {"html": "<html><title>Just a moment...</title>"}], 1, 0),
        ({}, 0, 1),
        ("\ufeff" + json.dumps(JOB), 1, 0),
        (f'{{"title": "Big", "budget": {"9" * 5000}}}', 1, 0),
    ],
)
def test_an_object_or_a_list_is_stored_and_counted(token, body, good, rejected):
    answer = send(token, body)
    assert (answer.status_code, answer.json()) == (202, {"good": good, "rejected": rejected})
    assert InboxMessage.objects.count() == bool(good or rejected)
    assert (answer["Cache-Control"], dict(answer.cookies)) == ("no-store", {})
    assert InboxSender.objects.get().last_seen_at


@pytest.mark.parametrize("given", ["", "x", "1.x", "0.", "日本", "999999999999." + "a" * 43])
def test_without_its_token_nobody_may_send(token, given):
    answer = send(given, JOB)
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert not InboxMessage.objects.exists()


def test_only_the_whole_right_token_opens(token):
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    other = token.partition(".")[0] + "." + senders.make("bob").partition(".")[2]
    assert [send(t, JOB).status_code for t in (wrong, other, token)] == [401, 401, 202]
    assert send(token, JOB, HTTP_AUTHORIZATION=f"Basic {token}").status_code == 401


def test_only_a_hash_is_kept(token):
    kept = repr(list(InboxSender.objects.values()))
    assert token.partition(".")[2] not in kept


def test_a_revoked_or_renewed_token_opens_nothing(token):
    newer = senders.make("ana-laptop")
    assert [send(t, JOB).status_code for t in (token, newer)] == [401, 202]
    assert [senders.revoke("ana-laptop"), senders.revoke("ana-laptop")] == [True, False]
    assert send(newer, JOB).status_code == 401


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_post_sends(token, method):
    answer = send(token, {}, method)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_without_the_source_there_is_no_such_page(token, settings):
    settings.SCOUT_SOURCES = ["sample"]
    assert send(token, JOB).status_code == 404


@pytest.mark.parametrize(
    "body", [b"", b" ", b"{", b"[1,", b"<html>", b"\xff\xfe", b"7", b'"x"', b"null", b"[" * 99_999]
)
def test_what_is_no_json_is_told(token, body):
    answer = send(token, body)
    assert answer.status_code == 400
    assert "send" in answer.json()["error"]
    assert not InboxMessage.objects.exists()


def test_what_is_too_large_is_not_read(token):
    assert send(token, b" " * (1024 * 1024 + 1)).status_code == 413
    assert send(token, [{"a": 1}] * 2001).status_code == 413
    assert send(token, JOB, CONTENT_LENGTH="9" * 30).status_code == 413
    assert not InboxMessage.objects.exists()


def test_a_sender_has_a_limit_a_minute_of_its_own(token):
    InboxSender.objects.update(counted_from=timezone.now(), counted=59)
    other = senders.make("bob")
    answers = [send(t, JOB) for t in (token, token, other)]
    assert [answer.status_code for answer in answers] == [202, 429, 202]
    assert answers[1]["Retry-After"] == "60"
    for moment in (timedelta(minutes=-2), timedelta(minutes=2)):  # the latter by a wrong clock
        InboxSender.objects.update(counted_from=timezone.now() + moment)
        assert send(token, JOB).status_code == 202


@pytest.mark.django_db(transaction=True)
def test_requests_at_once_are_all_counted(token):
    InboxSender.objects.update(counted_from=timezone.now(), counted=57)
    sender = InboxSender.objects.get()
    let_in = together(*[lambda: senders.may_send_now(sender)] * 6)
    assert sorted(let_in) == [False] * 3 + [True] * 3


def test_when_too_much_waits_it_comes_later(token, monkeypatch):
    monkeypatch.setattr(receiving, "MOST_WAITING", 1)
    answers = [send(token, JOB) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 429]
    monkeypatch.undo()
    monkeypatch.setattr(receiving, "MOST_BYTES_WAITING", 10)
    assert send(token, JOB)["Retry-After"] == "900"


def test_a_database_that_does_not_answer_is_told(token, monkeypatch):
    def dead(_token):
        raise OperationalError("password of ana@example.com")

    monkeypatch.setattr(senders, "who_sends", dead)
    answer = send(token, JOB)
    assert (answer.status_code, "ana" in answer.content.decode()) == (503, False)


def test_the_command_shows_a_token_once_and_revokes_it():
    out = StringIO()
    call_command("inbox_sender", "ana-laptop", stdout=out, stderr=StringIO())
    token = out.getvalue().strip()
    assert send(token, JOB).status_code == 202
    call_command("inbox_sender", "ana-laptop", "--revoke", stdout=StringIO())
    assert send(token, JOB).status_code == 401
    with pytest.raises(CommandError, match="No sender 'ana-laptop' may send"):
        call_command("inbox_sender", "ana-laptop", "--revoke")


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 61])
def test_a_sender_has_a_visible_name(name):
    with pytest.raises(CommandError, match="is no name of a sender: write 1 to 60"):
        call_command("inbox_sender", name)


def test_a_body_whose_end_cannot_be_known_is_refused(token):
    answer = send(token, JOB, HTTP_TRANSFER_ENCODING="chunked")
    assert (answer.status_code, "Content-Length" in answer.json()["error"]) == (411, True)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_around_storing_it_the_same_body_again_loses_and_doubles_nothing(token, moment):
    def kill(name, when):
        if (name, when) == ("inbox: receive", moment):
            raise KeyboardInterrupt

    with watched(kill), pytest.raises(KeyboardInterrupt):
        send(token, JOB)
    assert InboxMessage.objects.count() == (moment == "after")
    assert send(token, JOB).status_code == 202
    assert fetch_all([InboxSource()], now=timezone.now()).new_jobs == 1
    assert fetch_all([InboxSource()], now=timezone.now()).new_jobs == 0
