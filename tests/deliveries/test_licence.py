"""A post's text goes on every tick; whom it fits is still told, with what we may still say."""

from datetime import timedelta

import pytest

from deliveries.models import Delivery, Mail
from deliveries.why import explain
from jobs.models import Job
from jobs.sources.file import FileSource
from tests import processes
from tests.deliveries.market import WISHES
from tests.factories import NOON, person
from tests.processes import post
from tests.staff import staff_client

pytestmark = pytest.mark.django_db(transaction=True)
DAY = timedelta(hours=24)
SAID = ("Python and PostgreSQL, several weeks", "$40", "not stated", "Germany", "Skills")


@pytest.fixture
def licensed(market, monkeypatch):
    """A market whose file of posts demands a licence period of a day."""
    monkeypatch.setattr(FileSource, "keeps", DAY)
    real = FileSource.__init__

    def init(self, *args, **kwargs):
        real(self, *args, **{**kwargs, "keeps": DAY})

    monkeypatch.setattr(FileSource, "__init__", init)
    return market


def waiting_a_day(market):
    """Ana's daily row, queued at noon for the digest of the day after tomorrow's morning."""
    ana = person(mode="daily", digest_hour=12, **WISHES)
    market.later(minutes=1)
    market.show(1, client_country="DE")
    market.scan()
    assert Delivery.objects.get().status == "queued"
    return ana


def test_a_digest_mails_a_row_whose_text_is_gone_without_inventing_anything(licensed):
    ana = waiting_a_day(licensed)
    reasons = ana.verdicts.get().reasons
    ana.preferences.last_digest_on = NOON.date()  # today's went out before the row came
    ana.preferences.save()
    licensed.later(hours=24)
    assert licensed.digest().mails_sent == 1
    mail = processes.read(licensed.smtp.accepted[-1])
    assert Job.objects.get().description == ""
    for text in ("Django developer", f"Fit {Delivery.objects.get().score}", *reasons):
        assert text in mail.text
        assert text in mail.html
    assert mail.jobs == (1,)
    assert "may be kept for a day only" in mail.text
    assert "may be kept for a day only" in mail.html
    assert not [said for said in SAID if said in mail.text or said in mail.html]


def test_before_that_it_says_what_the_post_says(licensed):
    waiting_a_day(licensed)
    licensed.later(hours=1)
    assert licensed.digest().mails_sent == 1
    mail = processes.read(licensed.smtp.accepted[-1])
    assert [said for said in SAID if said in mail.text] == [
        said for said in SAID if said != "not stated"
    ]
    assert "kept" not in mail.text


@pytest.mark.parametrize("tick", ["scan", "digest"])
def test_every_tick_looks_and_at_rest_changes_nothing(licensed, tick):
    waiting_a_day(licensed)
    licensed.later(hours=23)
    getattr(licensed, tick)()
    assert Job.objects.get().description != ""
    licensed.later(hours=1)
    getattr(licensed, tick)()
    before = Job.objects.values().get()
    assert (before["description"], before["client_country"], before["title"]) == ("", None, "")
    rows = list(Delivery.objects.values())
    summary = licensed.scan()  # its file holds what it held: that is no new fetch
    assert (summary.new_jobs, summary.candidates, summary.queued) == (0, 0, 0)
    assert (Job.objects.values().get(), list(Delivery.objects.values())) == (before, rows)


def test_a_frozen_digest_has_its_bytes(licensed):
    waiting_a_day(licensed)
    licensed.later(hours=1)
    licensed.settings.EMAIL_PORT = 1  # nobody is there
    assert licensed.digest().mails_sent == 0
    frozen = bytes(Mail.objects.get().body)
    licensed.later(hours=23, minutes=30)
    licensed.settings.EMAIL_PORT = licensed.smtp.port
    licensed.digest()
    assert Job.objects.get().description == ""
    assert licensed.smtp.accepted[-1].raw.replace(b"\r\n", b"\n") == frozen.replace(b"\r\n", b"\n")


def test_shown_again_it_comes_to_nobody_twice(licensed):
    waiting_a_day(licensed)
    licensed.later(hours=25)
    licensed.digest()
    licensed.arrived()
    licensed.posts = [post(1, title="Django developer wanted")]
    licensed.show()
    licensed.scan()
    licensed.digest()
    job = Job.objects.get()
    assert (job.title, job.text_dropped_at) == ("Django developer wanted", None)
    assert (licensed.arrived(), Delivery.objects.count()) == ([], 1)


def test_why_and_my_jobs_name_it_by_the_recorded_title(licensed):
    ana = waiting_a_day(licensed)
    steps = explain(ana.email, Job.objects.get().pk, now=licensed.clock.now())
    assert "may be kept until" in {s.name: s.sentence for s in steps}["licence"]
    licensed.later(hours=24)
    licensed.scan()
    steps = explain(ana.email, Job.objects.get().pk, now=licensed.clock.now())
    assert "“Django developer”" in steps[0].sentence
    assert any("no longer kept" in step.sentence for step in steps)
    html = staff_client(ana).get("/jobs/").content.decode()
    assert "Django developer" in html
    assert "may be kept for a day only" in html
    assert "not stated" not in html


def test_an_alert_that_waited_until_the_text_was_gone_says_so(licensed):
    licensed.settings.SCOUT_FRESH_HOURS = 72
    ana = person(mode="instant", quiet_from="11:00", quiet_until="10:00", **WISHES)
    licensed.later(minutes=1)
    licensed.show(1, client_country="DE")
    licensed.scan()
    assert Delivery.objects.get().status == "queued"
    ana.preferences.quiet_from = ana.preferences.quiet_until = None
    ana.preferences.save()
    licensed.later(hours=24)
    licensed.scan()
    mail = processes.read(licensed.smtp.accepted[-1])
    assert (Job.objects.get().title, mail.jobs) == ("", (1,))
    assert "Django developer" in mail.text
    assert "may be kept for a day only" in mail.text
    assert not [said for said in SAID if said in mail.text or said in mail.html]
