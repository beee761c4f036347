"""How things stand for a user, in plain sentences."""

from datetime import timedelta

import pytest

from accounts.models import Search, Suppression, User
from deliveries.models import MailProvider, Run, WantedRun
from deliveries.standing import last_look, standing
from jobs.models import SourceState
from tests.factories import NOON, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana():
    return person(timezone="Asia/Tokyo")


def ran(kind="scan", ago=10, **summary):
    at = NOON - timedelta(minutes=ago)
    return Run.objects.create(kind=kind, started_at=at, finished_at=at, summary=summary)


def source(name, state):
    at = NOON - timedelta(hours=2)
    SourceState.objects.create(
        name=name, state=state, detail="secret", checked_at=NOON, succeeded_at=at
    )


def said(user):
    return [
        (notice.level, notice.text, notice.link) for notice in standing(user.pk, now=NOON).notices
    ]


def test_nothing_while_all_is_well_by_two_queries(ana, django_assert_num_queries):
    ran(mail="ok")
    source("feed", "quiet")
    source("gone", "off")
    with django_assert_num_queries(2):
        found = standing(ana.pk, now=NOON)
    assert (found.notices, found.looked_at) == ((), NOON - timedelta(minutes=10))
    assert found.viewer.terms.timezone == "Asia/Tokyo"


def test_before_the_first_look_nothing_is_wrong(ana):
    assert said(ana) == []
    assert last_look(now=NOON) is None


@pytest.mark.parametrize(
    ("reason", "level", "begin"),
    [
        ("opted_out", "warn", "You stopped the job mail:"),
        ("bounced", "wrong", "Job mail to you was"),
    ],
)
def test_mail_that_is_stopped(ana, reason, level, begin):
    Suppression.objects.create(user=ana, reason=reason)
    [(found, text, link)] = said(ana)
    assert (found, text.startswith(begin), link) == (level, True, "/mail/")


def test_an_account_that_is_off(ana):
    User.objects.update(is_active=False)
    assert said(ana) == [("wrong", "Your account is switched off: no jobs are looked for.", "")]


def test_a_pause_by_the_users_clock_and_only_while_it_lasts(ana):
    ana.preferences.paused_until = NOON + timedelta(hours=1)
    ana.preferences.save()
    paused = "Job mail is paused until Wed 25 Nov, 22:00: no jobs are looked for."
    assert said(ana) == [("warn", paused, "/mail/")]
    assert standing(ana.pk, now=NOON + timedelta(hours=1)).notices == ()


def test_searches_that_are_off_or_say_nothing(ana):
    Search.objects.update(active=False)
    [(level, text, link)] = said(ana)
    assert (level, text.partition(",")[0], link) == (
        "warn",
        "Your search is switched off",
        "/welcome/",
    )
    Search.objects.update(active=True, skills=[])
    none = "You have not said yet what work you look for, so nothing is found."
    assert said(ana) == [("warn", none, "/welcome/")]
    bo = person("bo@example.com", searches=[{"name": "A"}, {"name": "B"}])
    Search.objects.update(active=False)
    off = "All your searches are switched off, so nothing is found."
    assert said(bo) == [("warn", off, "/preferences/")]


def test_one_that_looks_is_enough():
    bo = person("bo@example.com", searches=[{"name": "A"}, {"name": "B", "active": False}])
    assert said(bo) == []


def test_scans_that_stopped(ana):
    ran(ago=36)
    [(level, text, _)] = said(ana)
    assert level == "wrong"
    assert "at present. The last look was on Wed 25 Nov, 20:24. You need not" in text


def test_a_run_that_nobody_takes(ana):
    ran()
    WantedRun.objects.create(kind="scan", asked_at=NOON - timedelta(minutes=6))
    assert said(ana)[0][1].startswith("We are late: ")


def test_some_sources_and_all_sources_down(ana):
    ran()
    source("feed:secret", "blocked")
    source("upwork", "ok")
    [(level, text, _)] = said(ana)
    assert (level, text.split(" at present.")[0]) == (
        "warn",
        "1 of the 2 places where we look for jobs cannot be read",
    )
    SourceState.objects.update(state="logged_out")
    [(level, text, _)] = said(ana)
    assert (level, "went well was on Wed 25 Nov, 19:00." in text) == ("wrong", True)


def test_mail_that_is_down_until_a_later_run_finds_it_up(ana):
    MailProvider.objects.create(name="x", down=True, detail="535 secret", changed_at=NOON)
    ran(ago=10, mail="down")
    [(level, text, _)] = said(ana)
    assert (level, text.startswith("No mail leaves at present:")) == ("wrong", True)
    ran("digest", ago=5, mail="ok")
    assert said(ana) == []


def test_nothing_of_the_inside_is_told(ana):
    ran(mail="down", mails_sent=3)
    source("feed:https://example.com/?key=secret", "unauthorised")
    words = str(said(ana))
    assert not any(word in words for word in ("secret", "feed", "unauthorised", "example.com"))


def test_nobody_is_an_error():
    with pytest.raises(User.DoesNotExist):
        standing("bm9ib2R5", now=NOON)
