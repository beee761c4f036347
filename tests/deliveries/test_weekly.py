"""The weekly note: who gets one, what it says, and that it comes at most once a week."""

from datetime import date, timedelta

import pytest
from django.db import connection

from accounts.boundaries import watched
from accounts.models import Preferences, Suppression, User
from deliveries import ledger
from deliveries.digest import digest
from deliveries.models import Delivery, Mail, Run
from deliveries.moving import change_address
from deliveries.scan import scan
from deliveries.weekly import due_notes
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs import recent
from tests.deliveries.noted import (
    DAY,
    HOUR,
    MONDAY,
    KilledError,
    cheap,
    killing,
    mails,
    old,
    read,
    tick,
    wanting,
)
from tests.factories import JobFactory, person, queued
from tests.simulation.tables import what_counts
from tests.smtp_faults import Fault, FaultySMTP
from tests.threads import together

pytestmark = pytest.mark.django_db(transaction=True)
NOTE = ("ana@example.com", "weekly", "sent", date(2026, 11, 30), 0)


@pytest.fixture(autouse=True)
def _nothing_kept(settings):
    settings.SCOUT_SOURCES = []
    recent.forget()
    Run.objects.create(kind="scan", started_at=MONDAY - DAY, finished_at=MONDAY - DAY, summary={})
    yield
    recent.forget()


def never(what, error):
    raise AssertionError(what) from error


def test_who_got_nothing_is_told_what_came_nearest_and_what_kept_it_out(smtp):
    wanting()
    cheap(title="Django API for <parcels>")
    assert (tick().mails_sent, tick(HOUR).mails_sent, mails()) == (1, 0, [NOTE])
    [mail] = smtp.accepted
    message, text = read(mail.raw)
    assert message["Subject"] == "Nothing matched this week: 1 job looked at"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "We looked at 1 job of the last 7 days, and none was sent to you." in text
    assert "to you. “Hourly rate, at least (US dollars)” alone kept out 1 job." in text
    assert "Your floor is $90/h; the post offers up to $60/h." in text
    assert "1. Django API for <parcels> https://www.upwork.com/jobs/~02" in text
    assert "$40–60 an hour" in text
    assert "/mail/" in text
    assert "Django API for &lt;parcels&gt;" in message.get_body(("html",)).get_content()


def had(user, status, days, **values):
    """A job of the user's that came to this so many days before the note."""
    row = queued(user, JobFactory(first_seen=MONDAY - days * DAY), changed_at=MONDAY - days * DAY)
    if status == "sent":
        mail = Mail.objects.create(
            id="a" * 32, user=user, kind="alert", status="sending", recipient="x", subject="x",
            jobs=1, body=b"x",
        )  # fmt: skip
        rows = Delivery.objects.filter(pk=row.pk)
        rows.update(status="sealed", mail=mail)
        ledger.finish(mail.pk, "sent", now=MONDAY - days * DAY)
    elif status == "expired":
        ledger.expire([row.pk], "stale", now=MONDAY - days * DAY)


@pytest.mark.parametrize(
    ("status", "days", "notes"),
    [("sent", 6, 0), ("sent", 8, 1), ("queued", 1, 0), ("expired", 3, 0), ("expired", 8, 1)],
)
def test_who_had_a_job_within_the_week_gets_no_note(smtp, status, days, notes):
    had(wanting(mode="daily", digest_hour=8, paused_until=None), status, days)
    Preferences.objects.update(last_digest_on=MONDAY.date())
    assert tick().mails_sent == notes
    assert len(smtp.accepted) == notes


def refuse(user, why):
    """Make it so that no note may come."""
    match why:
        case "does not want it":
            Preferences.objects.update(weekly_note=False)
        case "paused":
            Preferences.objects.update(paused_until=MONDAY + 2 * DAY)
        case "opted out":
            Suppression.objects.create(user=user, reason="opted_out")
        case "inactive":
            User.objects.update(is_active=False)
        case "new":
            User.objects.update(date_joined=MONDAY - 6 * DAY)
        case "back after a restored backup":
            User.objects.update(jobs_from=MONDAY - 2 * DAY)


WHYS = ("does not want it", "paused", "opted out", "inactive", "new")


@pytest.mark.parametrize("why", [*WHYS, "back after a restored backup"])
def test_who_may_not_get_it_gets_none(smtp, why):
    refuse(wanting(), why)
    assert (tick().mails_sent, mails(), smtp.accepted) == (0, [], [])


@pytest.mark.parametrize("why", [*WHYS, "a job was queued"])
def test_what_comes_between_is_heeded_by_the_claim(smtp, why):
    user = wanting()

    def meanwhile(name, moment):
        if (name, moment) == ("mail: open", "after") and not Suppression.objects.exists():
            queued(user, JobFactory()) if why == "a job was queued" else refuse(user, why)

    with watched(meanwhile):
        assert tick().mails_sent == 0
    assert (mails(), smtp.accepted) == ([], [])


def test_each_week_has_its_own(smtp):
    wanting()
    for week in range(3):
        assert tick(week * 7 * DAY).mails_sent == 1
    assert [mail[3] for mail in mails()] == [
        date(2026, 11, 30),
        date(2026, 12, 7),
        date(2026, 12, 14),
    ]


def test_two_ticks_at_once_send_one(smtp):
    for name in ("ana", "bo", "cy"):
        wanting(f"{name}@example.com")
    together(*[tick] * 3)
    assert sorted(m.recipients for m in smtp.accepted) == [
        (f"{name}@example.com",) for name in ("ana", "bo", "cy")
    ]
    assert [mail[2] for mail in mails()] == ["sent"] * 3


@pytest.mark.parametrize(
    ("name", "when", "accepted", "status", "in_the_end"),
    [
        ("weekly: claim", "before", 0, None, "sent"),
        ("weekly: claim", "after", 0, "sending", "unconfirmed"),
        ("mail: send", "before", 0, "sending", "unconfirmed"),
        ("mail: send", "after", 1, "sending", "unconfirmed"),
        ("mail: finish", "before", 1, "sending", "unconfirmed"),
    ],
)
def test_killed_anywhere_it_never_comes_twice(smtp, name, when, accepted, status, in_the_end):
    wanting()
    with pytest.raises(KilledError), watched(killing(name, when)):
        tick()
    if name == "mail: send" and when == "before":
        accepted = len(smtp.accepted)  # the moment is after the server has answered
    assert len(smtp.accepted) == accepted
    assert [mail[2] for mail in mails()] == ([status] if status else [])
    for minutes in (3, 20, 40):
        tick(timedelta(minutes=minutes))
    assert [mail[2] for mail in mails()] == [in_the_end]
    assert len(smtp.accepted) == max(accepted, in_the_end == "sent")


@pytest.mark.parametrize(
    ("fault", "first", "then", "ended"),
    [
        (Fault("content", "451 later"), "void", ["void", "sent"], 1),
        (Fault("rcpt", "550 nobody"), "failed", ["failed"], 0),
        (Fault("content", "disconnect"), "unconfirmed", ["unconfirmed"], 0),
        (Fault("mail", "550 not from you"), "void", ["void", "sent"], 1),
    ],
)
def test_what_did_not_leave_is_tried_again_and_nothing_else(settings, fault, first, then, ended):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    wanting()
    with FaultySMTP([fault]) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        tick()
        assert [mail[2] for mail in mails()] == [first]
        assert tick(HOUR / 6).mails_sent == 0
        assert tick(HOUR / 3).mails_sent == ended
        assert tick(HOUR).mails_sent == 0
        assert len(server.accepted) == ended
    assert [mail[2] for mail in mails()] == then
    assert Mail.objects.values("pk").distinct().count() == len(then)


def test_after_a_day_of_refusals_it_is_given_up_for_all_to_see(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    wanting()
    with FaultySMTP([], then=Fault("content", "451 later")) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        for half_hours in range(60):
            tick(half_hours * HOUR / 2)
        assert server.accepted == []
    assert {mail[2] for mail in mails()} == {"void"}
    assert 5 <= len(mails()) <= 8


def test_a_dead_server_burns_nothing(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    wanting()
    summary = tick()
    assert (summary.mail, summary.users_left, mails()) == ("down", 1, [])


def test_nobody_else_waits_for_who_cannot_be_told(smtp):
    for name in ("ana", "bo", "cy"):
        wanting(f"{name}@example.com")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE accounts_preferences SET timezone = 'No/Where' WHERE user_id ="
            " (SELECT uid FROM accounts_user WHERE email = 'bo@example.com')"
        )
        cursor.execute(
            "UPDATE accounts_search SET words_any = ARRAY['django', NULL] WHERE user_id ="
            " (SELECT uid FROM accounts_user WHERE email = 'ana@example.com')"
        )
    cheap()
    assert tick().errors == 3  # bo's digest, bo's note, ana's note
    assert [mail.recipients for mail in smtp.accepted] == [("cy@example.com",)]


def test_digests_come_first_and_a_short_time_costs_notes_alone(smtp):
    wanting("ana@example.com")
    wanting("bo@example.com")
    queued(old(person("zoe@example.com", mode="daily")), JobFactory(), route="daily")
    wall, sent = Wall(60), []

    def stop_after_two(name, moment):
        if (name, moment) == ("mail: send", "after"):
            sent.append(name)
            wall.stopped = len(sent) == 2

    with watched(stop_after_two):
        summary = digest(Clock.set_to(MONDAY), wall)
    assert (summary.mails_sent, summary.users_left) == (2, 1)
    assert [mail[1:3] for mail in mails()] == [("digest", "sent"), ("weekly", "sent")]
    assert tick(HOUR).mails_sent == 1


def test_at_rest_nothing_is_sent_and_nothing_changes(smtp):
    wanting()
    wanting("bo@example.com", min_hourly=None)
    cheap(2)
    scan(Clock.set_to(MONDAY - HOUR), Wall(60))
    tick()
    before = what_counts()
    assert (tick(HOUR).mails_sent, tick(2 * HOUR).mails_sent) == (0, 0)
    assert what_counts() == before


def test_while_nobody_wants_it_it_costs_one_query(django_assert_num_queries):
    old(person())
    with django_assert_num_queries(1):
        assert due_notes(MONDAY, never) == []


def test_as_many_queries_for_many_as_for_few(django_assert_num_queries):
    for number in range(5):
        wanting(f"user{number}@example.com")
    with django_assert_num_queries(3):
        assert len(due_notes(MONDAY, never)) == 5


def test_after_a_change_of_address_it_does_not_come_again(smtp):
    user = wanting()
    tick()
    change_address(user.pk, "new@example.com", now=MONDAY + HOUR)
    assert tick(2 * HOUR).mails_sent == 0


def test_a_source_that_was_down_is_named_as_the_cause_in_plain_words(smtp):
    wanting()
    for hours in range(1, 40):
        at = MONDAY - hours * HOUR
        told = {"sources": {"apify:secret": "blocked"}}
        Run.objects.create(kind="scan", started_at=at, finished_at=at, summary=told)
    tick()
    text = read(smtp.accepted[0].raw)[1]
    assert "Our source of jobs did not let us in all this time: posts from there may" in text
    assert "apify" not in text


def test_with_no_search_switched_on_it_says_so(smtp):
    user = wanting()
    user.searches.update(active=False)
    tick()
    text = read(smtp.accepted[0].raw)[1]
    assert "No search of yours is switched on and says what it looks for, so nothing can" in text


def test_jobs_that_the_searches_of_today_would_let_through_are_no_misses(smtp):
    user = wanting()
    cheap()
    user.searches.update(min_hourly=None)
    tick()
    text = read(smtp.accepted[0].raw)[1]
    assert text.startswith("Nothing was sent this week ")
    assert "none was sent to you. By your searches as they are now these would fit; when" in text
    assert "kept it out" not in text
