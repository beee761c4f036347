"""What a signed-in user sees of jobs and mail."""

import re
import secrets
from datetime import timedelta
from html import unescape
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from accounts.models import Search, Suppression
from accounts.search_fields import FILTERS
from deliveries.models import Delivery, Mail, Run
from deliveries.pages.job_items import setting_url
from jobs import recent
from jobs.models import Job, Verdict
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


@pytest.mark.parametrize("path", ["/jobs/", "/jobs/near/", "/mail/"])
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


def test_without_any_job_it_says_what_to_do_and_when_it_last_looked(client):
    signed_in(client, timezone="Asia/Tokyo")
    page = client.get("/jobs/").content.decode()
    assert 'href="/preferences/">what you are looking for' in page
    assert "We have not looked for posts yet" in page
    Run.objects.create(kind="scan", started_at=NOON, finished_at=NOON)
    assert (
        "We last looked for new posts on Wed 25 Nov, 21:00."
        in client.get("/jobs/").content.decode()
    )


def test_what_is_in_the_way_is_told_first(client):
    user = signed_in(client)
    Search.objects.filter(user=user).update(skills=[])
    page = client.get("/jobs/").content.decode()
    assert 'href="/welcome/"' in page
    assert "What stands above comes first." in page


def older(page):
    """The address of the next part of a list."""
    return "/jobs/" + unescape(re.search(r'href="(\?after=[^"]*)"', page)[1])


def test_older_mails_follow_without_a_gap_while_new_ones_come(client):
    user = signed_in(client)
    for number in range(25):
        left(user, "sent", score=number, title=f"Job {number}")
    first = client.get("/jobs/").content.decode()
    assert titles(first) == [f"Job {number}" for number in range(24, 12, -1)]
    left(user, "sent", score=99, title="New")
    second = client.get(older(first)).content.decode()
    assert titles(second) == [f"Job {number}" for number in range(12, 0, -1)]
    third = client.get(older(second)).content.decode()
    assert titles(third) == ["Job 0"]
    assert 'href="?after=' not in third
    assert 'href="/jobs/">Back to the newest' in second


def test_more_that_wait_follow_too(client):
    user = signed_in(client)
    for number in range(12):
        queued(user, JobFactory(title=f"Job {number}"), 80)
    left(user, "sent", title="Mailed")
    first = client.get("/jobs/").content.decode()
    second = client.get(older(first)).content.decode()
    found = [*titles(first)[:8], *titles(second)]
    assert (sorted(found), len(titles(second))) == (sorted(f"Job {n}" for n in range(12)), 4)


def test_a_bad_place_in_a_list_is_the_first_page(client):
    user = signed_in(client)
    for number in range(16):
        left(user, "sent", title=f"Job {number}")
    first = client.get("/jobs/").content.decode()
    forged = older(first)[:-3] + "xyz"
    for path in ("/jobs/?after=x", "/jobs/?after=", "/jobs/?after=%00", "/jobs/?page=2", forged):
        assert titles(client.get(path).content.decode()) == titles(first)


def test_anothers_place_in_a_list_shows_ones_own_rows(client):
    bo = person("bo@example.com")
    for number in range(21):
        left(bo, "sent", title=f"Of bo {number}")
    client.force_login(bo)
    place = older(client.get("/jobs/").content.decode())
    left(signed_in(client), "sent", title="Own")
    assert "Of bo" not in client.get(place).content.decode()
    assert bo.pk not in unquote(place)


@pytest.mark.parametrize("rows", [1, 12])
def test_my_jobs_takes_a_fixed_number_of_queries(client, rows, django_assert_num_queries):
    user = signed_in(client)
    for _ in range(rows):
        queued(user, JobFactory())
        left(user, "sent")
    with django_assert_num_queries(10):
        client.get("/jobs/")


def test_full_pages_of_long_texts_stay_small(client):
    user = signed_in(client)
    word = "Ünüsüally löng wörds & <b>"
    long = {"title": f"{word} " * 12, "skills": [f"{word} {n}" for n in range(20)]}
    for _ in range(21):
        queued(user, JobFactory(**long))
        left(user, "sent", **long)
    Verdict.objects.update(reasons=[word * 20] * 9, concerns=[word * 20] * 9)
    page = client.get("/jobs/")
    assert len(titles(page.content.decode())) == 20
    assert len(page.content) < 68_000  # beside it, 31 kB of style and script


def test_the_chart_counts_jobs_and_mails_by_the_users_days(client):
    user = signed_in(client, timezone="Pacific/Auckland")
    monday = timezone.now().astimezone(ZoneInfo("Pacific/Auckland")).replace(hour=0, minute=5)
    for moment in (monday, monday, monday - timedelta(minutes=10), monday - timedelta(days=40)):
        left(user, "sent")
        Delivery.objects.filter(sent_at=NOON).update(sent_at=moment)
    left(person("bo@example.com"), "sent")
    page = client.get("/jobs/").content.decode()
    assert "In the last 30 days 3 jobs came in 3 mails; most on" in page
    assert re.findall(r"<td>(\d+)</td>", page) == ["1", "1", "2", "2"]
    assert "style=" not in page


def test_near_misses_are_a_part_for_scripts_and_a_page_without(
    client, django_assert_max_num_queries
):
    recent.forget()
    user = signed_in(client, skills=["Django"], min_hourly=99)
    JobFactory(title="Pays too little")
    assert '<div class="near-part"' in client.get("/jobs/").content.decode()
    with django_assert_max_num_queries(12):
        page = client.get("/jobs/near/").content.decode()
    part = client.get("/jobs/near/", headers={"HX-Request": "true"}).content.decode()
    assert titles(page) == titles(part) == ["Pays too little"]
    assert ("<html" in page, "<html" in part) == (True, False)
    assert 'href="/preferences/?edit=1#id_search-1-min_hourly">Hourly rate' in part
    assert f"/why/?job=upwork%3A{Job.objects.get().pk[7:]}" in part
    assert user.pk not in part


@pytest.mark.parametrize("path", ["/jobs/near/", "/jobs/never/?job=upwork:1", "/jobs/thumb/"])
def test_a_script_of_somebody_signed_out_leads_the_page_to_the_sign_in(client, path):
    here = {"HX-Current-URL": "https://testserver/jobs/?after=x", "Host": "testserver"}
    ask = client.post if "thumb" in path else client.get
    answer = ask(path, headers={"HX-Request": "true", **here})
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer["HX-Redirect"] == "/sign-in/?next=/jobs/%3Fafter%3Dx"


def test_without_near_misses_it_says_so(client):
    recent.forget()
    signed_in(client)
    assert "Nothing of the last week" in client.get("/jobs/near/").content.decode()
    Search.objects.update(active=False)
    assert "None of your searches looks" in client.get("/jobs/near/").content.decode()


def test_the_part_has_the_first_near_misses_and_the_page_more(client):
    recent.forget()
    signed_in(client, skills=["Django"], min_hourly=99)
    for _ in range(7):
        JobFactory()
    part = client.get("/jobs/near/", headers={"HX-Request": "true"}).content.decode()
    assert (len(titles(part)), "More near misses" in part) == (5, True)
    page = client.get("/jobs/near/").content.decode()
    assert (len(titles(page)), "More near misses" in page) == (7, False)


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
    assert text(client.get("/mail/")).startswith("Job mail is paused It starts again on ")


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
    pages = ["/jobs/", "/preferences/", "/mail/", "/why/", "/account/"]
    for path in pages:
        page = client.get(path).content.decode()
        navigation = re.search("<nav.*?</nav>", page, re.DOTALL)[0]
        links = re.findall('href="(.*?)"( aria-current="page")?', navigation)
        assert [link for link, _ in links] == pages
        assert [link for link, here in links if here] == [path]
        assert '<form method="post" action="/sign-out/">' in navigation
    user.is_staff = True
    user.save()
    assert 'href="/admin/"' in client.get("/mail/").content.decode()


def test_every_setting_that_can_keep_a_job_out_has_a_place_to_change_it(client):
    signed_in(client, searches=[{"name": "A", "skills": ["x"]}, {"name": "B", "skills": ["y"]}])
    for place in (1, 2):
        address = setting_url(place, "min_score").partition("#")[0]
        page = client.get(address).content.decode()
        for name in [*FILTERS, "min_score"]:
            anchor = setting_url(place, name).partition("#")[2]
            assert f'id="{anchor}"' in page, name
