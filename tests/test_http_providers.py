"""Mail through anymail's HTTP providers, by the real scan and digest, whatever the provider does.

What Resend and Brevo document is cited in `deliveries.sending.http`.
"""

import gzip
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from urllib3.util import connection as urllib3_connection

from deliveries.models import Mail, MailProvider
from tests.factories import person
from tests.http_provider import BACKENDS, Answer, HttpProvider, answer, refusal
from tests.test_failure_table import ONE, digest_at, mails, people, rows, scan_at

pytestmark = pytest.mark.django_db(transaction=True)

DAILY = {"mode": "daily", "digest_hour": 13}

PERSON = [refusal(status, "no") for status in ("400 Bad", "404 Gone", "413 Big", "422 Odd")]
EVERYONE = [
    refusal("401 Who", "missing_api_key"),
    refusal("403 No", "invalid_api_key"),
    answer("307 There", headers=["Location: /there"]),
    answer("308 There", headers=["Location: /there"]),
]
CONFLICTS = [
    refusal("409 Conflict", "invalid_idempotent_request"),
    refusal("409 Conflict", "concurrent_idempotent_requests"),
]
UNKNOWN = [
    *CONFLICTS,
    refusal("408 Late", "late"),
    answer("500 Oops", b"<html>oops</html>", accept=True),
    answer("503 Busy", accept=True, ending="reset"),
    answer("303 Other", headers=["Location: /there"], accept=True),
    Answer(b"", accept=True),
    Answer(b"", "reset", accept=True),
    Answer(b"hello, this is HTTP/0.9\r\n"),
    Answer(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200, "flood", accept=True),
]
SILENCE = Answer(b"", "hang", accept=True)
ACCEPTED = [
    answer("200 OK", b""),
    answer("200 OK", b"<html>welcome</html>"),
    answer("202 OK", b"[" * 9_000),
    answer("200 OK", b'{"id": ["x"], "messageId": {"a": 1}}'),
    answer("200 OK", rb'{"id": "a\u0000\ud800b", "messageId": "a\u0000\ud800b"}'),
    answer("200 OK", b'{"id": ', cut=True),
    answer("200 OK", b'{"id": ', ending="reset"),
    answer("200 OK", b"x", headers=["Content-Encoding: gzip"]),
    answer("200 OK", gzip.compress(b" " * 10**8), headers=["Content-Encoding: gzip"]),
    Answer(b"HTTP/1.1 200 OK\r\n\r\n", "flood"),
    Answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
]


@pytest.fixture(params=list(BACKENDS))
def esp(request) -> str:
    """Each provider's name."""
    return request.param


@pytest.fixture
def provider(settings, monkeypatch, esp) -> Any:
    """Opens an HttpProvider that Django is told to use."""
    settings.SCOUT_SOURCES, settings.EMAIL_BACKEND = [], BACKENDS[esp]
    settings.EMAIL_TIMEOUT = 10
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    @contextmanager
    def opened(*script: Answer | None, then: Answer | None = None) -> Iterator[HttpProvider]:
        with HttpProvider(script, then=then) as server:
            settings.ANYMAIL = server.settings()
            yield server

    return opened


@contextmanager
def impatient(settings, seconds: float = 1.0) -> Iterator[None]:
    """A short limit for one send, which the whole must keep."""
    usual, settings.EMAIL_TIMEOUT = settings.EMAIL_TIMEOUT, seconds
    began = time.monotonic()
    yield
    assert time.monotonic() - began < seconds + 5  # the faults go on for ever
    settings.EMAIL_TIMEOUT = usual


def state() -> tuple[Any, ...] | None:
    """What is remembered of the provider: down, refusals in a row."""
    return MailProvider.objects.values_list("down", "refusals_in_a_row").first()


def same_mails(server: HttpProvider) -> dict[str, int]:
    """How often each key was asked for: always with the same bytes."""
    wanted = {(seen.path, seen.key, seen.body) for seen in server.seen}
    keys = Counter(seen.key for seen in server.seen)
    assert len(wanted) == len(keys)
    assert "" not in keys
    return keys


def crowd(count: int, **profile: Any) -> None:
    """Any number of people."""
    people(0)
    for number in range(count):
        person(f"p{number}@example.com", min_score=0, **profile)


def with_others(faults: list[Answer]) -> list[Answer | None]:
    """Each fault, and after it somebody whose mail is taken, so that none is two in a row."""
    return [step for fault in faults for step in (fault, None)]


# Alerts


def test_alerts_are_sent_whatever_acceptance_looks_like(provider):
    crowd(len(ACCEPTED))
    with provider(*ACCEPTED) as server:
        summary = scan_at()
        assert (summary.mails_sent, summary.errors, summary.mail) == (len(ACCEPTED), 0, "ok")
        assert scan_at(ONE).mails_sent == 0
        assert len(server.seen) == len(ACCEPTED)
    assert (mails(), rows()) == ([("sent", 1)] * len(ACCEPTED), [("sent", 0)] * len(ACCEPTED))
    assert all(mail.provider_id.isprintable() and not mail.error for mail in Mail.objects.all())


def test_alerts_that_may_have_left_are_never_sent_again(provider):
    crowd(2 * len(UNKNOWN))
    with provider(*with_others(UNKNOWN)) as server:
        summary = scan_at()
        assert (summary.unconfirmed, summary.mails_sent) == (len(UNKNOWN), len(UNKNOWN))
        assert (summary.failed, summary.errors, summary.mail, state()) == (0, 0, "ok", None)
        assert scan_at(ONE).mails_sent == 0
        assert len(server.seen) == len({seen.key for seen in server.seen}) == 2 * len(UNKNOWN)
    assert mails() == [("unconfirmed", 1), ("sent", 1)] * len(UNKNOWN)
    assert rows() == [("unconfirmed", 0), ("sent", 0)] * len(UNKNOWN)
    for mail, fault in zip(Mail.objects.order_by("user_id")[::2], UNKNOWN, strict=True):
        assert mail.error.startswith(f"http: {fault.said}: ")


@pytest.mark.parametrize(
    ("esp", "fault", "end"),
    [
        ("resend", answer("200 OK", ending="drip"), "sent"),
        ("brevo", answer("201 OK", ending="hang"), "sent"),
        ("resend", Answer(b"HTTP/1.1 2", "drip", accept=True), "unconfirmed"),
        ("brevo", SILENCE, "unconfirmed"),
    ],
    ids=["slow-body", "no-body", "slow-head", "silence"],
)
def test_a_slow_answer_costs_one_limit(settings, provider, fault, end):
    people()
    with provider(fault) as server:
        with impatient(settings):
            scan_at()
        assert (mails(), rows()) == ([(end, 1)], [(end, 0)])
        assert server.ended.acquire(timeout=5)  # nobody goes on reading
        scan_at(ONE)
        assert len(server.seen) == 1


def test_alerts_refused_for_good_have_failed(provider):
    crowd(2 * len(PERSON))
    with provider(*with_others(PERSON)) as server:
        summary = scan_at()
        assert (summary.failed, summary.mails_sent) == (len(PERSON), len(PERSON))
        assert (summary.mail, state()) == ("ok", None)
        scan_at(ONE)
        assert len(server.seen) == 2 * len(PERSON)
    assert mails() == [("failed", 1), ("sent", 1)] * len(PERSON)
    assert rows() == [("failed", 0), ("sent", 0)] * len(PERSON)
    assert Mail.objects.order_by("user_id")[0].error.startswith("http: 400: ")


def test_a_refusal_of_everybody_burns_nothing(provider):
    people(3)
    with provider(*EVERYONE) as server:
        for number, _ in enumerate(EVERYONE, 1):
            assert (scan_at(number * ONE).mail, len(server.seen)) == ("down", number)
            assert (mails()[-1], state()) == (("void", 1), (True, 0))
            assert {row for row, _ in rows()} == {"queued"}
            assert sum(attempts for _, attempts in rows()) == number
        assert (scan_at(6 * ONE).mails_sent, state()) == (3, (False, 0))
        assert len({seen.key for seen in server.seen}) == len(server.seen)
    assert [row for row, _ in rows()] == ["sent"] * 3


@pytest.mark.parametrize("esp", ["resend"])
def test_a_key_resend_cannot_read_is_ours_to_repair(provider):
    people(2)
    with provider(refusal("400 Bad", "validation_error", "API key is invalid")) as server:
        assert (scan_at().mail, len(server.seen), state()) == ("down", 1, (True, 0))
    assert rows() == [("queued", 1), ("queued", 0)]


@pytest.mark.parametrize("esp", ["resend"])
def test_two_people_refused_in_a_row_are_everybody(provider):
    people(4)
    with provider(then=PERSON[-1]) as server:
        assert (scan_at().mail, len(server.seen), state()) == ("down", 2, (True, 1))
    assert mails() == [("failed", 1), ("void", 1)]
    assert rows() == [("failed", 0), ("queued", 1), ("queued", 0), ("queued", 0)]


@pytest.mark.parametrize("esp", ["brevo"])
def test_unknown_three_times_in_a_row_stops_the_run(provider):
    people(5)
    with provider(then=UNKNOWN[3]) as server:
        assert (scan_at().mail, len(server.seen)) == ("down", 3)
    assert rows() == [*[("unconfirmed", 0)] * 3, *[("queued", 0)] * 2]


DATED = ["Date: Wed, 25 Nov 2026 12:00:00 GMT", "Retry-After: Wed, 25 Nov 2026 15:00:00 GMT"]
WAITS = [("resend", ["Retry-After: 7200"], 2), ("brevo", DATED, 3)]


@pytest.mark.parametrize(
    ("esp", "headers", "hours"), [*WAITS, ("resend", ["Retry-After: 99999999999999999999"], 12)]
)
def test_too_many_requests_wait_as_long_as_asked(provider, headers, hours):
    people(2)
    with provider(answer("429 Slow", headers=headers)) as server:
        assert (scan_at().mail, len(server.seen)) == ("down", 1)
        assert (mails(), rows()) == ([("void", 1)], [("queued", 1), ("queued", 0)])
        early, late = (hours - 0.05) * ONE, (hours + 0.05) * ONE
        assert (scan_at(early).mails_sent, scan_at(early).mail, len(server.seen)) == (0, "down", 1)
        assert (scan_at(late).mails_sent, scan_at(late).mail, len(server.seen)) == (2, "ok", 3)
    assert rows() == [("sent", 1), ("sent", 0)]


@pytest.mark.parametrize(
    ("esp", "header"), [("resend", "Retry-After: -5"), ("brevo", "Retry-After: soon")]
)
def test_who_asks_for_no_time_is_asked_by_the_next(provider, header):
    people(2)
    with provider(answer("429 Slow", headers=[header])) as server:
        assert (scan_at().mails_sent, len(server.seen)) == (1, 2)
        assert (scan_at(ONE / 12).mails_sent, len(server.seen)) == (1, 3)


# Digests


def test_digests_are_sent_whatever_acceptance_looks_like(provider):
    crowd(len(ACCEPTED), **DAILY)
    scan_at()
    with provider(*ACCEPTED) as server:
        summary = digest_at(ONE)
        assert (summary.mails_sent, summary.errors, summary.mail) == (len(ACCEPTED), 0, "ok")
        assert digest_at(1.5 * ONE).mails_sent == 0
        assert len(server.seen) == len(ACCEPTED)
    assert (mails(), rows()) == ([("sent", 1)] * len(ACCEPTED), [("sent", 0)] * len(ACCEPTED))


def test_digests_that_may_have_left_are_asked_for_again_with_the_same_key(provider):
    """And those taken the first time are not taken twice, and refuse nobody."""
    count = len(UNKNOWN)
    crowd(2 * count, **DAILY)
    scan_at()
    with provider(*with_others(UNKNOWN)) as server:
        assert (digest_at(ONE).mails_sent, state()) == (count, None)
        open_mails = Mail.objects.filter(status="sealed", attempts=1, doubtful=True)
        assert open_mails.count() == count
        assert (digest_at(1.2 * ONE).mails_sent, len(server.seen)) == (0, 2 * count)
        again = digest_at(1.3 * ONE)
        assert (again.mails_sent, again.failed, again.unconfirmed, again.mail) == (
            count,
            0,
            0,
            "ok",
        )
        assert sorted(same_mails(server).values()) == [1] * count + [2] * count
        assert len(server.accepted) == 2 * count
    assert sorted(mails()) == [("sent", 1)] * count + [("sent", 2)] * count
    assert rows() == [("sent", 0)] * 2 * count


@pytest.mark.parametrize("esp", ["brevo"])
def test_a_silent_provider_delays_a_digest(settings, provider):
    people(**DAILY)
    scan_at()
    with provider(SILENCE) as server:
        with impatient(settings):
            digest_at(ONE)
        assert (mails(), Mail.objects.get().doubtful) == ([("sealed", 1)], True)
        assert digest_at(1.3 * ONE).mails_sent == 1
        assert list(same_mails(server).values()) == [2]
        assert len(server.accepted) == 1


def test_digests_refused_for_good_have_failed(provider):
    crowd(2 * len(PERSON), **DAILY)
    scan_at()
    with provider(*with_others(PERSON)) as server:
        summary = digest_at(ONE)
        assert (summary.failed, summary.mails_sent) == (len(PERSON), len(PERSON))
        digest_at(25 * ONE)
        assert len(server.seen) == 2 * len(PERSON)
    assert sorted(rows()) == [("failed", 0)] * len(PERSON) + [("sent", 0)] * len(PERSON)


def test_digests_nobody_would_take_are_as_due_as_they_were(provider):
    people(2, **DAILY)
    scan_at()
    with provider(*EVERYONE) as server:
        for number, _ in enumerate(EVERYONE, 1):
            summary = digest_at((1 + number / 10) * ONE)
            assert (summary.mail, len(server.seen), state()) == ("down", number, (True, 0))
            assert (mails(), rows()) == ([("sealed", 0)] * 2, [("sealed", 0)] * 2)
            assert not Mail.objects.filter(doubtful=True).exists()
        assert (digest_at(1.5 * ONE).mails_sent, state()) == (2, (False, 0))
        assert len(same_mails(server)) == 2
    assert (mails(), rows()) == ([("sent", 1)] * 2, [("sent", 0)] * 2)


@pytest.mark.parametrize(("esp", "headers", "hours"), WAITS)
def test_a_digest_waits_as_long_as_the_provider_asks(provider, headers, hours):
    people(**DAILY)
    scan_at()
    with provider(answer("429 Slow", headers=headers)) as server:
        digest_at(ONE)
        assert (mails(), Mail.objects.get().doubtful) == ([("sealed", 1)], False)
        assert (digest_at((hours + 0.95) * ONE).mail, len(server.seen)) == ("down", 1)
        assert digest_at((hours + 1.05) * ONE).mails_sent == 1
        assert list(same_mails(server).values()) == [2]


@pytest.mark.parametrize(("esp", "fault"), list(zip(BACKENDS, CONFLICTS, strict=True)))
def test_a_conflict_over_a_key_never_leads_to_a_new_one(provider, fault):
    people(**DAILY)
    scan_at()
    with provider(then=fault) as server:
        for hours in range(1, 25):
            digest_at(1.01 * hours * ONE)
        assert list(same_mails(server).values()) == [8]  # after 15 minutes, 1 hour, then every 4
        assert digest_at(1.01 * 25 * ONE).unconfirmed == 1
        assert (digest_at(48 * ONE).mails_sent, len(server.seen)) == (0, 8)
    assert (mails(), rows()) == ([("unconfirmed", 8)], [("unconfirmed", 0)])
    assert Mail.objects.get().error.startswith("http: 409: ")


# Where it goes, and what it takes along


def test_a_redirect_is_followed_nowhere(provider):
    crowd(7)
    with HttpProvider() as elsewhere, provider() as server:
        location = f"Location: {elsewhere.url.replace('127.0.0.1', 'localhost')}emails"
        told = [answer(f"{status} There", headers=[location]) for status in range(301, 304)]
        told += [answer(f"{status} There", headers=[location]) for status in (307, 308)]
        server.steps = iter([*with_others(told[:3]), *told[3:]])
        assert (scan_at().mail, len(server.seen)) == ("down", 7)
        assert rows() == [("unconfirmed", 0), ("sent", 0)] * 3 + [("queued", 1)]
        assert (scan_at(ONE).mail, rows()[-1]) == ("down", ("queued", 2))
        assert (scan_at(2 * ONE).mails_sent, elsewhere.seen) == (1, [])


def test_the_key_is_the_settings_and_no_password_of_another(provider, esp, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("default login somebody password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    people()
    with provider() as server:
        assert scan_at().mails_sent == 1
        told = {name: server.seen[0].headers.get(name) for name in ("authorization", "api-key")}
    resend = {"authorization": "Bearer k1", "api-key": None}
    assert told == (resend if esp == "resend" else {"authorization": None, "api-key": "k2"})


def through_a_proxy(settings, monkeypatch, server: HttpProvider, scheme: str) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, server.url)
    url = f"{scheme}://mail.invalid/"
    settings.ANYMAIL = {**settings.ANYMAIL, "RESEND_API_URL": url, "BREVO_API_URL": url}


@pytest.mark.parametrize("esp", ["brevo"])
def test_the_environments_proxy_is_used(settings, monkeypatch, provider):
    people()
    with provider() as server:
        through_a_proxy(settings, monkeypatch, server, "http")
        assert scan_at().mails_sent == 1
        assert [seen.path.rpartition("/")[0][:19] for seen in server.seen] == [
            "http://mail.invalid"
        ]


@pytest.mark.parametrize("esp", ["resend"])
def test_a_proxy_that_connects_nobody_burns_nothing(settings, monkeypatch, provider):
    people()
    with provider(answer("502 No")) as server:
        direct = settings.ANYMAIL
        through_a_proxy(settings, monkeypatch, server, "https")
        scan_at()
        assert (mails(), rows()) == ([("void", 1)], [("queued", 1)])
        assert [seen.path for seen in server.seen] == ["mail.invalid:443"]
        settings.ANYMAIL = direct
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        assert scan_at(ONE).mails_sent == 1


# No connection


@pytest.mark.parametrize(("esp", "trouble"), [("resend", "refused"), ("brevo", "no TLS")])
def test_without_a_connection_nothing_is_lost(settings, provider, trouble):
    people()
    with provider() as server:
        right = settings.ANYMAIL
        wrong = (
            "http://127.0.0.1:1/" if trouble == "refused" else server.url.replace("http", "https")
        )
        settings.ANYMAIL = {**right, "RESEND_API_URL": wrong, "BREVO_API_URL": wrong}
        assert scan_at().mail == "ok"
        assert (mails(), rows()) == ([("void", 1)], [("queued", 1)])
        settings.ANYMAIL = right
        assert (scan_at(ONE).mails_sent, len(server.seen)) == (1, 1)
    assert (mails(), rows()) == ([("void", 1), ("sent", 1)], [("sent", 1)])


@pytest.mark.parametrize("esp", ["resend"])
def test_a_connection_that_comes_too_late_sends_nothing(settings, provider, monkeypatch):
    connect, too_late, ready = urllib3_connection.create_connection, threading.Event(), []

    def slowly(*args: Any, **options: Any) -> Any:
        too_late.wait(30)
        ready.append(connect(*args, **options))
        return ready[0]

    people()
    with provider() as server:
        with monkeypatch.context() as patch, impatient(settings):
            patch.setattr(urllib3_connection, "create_connection", slowly)
            scan_at()
        assert (mails(), rows()) == ([("void", 1)], [("queued", 1)])
        too_late.set()
        assert server.ended.acquire(timeout=5)
        assert (len(ready), server.seen) == (1, [])
        assert (scan_at(ONE).mails_sent, len(server.seen)) == (1, 1)
