"""The page about delivery: pause, settings, sample, last mails, stop."""

import re
from datetime import UTC, datetime, time, timedelta
from html import unescape

import pytest
from django.utils import timezone

from accounts.models import Preferences, Suppression, User
from accounts.profiles import ProfileChanges
from deliveries.models import Delivery, Mail, Run
from deliveries.pages import my_mail
from deliveries.people import save_profile
from jobs import recent
from jobs.models import SourceState
from tests.accounts.signing_in import browser, sign_in
from tests.deliveries.test_my_pages import text
from tests.factories import NOON, JobFactory, person, queued
from tests.page_forms import form_of

pytestmark = pytest.mark.django_db
ANA = "ana@example.com"


@pytest.fixture(autouse=True)
def _nothing_kept():
    recent.forget()
    yield
    recent.forget()


@pytest.fixture
def client():
    return browser()


def signed_in(client, **profile):
    user = person(ANA, **profile)
    client.force_login(user)
    return user


def stored():
    return Preferences.objects.get()


def page(client):
    return client.get("/mail/").content.decode()


def typed(client, **values):
    """What the form of settings would post, with these typed in."""
    form = form_of(page(client), "/mail/")
    given = {f"mail-{name}" if name != "version" else name: v for name, v in values.items()}
    return {"do": "save", **form, **given}


def test_what_was_typed_survives_being_signed_out(client, mailoutbox):
    signed_in(client)
    fields = typed(client, max_jobs_per_day="7")
    client.logout()
    answer = client.post("/mail/", fields)
    assert "what you typed" in client.get(answer["Location"]).content.decode()
    assert sign_in(client, mailoutbox, ANA, next="/mail/")["Location"] == "/mail/"
    again = page(client)
    assert "nothing of this is saved yet" in again
    assert stored().max_jobs_per_day == 30
    client.post("/mail/", {"do": "save", **form_of(again, "/mail/")})
    assert stored().max_jobs_per_day == 7
    assert "saved yet" not in page(client)


def test_what_was_typed_may_be_dropped(client):
    user = signed_in(client)
    fields = typed(client, max_jobs_per_day="7")
    client.logout()
    client.post("/mail/", fields)
    client.force_login(user)
    assert form_of(page(client), "/mail/")["mail-max_jobs_per_day"] == ["7"]
    dropped = client.get("/mail/?stored").content.decode()
    assert form_of(dropped, "/mail/")["mail-max_jobs_per_day"] == ["30"]
    assert "saved yet" not in page(client)


def test_settings_are_saved_and_shown(client):
    signed_in(client)
    values = {
        "mode": "daily",
        "digest_hour": "18",
        "timezone": "Asia/Tokyo",
        "quiet_from": "22:00",
        "quiet_until": "07:00",
        "max_jobs_per_day": "7",
        "weekly_note": "on",
    }
    assert client.post("/mail/", typed(client, **values))["Location"] == "/mail/"
    found = stored()
    assert (found.mode, found.digest_hour, found.timezone) == ("daily", 18, "Asia/Tokyo")
    assert (found.quiet_from, found.quiet_until) == (time(22), time(7))
    assert (found.max_jobs_per_day, found.weekly_note) == (7, True)
    shown = form_of(page(client), "/mail/")
    assert {name.removeprefix("mail-") for name in shown} >= set(values)
    words = text(client.get("/mail/"))
    assert "one digest a day, the best first, at most 7 jobs." in words
    assert re.search(r"Next weekly note Mon \d+ \w+, 18:00 \(Asia/Tokyo\), if nothing", words)


def test_what_the_page_does_not_show_stays(client):
    until = timezone.now() + timedelta(days=1)
    signed_in(client, ai_allowed=False)
    Preferences.objects.update(paused_until=until)
    client.post("/mail/", typed(client, weekly_note="on"))
    assert (stored().paused_until, stored().ai_allowed, stored().weekly_note) == (
        until,
        False,
        True,
    )


def test_a_new_mode_takes_waiting_rows_along(client):
    queued(signed_in(client), JobFactory())
    client.post("/mail/", typed(client, mode="daily"))
    assert Delivery.objects.get().route == "daily"


@pytest.mark.parametrize(
    ("values", "label", "message"),
    [
        ({"max_jobs_per_day": "0"}, "At most this many jobs a day", "not a whole number from 1"),
        ({"quiet_from": "22:00"}, "Quiet until", "Give both ends, or neither."),
        ({"timezone": "Mars/Base"}, "Time zone", "is not a time zone"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_lost(client, values, label, message):
    signed_in(client)
    answer = client.post("/mail/", typed(client, digest_hour="21", **values))
    assert answer.status_code == 200
    words = text(answer)
    assert f"{label} : " in words.replace(f"{label}:", f"{label} :")
    assert message in words
    shown = form_of(answer.content.decode(), "/mail/")
    assert shown["mail-digest_hour"] == ["21"]
    for name, value in values.items():
        assert shown[f"mail-{name}"] == [value]
    assert stored().digest_hour == 8
    assert "Not saved" in answer.content.decode()


def test_what_was_changed_elsewhere_is_not_overwritten(client):
    signed_in(client)
    form = typed(client, digest_hour="21")
    Preferences.objects.update(saved_at=NOON)
    save_profile(ANA, ProfileChanges(preferences={"digest_hour": 5}), now=NOON)
    answer = client.post("/mail/", form)
    assert "were changed elsewhere" in text(answer)
    assert stored().digest_hour == 5
    again = {"do": "save", **form_of(answer.content.decode(), "/mail/")}
    assert again["mail-digest_hour"] == ["21"]
    client.post("/mail/", again)
    assert stored().digest_hour == 21


@pytest.mark.parametrize(
    ("choice", "least", "most"),
    [("tomorrow", timedelta(hours=8), timedelta(hours=32)), ("week", *[timedelta(days=7)] * 2)],
)
def test_a_pause_begins_and_ends(client, choice, least, most):
    signed_in(client)
    before = timezone.now().replace(second=0, microsecond=0)
    client.post("/mail/", {"do": "pause", "until": choice})
    assert before + least <= stored().paused_until <= timezone.now() + most
    answer = client.get("/mail/")
    assert text(answer).startswith("Job mail is paused It starts again on ")
    assert "Pause until then" in text(answer)
    client.post("/mail/", {"do": "go on"})
    assert stored().paused_until is None
    assert text(client.get("/mail/")).startswith("Job mail is on")


def test_a_pause_until_a_moment_of_ones_own_by_ones_own_clock(client):
    signed_in(client, timezone="Asia/Tokyo")
    client.post("/mail/", {"do": "pause", "pause-paused_until": "2036-05-01T09:00"})
    assert stored().paused_until == datetime(2036, 5, 1, 0, 0, tzinfo=UTC)
    assert "It starts again on Thu 1 May 2036, 09:00 (Asia/Tokyo)" in text(client.get("/mail/"))


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("2020-05-01T09:00", "This has passed already: choose a later time."),
        ("", "Choose a date and a time."),
        ("soon", "is not a time"),
    ],
)
def test_a_pause_that_is_none_is_told_beside_the_field(client, written, message):
    signed_in(client)
    answer = client.post("/mail/", {"do": "pause", "pause-paused_until": written})
    assert text(answer).startswith("Nothing was paused yet: ")
    assert text(answer).count(message) == 2
    assert 'href="#id_pause-paused_until"' in answer.content.decode()
    assert f'value="{written}"' in answer.content.decode() or not written
    assert stored().paused_until is None


def test_a_sample_is_mailed_once_and_the_page_says_so(client, mailoutbox):
    signed_in(client, min_score=0)
    JobFactory(title="Django & parcels")
    press = re.search('name="press" value="(.*?)"', page(client))[1]
    for words in ("is on its way to you", "was asked for already"):
        client.post("/mail/", {"do": "sample", "press": press})
        assert words in text(client.get("/mail/"))
    assert [mail.subject for mail in mailoutbox] == ["Sample: 1 job your searches would have sent"]
    assert re.search(
        r"Last mails Sample: 1 job .* Sample · .* · sent Stop", text(client.get("/mail/"))
    )


def test_every_page_has_a_press_of_its_own(client):
    signed_in(client)
    presses = {re.search('name="press" value="(.*?)"', page(client))[1] for _ in range(3)}
    assert len(presses) == 3


ENDS = {
    "sent": "sent",
    "failed": "refused by the mail server",
    "unconfirmed": "perhaps sent: the sending was cut off",
    "void": "not sent; its jobs went back to wait",
    "sending": "is being sent",
}


def mailed(user, status, number, **values):
    given = {"kind": "alert", "recipient": user.email, "subject": f"<b>Job</b> {number}", **values}
    made = NOON + timedelta(minutes=number)
    mail = Mail.objects.create(
        id=f"{number:032x}",
        user=user,
        status="sending",
        jobs=1,
        body=b"x",
        created_at=made,
        **given,
    )
    if status != "sending":
        ended = {"status": status, "body": None, "finished_at": made}
        Mail.objects.filter(pk=mail.pk).update(sent_at=made if status == "sent" else None, **ended)


@pytest.mark.parametrize("status", ENDS)
def test_the_last_mails_tell_how_they_ended(client, status):
    user = signed_in(client)
    mailed(user, status, 1)
    assert f"Last mails <b>Job</b> 1 Alert · Wed 25 Nov, 12:01 · {ENDS[status]} Stop" in text(
        client.get("/mail/")
    )


def test_the_newest_ten_of_ones_own_are_shown(client):
    for number in range(12):
        mailed(signed_in(client), "sent", number)
    mailed(person("bo@example.com"), "sent", 50)
    found = re.findall(r"<b>Job</b> (\d+)", unescape(page(client)))
    assert found == [str(number) for number in range(11, 1, -1)]


def test_while_mail_or_a_source_is_down_it_says_so_without_names(client):
    signed_in(client)
    now = timezone.now()
    assert "No mail leaves" not in page(client)
    Run.objects.create(kind="scan", started_at=now, finished_at=now, summary={"mail": "down"})
    SourceState.objects.create(name="apify:secret", state="blocked", checked_at=now)
    words = text(client.get("/mail/"))
    assert "No mail leaves at present" in words
    assert "New jobs cannot be read at present" in words
    assert "apify" not in page(client)


def test_a_pause_is_told_once(client):
    signed_in(client)
    Preferences.objects.update(paused_until=timezone.now() + timedelta(days=2))
    assert text(client.get("/mail/")).count("paused until") == 0


@pytest.mark.parametrize("mails", [0, 10])
def test_it_takes_few_queries_and_few_bytes(client, mails, django_assert_max_num_queries):
    user = signed_in(client)
    for number in range(mails):
        mailed(user, "sent", number)
        queued(user, JobFactory())
    with django_assert_max_num_queries(12):
        answer = client.get("/mail/")
    assert len(answer.content) < 100_000


def test_what_is_no_deed_does_nothing(client):
    signed_in(client)
    before = Preferences.objects.values().get()
    for do in ("", "x", "STOP"):
        assert client.post("/mail/", {"do": do})["Location"] == "/mail/"
    assert Preferences.objects.values().get() == before
    assert not Suppression.objects.exists()


@pytest.mark.parametrize("deed", [{"do": "go on"}, {"do": "pause", "until": "week"}])
def test_an_account_deleted_meanwhile_is_not_made_anew(client, deed, monkeypatch):
    signed_in(client)
    read = my_mail.read_person

    def gone_afterwards(user_id):
        found = read(user_id)
        User.objects.all().delete()
        return found

    monkeypatch.setattr(my_mail, "read_person", gone_afterwards)
    assert client.post("/mail/", deed)["Location"].startswith("/sign-in/")
    assert not User.objects.exists()
