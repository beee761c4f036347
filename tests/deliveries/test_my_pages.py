"""What a signed-in user sees of jobs and mail."""

import re
import secrets
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from accounts.models import Suppression
from deliveries.models import Delivery, Mail
from tests.accounts.signing_in import browser
from tests.factories import NOON, JobFactory, person, queued

pytestmark = pytest.mark.django_db
ANA = "ana@example.com"


@pytest.fixture
def client():
    return browser()


def signed_in(client, **profile):
    user = person(ANA, **profile)
    client.force_login(user)
    return user


def left(user, status, score=80, **values):
    """A ledger row whose mail came to this end."""
    row = queued(user, JobFactory(**values), score)
    mail = Mail.objects.create(
        id=secrets.token_hex(16),
        user=user,
        kind="alert",
        status="sending",
        recipient=user.email,
        subject="A job",
        jobs=1,
        body=b"x",
    )
    rows, mails = Delivery.objects.filter(pk=row.pk), Mail.objects.filter(pk=mail.pk)
    rows.update(status="sealed", mail=mail)
    sent_at = NOON if status == "sent" else None
    mails.update(status=status, body=None, finished_at=NOON, sent_at=sent_at)
    rows.update(status=status, sent_at=sent_at)


def titles(page):
    found = re.findall(r"<h3[^>]*>(.*?)</h3>", page, re.DOTALL)
    return [unescape(re.sub("<.*?>", "", text, flags=re.DOTALL)).strip() for text in found]


@pytest.mark.parametrize("path", ["/jobs/", "/mail/"])
def test_the_pages_are_for_who_is_signed_in(client, path):
    assert client.get(path)["Location"] == f"/sign-in/?next={path}"
    signed_in(client)
    assert "no-store" in client.get(path)["Cache-Control"]
    assert client.delete(path).status_code == 405


def test_my_jobs_shows_waiting_and_mailed_ones_with_score_and_reasons(client):
    user = signed_in(client, timezone="Asia/Tokyo")
    queued(user, JobFactory(title="Waits & <fits>"), 77)
    queued(user, JobFactory(title="Waits better"), 99, route="daily")
    left(user, "sent", title="Mailed")
    left(user, "failed", title="Refused")
    left(user, "unconfirmed", title="Cut off")
    gone = queued(user, JobFactory(title="Gone"))
    Delivery.objects.filter(pk=gone.pk).update(status="expired", reason="stale")
    queued(person("bob@example.com"), JobFactory(title="Of bob"))
    page = client.get("/jobs/").content.decode()
    assert titles(page)[:2] == ["Waits better", "Waits & <fits>"]
    assert sorted(titles(page)[2:]) == ["Cut off", "Mailed", "Refused"]
    for words in (
        *("Fit 99", "It fits.", "$40–60 an hour", "for the next digest", "for the next alert"),
        *("Wed 25 Nov, 21:00", "Perhaps mailed", "Could not be mailed"),
    ):
        assert words in unescape(page), words
    assert 'rel="noreferrer"' in page


def test_without_any_job_it_says_what_to_do(client):
    signed_in(client)
    assert 'href="/preferences/">what you are looking for' in client.get("/jobs/").content.decode()


def test_old_mails_come_in_pages(client):
    user = signed_in(client)
    for number in range(51):
        left(user, "sent", title=f"Job {number}")
    assert len(titles(client.get("/jobs/").content.decode())) == 50
    for query in ("?page=2", "?page=99"):
        assert len(titles(client.get(f"/jobs/{query}").content.decode())) == 1
    assert client.get("/jobs/?page=x").status_code == 200


@pytest.mark.parametrize("rows", [1, 12])
def test_my_jobs_takes_a_fixed_number_of_queries(client, rows, django_assert_num_queries):
    user = signed_in(client)
    for _ in range(rows):
        queued(user, JobFactory())
        left(user, "sent")
    with django_assert_num_queries(9):
        client.get("/jobs/")


def text(answer):
    page = re.search("<main[^>]*>(.*)</main>", answer.content.decode(), re.DOTALL)[1]
    return " ".join(unescape(re.sub("<.*?>", " ", page)).split())


def test_my_mail_tells_how_it_stands(client, django_assert_max_num_queries):
    user = signed_in(client, quiet_from="22:00", quiet_until="07:00", timezone="Europe/Berlin")
    queued(user, JobFactory())
    with django_assert_max_num_queries(12):
        words = text(client.get("/mail/"))
    assert words.startswith("Job mail is on What fits is mailed as soon as it is found")
    assert "not between 22:00 and 07:00 (Europe/Berlin)" in words
    assert "Waiting for the next alert 1 job " in words


def test_my_mail_tells_when_a_digest_comes(client):
    user = signed_in(client, mode="daily", digest_hour=8)
    queued(user, JobFactory(), route="daily")
    words = text(client.get("/mail/"))
    assert "Waiting for the next digest 1 job Next digest" in words
    assert "waiting for the next alert" not in words.lower()


def test_my_mail_tells_of_a_pause(client):
    until = (timezone.now() + timedelta(days=2)).isoformat()
    signed_in(client, paused_until=until)
    assert text(client.get("/mail/")).startswith("Job mail is paused It goes on on ")


def test_my_mail_is_stopped_and_resumed_by_a_post_only(client):
    signed_in(client)
    client.get("/mail/?do=stop")
    assert not Suppression.objects.exists()
    for _ in range(2):
        assert client.post("/mail/", {"do": "stop"})["Location"] == "/mail/"
    assert Suppression.objects.get().reason == "opted_out"
    assert text(client.get("/mail/")).startswith("Job mail is off You stopped it.")
    client.post("/mail/", {"do": "resume"})
    assert not Suppression.objects.exists()


def test_a_stop_by_others_cannot_be_lifted(client):
    user = signed_in(client)
    Suppression.objects.create(user=user, reason="bounced")
    client.post("/mail/", {"do": "resume"})
    answer = client.get("/mail/")
    assert text(answer).startswith("Job mail is off It was stopped")
    assert b'value="resume"' not in answer.content
    assert Suppression.objects.get().reason == "bounced"


def test_the_way_around_is_on_every_page(client):
    user = signed_in(client)
    for path in ("/jobs/", "/preferences/", "/mail/"):
        page = client.get(path).content.decode()
        navigation = re.search("<nav.*?</nav>", page, re.DOTALL)[0]
        links = re.findall('href="(.*?)"( aria-current="page")?', navigation)
        assert [link for link, _ in links] == ["/jobs/", "/preferences/", "/mail/"]
        assert [link for link, here in links if here] == [path]
        assert '<form method="post" action="/sign-out/">' in navigation
    user.is_staff = True
    user.save()
    assert 'href="/admin/"' in client.get("/mail/").content.decode()
