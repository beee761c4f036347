"""Every backend but SMTP: what is handed over, and what is made of the answer."""

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
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


class Provider(BaseHTTPRequestHandler):
    """Answers every request with the server's `script`: raw bytes, then waiting if told."""

    def do_POST(self) -> None:
        """Record and answer."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, dict(self.headers), body))  # type: ignore[attr-defined]
        raw, ending = self.server.script  # type: ignore[attr-defined]
        self.wfile.write(raw)
        while ending == "drip" and not self.server.over.wait(0.1):  # type: ignore[attr-defined]
            self.wfile.write(b" ")
        if ending == "hang":
            self.server.over.wait(10)  # type: ignore[attr-defined]
        self.close_connection = True

    do_GET = do_POST  # noqa: N815  # http.server's name

    def log_message(self, *_: object) -> None:
        """Be quiet."""


class Server(ThreadingHTTPServer):
    """A provider on loopback."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Provider)
        self.seen: list[tuple[str, dict[str, str], bytes]] = []
        self.script: tuple[bytes, str] = (b"", "")
        self.over = Event()

    def answers(
        self, status: str, body: bytes = b"{}", ending: str = "", headers: str = ""
    ) -> None:
        """From now on."""
        length = len(body) + (1000 if ending else 0)
        head = f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}\r\n"
        self.script = (head.encode() + body, ending)

    def handle_error(self, *_: object) -> None:
        """The client may hang up."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(*_)  # type: ignore[arg-type]


@pytest.fixture
def provider(settings: Settings) -> Iterator[Server]:
    """A provider for Resend's and Brevo's backends, with a time limit of 0.5 s."""
    server = Server()
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/"
    keys = {"RESEND_API_KEY": "k1", "BREVO_API_KEY": "k2"}
    settings.ANYMAIL = {"RESEND_API_URL": url, "BREVO_API_URL": url, **keys}
    settings.EMAIL_TIMEOUT = 0.5
    yield server
    server.over.set()
    server.shutdown()
    thread.join()
    server.server_close()


RESEND, BREVO = (f"anymail.backends.{name}.EmailBackend" for name in ("resend", "brevo"))


def timed(settings: Settings, backend: str = RESEND) -> SendResult:
    began = time.monotonic()
    result = send_with(settings, backend)
    assert time.monotonic() - began < 5  # the faults go on for ever
    return result


def test_resend_gets_equal_requests_with_one_key(settings: Settings, provider: Server) -> None:
    provider.answers("200 OK", b'{"id": "r1"}')
    assert timed(settings) == SendResult(
        outcome=O.ACCEPTED,
        provider_id="r1",
        error="",
        retry_after=None,
        evidence=Evidence(phase=Phase.HTTP, kind=Kind.TAKEN, text="{'queued'}"),
    )
    timed(settings)
    (path, headers, body), again = provider.seen
    assert (path, body) == ("/emails", again[2])
    assert headers["Idempotency-Key"] == again[1]["Idempotency-Key"] == "e1"
    sent = json.loads(body)
    assert sent["headers"]["Message-ID"] == "<e1@scout.test>"
    assert json.loads(sent["headers"]["X-Metadata"]) == {"envelope": "e1"}
    assert "Idempotency-Key" not in sent["headers"]


def test_brevo_gets_equal_requests_with_one_key(settings: Settings, provider: Server) -> None:
    provider.answers("201 Created", b'{"messageId": "b1"}')
    assert (timed(settings, BREVO).provider_id, timed(settings, BREVO).outcome) == (
        "b1",
        O.ACCEPTED,
    )
    bodies = [body for _, _, body in provider.seen]
    assert bodies[0] == bodies[1]
    key = json.loads(bodies[0])["headers"]["idempotencyKey"]
    assert key == str(uuid5(NAMESPACE_URL, "mail:e1"))


STATUSES = {
    **dict.fromkeys(("400 Bad", "404 Gone", "413 Big", "422 No"), O.REFUSED_PERSON),
    **dict.fromkeys(("401 Key", "403 Domain"), O.REFUSED_EVERYONE),
    "429 Slow": O.REFUSED_NOW,
    **dict.fromkeys(("408 Late", "409 In flight", "418 Tea", "500 Oops", "503 Busy"), O.UNKNOWN),
    "200 OK": O.ACCEPTED,  # the body is not what anymail expects
}
BODIES = [(status, ending) for status in STATUSES for ending in ("", "disconnect")]
SLOW = [(status, ending) for status in ("200 OK", "422 No") for ending in ("drip", "hang")]


@pytest.mark.parametrize("backend", [RESEND, BREVO])
@pytest.mark.parametrize(("status", "ending"), [*BODIES, *SLOW])
def test_the_status_decides_whatever_the_body(
    settings: Settings, provider: Server, status: str, ending: str, backend: str
) -> None:
    provider.answers(status, b'["ann@example.com"]', ending)
    result = timed(settings, backend)
    assert (result.outcome, result.evidence.http_status) == (STATUSES[status], int(status[:3]))
    assert "@" not in result.error


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
    settings: Settings, provider: Server, header: str, seconds: float | None
) -> None:
    provider.answers("429 Slow", headers=f"{header}\r\n")
    assert timed(settings).retry_after == seconds


def test_a_redirect_is_not_followed(settings: Settings, provider: Server) -> None:
    for status in ("302 Found", "307 Temporary", "301 Moved"):
        provider.answers(status, headers="Location: /elsewhere\r\n")
        assert timed(settings).outcome == O.UNKNOWN
    assert [path for path, _, _ in provider.seen] == ["/emails"] * 3


@pytest.mark.parametrize(
    "script",
    [(b"", ""), (b"", "hang"), (b"HTTP/1.1 200 OK\r\nX-Slow: ", "drip"), (b"rubbish\r\n\r\n", "")],
)
def test_no_answer_is_unknown(
    settings: Settings, provider: Server, script: tuple[bytes, str]
) -> None:
    provider.script = script
    assert timed(settings).outcome == O.UNKNOWN
    assert len(provider.seen) == 1


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("http://127.0.0.1:1/", O.REFUSED_NOW),
        ("gopher://127.0.0.1/", O.REFUSED_EVERYONE),
        ("127.0.0.1", O.REFUSED_EVERYONE),
    ],
)
def test_a_provider_that_cannot_be_reached(settings: Settings, url: str, outcome: Outcome) -> None:
    settings.ANYMAIL = {"RESEND_API_URL": url, "RESEND_API_KEY": "k1"}
    assert send_with(settings, RESEND).outcome == outcome


def test_a_provider_whose_name_is_not_found(
    settings: Settings, provider: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_found(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", not_found)
    assert timed(settings).outcome == O.REFUSED_NOW


def test_an_odd_error_while_asking_is_unknown(
    settings: Settings, provider: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def odd(*_: object, **__: object) -> None:
        raise ValueError("what now")

    monkeypatch.setattr("requests.Session.request", odd)
    assert timed(settings).outcome == O.UNKNOWN


def test_a_key_with_a_newline_is_ours_to_repair_and_not_shown(
    settings: Settings, provider: Server
) -> None:
    settings.ANYMAIL = {**settings.ANYMAIL, "RESEND_API_KEY": "secret\n"}
    result = timed(settings)
    assert result.outcome == O.REFUSED_EVERYONE
    assert "secret" not in repr(result)
    assert provider.seen == []


def test_an_address_anymail_cannot_use(settings: Settings, provider: Server) -> None:
    odd = StoredMail(envelope="e", sender="s@scout.test", recipient="ann @ x, y", raw=RAW)
    result = send_with(settings, RESEND, odd)
    assert result.outcome == O.REFUSED_PERSON
    assert provider.seen == []
