"""Every backend but SMTP: what is handed over, and what is made of the answer."""

import gzip
import json
import socket
import threading
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from anymail.exceptions import AnymailAPIError, AnymailCancelSend
from anymail.message import AnymailRecipientStatus
from anymail.signals import post_send, pre_send
from django.core import mail as django_mail
from django.core.mail.backends.base import BaseEmailBackend
from pytest_django.fixtures import Settings

from deliveries.messages.stored_mail import StoredEmail, StoredMail
from deliveries.sending.failures import Evidence, Kind, Outcome, Phase
from deliveries.sending.send_result import SendResult
from deliveries.sending.smtp_transport import SmtpTransport
from deliveries.sending.transport import BackendTransport, transport_from_settings
from tests.http_provider import BACKENDS, Answer, HttpProvider, answer

O = Outcome  # noqa: E741  # the tables below are easier to read so
RAW = (
    b"From: Upwork Scout <scout@scout.test>\r\nTo: ann@example.com\r\n"
    b"Subject: =?utf-8?q?caf=C3=A9?=\r\nDate: Mon, 02 Nov 2026 08:00:00 +0000\r\n"
    b"Message-ID: <e1@scout.test>\r\nList-Unsubscribe: <https://scout.test/u/t/>\r\n"
    b"MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b1\r\n\r\n"
    b"--b1\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    b"From here: caf\xc3\xa9\r\n\r\n--b1\r\nContent-Type: text/html; charset=utf-8\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>caf=C3=A9</p>\r\n--b1--\r\n"
)
MAIL = StoredMail(envelope="e1", sender="scout@scout.test", recipient="ann@example.com", raw=RAW)


def send_with(settings: Settings, backend: str, mail: StoredMail = MAIL) -> SendResult:
    settings.EMAIL_BACKEND = backend
    with transport_from_settings() as transport:
        assert transport.open() is None
        return transport.send(mail)


def test_the_transport_follows_djangos_settings(settings: Settings) -> None:
    settings.EMAIL_TIMEOUT = None
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    smtp = transport_from_settings()
    assert (type(smtp), smtp.send_limit) == (SmtpTransport, 15.0)
    settings.EMAIL_TIMEOUT, settings.EMAIL_BACKEND = 3, "anymail.backends.resend.EmailBackend"
    other = transport_from_settings()
    assert (type(other), other.send_limit) == (BackendTransport, 3.0)


def test_the_parts_of_a_stored_mail() -> None:
    email = StoredEmail(MAIL)
    assert (email.subject, email.from_email) == ("café", "Upwork Scout <scout@scout.test>")
    assert (email.to, email.body) == (["ann@example.com"], "From here: café\n")
    assert [tuple(part) for part in email.alternatives] == [("<p>café</p>", "text/html")]
    assert email.extra_headers == {
        "Date": "Mon, 02 Nov 2026 08:00:00 +0000",
        "Message-ID": "<e1@scout.test>",
        "List-Unsubscribe": "<https://scout.test/u/t/>",
    }
    assert email.metadata == {"envelope": "e1"}
    message = email.message()
    assert message.as_bytes() == RAW == message.as_bytes(linesep="\r\n")
    assert message.as_bytes(linesep="\n") == RAW.replace(b"\r\n", b"\n")
    assert message.as_string() == RAW.decode()


@pytest.mark.parametrize(
    "raw", [b"", b"\xff\x00", b"Subject: =?x?q?=ff?=\n\nx", b"To: @@,;<\n\n\n"]
)
def test_odd_bytes_are_handed_over_as_they_are(settings: Settings, raw: bytes) -> None:
    odd = StoredMail(envelope="e", sender="s@scout.test", recipient="ann@example.com", raw=raw)
    backend = "django.core.mail.backends.locmem.EmailBackend"
    assert send_with(settings, backend, odd).outcome == O.ACCEPTED
    assert [email.message().as_bytes() for email in django_mail.outbox] == [raw]


def test_django_backends_get_the_stored_bytes(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.EMAIL_FILE_PATH = tmp_path
    for name in ("locmem", "console", "filebased"):
        result = send_with(settings, f"django.core.mail.backends.{name}.EmailBackend")
        assert (result.outcome, result.error, result.provider_id) == (O.ACCEPTED, "", "")
    assert [email.message().as_bytes() for email in django_mail.outbox] == [RAW]
    assert capsys.readouterr().out.startswith(RAW.decode())
    assert next(tmp_path.iterdir()).read_bytes().startswith(RAW)


class Odd(BaseEmailBackend):
    """A backend that answers, or raises, what a test tells it."""

    answer: Any = None

    def send_messages(self, email_messages: Any) -> Any:
        """Do as told."""
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (0, O.NOTHING_LEFT),
        (None, O.UNKNOWN),
        (2, O.UNKNOWN),
        (ValueError("ann@example.com\r\nis odd"), O.UNKNOWN),
        (TimeoutError(), O.UNKNOWN),
    ],
)
def test_a_backends_own_answer(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, answer: Any, outcome: Outcome
) -> None:
    monkeypatch.setattr(Odd, "answer", answer)
    result = send_with(settings, f"{__name__}.Odd")
    assert result.outcome == outcome
    assert result.error
    assert not {"@", "\r", "\n"} & set(result.error)


def test_a_kill_passes(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Odd, "answer", SystemExit())
    with pytest.raises(SystemExit):
        send_with(settings, f"{__name__}.Odd")


@pytest.mark.parametrize(
    "backend", ["no.such.Backend", "rubbish", "anymail.backends.resend.EmailBackend", ""]
)
def test_bad_configuration_concerns_everyone(settings: Settings, backend: str) -> None:
    settings.EMAIL_BACKEND = backend
    settings.ANYMAIL = {}
    with transport_from_settings() as transport:
        for result in (transport.open(), transport.send(MAIL)):
            assert result is not None
            assert result.outcome == O.REFUSED_EVERYONE


# Anymail without a network

ANYMAIL_TEST = "anymail.backends.test.EmailBackend"


def test_anymail_gets_the_envelope_and_gives_an_id(settings: Settings) -> None:
    result = send_with(settings, ANYMAIL_TEST)
    assert (result.outcome, result.error, result.provider_id) == (O.ACCEPTED, "", "0")
    params = vars(django_mail.outbox[0])["anymail_test_params"]
    assert params["metadata"] == {"envelope": "e1"}
    assert params["html_body"] == "<p>café</p>"


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("sent", O.ACCEPTED),
        ("queued", O.ACCEPTED),
        ("unknown", O.ACCEPTED),
        ("invalid", O.REFUSED_PERSON),
        ("rejected", O.REFUSED_PERSON),
        ("failed", O.UNKNOWN),
    ],
)
def test_what_anymail_says_of_the_recipient(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, status: str, outcome: Outcome
) -> None:
    response = {"recipient_status": {"ann@example.com": AnymailRecipientStatus("id7", status)}}
    monkeypatch.setattr(StoredEmail, "anymail_test_response", response, raising=False)
    result = send_with(settings, ANYMAIL_TEST)
    assert (result.outcome, result.provider_id) == (outcome, "id7")


def test_an_anymail_error_without_a_status_is_unknown(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = AnymailAPIError("what now")
    monkeypatch.setattr(StoredEmail, "anymail_test_response", error, raising=False)
    assert send_with(settings, ANYMAIL_TEST).outcome == O.UNKNOWN


def raise_(error: Exception) -> Any:
    def receiver(**_: object) -> None:
        raise error

    return receiver


@contextmanager
def connected(signal: Any, receiver: Any) -> Iterator[None]:
    signal.connect(receiver)
    try:
        yield
    finally:
        signal.disconnect(receiver)


def test_a_cancelled_send_left_nothing(settings: Settings) -> None:
    with connected(pre_send, raise_(AnymailCancelSend())):
        assert send_with(settings, ANYMAIL_TEST).outcome == O.NOTHING_LEFT


def test_a_receiver_failing_after_the_send_changes_nothing(settings: Settings) -> None:
    with connected(post_send, raise_(RuntimeError("ours"))):
        result = send_with(settings, ANYMAIL_TEST)
    assert (result.outcome, result.provider_id) == (O.ACCEPTED, "0")


# Anymail over HTTP


@pytest.fixture
def provider(settings: Settings) -> Iterator[HttpProvider]:
    """A provider for Resend's and Brevo's backends, with a time limit of half a second."""
    with HttpProvider() as server:
        settings.ANYMAIL = server.settings()
        settings.EMAIL_TIMEOUT = 0.5
        yield server


RESEND, BREVO = BACKENDS["resend"], BACKENDS["brevo"]


def test_what_resend_is_asked(settings: Settings, provider: HttpProvider) -> None:
    assert send_with(settings, RESEND) == SendResult(
        outcome=O.ACCEPTED,
        provider_id="id-of-e1",
        error="",
        retry_after=None,
        evidence=Evidence(phase=Phase.HTTP, kind=Kind.TAKEN, text="{'queued'}"),
    )
    (asked,) = provider.seen
    assert (asked.path, asked.headers["idempotency-key"]) == ("/emails", "e1")
    sent = json.loads(asked.body)
    assert sent["headers"]["Message-ID"] == "<e1@scout.test>"
    assert json.loads(sent["headers"]["X-Metadata"]) == {"envelope": "e1"}
    assert "Idempotency-Key" not in sent["headers"]


def test_what_brevo_is_asked(settings: Settings, provider: HttpProvider) -> None:
    assert send_with(settings, BREVO).provider_id == f"id-of-{provider.accepted[0]}"
    (asked,) = provider.seen
    assert asked.path == "/smtp/email"
    assert json.loads(asked.body)["headers"]["idempotencyKey"] == str(
        uuid5(NAMESPACE_URL, "mail:e1")
    )


STATUSES = {
    **dict.fromkeys(("400 Bad", "404 Gone", "413 Big", "422 No"), O.REFUSED_PERSON),
    **dict.fromkeys(("401 Key", "403 Domain"), O.REFUSED_EVERYONE),
    "429 Slow": O.REFUSED_NOW,
    **dict.fromkeys(("408 Late", "409 In flight", "418 Tea", "500 Oops", "503 Busy"), O.UNKNOWN),
    "200 OK": O.ACCEPTED,
}


@pytest.mark.parametrize("backend", [RESEND, BREVO])
@pytest.mark.parametrize("status", STATUSES)
def test_the_status_decides_where_the_body_breaks(
    settings: Settings, provider: HttpProvider, status: str, backend: str
) -> None:
    provider.then = answer(status, b'["ann@example.com"]', cut=True)
    result = send_with(settings, backend)
    assert (result.outcome, result.evidence.http_status) == (STATUSES[status], int(status[:3]))
    assert "@" not in result.error


@pytest.mark.parametrize("status", ["422 No", "429 Slow"])
def test_a_refusal_counts_where_its_body_never_ends(
    settings: Settings, provider: HttpProvider, status: str
) -> None:
    provider.then = answer(status, ending="drip")
    result = send_with(settings, RESEND)
    assert (result.outcome, result.evidence.timed_out) == (STATUSES[status], True)


@pytest.mark.parametrize("status", ["200 OK", "400 Bad"])
@pytest.mark.parametrize("body", [b"[" * 9_000, b'{"a":' * 3_000, b"\xff\xfe\x80" * 5_000])
def test_a_body_hard_to_read_is_an_answer(
    settings: Settings, provider: HttpProvider, status: str, body: bytes
) -> None:
    provider.then = answer(status, body)
    began = time.process_time()
    assert send_with(settings, RESEND).outcome == STATUSES[status]
    assert time.process_time() - began < 1  # guessing its encoding would take longer


BOMB = gzip.compress(bytes(10**8))
PACKED = b"HTTP/1.1 500 Oops\r\nContent-Encoding: gzip\r\n\r\n"


@pytest.mark.parametrize(
    "told", [Answer(PACKED + BOMB), Answer(b"HTTP/1.1 500 Oops\r\n\r\n", "flood")]
)
def test_a_big_answer_takes_little_memory(
    settings: Settings, provider: HttpProvider, told: Answer
) -> None:
    provider.then = told
    tracemalloc.start()
    outcome = send_with(settings, RESEND).outcome
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (outcome, most < 5_000_000) == (O.UNKNOWN, True)


def test_a_send_given_up_leaves_nobody_waiting(settings: Settings, provider: HttpProvider) -> None:
    provider.then = Answer(b"HTTP/1.1 2", "drip")
    before = set(threading.enumerate()) | set(provider.threads)
    assert send_with(settings, RESEND).outcome == O.UNKNOWN
    for thread in set(threading.enumerate()) - before - set(provider.threads):
        thread.join(5)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("Retry-After: 7", 7.0),
        ("Retry-After: 0", 0.0),
        ("Retry-After: 99999999999", 86_400.0),
        ("Retry-After: -5", None),
        ("Retry-After: soon", None),
        ("Retry-After: Mon, 02 Nov 2026 08:01:30 GMT", None),
        ("Date: Mon, 02 Nov 2026 08:00:00 GMT\r\nRetry-After: Mon, 02 Nov 2026 08:01:30 GMT", 90.0),
        ("Date: Mon, 02 Nov 2026 08:00:00 GMT\r\nRetry-After: Mon, 02 Nov 2026 07:00:00 GMT", 0.0),
        ("X: y", None),
    ],
)
def test_retry_after(
    settings: Settings, provider: HttpProvider, header: str, seconds: float | None
) -> None:
    provider.then = answer("429 Slow", headers=header.split("\r\n"))
    assert send_with(settings, RESEND).retry_after == seconds


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("gopher://127.0.0.1/", O.REFUSED_EVERYONE),
        ("127.0.0.1", O.REFUSED_EVERYONE),
    ],
)
def test_a_provider_with_no_such_address(settings: Settings, url: str, outcome: Outcome) -> None:
    settings.ANYMAIL = {"RESEND_API_URL": url, "RESEND_API_KEY": "k1"}
    assert send_with(settings, RESEND).outcome == outcome


def test_a_provider_whose_name_is_not_found(
    settings: Settings, provider: HttpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_found(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", not_found)
    assert send_with(settings, RESEND).outcome == O.REFUSED_NOW


def test_an_odd_error_while_asking_is_unknown(
    settings: Settings, provider: HttpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def odd(*_: object, **__: object) -> None:
        raise ValueError("what now")

    monkeypatch.setattr("requests.Session.request", odd)
    assert send_with(settings, RESEND).outcome == O.UNKNOWN


def test_a_key_with_a_newline_is_ours_to_repair_and_not_shown(
    settings: Settings, provider: HttpProvider
) -> None:
    settings.ANYMAIL = {**settings.ANYMAIL, "RESEND_API_KEY": "secret\n"}
    result = send_with(settings, RESEND)
    assert result.outcome == O.REFUSED_EVERYONE
    assert "secret" not in repr(result)
    assert provider.seen == []


def test_an_address_anymail_cannot_use(settings: Settings, provider: HttpProvider) -> None:
    odd = StoredMail(envelope="e", sender="s@scout.test", recipient="ann @ x, y", raw=RAW)
    result = send_with(settings, RESEND, odd)
    assert result.outcome == O.REFUSED_PERSON
    assert provider.seen == []
