"""Queued digests: who waits for what until when, a look at it, and sending it before its hour."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from accounts.models import OptOutToken, Preferences, Suppression
from deliveries import ledger, routing
from deliveries.digest import digest
from deliveries.early_digest import send_now
from deliveries.models import Delivery, Mail
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests.admin_browser import listed, messages, page, queries, staff
from tests.factories import JobFactory, person, queued

pytestmark = pytest.mark.django_db

LIST = "deliveries_queueddigest"


def waiting(email="ana@example.com", scores=(80,), **profile):
    """A user whose digest is not due for hours, with daily rows of these scores."""
    hour = (datetime.now(UTC).hour + 3) % 24
    user = person(email, **{"mode": "daily", "digest_hour": hour, **profile})
    for score in scores:
        queued(user, JobFactory(), score, route="daily")
    return user


def everything():
    models = (Delivery, Mail, Preferences, OptOutToken, LogEntry)
    return [list(model.objects.order_by("pk").values()) for model in models]


def press(client, user):
    address = reverse("admin:deliveries_digest_send", args=[user.pk])
    return messages(client.post(address, follow=True).content.decode())


def test_one_row_a_user_with_daily_rows_the_best_first():
    boss = staff()
    ana, bob = waiting(scores=(80, 95, 71)), waiting("bob@example.com", scores=(99,))
    queued(ana, JobFactory(), 100)  # an alert
    ledger.expire([queued(ana, JobFactory(), 98, route="daily").pk], "closed", now=Clock().now())
    waiting("cy@example.com", scores=())
    response = boss.get(reverse(f"admin:{LIST}_changelist"))
    rows = [(r.user.email, r.rows, r.best_score) for r in response.context["cl"].result_list]
    assert rows == [("bob@example.com", 1, 99), ("ana@example.com", 3, 95)]
    assert response.context["cl"].result_count == 2
    assert listed(boss, LIST, "?q=ana") == [ana.pk]
    assert listed(boss, LIST, "?o=1") == [bob.pk, ana.pk]


def test_the_list_takes_a_fixed_number_of_queries():
    boss = staff()
    for n in range(3):
        waiting(f"user{n}@example.com")
    few = queries(boss, LIST)
    for n in range(3, 30):
        waiting(f"user{n}@example.com", scores=(70, 80))
    assert queries(boss, LIST) == few <= 10


def test_the_next_hour_is_told_on_the_users_clock():
    user = waiting(timezone="Asia/Kathmandu", digest_hour=0)
    now = Clock().now()
    today = (now + timedelta(hours=5, minutes=45)).date()
    Preferences.objects.update(last_digest_on=today)
    tomorrow = today + timedelta(days=1)
    html = page(staff(), f"{LIST}_changelist")
    assert f"{tomorrow:%a %Y-%m-%d} 00:00 +0545 (Asia/Kathmandu)" in html
    assert routing.next_digest(user.preferences.terms(), now, today) > now


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda user: Suppression.objects.create(user=user, reason="bounced"), "does not exist"),
        (lambda user: type(user).objects.update(is_active=False), "switched off"),
        (lambda _: Preferences.objects.update(timezone="Nowhere"), "is no time zone"),
        (
            lambda _: Preferences.objects.update(paused_until=Clock().now() + timedelta(days=2)),
            "paused until",
        ),
    ],
)
def test_what_stands_in_its_way_is_told(change, told):
    boss = staff()
    change(waiting())
    Preferences.objects.exclude(user__email="ana@example.com").delete()
    boss_again = staff(email="boss@example.com") if told == "switched off" else boss
    assert told in page(boss_again, f"{LIST}_changelist")


def test_a_preview_is_the_digest_of_now_and_writes_nothing():
    user, boss = waiting(scores=(90, 80)), staff()
    Delivery.objects.filter(score=90).update(title="<script>alert(1)</script>")
    OptOutToken.objects.all().delete()
    before = everything()
    html = page(boss, "deliveries_digest_preview", user.pk)
    frame = boss.get(reverse("admin:deliveries_digest_body", args=[user.pk]))
    assert everything() == before
    assert ("2 jobs in it, 0 more waiting" in html, "Your 2 best jobs" in html) == (True, True)
    shown = frame.content.decode()
    assert frame["Content-Security-Policy"].startswith("sandbox ")
    assert ("<script>" in shown, "&lt;script&gt;" in shown, "(not-shown)" in shown) == (
        *(False, True, True),
    )


def test_a_row_leads_to_its_preview():
    user = waiting()
    address = reverse(f"admin:{LIST}_change", args=[user.pk])
    assert staff().get(address)["Location"].endswith(f"/{user.pk}/preview/")


def test_a_preview_of_nothing_says_so():
    user, boss = waiting(scores=()), staff()
    assert "Nothing would be in it now" in page(boss, "deliveries_digest_preview", user.pk)
    frame = boss.get(reverse("admin:deliveries_digest_body", args=[user.pk]))
    assert (frame.status_code, "Nothing would be" in frame.content.decode()) == (404, True)
    unknown = reverse("admin:deliveries_digest_preview", args=["bm9ib2R5"])
    assert boss.get(unknown).status_code == 404


def test_send_now_asks_then_sends_one_mail_and_pressed_again_none(smtp):
    user, boss = waiting(scores=(90, 80)), staff()
    before = everything()
    asked = page(boss, "deliveries_digest_send", user.pk)
    assert ("2 jobs would leave now" in asked, everything() == before) == (True, True)
    assert press(boss, user) == ["Sent, with 2 jobs."]
    assert [mail.recipients for mail in smtp.accepted] == [("ana@example.com",)]
    assert set(Delivery.objects.values_list("status", flat=True)) == {"sent"}
    mail = Mail.objects.get()
    assert (mail.kind, mail.status, mail.digest_on) == (
        *("digest", "sent", Preferences.objects.get(pk=user.pk).last_digest_on),
    )
    note = LogEntry.objects.get()
    assert (note.object_id, note.change_message) == (
        *(mail.pk, "“Send now” by staff. Sent, with 2 jobs."),
    )
    queued(user, JobFactory(), route="daily")
    assert "is done already: nothing was sent." in press(boss, user)[0]
    assert len(smtp.accepted) == 1


def test_after_sending_early_no_tick_of_that_day_sends_another(smtp, settings):
    user = waiting()
    press(staff(), user)
    queued(user, JobFactory(), route="daily")
    day = Mail.objects.get().digest_on
    evening = datetime(day.year, day.month, day.day, 23, 55, tzinfo=UTC)
    assert digest(Clock.set_to(evening), Wall(600)).mails_sent == 0
    tomorrow = digest(Clock.set_to(evening + timedelta(days=1)), Wall(600))
    assert (tomorrow.mails_sent, len(smtp.accepted)) == (1, 2)


def test_a_digest_frozen_before_is_the_one_that_is_sent(smtp):
    user = waiting()
    envelope = ledger.freeze_early(user.pk, now=Clock().now())
    assert press(staff(), user) == ["Sent, with 1 job."]
    assert (Mail.objects.get().pk, len(smtp.accepted)) == (envelope, 1)


def test_while_the_provider_is_away_nothing_is_changed(settings):
    user, boss = waiting(), staff()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    before = everything()
    assert press(boss, user) == ["The mail provider does not answer; nothing was changed."]
    assert everything() == before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda user: Suppression.objects.create(user=user, reason="staff"), "is stopped"),
        (
            lambda _: Preferences.objects.update(paused_until=Clock().now() + timedelta(days=2)),
            "has paused mail until",
        ),
        (lambda _: Delivery.objects.update(route="instant"), "Nothing waits for this user"),
    ],
)
def test_what_may_not_leave_does_not_and_the_day_stays_open(smtp, change, told):
    user, boss = waiting(), staff()
    change(user)
    assert told in press(boss, user)[0]
    assert (smtp.accepted, Mail.objects.count()) == ([], 0)
    assert Preferences.objects.get(pk=user.pk).last_digest_on is None


@pytest.mark.django_db(transaction=True)
def test_an_error_in_between_is_told_and_logged(smtp, monkeypatch, caplog):
    user = waiting()
    monkeypatch.setattr("deliveries.early_digest.send_digest", lambda *_: 1 / 0)
    result = send_now(user.pk, Clock())
    assert (result.sent, "ZeroDivisionError" in result.sentence) == (False, True)
    assert (Mail.objects.get().status, "ZeroDivisionError" in caplog.text) == ("sealed", True)


def test_who_may_only_look_sends_nothing(smtp):
    user = waiting()
    viewer = staff("deliveries.view_queueddigest")
    assert "Send it now" not in page(viewer, "deliveries_digest_preview", user.pk)
    address = reverse("admin:deliveries_digest_send", args=[user.pk])
    assert [viewer.get(address).status_code, viewer.post(address).status_code] == [403, 403]
    assert smtp.accepted == []
