"""Our SMTP against a server that misbehaves at each phase: outcome, time taken, what it took."""

import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from deliveries.messages.stored_mail import StoredMail
from deliveries.sending.failures import Evidence, Kind, Outcome, Phase
from deliveries.sending.send_result import SendResult
from deliveries.sending.smtp_transport import SmtpTransport
from deliveries.sending.wire_address import UnfitMailError, wire_address
from tests.smtp_server import Fault, FaultySMTP, RecordingSMTP, read_spool

LIMIT = 0.4
PATIENCE = 5  # what a loaded machine may add; the faults go on for ever
O = Outcome  # noqa: E741  # the tables below are easier to read so
RAW = (
    b"From: Scout <scout@scout.test>\nTo: ann@example.com\nSubject: =?utf-8?q?caf=C3=A9?=\n"
    b"Message-ID: <e1@scout.test>\n\n.hidden dot\n..two\nbye\n"
)
WIRE = RAW.replace(b"\n", b"\r\n")


def a_mail(envelope: str = "e1", **changes: str | bytes) -> StoredMail:
    facts = {"sender": "scout@scout.test", "recipient": "ann@example.com", "raw": RAW, **changes}
    return StoredMail(envelope=envelope, **facts)  # type: ignore[arg-type]


@pytest.fixture
def transport(settings: Settings) -> Iterator[SmtpTransport]:
    """A transport whose settings name no server yet: see `use`."""
    settings.EMAIL_HOST, settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = (
        "127.0.0.1",
        "",
        "",
    )
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    with SmtpTransport(LIMIT) as transport:
        yield transport


def settle(transport: SmtpTransport, *mails: StoredMail) -> list[Outcome]:
    """The outcomes of `attempts`."""
    return [result.outcome for result in attempts(transport, *mails)]


def attempts(transport: SmtpTransport, *mails: StoredMail) -> list[SendResult]:
    """Open and send each mail, as the pipeline does, with the time limits asserted."""
    results = []
    for mail in mails or (a_mail(),):
        for step in (transport.open, lambda mail=mail: transport.send(mail)):
            began = time.monotonic()
            result = step()
            assert time.monotonic() - began < LIMIT + PATIENCE
            if result is not None:
                results.append(result)
                break
    return results


# What each phase says of a 4xx, a 5xx, and of a connection that breaks or talks nonsense there.
BY_PHASE = {
    "banner": (O.REFUSED_NOW, O.REFUSED_NOW, O.REFUSED_NOW),
    "ehlo": (O.REFUSED_NOW, O.REFUSED_NOW, O.REFUSED_NOW),
    "auth": (O.REFUSED_NOW, O.REFUSED_EVERYONE, O.REFUSED_NOW),
    "mail": (O.REFUSED_NOW, O.REFUSED_EVERYONE, O.REFUSED_NOW),
    "rcpt": (O.REFUSED_NOW, O.REFUSED_PERSON, O.REFUSED_NOW),
    "data": (O.REFUSED_NOW, O.REFUSED_PERSON, O.REFUSED_NOW),
    "content": (O.REFUSED_NOW, O.REFUSED_PERSON, O.UNKNOWN),
}
PHASES = {"banner": Phase.OPENING, "ehlo": Phase.HELLO}
REPLIES = {"451": 0, "421 closing": 0, "550 no": 1, "554-no\n554 never": 1}
BREAKS = ("disconnect", "reset", "hang", "drip", "garbage", "flood")
FAULTS = [
    (Fault(phase, action), outcomes[REPLIES.get(action, 2)])
    for phase, outcomes in BY_PHASE.items()
    for action in (*REPLIES, *BREAKS)
    if not (phase == "ehlo" and action[:1] == "5")  # an old server: HELO is tried instead
]


@pytest.mark.parametrize(("fault", "outcome"), FAULTS, ids=lambda value: str(value))
def test_each_fault_at_each_phase(
    settings: Settings, transport: SmtpTransport, fault: Fault, outcome: Outcome
) -> None:
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "scout", "secret"
    with FaultySMTP([fault]) as server:
        settings.EMAIL_PORT = server.port
        results = attempts(transport, a_mail(), a_mail("e2"))
        phases = [PHASES.get(fault.phase, fault.phase), Phase.CONTENT]
        assert [result.outcome for result in results] == [outcome, O.ACCEPTED]
        assert [result.evidence.phase for result in results] == phases
        assert results[0].evidence.timed_out == (fault.action in ("hang", "drip"))
        assert [mail.raw for mail in server.accepted] == [WIRE]


def sent(transport: SmtpTransport, mail: StoredMail | None = None) -> SendResult:
    """One mail sent over a connection that opened without trouble."""
    assert transport.open() is None
    return transport.send(mail or a_mail())


def test_the_whole_result_of_an_accepted_mail(settings: Settings, transport: SmtpTransport) -> None:
    with RecordingSMTP() as server:
        settings.EMAIL_PORT = server.port
        evidence = Evidence(phase=Phase.CONTENT, smtp_code=250, text="OK")
        assert sent(transport) == SendResult(
            outcome=O.ACCEPTED, provider_id="", error="", retry_after=None, evidence=evidence
        )
        [mail] = server.accepted
        assert (mail.sender, mail.recipients) == ("scout@scout.test", ("ann@example.com",))
        assert mail.raw == WIRE


def test_the_whole_result_of_a_refused_mail(settings: Settings, transport: SmtpTransport) -> None:
    reply = "550-5.1.1 <Ann@Example.com>: unknown\n550 mail\x07 bob@example.org"
    with FaultySMTP([Fault("rcpt", reply)]) as server:
        settings.EMAIL_PORT = server.port
        text = "5.1.1 <Ann@Example.com>: unknown\nmail\x07 bob@example.org"
        assert sent(transport) == SendResult(
            outcome=O.REFUSED_PERSON,
            provider_id="",
            error="rcpt: 550: 5.1.1 <<address>>: unknown mail <address>",
            retry_after=None,
            evidence=Evidence(phase=Phase.RCPT, smtp_code=550, text=text),
        )
        assert server.accepted == []


def test_a_hang_says_where_and_that_time_ran_out(
    settings: Settings, transport: SmtpTransport
) -> None:
    with FaultySMTP([Fault("content", "drip")]) as server:
        settings.EMAIL_PORT = server.port
        evidence = sent(transport).evidence
    assert (evidence.phase, evidence.kind, evidence.smtp_code, evidence.timed_out) == (
        Phase.CONTENT,
        Kind.BROKEN,
        None,
        True,
    )


@pytest.mark.parametrize("action", ["disconnect", "reset", "hang", "garbage", "drip"])
def test_accepted_but_not_said(settings: Settings, transport: SmtpTransport, action: str) -> None:
    with FaultySMTP([Fault("content", action, accept=True)]) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport) == [O.UNKNOWN]
        assert len(server.accepted) == 1


@pytest.mark.parametrize("action", ["disconnect", "reset", "hang"])
def test_broken_while_a_large_message_is_written(
    settings: Settings, transport: SmtpTransport, action: str
) -> None:
    with FaultySMTP([Fault("body", action)]) as server:
        settings.EMAIL_PORT = server.port
        large = a_mail(raw=RAW + (b"x" * 70 + b"\n") * 100_000)
        assert settle(transport, large) == [O.UNKNOWN]
        assert server.accepted == []


@pytest.mark.parametrize("action", ["disconnect", "reset", "hang", "garbage", "421 idle", "500 eh"])
def test_open_connects_once_more_when_the_connection_died(
    settings: Settings, transport: SmtpTransport, action: str
) -> None:
    with FaultySMTP([Fault("noop", action)]) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport, a_mail(), a_mail("e2")) == [O.ACCEPTED, O.ACCEPTED]
        assert [line[:4] for line in server.heard].count("ehlo") == 2


def test_one_connection_serves_many_and_outlives_refusals(
    settings: Settings, transport: SmtpTransport
) -> None:
    script = [Fault("mail", "550"), Fault("rcpt", "450"), Fault("data", "554"), None]
    with FaultySMTP([*script, Fault("content", "452")]) as server:
        settings.EMAIL_PORT = server.port
        outcomes = settle(transport, *(a_mail(f"e{n}") for n in range(6)))
        assert [line[:4] for line in server.heard].count("ehlo") == 1
    refused = [O.REFUSED_EVERYONE, O.REFUSED_NOW, O.REFUSED_PERSON]
    assert outcomes == [*refused, O.ACCEPTED, O.REFUSED_NOW, O.ACCEPTED]


def test_a_server_that_is_closing_is_asked_nothing_more(
    settings: Settings, transport: SmtpTransport
) -> None:
    with FaultySMTP([Fault("rcpt", "421 closing")]) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport) == [O.REFUSED_NOW]
        assert server.heard[-1] == "RCPT TO:<ann@example.com>"


def test_send_connects_by_itself_and_says_why_it_cannot(
    settings: Settings, transport: SmtpTransport
) -> None:
    with FaultySMTP() as server:
        settings.EMAIL_PORT = server.port
        assert transport.send(a_mail()).outcome == O.ACCEPTED
        transport.close()
    result = transport.send(a_mail())
    assert (result.outcome, result.evidence.phase) == (O.REFUSED_NOW, Phase.OPENING)
    assert "refused" in result.error


@pytest.mark.parametrize("seconds", [0, 1])
def test_a_host_that_is_not_found_or_long_looked_for(
    settings: Settings,
    transport: SmtpTransport,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
) -> None:
    def not_found(*_: object) -> None:
        time.sleep(seconds)
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", not_found)
    assert settle(transport) == [O.REFUSED_NOW]


@pytest.mark.parametrize("phase", ["rset", "quit"])
def test_hanging_where_nothing_depends_on_it(
    settings: Settings, transport: SmtpTransport, phase: str
) -> None:
    with FaultySMTP([Fault(phase, "hang")]) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport) == [O.ACCEPTED]
        began = time.monotonic()
        transport.close()
        transport.close()
        assert time.monotonic() - began < LIMIT + PATIENCE


@pytest.mark.parametrize(
    ("features", "user", "password"),
    [
        ((), "scout", "secret"),
        (("AUTH GSSAPI",), "scout", "secret"),
        (("AUTH PLAIN",), "scout", "é"),
    ],
)
def test_a_sign_in_that_can_never_work_is_ours_to_repair(
    settings: Settings,
    transport: SmtpTransport,
    features: tuple[str, ...],
    user: str,
    password: str,
) -> None:
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = user, password
    with FaultySMTP(features=features) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport) == [O.REFUSED_EVERYONE]


def test_a_wrong_password_counts_though_the_server_then_hangs_up(
    settings: Settings, transport: SmtpTransport
) -> None:
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "scout", "secret"
    wrong = Fault("auth", "535 wrong", closing=True)
    with FaultySMTP([wrong], features=("AUTH PLAIN LOGIN",)) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport) == [O.REFUSED_EVERYONE]


@pytest.mark.parametrize("name", ["EMAIL_USE_TLS", "EMAIL_USE_SSL"])
def test_settings_that_cannot_work(settings: Settings, transport: SmtpTransport, name: str) -> None:
    settings.EMAIL_SSL_CERTFILE = "/no/such/file"
    setattr(settings, name, True)
    assert settle(transport) == [O.REFUSED_EVERYONE]


@pytest.mark.parametrize(
    ("recipient", "features", "outcome", "command"),
    [
        ("ann@bücher.example", (), O.ACCEPTED, "<ann@xn--bcher-kva.example>"),
        ("änn@example.com", ("SMTPUTF8", "8BITMIME"), O.ACCEPTED, "<änn@example.com>"),
        ("änn@example.com", ("8BITMIME",), O.REFUSED_PERSON, None),
        ("ann@example.com>\r\nRCPT TO:<eve@example.com", (), O.REFUSED_PERSON, None),
        ("ann@example.com,eve@example.com", (), O.REFUSED_PERSON, None),
        ("ann", (), O.REFUSED_PERSON, None),
        ("", (), O.REFUSED_PERSON, None),
        ("ann@" + "x" * 70 + "é.example", (), O.REFUSED_PERSON, None),
        ("\ud800@example.com", ("SMTPUTF8",), O.REFUSED_PERSON, None),
    ],
)
def test_addresses(
    settings: Settings,
    transport: SmtpTransport,
    recipient: str,
    features: tuple[str, ...],
    outcome: Outcome,
    command: str | None,
) -> None:
    with FaultySMTP(features=features) as server:
        settings.EMAIL_PORT = server.port
        outcomes = settle(transport, a_mail(recipient=recipient), a_mail("e2"))
        assert outcomes == [outcome, O.ACCEPTED]
        heard = [line[8:] for line in server.heard if line.startswith("RCPT")]
        assert heard == [command, "<ann@example.com>"] if command else ["<ann@example.com>"]


def test_a_sender_that_cannot_be_used_concerns_everyone(
    settings: Settings, transport: SmtpTransport
) -> None:
    with FaultySMTP() as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport, a_mail(sender="Scout")) == [O.REFUSED_EVERYONE]


def test_eight_bit_content_is_announced_where_the_server_knows_it(
    settings: Settings, transport: SmtpTransport
) -> None:
    with FaultySMTP(features=("8BITMIME", "SIZE 100")) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport, a_mail(raw=RAW + "é".encode())) == [O.ACCEPTED]
        assert "MAIL FROM:<scout@scout.test> BODY=8BITMIME" in server.heard
        assert server.accepted[0].raw == WIRE + "é\r\n".encode()


def test_a_kill_in_the_middle_passes_and_leaves_no_connection(
    settings: Settings, transport: SmtpTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise SystemExit

    with FaultySMTP() as server:
        settings.EMAIL_PORT = server.port
        assert transport.open() is None
        with monkeypatch.context() as patch:
            patch.setattr("deliveries.sending.smtp.SmtpConnection.getreply", killed)
            with pytest.raises(SystemExit):
                transport.send(a_mail())
        assert settle(transport, a_mail("e2")) == [O.ACCEPTED]
        assert len(server.accepted) == 1


def test_wire_address() -> None:
    assert wire_address('"a b"@[127.0.0.1]') == '"a b"@[127.0.0.1]'
    with pytest.raises(UnfitMailError, match=r"^not an address$"):
        wire_address("a b@example.com")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for 127.0.0.1, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl to make a certificate with")
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    out = subprocess.run([*command, "-keyout", "-"], check=True, capture_output=True)
    path.write_bytes(out.stdout)
    return path


def server_tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@pytest.mark.parametrize("name", ["EMAIL_USE_TLS", "EMAIL_USE_SSL"])
@pytest.mark.parametrize("trusted", [True, False])
def test_over_tls(
    settings: Settings,
    transport: SmtpTransport,
    monkeypatch: pytest.MonkeyPatch,
    certificate: Path,
    name: str,
    trusted: bool,
) -> None:
    setattr(settings, name, True)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    options: dict[str, Any] = {
        "tls_context" if name == "EMAIL_USE_TLS" else "implicit_tls": server_tls(certificate)
    }
    with RecordingSMTP(**options) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport) == [O.ACCEPTED if trusted else O.REFUSED_NOW]
        assert [mail.raw for mail in server.accepted] == ([WIRE] if trusted else [])


@pytest.mark.parametrize("action", ["454 not now", "220 but no TLS follows", "hang", "disconnect"])
def test_starttls_refused_or_never_done(
    settings: Settings, transport: SmtpTransport, action: str
) -> None:
    settings.EMAIL_USE_TLS = True
    with FaultySMTP([Fault("starttls", action)]) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport) == [O.REFUSED_NOW]
        assert not re.search("mail|auth", " ".join(server.heard), re.IGNORECASE)


def test_starttls_not_offered_is_not_done_without(
    settings: Settings, transport: SmtpTransport
) -> None:
    settings.EMAIL_USE_TLS = True
    with FaultySMTP(features=()) as server:
        settings.EMAIL_PORT = server.port
        assert settle(transport) == [O.REFUSED_NOW]


@pytest.mark.parametrize(
    "faults", [[], ["--fault", "content:hang:accept", "--fault", "rcpt:450 x"]]
)
def test_a_server_in_a_process_of_its_own(
    settings: Settings, transport: SmtpTransport, tmp_path: Path, faults: list[str]
) -> None:
    command = [sys.executable, "-m", "tests.smtp_server", "--port", "0", "--spool", str(tmp_path)]
    with subprocess.Popen([*command, *faults], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        settings.EMAIL_PORT = int(process.stdout.readline())
        outcomes = settle(transport, a_mail(), a_mail("e2"), a_mail("e3"))
        process.send_signal(signal.SIGTERM)
    assert outcomes == ([O.UNKNOWN, O.REFUSED_NOW, O.ACCEPTED] if faults else [O.ACCEPTED] * 3)
    found = read_spool(tmp_path)
    assert [mail.raw for mail in found] == [WIRE] * outcomes.count(O.ACCEPTED) + [WIRE] * bool(
        faults
    )
    assert {(mail.sender, mail.recipients) for mail in found} == {
        ("scout@scout.test", ("ann@example.com",))
    }
