"""The ledger, the mails and their bytes, as staff see them and what staff may decide."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils import timezone

from accounts.models import OptOutToken
from deliveries import ledger
from deliveries.models import Delivery, Mail
from tests.admin_browser import act, entered, listed, messages, page, queries, staff
from tests.factories import JobFactory, person, queued

pytestmark = pytest.mark.django_db

FRESH = timedelta(hours=24)
HOSTILE = '<script>alert("1")</script>'


def mailed(user, end=None, title="A job", **values):
    """A ledger row in an alert that came to this end; without one it is being sent."""
    row = queued(user, JobFactory(title=title), **values)
    claimed = ledger.claim(user.pk, now=timezone.now(), fresh=FRESH)
    if end:
        ledger.finish(claimed.mail.envelope, end, now=timezone.now(), error="said so")
    row.refresh_from_db()
    return row


def tables():
    return [list(model.objects.order_by("pk").values()) for model in (Delivery, Mail)]


def states():
    return list(Delivery.objects.order_by("pk").values_list("status", "attempts", "mail_id"))


@pytest.mark.parametrize("model", ["deliveries_delivery", "deliveries_mail"])
def test_lists_take_a_fixed_number_of_queries(model):
    def make(numbers):
        for n in numbers:
            mailed(person(f"user{n}@example.com"))

    boss = staff()
    make(range(3))
    few = queries(boss, model)
    make(range(3, 30))
    assert queries(boss, model) == few <= 12


def test_lists_never_read_the_bytes_of_mails(django_assert_num_queries):
    mailed(person())
    boss = staff()
    with django_assert_num_queries(queries(boss, "deliveries_mail")) as caught:
        listed(boss, "deliveries_mail")
    assert not [q for q in caught.captured_queries if '"deliveries_mail"."body"' in q["sql"]]


def test_rows_and_mails_are_found_by_address_job_and_envelope():
    boss, ana, bob = staff(), person(), person("bob@example.com")
    wanted, other = mailed(ana, "sent"), mailed(bob, "failed")
    for query in (
        *("ana@", "ANA@example.com", wanted.job_id, wanted.job_id[7:], wanted.job.url),
        *(wanted.mail_id, wanted.mail_id.upper()),
    ):
        assert listed(boss, "deliveries_delivery", f"?q={query}") == [wanted.pk], query
        assert listed(boss, "deliveries_mail", f"?q={query}") == [wanted.mail_id], query
    assert listed(boss, "deliveries_delivery", f"?user__uid__exact={bob.pk}") == [other.pk]
    assert listed(boss, "deliveries_delivery", f"?q={'0' * 32}") == []


def test_rows_are_narrowed_by_status_route_reason_and_day():
    boss, ana, now = staff(), person(), timezone.now()
    old = queued(ana, JobFactory(), route="daily", queued_at=now - timedelta(days=9)).pk
    ledger.expire([old], "stale", now=now)
    new = mailed(ana, "sent").pk
    day = f"queued_at__year={now.year}&queued_at__month={now.month}&queued_at__day={now.day}"
    for query, expected in {
        "status__exact=sent": [new],
        "status__exact=queued": [],
        "route__exact=daily": [old],
        "reason=stale": [old],
        day: [new],
        "": [new, old],
    }.items():
        assert listed(boss, "deliveries_delivery", f"?{query}") == expected, query


def test_a_row_leads_to_its_user_job_verdict_mail_and_steps():
    row, boss = mailed(person(), "sent"), staff()
    html = page(boss, "deliveries_delivery_change", row.pk)
    for start in ("accounts/user/", "jobs/job/", "jobs/verdict/", "deliveries/mail/"):
        address = html.partition(f'href="/admin/{start}')[2].partition('"')[0]
        assert boss.get(f"/admin/{start}{address}").status_code == 200, start
    steps = re.search(r'href="(/admin/deliveries/delivery/[^"]+/why/)"', html)[1]
    told = boss.get(steps).content.decode()
    assert ("No row: nothing" in told, "sent, route instant, queued" in told) == (False, True)


def test_why_is_told_for_an_address_and_a_job_and_for_nobody_unknown():
    person(min_hourly=100)
    job, boss = JobFactory(), staff()
    address = reverse("admin:deliveries_why")

    def asked(email, job):
        return boss.post(address, {"email": email, "job": job}).content.decode()

    assert "1 of 1 filters turns it down" in asked(" Ana@example.com", job.url)
    assert "No user has the address" in asked("nobody@example.com", job.pk)
    assert "Never seen: no source has named" in asked("ana@example.com", "upwork:5")
    assert boss.get("/admin/deliveries/delivery/bm9ib2R5_upwork:5/why/").status_code == 404


@pytest.mark.parametrize("model", ["delivery", "mail"])
def test_nobody_adds_changes_or_deletes(model):
    row, boss = mailed(person(), "unconfirmed"), staff()
    key = row.pk if model == "delivery" else row.mail_id
    before = tables()
    for name, args in (("add", []), ("change", [key]), ("delete", [key])):
        address = reverse(f"admin:deliveries_{model}_{name}", args=args)
        assert boss.post(address, {"post": "yes", "status": "sent"}).status_code == 403, name
    assert "delete_selected" not in page(boss, f"deliveries_{model}_changelist")
    assert tables() == before


def test_failed_rows_are_queued_again_after_asking_and_no_others():
    boss, ana = staff(), person()
    failed, sent = mailed(ana, "failed", HOSTILE), mailed(ana, "sent")
    before = tables()
    asked = act(boss, "deliveries_delivery", "requeue", failed.pk, sent.pk, confirmed=False)
    assert (HOSTILE in asked, "ana@example.com" in asked) == (False, True)
    assert (f'value="{failed.pk}"' in asked, f'value="{sent.pk}"' in asked) == (True, False)
    assert (tables(), LogEntry.objects.count()) == (before, 0)
    done = act(boss, "deliveries_delivery", "requeue", failed.pk, sent.pk)
    assert messages(done) == ["Queued again: 1 job."]
    assert states() == [("queued", 1, None), ("sent", 0, sent.mail_id)]
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.change_message) == (failed.pk, "Queued again by staff.")
    again = act(boss, "deliveries_delivery", "requeue", failed.pk, sent.pk)
    assert messages(again) == ["None of the chosen rows failed: nothing was changed."]


@pytest.mark.parametrize("end", ["sent", "failed"])
@pytest.mark.parametrize("model", ["deliveries_delivery", "deliveries_mail"])
def test_unconfirmed_mails_are_settled_whole(end, model):
    boss, ana = staff(), person()
    sister = queued(ana, JobFactory())
    row, other = mailed(ana, "unconfirmed"), mailed(person("bob@example.com"), "unconfirmed")
    chosen = row.pk if model == "deliveries_delivery" else row.mail_id
    act(boss, model, f"settle_as_{end}", chosen, confirmed=False)
    assert set(Mail.objects.values_list("status", flat=True)) == {"unconfirmed"}
    done = act(boss, model, f"settle_as_{end}", chosen)
    assert messages(done) == [f"Settled as {end}: 1 mail with 2 jobs."]
    rows = Delivery.objects.in_bulk([row.pk, sister.pk, other.pk])
    assert [rows[r.pk].status for r in (row, sister, other)] == [end, end, "unconfirmed"]
    mail = Mail.objects.get(pk=row.mail_id)
    assert mail.status == end
    assert mail.error == ("" if end == "sent" else "staff: it did not arrive; before that: said so")
    notes = LogEntry.objects.filter(object_id=row.mail_id).values_list("change_message", flat=True)
    assert f"Settled as {end} by staff." in set(notes)


def test_who_may_only_look_may_not_act():
    row = mailed(person(), "failed")
    viewer = staff("deliveries.view_delivery")
    assert "requeue" not in page(viewer, "deliveries_delivery_changelist")
    act(viewer, "deliveries_delivery", "requeue", row.pk)
    assert states() == [("failed", 0, row.mail_id)]


def test_a_mail_shows_what_it_carries_and_what_happened_to_it():
    row = mailed(person(), "sent", HOSTILE)
    Mail.objects.update(events=[{"type": "bounced", "detail": HOSTILE}])
    html = page(staff(), "deliveries_mail_change", row.mail_id)
    for text in ("type: bounced", "ana@example.com", row.mail_id, "no longer kept"):
        assert text in html, text
    assert (HOSTILE in html, "<iframe" in html) == (False, False)


def test_the_bytes_are_shown_in_a_sandbox_while_they_are_kept():
    row, boss = mailed(person(), title=HOSTILE), staff()
    html = page(boss, "deliveries_mail_change", row.mail_id)
    address = reverse("admin:deliveries_mail_body", args=[row.mail_id])
    assert f'src="{address}"' in html.replace("&#x27;", "'")
    assert '<iframe class="mail"' in html
    assert 'sandbox="allow-popups allow-popups-to-escape-sandbox"' in html
    assert ("Subject: " in html, "List-Unsubscribe-Post: " in html) == (True, True)
    body = boss.get(address)
    policy = body["Content-Security-Policy"]
    assert (policy.split()[0], "script" in policy, "allow-same-origin" in policy) == (
        *("sandbox", False, False),
    )
    assert "default-src 'none'" in policy
    assert body["X-Frame-Options"] == "SAMEORIGIN"
    shown = body.content.decode()
    token = OptOutToken.objects.get().token
    assert (HOSTILE in shown, "&lt;script&gt;" in shown) == (False, True)
    assert (token in shown, token in html, "(not-shown)" in shown) == (False, False, True)


def test_the_bytes_are_for_staff_only_and_gone_when_the_mail_is_finished():
    row = mailed(person())
    address = reverse("admin:deliveries_mail_body", args=[row.mail_id])
    assert entered(person("bob@example.com")).get(address).status_code == 302
    assert staff("deliveries.view_run").get(address).status_code == 403
    ledger.finish(row.mail_id, "sent", now=timezone.now())
    gone = staff(email="boss@example.com").get(address)
    assert (gone.status_code, "no longer kept" in gone.content.decode()) == (404, True)
    assert gone["Content-Security-Policy"].startswith("sandbox")
    missing = reverse("admin:deliveries_mail_body", args=["0" * 32])
    assert staff(email="chef@example.com").get(missing).status_code == 404
