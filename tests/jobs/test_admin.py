"""Staff pages about jobs, verdicts and sources: found, read, never changed."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from jobs.inbox import senders
from jobs.models import InboxSender, Job, SourceState, Verdict
from tests.admin_browser import act, listed, page, queries, staff
from tests.factories import JobFactory, person, verdict

pytestmark = pytest.mark.django_db

HOSTILE = '<script>alert("1")</script> & <b>bold</b>'


def source(name, state="ok", **values):
    return SourceState.objects.create(name=name, state=state, checked_at=timezone.now(), **values)


def make(numbers):
    user = person(f"user{min(numbers)}@example.com")
    for n in numbers:
        verdict(user, JobFactory(), n)
        source(f"file {n}")


@pytest.mark.parametrize("model", ["jobs_job", "jobs_verdict"])
def test_lists_take_a_fixed_number_of_queries(model):
    boss = staff()
    make(range(3))
    few = queries(boss, model)
    make(range(3, 30))
    assert queries(boss, model) == few <= 12


def test_jobs_are_found_by_title_id_and_address():
    boss, wanted = staff(), JobFactory(title="Unusual words")
    JobFactory()
    for query in ("unusual", wanted.pk, wanted.pk[7:], f"~02{wanted.pk[7:]}", wanted.url):
        assert listed(boss, "jobs_job", f"?q={query}") == [wanted.pk], query
    assert listed(boss, "jobs_job", "?q=nothing") == []
    assert listed(boss, "jobs_job", "?q=upwork:1") == []


def test_jobs_are_narrowed_by_source_type_and_freshness():
    boss, now = staff(), timezone.now()
    source("upwork")
    fresh = JobFactory(source="upwork").pk
    old = JobFactory(first_seen=now - timedelta(hours=30), job_type="fixed").pk
    gone = JobFactory(text_dropped_at=now, job_type=None, source="import").pk
    for query, expected in {
        "source=upwork": {fresh},
        "source=import": {gone},
        "type=hourly": {fresh},
        "type=fixed": {old},
        "type=none": {gone},
        "fresh=yes": {fresh},
        "fresh=no": {old},
        "fresh=dropped": {gone},
        "fresh=nonsense": {fresh, old, gone},
    }.items():
        assert set(listed(boss, "jobs_job", f"?{query}")) == expected, query


def test_verdicts_are_found_by_address_and_job_and_narrowed_by_score_and_scorer():
    boss, ana, bob = staff(), person(), person("bob@example.com")
    high, low = verdict(ana, JobFactory(), 95), verdict(bob, JobFactory(), 40, scorer="openai:x")
    for query, expected in {
        "q=ana@": [high.pk],
        f"q={low.job_id}": [low.pk],
        f"q={low.job.url}": [low.pk],
        "score=90": [high.pk],
        "score=0": [low.pk],
        "score=50": [],
        "by=local": [high.pk],
        "by=model": [low.pk],
        f"user__uid__exact={bob.pk}": [low.pk],
    }.items():
        assert listed(boss, "jobs_verdict", f"?{query}") == expected, query


def test_a_verdict_says_why_by_whom_and_what_was_compared():
    row = verdict(
        person(),
        JobFactory(),
        reasons=["Names 3 skills", HOSTILE],
        concerns=["No budget"],
        compared={"min_hourly": ["your floor is $40/h", "the post offers $60/h"], "gone": [1, 2]},
        tokens_in=900,
        tokens_out=80,
        cost_usd="0.0012",
        scorer="openai:gpt",
    )
    html = page(staff(), "jobs_verdict_change", row.pk)
    for text in (
        *("80 of 100", "Names 3 skills", "No budget", "openai:gpt", "900 tokens in, 80 out"),
        *(
            "Hourly rate, at least (US dollars)",
            "your floor is $40/h",
            "the post offers $60/h",
            "US$ 0.0012",
        ),
    ):
        assert text in html, text


def test_a_verdict_says_what_its_score_is_made_of():
    boss, ana = staff(), person()
    row = verdict(ana, JobFactory(), 76, parts={"skills": 18, "crowded": -5, "start": 63})
    html = page(boss, "jobs_verdict_change", row.pk)
    cells = re.findall(r"<td>([^<]*)</td><td>([^<]*)</td><td>[^<]*</td>", html)
    assert cells == [
        ("Starting point", "63"),
        ("Skills and tags", "+18"),
        ("Many proposals", "-5"),
        ("Score", "76"),
    ]
    old = verdict(ana, JobFactory(), 76)
    assert "not recorded: from before" in page(boss, "jobs_verdict_change", old.pk)


def test_hostile_text_is_escaped_everywhere():
    boss = staff()
    job = JobFactory(title=HOSTILE, description=HOSTILE, skills=[HOSTILE])
    row = verdict(person(), job, reasons=[HOSTILE], concerns=[HOSTILE], search_name=HOSTILE)
    html = (
        page(boss, "jobs_job_changelist")
        + page(boss, "jobs_job_change", job.pk)
        + page(boss, "jobs_verdict_changelist")
        + page(boss, "jobs_verdict_change", row.pk)
    )
    assert ("<script>alert" in html, "<b>bold" in html) == (False, False)
    assert html.count("&lt;script&gt;alert") >= 8


def test_times_name_their_zone():
    job = JobFactory()
    assert f"{job.first_seen:%Y-%m-%d %H:%M} UTC" in page(staff(), "jobs_job_change", job.pk)


def test_sources_tell_how_they_are():
    source("upwork", "blocked", detail="a bot wall", failures=3)
    source("feed", "unauthorised", detail="refused (401)")
    html = page(staff(), "jobs_sourcestate_changelist")
    assert ">unauthorised: log in, or correct SCOUT_SOURCES</span>" in html
    assert '<span class="mark mark-ill">blocked</span>' in html
    assert "a bot wall" in html
    assert listed(staff(email="b@example.com"), "jobs_sourcestate", "?state__exact=ok") == []


@pytest.mark.parametrize("model", ["job", "verdict", "sourcestate"])
def test_nobody_adds_changes_or_deletes(model):
    boss = staff()
    row = verdict(person(), JobFactory())
    key = {"job": row.job_id, "verdict": row.pk, "sourcestate": source("upwork").pk}[model]
    before = [list(m.objects.values()) for m in (Job, Verdict, SourceState)]
    change = boss.get(reverse(f"admin:jobs_{model}_change", args=[key]))
    assert change.context["has_change_permission"] is False
    for name, args in (("add", []), ("change", [key]), ("delete", [key])):
        address = reverse(f"admin:jobs_{model}_{name}", args=args)
        assert boss.post(address, {"post": "yes", "score": 1}).status_code == 403, name
    actions = boss.get(reverse(f"admin:jobs_{model}_changelist")).context["action_form"]
    assert actions is None
    assert [list(m.objects.values()) for m in (Job, Verdict, SourceState)] == before


def test_a_sender_is_made_with_a_token_shown_once_and_revoked():
    boss = staff()
    address = reverse("admin:jobs_inboxsender_add")
    assert boss.post(address, {"name": "two\nlines"}).status_code == 200
    shown = boss.post(address, {"name": "ana-laptop"})
    token = re.search(r"<pre>(.+?)</pre>", shown.content.decode())[1]
    sender = senders.who_sends(token)
    assert (sender.name, "no-store" in shown["Cache-Control"]) == ("ana-laptop", True)
    assert "may send already" in boss.post(address, {"name": "ana-laptop"}).content.decode()
    html = page(boss, "jobs_inboxsender_changelist") + page(
        boss, "jobs_inboxsender_change", str(sender.pk)
    )
    assert token.partition(".")[2] not in html
    assert sender.token_hash not in html
    assert "Revoked: ana-laptop." in act(boss, "jobs_inboxsender", "revoke", str(sender.pk))
    assert senders.who_sends(token) is None
    assert InboxSender.objects.count() == 1


def test_senders_need_the_right_to_make_and_revoke_them():
    senders.make("ana-laptop")
    looker = staff("jobs.view_inboxsender")
    assert looker.get(reverse("admin:jobs_inboxsender_add")).status_code == 403
    assert looker.post(reverse("admin:jobs_inboxsender_add"), {"name": "x"}).status_code == 403
    act(looker, "jobs_inboxsender", "revoke", str(InboxSender.objects.get().pk))
    assert InboxSender.objects.get().revoked_at is None
