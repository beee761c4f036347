"""Saying more or less like this: by the links in a mail, and on the page of one's jobs."""

import base64
import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.identity import uid_of
from accounts.models import User
from accounts.person import read_person
from deliveries import compose
from deliveries.admin.shown_mail import ShownMail
from deliveries.leaving import delete_account
from deliveries.models import Delivery
from deliveries.moving import change_address
from deliveries.thumb_links import ThumbLink, read_token, token_for
from deliveries.why import explain
from jobs import tasting, verdicts
from jobs.matching import match
from jobs.models import Taste, Thumb, Verdict
from tests.accounts.signing_in import browser
from tests.deliveries.sample_mail import Page, parsed
from tests.deliveries.test_my_pages import left
from tests.factories import NOON, JobFactory, person, queued

pytestmark = pytest.mark.django_db
ANA = "ana@example.com"
ENVELOPE = "0123456789abcdef" * 2


@pytest.fixture
def reader():
    """Somebody without cookies, over https as in production."""
    return Client(enforce_csrf_checks=True, headers={"x-forwarded-proto": "https"})


def mailed(title="Zebra quokka"):
    """The row of a job that was mailed to Ana."""
    left(User.objects.filter(email=ANA).first() or person(ANA), "sent", title=title)
    return Delivery.objects.get(title=title)


def link(row, up=True, **span):
    thumb = ThumbLink(row.mail_id, row.job_id, up)
    return f"/t/{token_for(thumb, now=NOON - timedelta(**span))}/"


@pytest.fixture(autouse=True)
def noon(monkeypatch):
    """The pages live at noon."""
    monkeypatch.setattr("deliveries.pages.thumbs.Clock.now", lambda _: NOON)


def given():
    return list(Thumb.objects.values_list("job__title", "up"))


def heading(response):
    return re.search("<h1>(.*?)</h1>", response.content.decode())[1]


# The token


def test_a_token_says_what_it_was_made_of():
    thumb = ThumbLink(ENVELOPE, "workana:größe/a?b", False)
    token = token_for(thumb, now=NOON)
    assert re.fullmatch("[A-Za-z0-9_-]{60,100}", token)
    assert read_token(token, now=NOON) == thumb
    assert token == token_for(thumb, now=NOON)


def test_a_token_works_for_half_a_year():
    token = token_for(ThumbLink(ENVELOPE, "upwork:1", True), now=NOON)
    assert read_token(token, now=NOON + timedelta(days=180))
    assert read_token(token, now=NOON + timedelta(days=181)) is None


def test_nobody_else_can_make_one(settings):
    token = token_for(ThumbLink(ENVELOPE, "upwork:1", True), now=NOON)
    signed = bytearray(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    for place in range(len(signed)):
        signed[place] ^= 1
        forged = base64.urlsafe_b64encode(signed).decode().rstrip("=")
        assert read_token(forged, now=NOON) is None
        signed[place] ^= 1
    settings.SECRET_KEY = "another" * 8
    assert read_token(token, now=NOON) is None


def test_a_replaced_key_goes_on_reading(settings):
    token = token_for(ThumbLink(ENVELOPE, "upwork:1", True), now=NOON)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another" * 8
    assert read_token(token, now=NOON)


@pytest.mark.parametrize("token", ["", "a", "é", "x" * 80, "=" * 9, "a b", "\0", "_" * 22])
def test_what_is_no_token_is_none(token):
    assert read_token(token, now=NOON) is None


# The links in mails


def test_each_job_of_a_mail_has_both_links_that_name_nobody():
    ana = person(ANA)
    rows = [queued(ana, JobFactory(), score) for score in (90, 80)]
    found = read_person(ana.pk)
    mail = compose.alert(found, [row.pk for row in rows], envelope=ENVELOPE, now=NOON)
    _, text, html = parsed(mail)
    assert Page(html).text.count("More like this · Less like this") == 2
    tokens = [re.search("/t/(.*)/", url)[1] for url in Page(html).links if "/t/" in url]
    assert [read_token(token, now=NOON) for token in tokens] == [
        ThumbLink(ENVELOPE, row.job_id, up) for row in rows for up in (True, False)
    ]
    assert re.findall("(?<=/t/).*(?=/\n)", text) == tokens
    masked = ShownMail.of(mail.raw)
    assert (masked.text + masked.html).count("/t/(not-shown)/") == 8
    for token in tokens:
        shown = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        assert uid_of(ANA).encode() not in shown
        assert b"ana" not in shown


# The page of a link


def test_get_shows_and_post_acts(reader):
    row = mailed("Zebra & <quokka>")
    page = reader.get(link(row))
    assert heading(page) == "More like this?"
    assert "Zebra &amp; &lt;quokka&gt;" in page.content.decode()
    assert page.content.decode().count("<button") == 1
    assert not Thumb.objects.exists()
    page = reader.post(link(row))
    assert (page.status_code, heading(page)) == (200, "Thank you")
    assert given() == [("Zebra & <quokka>", True)]
    assert page["Referrer-Policy"] == "no-referrer"
    assert not page.cookies


def test_it_works_again_and_again_and_the_other_way(reader):
    row = mailed()
    for _ in range(2):
        reader.post(link(row))
        assert given() == [("Zebra quokka", True)]
    assert "So far you liked this job" in " ".join(
        reader.get(link(row, up=False)).content.decode().split()
    )
    reader.post(link(row, up=False))
    assert given() == [("Zebra quokka", False)]
    assert Taste.objects.get().terms == {"quokka": -2.2, "zebra": -2.2}


def test_undo_takes_back_only_its_own(reader):
    row = mailed()
    reader.post(link(row))
    assert heading(reader.get(link(row))) == "Thank you"
    reader.post(link(row, up=False) + "?undo")
    assert given() == [("Zebra quokka", True)]
    assert heading(reader.post(link(row) + "?undo")) == "More like this?"
    assert given() == []


@pytest.mark.django_db(transaction=True)
def test_links_survive_a_change_of_address(reader):
    row = mailed()
    reader.post(link(row))
    change_address(row.user_id, "ana@new.example", now=NOON)
    assert heading(reader.get(link(row))) == "Thank you"
    reader.post(link(row, up=False))
    assert list(Thumb.objects.values_list("user_id", "up")) == [(uid_of("ana@new.example"), False)]
    assert Taste.objects.get().pk == uid_of("ana@new.example")


@pytest.mark.django_db(transaction=True)
def test_a_link_of_a_deleted_account_says_so(reader):
    row = mailed()
    url = link(row)
    reader.post(url)
    assert delete_account(row.user_id, now=NOON)
    for page in (reader.get(url), reader.post(url)):
        assert heading(page) == "There is nothing left to say"
        assert "deleted" in page.content.decode()


def test_a_forged_or_old_link_does_nothing(reader):
    row = mailed()
    for url in ("/t/abc/", link(row)[:-3] + "A/", link(row, days=181)):
        assert heading(reader.get(url)) == heading(reader.post(url))
        assert heading(reader.get(url)) == "This link is no longer in use"
    assert given() == []


def test_other_methods_are_refused(reader):
    assert reader.put(link(mailed())).status_code == 405


# On My jobs


@pytest.fixture
def client():
    return browser()


def test_thumbs_on_ones_own_mailed_jobs(client):
    row = mailed()
    client.force_login(row.user)
    assert client.get("/jobs/").content.decode().count('class="thumbs"') == 1
    for do, expected in (("up", True), ("down", False)):
        asked = {do: row.job_id, "back": "/jobs/?after=x"}
        answer = client.post("/jobs/thumb/", asked)
        assert answer["Location"] == f"/jobs/?after=x#job-{row.job_id}"
        assert given() == [("Zebra quokka", expected)]
    page = client.get("/jobs/").content.decode()
    assert re.findall('aria-pressed="(.*?)"', page) == ["false", "true"]
    client.post("/jobs/thumb/", {"undo": row.job_id})
    assert given() == []


def test_a_script_gets_the_buttons_as_they_are_then(client):
    row = mailed()
    client.force_login(row.user)
    asked = {"up": row.job_id, "back": "/jobs/"}
    part = client.post("/jobs/thumb/", asked, headers={"HX-Request": "true"}).content.decode()
    assert re.findall('aria-pressed="(.*?)"', part) == ["true", "false"]
    assert re.findall(r'name="(.*?)"\s+value="(.*?)"', part) == [
        ("undo", row.job_id),
        ("down", row.job_id),
    ]
    assert part.strip().startswith("<span")


@pytest.mark.parametrize(
    "place", ["https://evil.example/jobs/", "//evil.example", "/jobs/\\@x", ""]
)
def test_afterwards_nobody_is_led_elsewhere(client, place):
    row = mailed()
    client.force_login(row.user)
    answer = client.post("/jobs/thumb/", {"up": row.job_id, "back": place})
    assert answer["Location"].startswith("/jobs/")
    assert "evil" not in answer["Location"]


def test_not_on_those_of_others_nor_unsigned_nor_without_a_token(client, reader):
    row = mailed()
    answer = client.post("/jobs/thumb/", {"up": row.job_id})
    assert answer["Location"].startswith("/sign-in/")
    client.force_login(person("bo@example.com"))
    for job in (row.job_id, "", "\0"):
        assert client.post("/jobs/thumb/", {"up": job}).status_code == 404
    reader.force_login(row.user)
    assert reader.post("/jobs/thumb/", {"up": row.job_id}).status_code == 403
    assert given() == []


def test_what_thumbs_changed_is_shown_and_forgotten(client):
    row = mailed()
    client.force_login(row.user)
    assert "Nothing yet" in client.get("/jobs/taste/").content.decode()
    tasting.give(row.user_id, row.job_id, up=True, title="Zebra quokka", now=NOON)
    other = mailed("Ocelot")
    tasting.give(row.user_id, other.job_id, up=False, title="Ocelot", now=NOON)
    words = " ".join(re.sub("<.*?>", " ", client.get("/jobs/taste/").content.decode()).split())
    assert "More like this quokka +2.2 zebra +2.2" in words
    assert "Less like this ocelot -3.2" in words
    assert client.post("/jobs/taste/")["Location"] == "/jobs/taste/"
    assert (given(), Taste.objects.count()) == ([], 0)


# What comes of it


def judge(user):
    searches = verdicts.searches_of([user.pk], {})
    jobs = verdicts.fresh_jobs(now=NOON, fresh=timedelta(hours=24))
    known = verdicts.known_scores([user.pk], jobs)
    matched = match(searches, jobs, known=known, settled=(), now=NOON)
    verdicts.keep(matched.new, searches, jobs, now=NOON)
    return {row.job.title: row for row in Verdict.objects.select_related("job")}


def test_later_scores_move_and_earlier_ones_stay():
    ana = person(ANA)
    JobFactory(title="Django for a zebra", first_seen=NOON)
    [first] = judge(ana).values()
    liked = JobFactory(title="Zebra", first_seen=NOON - timedelta(days=9))
    tasting.give(ana.pk, liked.pk, up=True, title="Zebra", now=NOON)
    later = JobFactory(title="Django for the zebra", first_seen=NOON)
    JobFactory(title="Django for a quagga", first_seen=NOON)
    found = judge(ana)
    assert found["Django for a zebra"].score == first.score
    assert found["Django for the zebra"].score == found["Django for a quagga"].score + 3
    assert "You liked jobs about zebra: +3" in found["Django for the zebra"].reasons
    steps = explain(ANA, later.pk, now=NOON)
    assert "You liked jobs about zebra: +3" in [step.sentence for step in steps]
