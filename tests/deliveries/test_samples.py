"""A sample: what it holds, that one press is one mail, and that nothing else is changed by it."""

from datetime import timedelta

import pytest

from accounts.boundaries import watched
from accounts.models import Preferences, Suppression
from deliveries import messages
from deliveries.ledger import sweep
from deliveries.models import Delivery, Mail, MailProvider
from deliveries.samples import Result, send_sample
from deliveries.work.clock import Clock
from jobs import recent
from jobs.models import Job
from tests.deliveries.noted import DAY, HOUR, MONDAY, KilledError, cheap, killing, mails, old, read
from tests.factories import JobFactory, person, queued
from tests.simulation.tables import what_counts
from tests.smtp_faults import Fault, FaultySMTP
from tests.threads import together

pytestmark = pytest.mark.django_db(transaction=True)
FRESH = timedelta(hours=24)


@pytest.fixture(autouse=True)
def _nothing_kept(settings):
    settings.SCOUT_SOURCES = []
    recent.forget()
    yield
    recent.forget()


def press(user, number=1, later=timedelta()) -> Result:
    """Press the button of the page that was opened as the nth one."""
    return send_sample(user.pk, f"a-press-of-the-button-{number}", Clock.set_to(MONDAY + later))


def ana(**profile):
    return old(person(**{"skills": ["Django"], "min_score": 0, **profile}))


def test_it_holds_the_best_five_and_says_what_it_is(smtp):
    user = ana()
    cheap(7)
    JobFactory(first_seen=MONDAY - 8 * DAY, title="Django, too old")
    assert press(user) == Result(
        True, "A sample with the 5 best jobs of the last 7 days: it is on its way to you."
    )
    [mail] = smtp.accepted
    message, text = read(mail.raw)
    assert message["Subject"] == "Sample: 5 jobs your searches would have sent"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert text.startswith("A sample: 5 jobs You get this because you pressed “Send me a sample”.")
    assert "Of the last 7 days' 7 jobs these are the best" in text
    assert text.count("Fit ") == 5
    assert "Like this" not in text
    assert mails() == [("ana@example.com", "sample", "sent", None, 5)]


def test_several_searches_are_merged_and_named(smtp):
    searches = [
        {"name": "Back ends", "skills": ["Django"], "min_score": 0},
        {"name": "Kites", "skills": ["Kites"], "min_score": 0},
    ]
    user = old(person(searches=searches))
    cheap()
    JobFactory(first_seen=MONDAY - DAY, title="Sew kites", description="Kites.", skills=["Kites"])
    assert press(user).sent
    text = read(smtp.accepted[0].raw)[1]
    assert "From your search Back ends" in text
    assert "From your search Kites" in text


def test_it_changes_nothing_but_its_own_mail(smtp):
    user = ana()
    cheap(2)
    queued(user, Job.objects.first())
    before = what_counts()
    press(user)
    after = what_counts()
    assert [mail["kind"] for mail in after.pop("Mail")] == ["sample"]
    assert before.pop("Mail") == []
    assert after == before


def test_it_does_not_make_a_waiting_row_look_crowded_out(smtp):
    user = ana()
    queued(user, JobFactory(first_seen=MONDAY), route="daily", queued_at=MONDAY - HOUR)
    press(user)
    sweep(now=MONDAY + 3 * DAY, fresh=FRESH)
    assert Delivery.objects.get().reason == "stale"


def test_one_press_is_one_mail_however_often_it_arrives(smtp):
    user = ana()
    cheap()
    together(*[lambda: press(user)] * 3)
    assert press(user) == Result(
        True, "That sample was asked for already: it is on its way to you."
    )
    assert len(smtp.accepted) == 1
    assert mails() == [("ana@example.com", "sample", "sent", None, 1)]


def test_three_a_day(smtp):
    user = ana()
    cheap()
    answers = together(*[lambda number=n: press(user, number) for n in range(5)])
    assert sorted(answer.sent for answer in answers) == [False, False, True, True, True]
    assert press(user, 9).words.startswith("You have asked for 3 samples within 24 hours:")
    assert len(smtp.accepted) == 3
    assert press(user, 10, later=DAY + HOUR).sent


def test_one_users_press_is_not_another_ones(smtp):
    cheap()
    bo = old(person("bo@example.com", min_score=0))
    assert press(ana()).sent
    assert press(bo).sent


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "Job mail to you is stopped, so no sample was sent."),
        (
            {"paused_until": MONDAY + DAY},
            (
                "Job mail is paused until Tue 1 Dec, 08:00, so no sample was sent: end the pause"
                " first."
            ),
        ),
    ],
)
def test_who_may_not_be_mailed_is_told_why(smtp, values, words):
    user = ana()
    cheap()
    Preferences.objects.update(**values) if values else Suppression.objects.create(
        user=user, reason="bounced"
    )
    assert press(user) == Result(False, words)
    assert (smtp.accepted, mails()) == ([], [])


def test_an_opt_out_in_between_is_heeded(smtp):
    user = ana()
    cheap()

    def meanwhile(name, moment):
        if (name, moment) == ("mail: open", "after"):
            Suppression.objects.get_or_create(user=user, defaults={"reason": "opted_out"})

    with watched(meanwhile):
        assert press(user).words == "Job mail to you is stopped, so no sample was sent."
    assert (smtp.accepted, mails()) == ([], [])


def test_when_no_job_fits_it_tells_what_came_nearest(smtp):
    user = ana(min_hourly=90)
    cheap(2, title="Django for parcels")
    assert press(user) == Result(
        False,
        "No sample was sent: none of the last 7 days' 2 jobs would have been mailed to you."
        " “Hourly rate, at least (US dollars)” alone kept out 2 jobs. Nearest came “Django for"
        " parcels”. Hourly rate, at least (US dollars): Your floor is $90/h; the post offers up to"
        " $60/h.",
    )
    assert (smtp.accepted, mails()) == ([], [])


def test_without_jobs_or_searches_it_says_so(smtp):
    user = ana()
    assert "there are no jobs of the last 7 days" in press(user).words
    user.searches.update(active=False)
    assert "no search of yours is switched on" in press(user).words


def test_a_press_that_is_none_mails_nothing(smtp):
    cheap()
    assert not send_sample(ana().pk, "", Clock.set_to(MONDAY)).sent
    assert mails() == []


def test_a_dead_mail_server_burns_no_press(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    user = ana()
    cheap()
    assert press(user).words.startswith("Mail cannot be sent just now")
    assert (mails(), MailProvider.objects.get().down) == ([], True)


@pytest.mark.parametrize(
    ("fault", "status", "words"),
    [
        (Fault("content", "451 later"), "void", "did not take it; nothing was sent"),
        (Fault("rcpt", "550 nobody"), "failed", "refuses mail to your address"),
        (Fault("content", "disconnect"), "unconfirmed", "may or may not arrive"),
    ],
)
def test_it_tells_how_the_send_ended_and_sends_it_no_second_time(settings, fault, status, words):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    user = ana()
    cheap()
    with FaultySMTP([fault]) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        assert words in press(user).words
        assert words in press(user, later=HOUR).words
        assert server.accepted == []
        assert press(user, 2, later=HOUR).sent
    assert [mail[2] for mail in mails()] == [status, "sent"]


@pytest.mark.parametrize("name", ["sample: claim", "mail: send", "mail: finish"])
def test_killed_after_the_claim_it_is_unconfirmed_and_never_sent_again(smtp, name):
    user = ana()
    cheap()
    when = "before" if name == "mail: finish" else "after"
    with pytest.raises(KilledError), watched(killing(name, when)):
        press(user)
    accepted = len(smtp.accepted)
    assert mails()[0][2] == "sending"
    assert "it is being sent" in press(user).words
    sweep(now=MONDAY + HOUR, fresh=FRESH)
    assert [mail[2] for mail in mails()] == ["unconfirmed"]
    assert "may or may not arrive" in press(user, later=HOUR).words
    assert len(smtp.accepted) == accepted


def test_killed_before_the_claim_it_can_be_pressed_again(smtp):
    user = ana()
    cheap()
    with pytest.raises(KilledError), watched(killing("sample: claim", "before")):
        press(user)
    assert mails() == []
    assert press(user).sent
    assert len(smtp.accepted) == 1


def test_a_job_that_cannot_be_written_is_left_out(smtp, monkeypatch):
    user = ana()
    cheap(2)
    bad = Job.objects.order_by("pk").first().pk
    whole = messages.summarise

    def summarise(card, *args):
        if card.job_id == bad:
            raise ValueError("poison")
        return whole(card, *args)

    monkeypatch.setattr(messages, "summarise", summarise)
    assert press(user).sent
    assert read(smtp.accepted[0].raw)[1].count("Fit ") == 1
    assert Mail.objects.get().status == "sent"
