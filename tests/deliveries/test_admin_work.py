"""Runs and the mail provider's breaker, as staff see them."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils import timezone

from deliveries.models import MailProvider, Run
from deliveries.sending.post import Post
from deliveries.summaries import DigestSummary, ScanSummary
from tests.admin_browser import act, listed, messages, page, queries, staff
from tests.factories import person

pytestmark = pytest.mark.django_db

SMTP = "django.core.mail.backends.smtp.EmailBackend"


def run(kind="scan", ago=1, *, done=True, **numbers):
    start = timezone.now() - timedelta(minutes=ago)
    summary = ScanSummary(**numbers) if kind == "scan" else DigestSummary(**numbers)
    return Run.objects.create(
        kind=kind,
        started_at=start,
        finished_at=start + timedelta(seconds=2) if done else None,
        summary=summary.as_json() if done else {},
    )


def breaker(**values):
    return MailProvider.objects.create(**{"name": SMTP, "changed_at": timezone.now(), **values})


@pytest.mark.parametrize(
    ("numbers", "outcome"),
    [
        ({"new_jobs": 3, "mails_sent": 2, "jobs_sent": 5}, "3 new jobs, 2 mails sent, 5 jobs sent"),
        ({"skipped": "previous run in flight"}, "skipped: previous run in flight"),
        ({"sources": {"upwork": "blocked", "file": "quiet"}}, "upwork is blocked"),
        ({"mail": "down"}, "mail is down"),
        ({}, "nothing to do"),
        ({"done": False}, "not finished: still at work, or killed"),
    ],
)
def test_a_run_tells_in_a_line_what_came_of_it(numbers, outcome):
    run(**numbers)
    assert outcome in page(staff(), "deliveries_run_changelist")


def test_a_run_tells_every_number_in_words_and_no_json():
    row = run(queued=7, sources={"upwork": "blocked", "file": "ok"})
    html = page(staff(), "deliveries_run_change", row.pk)
    assert "<td>jobs queued</td><td>7</td>" in html
    assert "<td>sources</td><td>file: ok, upwork: blocked</td>" in html
    assert ("{&#x27;" in html, "{&quot;" in html) == (False, False)


def test_runs_are_narrowed_by_kind_and_listed_with_few_queries():
    boss, tick = staff(), run("digest", ago=500)
    assert listed(boss, "deliveries_run", "?kind__exact=digest") == [tick.pk]
    few = queries(boss, "deliveries_run")
    for minutes in range(30):
        run(ago=minutes)
    assert queries(boss, "deliveries_run") <= few + 1  # the days of a month, once there are two
    more = queries(boss, "deliveries_run")
    run()
    assert queries(boss, "deliveries_run") == more


@pytest.mark.parametrize("model", ["run", "mailprovider"])
def test_nobody_adds_changes_or_deletes(model):
    key = run().pk if model == "run" else breaker().pk
    boss = staff()
    for name, args in (("add", []), ("change", [key]), ("delete", [key])):
        address = reverse(f"admin:deliveries_{model}_{name}", args=args)
        assert boss.post(address, {"post": "yes", "kind": "digest"}).status_code == 403, name
    assert (Run.objects.count(), MailProvider.objects.count()) in {(1, 0), (0, 1)}


@pytest.mark.parametrize(
    ("values", "state"),
    [
        ({"down": True}, "down: refused everybody"),
        ({"not_before": timezone.now() + timedelta(hours=9)}, "waiting, as it asked"),
        ({}, '<span class="mark mark-well">well</span>'),
    ],
)
def test_the_breaker_is_told_in_words(values, state):
    breaker(**values)
    assert state in page(staff(), "deliveries_mailprovider_changelist")


def test_closing_the_breaker_forgets_and_lets_the_next_run_try(smtp, wall, at):
    later = timezone.now() + timedelta(hours=5)
    breaker(down=True, refusals_in_a_row=1, refused_user=person(), not_before=later, detail="no")
    boss, clock = staff(), at(timezone.now().isoformat())
    with Post(wall, clock) as post:
        assert post.ready() is False
    asked = act(boss, "deliveries_mailprovider", "close_it", SMTP, confirmed=False)
    assert ("Close the breaker?" in asked, MailProvider.objects.get().not_before) == (True, later)
    assert messages(act(boss, "deliveries_mailprovider", "close_it", SMTP)) == [
        "The breaker is closed: the next run tries to send."
    ]
    row = MailProvider.objects.get()
    assert (row.down, row.refusals_in_a_row, row.refused_user, row.not_before, row.detail) == (
        *(False, 0, None, None, ""),
    )
    assert LogEntry.objects.get().change_message == "The breaker was closed by staff."
    with Post(wall, clock) as post:
        assert post.ready() is True
