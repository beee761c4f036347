"""Each row of the table of failures, through the real scan and digest, against a real server."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.core.mail.backends.base import BaseEmailBackend
from django.db import OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from accounts.models import User
from deliveries.digest import digest
from deliveries.models import Delivery, Mail
from deliveries.scan import scan
from deliveries.summaries import DigestSummary, ScanSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests import processes
from tests.factories import NOON, JobFactory, person
from tests.smtp_faults import Fault, FaultySMTP
from tests.smtp_server import RecordingSMTP

pytestmark = pytest.mark.django_db(transaction=True)

ONE = timedelta(hours=1)  # after noon: when digests are due
SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture(autouse=True)
def _plain(settings) -> None:
    settings.SCOUT_SOURCES, settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = [], SMTP, 10
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "scout", "a password"


@pytest.fixture
def server(settings) -> Any:
    """Opens a FaultySMTP that Django is told to use."""

    @contextmanager
    def opened(*script: Fault | None, then: Fault | None = None) -> Iterator[FaultySMTP]:
        with FaultySMTP(script, then=then) as faulty:
            settings.EMAIL_HOST, settings.EMAIL_PORT = faulty.host, faulty.port
            if any(fault and fault.action in ("hang", "drip") for fault in script):
                settings.EMAIL_TIMEOUT = 1
            yield faulty

    return opened


def people(count: int = 1, **profile: Any) -> list[str]:
    """Users whom one new job fits, in the order they are mailed."""
    JobFactory(first_seen=NOON - timedelta(minutes=10))
    names = [f"{letter}@example.com" for letter in "abcdefgh"[:count]]
    return sorted(person(name, min_score=0, **profile).pk for name in names)


def scan_at(later: timedelta = timedelta()) -> ScanSummary:
    return scan(Clock.set_to(NOON + later), Wall(60))


def digest_at(later: timedelta) -> DigestSummary:
    return digest(Clock.set_to(NOON + later), Wall(60))


def mails() -> list[tuple[Any, ...]]:
    """Status and attempts of every mail, in the order of their users."""
    rows = Mail.objects.order_by("user_id", "created_at")
    return list(rows.values_list("status", "attempts"))


def rows() -> list[tuple[Any, ...]]:
    """Status and attempts of every delivery, in the order of their users."""
    return list(Delivery.objects.order_by("user_id").values_list("status", "attempts"))


PERSON = [Fault("rcpt", "550 no such user"), Fault("data", "554 no"), Fault("content", "554 spam")]
EVERYONE = [Fault("mail", "550 not from you")]
NOW = [
    *(Fault(phase, "451 later") for phase in ("mail", "rcpt", "data", "content")),
    Fault("content", "421 closing"),
    *(Fault(phase, "disconnect") for phase in ("mail", "rcpt", "data")),
]
OPENING = [
    *(
        Fault("banner", action)
        for action in ("554 go away", "421 busy", "hang", "reset", "garbage")
    ),
    *(Fault("ehlo", action) for action in ("421 busy", "drip", "disconnect")),
    Fault("auth", "535 wrong password"),
    Fault("auth", "454 later"),
]
UNKNOWN = [
    *(Fault(phase, "disconnect") for phase in ("body", "content")),
    *(Fault("content", action, accept=True) for action in ("disconnect", "reset", "hang", "drip")),
    *(Fault("content", action, accept=True) for action in ("garbage", "flood")),
    Fault("content", "hang"),
]


def named(fault: Fault) -> str:
    return f"{fault.phase}-{fault.action[:10]}{'-accepted' * fault.accept}"


def said(fault: Fault) -> str:
    """How the error begins that a mail is left with."""
    if fault.action == "disconnect":
        return f"{fault.phase}: broken"
    return f"{fault.phase}: {fault.action.replace(' ', ': ', 1)}"


# Alerts


@pytest.mark.parametrize("fault", PERSON, ids=named)
def test_an_alert_refused_for_good_has_failed(server, fault):
    people()
    with server(fault) as faulty:
        summary = scan_at()
        assert (summary.failed, summary.mails_sent, summary.mail) == (1, 0, "ok")
        scan_at(ONE)
        assert faulty.accepted == []
    assert (mails(), rows()) == ([("failed", 1)], [("failed", 0)])
    assert Mail.objects.get().error == said(fault)


@pytest.mark.parametrize("fault", [*NOW, *EVERYONE], ids=named)
def test_an_alert_that_did_not_leave_goes_with_the_next_scan(server, fault):
    people()
    state = "down" if fault in EVERYONE else "ok"
    with server(fault) as faulty:
        assert (scan_at().mail, mails(), rows()) == (state, [("void", 1)], [("queued", 1)])
        assert faulty.accepted == []
        assert Mail.objects.get().error.startswith(said(fault))
        assert scan_at(ONE).mails_sent == 1
        assert len(faulty.accepted) == 1
    assert (mails(), rows()) == ([("void", 1), ("sent", 1)], [("sent", 1)])


@pytest.mark.parametrize("fault", OPENING, ids=named)
def test_trouble_while_opening_burns_nothing(server, fault):
    people(3)
    with server(fault) as faulty:
        summary = scan_at()
        assert (summary.mail, faulty.accepted) == ("down", [])
        assert (mails(), rows()) == ([], [("queued", 0)] * 3)
        assert scan_at(ONE).mails_sent == len(faulty.accepted) == 3


def test_a_server_that_is_not_there_burns_nothing(server):
    people(3)
    with server() as faulty:
        pass
    env = processes.environment(faulty.port, SCOUT_SOURCES="")
    ended = processes.run("scan", "--now", NOON.isoformat(), env=env)
    assert (ended.code, ended.summary["mail"], mails()) == (1, "down", [])
    assert rows() == [("queued", 0)] * 3


@pytest.mark.parametrize("fault", UNKNOWN, ids=named)
def test_an_alert_that_may_have_left_is_unconfirmed_and_never_sent_again(server, fault):
    people()
    with server(fault) as faulty:
        summary = scan_at()
        assert (summary.unconfirmed, summary.mails_sent, summary.mail) == (1, 0, "ok")
        assert scan_at(ONE).mails_sent == 0
        assert len(faulty.accepted) == fault.accept
    assert (mails(), rows()) == ([("unconfirmed", 1)], [("unconfirmed", 0)])


class SendsNothing(BaseEmailBackend):
    """A backend that says it sent nothing."""

    def send_messages(self, email_messages):
        """Cancel them all."""
        return 0


def test_an_alert_nobody_sent_is_queued_again_and_seen(settings, server):
    people()
    settings.EMAIL_BACKEND = f"{__name__}.SendsNothing"
    assert scan_at().mails_sent == 0
    assert (mails(), rows()) == ([("void", 1)], [("queued", 1)])
    assert "counted 0" in Mail.objects.get().error
    settings.EMAIL_BACKEND = SMTP
    with server() as faulty:
        assert scan_at(ONE).mails_sent == len(faulty.accepted) == 1


def test_an_address_no_mail_can_bear_fails_before_anybody_is_contacted(server):
    people()
    person('"a"@example.com', min_score=0)
    with server() as faulty:
        summary = scan_at()
        assert (summary.failed, summary.mails_sent) == (1, 1)
        assert [mail.recipients for mail in faulty.accepted] == [("a@example.com",)]
    assert sorted(rows()) == [("failed", 0), ("sent", 0)]


# Several people


@pytest.mark.parametrize("fault", [NOW[1], UNKNOWN[0], PERSON[0]], ids=named)
def test_one_persons_trouble_does_not_stop_the_others(server, fault):
    people(3)
    with server(None, fault) as faulty:
        assert scan_at().mails_sent == len(faulty.accepted) == 2
    end = {"4": "void", "d": "unconfirmed", "5": "failed"}[fault.action[0]]
    assert [status for status, _ in mails()] == ["sent", end, "sent"]


@pytest.mark.parametrize("fault", [NOW[1], UNKNOWN[0]], ids=named)
def test_trouble_three_times_in_a_row_stops_the_run(server, fault):
    people(5)
    with server(then=fault) as faulty:
        assert (scan_at().mail, faulty.accepted) == ("down", [])
    assert len(mails()) == 3
    assert rows()[3:] == [("queued", 0)] * 2


def test_a_refusal_of_everybody_claims_nobody_further(server):
    people(3)
    with server(then=EVERYONE[0]) as faulty:
        env = processes.environment(faulty.port, SCOUT_SOURCES="")
        ended = processes.run("scan", "--now", NOON.isoformat(), env=env)
        assert (ended.code, ended.summary["mail"]) == (1, "down")
    assert (mails(), rows()) == ([("void", 1)], [("queued", 1), ("queued", 0), ("queued", 0)])


def test_two_people_refused_in_a_row_are_everybody(server):
    people(4)
    with server(then=PERSON[0]) as faulty:
        assert (scan_at().mail, faulty.accepted) == ("down", [])
    assert mails() == [("failed", 1), ("void", 1)]
    assert rows() == [("failed", 0), ("queued", 1), ("queued", 0), ("queued", 0)]


class Choosy(RecordingSMTP):
    """Has no mailbox for some, whoever asks and whenever."""

    def __init__(self, *refused: str) -> None:
        super().__init__()
        self.refused = refused

    async def handle_RCPT(self, _server, _session, envelope, address, _options) -> str:  # noqa: N802
        """aiosmtpd's hook for a recipient."""
        if address in self.refused:
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"


@pytest.mark.parametrize("mode", ["instant", "daily"])
def test_two_bad_addresses_side_by_side_do_not_stop_the_others_for_long(settings, mode):
    people(5, mode=mode, digest_hour=13)
    run = scan_at if mode == "instant" else digest_at
    scan_at() if mode == "daily" else None
    bad = User.objects.order_by("pk")[:2]
    with Choosy(*(user.email for user in bad)) as choosy:
        settings.EMAIL_HOST_USER = ""
        settings.EMAIL_HOST, settings.EMAIL_PORT = choosy.host, choosy.port
        assert (run(ONE).mail, len(choosy.accepted)) == ("down", 0)
        assert (run(1.25 * ONE).mail, len(choosy.accepted)) == ("ok", 3)
    assert rows() == [("failed", 0), ("failed", int(mode == "instant")), *[("sent", 0)] * 3]


# The database fails


class Cutting(RecordingSMTP):
    """Ends the database connection of whoever sends, once it has taken the first mail."""

    sender_pid = 0

    def add(self, *mail: Any) -> None:
        super().add(*mail)
        if len(self.accepted) == 1:
            with psycopg.connect(processes.database_url(), autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", [self.sender_pid])


@pytest.mark.parametrize("mode", ["instant", "daily"])
def test_a_database_lost_after_acceptance_costs_nothing(settings, mode):
    people(3, mode=mode, digest_hour=13)
    scan_at() if mode == "daily" else None
    run = scan_at if mode == "instant" else digest_at
    settings.EMAIL_HOST_USER = ""
    with Cutting() as cutting:
        settings.EMAIL_HOST, settings.EMAIL_PORT = cutting.host, cutting.port
        connection.ensure_connection()
        cutting.sender_pid = connection.connection.info.backend_pid
        summary = run(ONE)
        assert (summary.mails_sent, summary.errors, summary.mail) == (3, 0, "ok")
        assert run(1.5 * ONE).mails_sent == 0
        assert len(cutting.accepted) == 3
    assert (mails(), rows()) == ([("sent", 1)] * 3, [("sent", 0)] * 3)


def test_a_claim_whose_commit_reply_is_lost_is_never_sent(server, monkeypatch):
    people(2)
    commit, lost = BaseDatabaseWrapper._commit, []

    def losing(wrapper):
        claimed = Mail.objects.filter(status="sending").exists()
        commit(wrapper)
        if claimed and not lost:
            lost.append(True)
            raise OperationalError("the connection was lost")

    monkeypatch.setattr(BaseDatabaseWrapper, "_commit", losing)
    with server() as faulty:
        summary = scan_at()
        assert (summary.mails_sent, summary.errors, len(faulty.accepted)) == (1, 1, 1)
        assert (scan_at(ONE).unconfirmed, len(faulty.accepted)) == (1, 1)
    assert rows() == [("unconfirmed", 0), ("sent", 0)]


# Digests


@pytest.mark.parametrize("fault", PERSON, ids=named)
def test_a_digest_refused_for_good_has_failed(server, fault):
    people(mode="daily", digest_hour=13)
    with server(fault) as faulty:
        scan_at()
        assert (digest_at(ONE).failed, digest_at(25 * ONE).mails_sent) == (1, 0)
        assert faulty.accepted == []
    assert (mails(), rows()) == ([("failed", 1)], [("failed", 0)])


@pytest.mark.parametrize("fault", [*NOW, *UNKNOWN], ids=named)
def test_a_digest_that_may_not_have_left_is_sent_again_later_as_it_was(server, fault):
    people(mode="daily", digest_hour=13)
    with server(fault) as faulty:
        scan_at()
        digest_at(ONE)
        assert (mails(), rows()) == ([("sealed", 1)], [("sealed", 0)])
        frozen = bytes(Mail.objects.get().body or b"")
        assert digest_at(1.2 * ONE).mails_sent == 0
        assert digest_at(1.3 * ONE).mails_sent == 1
        copies = [mail.raw for mail in faulty.accepted]
        assert copies == [frozen] * (1 + fault.accept)
    assert (mails(), rows()) == ([("sent", 2)], [("sent", 0)])


@pytest.mark.parametrize("fault", [*OPENING, *EVERYONE], ids=named)
def test_a_digest_nobody_would_take_is_as_due_as_it_was(server, fault):
    people(mode="daily", digest_hour=13)
    scan_at()
    with server(fault) as faulty:
        assert (digest_at(ONE).mail, mails(), rows()) == ("down", [("sealed", 0)], [("sealed", 0)])
        frozen = bytes(Mail.objects.get().body or b"")
        assert digest_at(1.1 * ONE).mails_sent == 1
        assert [mail.raw for mail in faulty.accepted] == [frozen]
    assert (mails(), rows()) == ([("sent", 1)], [("sent", 0)])


def test_a_digest_says_by_its_exit_code_that_mail_is_down(server):
    people(mode="daily", digest_hour=13)
    scan_at()
    with server(then=EVERYONE[0]) as faulty:
        env = processes.environment(faulty.port)
        ended = processes.run("digest", "--now", (NOON + ONE).isoformat(), env=env)
    assert (ended.code, ended.summary["mail"], ended.summary["users_left"]) == (1, "down", 0)


@pytest.mark.parametrize(
    ("fault", "end", "row"),
    [(UNKNOWN[0], "unconfirmed", ("unconfirmed", 0)), (NOW[0], "void", ("queued", 1))],
)
def test_a_digest_is_tried_for_a_day(server, fault, end, row):
    people(mode="daily", digest_hour=13)
    scan_at()
    with server(then=fault) as faulty:
        for hours in range(1, 26):
            digest_at(hours * ONE)
        digest_at(25.1 * ONE)
        assert faulty.accepted == []
    assert mails()[0][0] == end
    assert rows() == [row]
