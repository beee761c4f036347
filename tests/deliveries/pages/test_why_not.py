"""Why did this job come, or not: told to the user."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from accounts.models import Search, Suppression
from deliveries.models import Delivery, Mail, Run
from deliveries.why.finding import understood
from jobs.licence import end_periods
from jobs.models import AwaitedVerdict, Job, Verdict
from tests.accounts.signing_in import browser
from tests.deliveries.test_my_pages import left
from tests.factories import NOON, JobFactory, person, queued

pytestmark = pytest.mark.django_db
ANA = "ana@example.com"
NATIVE = "1990000000000000123"


@pytest.fixture
def client():
    return browser()


def signed_in(client, **profile):
    user = person(ANA, **profile)
    client.force_login(user)
    return user


def told(client, job):
    """The headings and the steps of the page."""
    page = client.get("/why/", {"job": job}).content.decode()
    [heading] = re.findall("<h2>(.*?)</h2>", page)
    steps = re.findall(r"<li class=\"[^\"]*\">(.*?)</li>", page, re.DOTALL)
    return heading, [" ".join(unescape(re.sub("<.*?>", " ", step)).split()) for step in steps]


def test_the_page_asks_and_changes_nothing(client, django_assert_max_num_queries):
    assert client.get("/why/")["Location"] == "/sign-in/?next=/why/"
    signed_in(client)
    with django_assert_max_num_queries(12):
        page = client.get("/why/")
    assert 'aria-current="page">Why not?' in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert client.post("/why/", {"job": "x"}).status_code == 405


def test_a_job_that_came(client, django_assert_max_num_queries):
    user = signed_in(client, timezone="Asia/Tokyo", payment_verified_only=True)
    left(user, "sent", title="Mailed & <b>", first_seen=NOON)
    with django_assert_max_num_queries(12):
        heading, steps = told(client, Job.objects.get().url)
    assert heading == "It was mailed to you"
    assert steps[0] == (
        "Yes: We first saw it on Wed 25 Nov, 21:00. It was posted on Wed 25 Nov, 21:00."
    )
    assert "Yes: “My search” lets it through." in steps
    assert "Yes: That is enough: your lowest score is 70." in steps
    assert steps[-1] == "Yes: It left in an alert on Wed 25 Nov, 21:00."
    assert (
        "Mailed &amp; &lt;b&gt;"
        in client.get("/why/", {"job": Job.objects.get().pk}).content.decode()
    )


def test_a_job_that_a_filter_turned_down(client, django_assert_max_num_queries):
    signed_in(client, skills=["Django"], min_hourly=100)
    job = JobFactory()
    with django_assert_max_num_queries(12):
        heading, steps = told(client, job.pk)
    assert heading == "It was not mailed to you"
    assert "No: “My search”: 1 of 2 filters turns it down." in steps
    floor = "Your floor is $100/h; the post offers up to $60/h."
    assert f"No: Hourly rate, at least (US dollars): {floor}" in steps
    assert steps[-2:] == [
        "No look has scored it for you so far.",
        "No: So it was not mailed, and does not wait to be.",
    ]
    assert "Starting point 63: what an average post scores; the rest moves it" in steps


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("stale", "became too old while it waited"),
        ("over the cap", "others scored higher"),
        ("opted out", "the job mail was stopped"),
        ("filtered out now", "none of your searches let it through any more"),
        ("restored backup", "a backup"),
        ("closed", "was closed"),
    ],
)
def test_a_row_that_expired_says_why(client, reason, words):
    row = queued(signed_in(client), JobFactory())
    Delivery.objects.filter(pk=row.pk).update(status="expired", reason=reason)
    heading, steps = told(client, row.job_id)
    assert (heading, words in steps[-1]) == ("It was not mailed to you", True)


def test_a_repost_names_the_other(client):
    user = signed_in(client)
    other, row = JobFactory(), queued(user, JobFactory())
    repost = {"status": "expired", "reason": "repost", "repeats": other}
    Delivery.objects.filter(pk=row.pk).update(**repost)
    assert other.pk in told(client, row.job_id)[1][-1]


@pytest.mark.parametrize(
    ("status", "heading", "words"),
    [
        ("failed", "It could not be mailed to you", "refused for good."),
        ("unconfirmed", "It was perhaps mailed to you", "it is not sent again."),
    ],
)
def test_a_mail_that_did_not_surely_arrive(client, status, heading, words):
    left(signed_in(client), status)
    Mail.objects.update(error="550 secret.host says no", provider_id="x-secret")
    found, steps = told(client, Job.objects.get().pk)
    assert (found, steps[-1].endswith(words)) == (heading, True)


def test_what_waits(client):
    user = signed_in(client)
    assert told(client, queued(user, JobFactory()).job_id)[1][-1] == "It waits for your next alert."
    row = queued(user, JobFactory(), route="daily")
    assert told(client, row.job_id)[0] == "It waits to be mailed to you"
    assert told(client, row.job_id)[1][-1] == "It waits for your next digest."


def test_mail_that_is_off_a_pause_and_a_new_beginning_are_steps(client):
    user = signed_in(client, paused_until=(timezone.now() + timedelta(days=1)).isoformat())
    job = JobFactory()
    assert "No: You paused your job mail: nothing is looked for now." in told(client, job.pk)[1]
    Suppression.objects.create(user=user, reason="staff")
    user.jobs_from = timezone.now()
    user.save()
    steps = told(client, job.pk)[1]
    assert "No: Your job mail is off now: nothing is looked for." in steps
    assert any(step.startswith("No: Only jobs from after ") for step in steps)


def test_searches_that_are_off_and_a_verdict_that_is_awaited(client):
    user, job = signed_in(client), JobFactory()
    AwaitedVerdict.objects.create(user=user, job=job, since=NOON, tries=1)
    waits = "It waits to be judged by a language model; one of the next looks does."
    assert waits in told(client, job.pk)[1]
    Search.objects.update(active=False)
    assert "No: None of your searches is switched on." in told(client, job.pk)[1]


def test_an_old_job_that_nobody_scored(client):
    signed_in(client)
    job = JobFactory(first_seen=timezone.now() - timedelta(hours=72))
    steps = told(client, job.pk)[1]
    assert "It is 72 hours old by now; only jobs of up to 24 hours are sent." in steps
    assert any(step.startswith("No: It was not scored for you") for step in steps)


def test_once_the_text_is_gone_the_ledgers_title_and_the_score_are_told(client):
    row = queued(signed_in(client), JobFactory(title="Kept", text_until=timezone.now()))
    end_periods(timezone.now())
    page = client.get("/why/", {"job": row.job_id}).content.decode()
    assert '<b dir="auto">' in page
    assert "Kept" in page
    steps = told(client, row.job_id)[1]
    assert any("The post's text is no longer kept since" in step for step in steps)
    assert not any("UTC" in step for step in steps)


def test_nothing_of_others_or_of_the_inside_is_shown(client):
    left(person("bo@example.com"), "failed", title="A public post")
    Mail.objects.update(error="550 secret.host says no")
    ana = signed_in(client, skills=["Rust"])
    page = client.get("/why/", {"job": Job.objects.get().pk}).content.decode()
    assert told(client, Job.objects.get().pk)[0] == "It was not mailed to you"
    mail = Mail.objects.get()
    bo = Verdict.objects.get()
    hidden = [mail.pk, "secret", "local:1", bo.user_id, ana.pk, "It fits.", "bo@", ">file<"]
    assert not [word for word in hidden if word in page]


@pytest.mark.parametrize(
    "pasted",
    [
        f"https://www.upwork.com/jobs/~02{NATIVE}",
        f"https://www.upwork.com/jobs/Django-developer_~02{NATIVE}/?source=rss&x=1#top",
        f"  www.upwork.com/jobs/~02{NATIVE} ",
        f"~02{NATIVE}",
        NATIVE,
        f"upwork:{NATIVE}",
    ],
)
def test_a_job_is_found_however_its_address_is_pasted(client, pasted):
    signed_in(client)
    JobFactory(id=f"upwork:{NATIVE}", title="This one")
    assert "This one" in client.get("/why/", {"job": pasted}).content.decode()


def test_the_older_ids_of_upwork_too(client):
    signed_in(client)
    JobFactory(id="upwork:01abcdef0123456789", title="This one", url="")
    for pasted in ("https://www.upwork.com/jobs/x_~01ABCDEF0123456789?a=b", "~01abcdef0123456789"):
        assert "This one" in client.get("/why/", {"job": pasted}).content.decode()


def test_a_job_that_nobody_saw(client, django_assert_max_num_queries):
    signed_in(client, timezone="Asia/Tokyo")
    Run.objects.create(kind="scan", started_at=NOON, finished_at=NOON)
    with django_assert_max_num_queries(12):
        page = client.get("/why/", {"job": f"~02{NATIVE}"}).content.decode()
    assert "We never saw this job" in page
    assert f'href="https://www.upwork.com/jobs/~02{NATIVE}"' in page
    assert "We last looked on Wed 25 Nov, 21:00." in page


@pytest.mark.parametrize(
    "pasted", ["banana", "<b>x", "https://example.com/jobs/1", "123", "x" * 5000]
)
def test_what_is_no_address_is_named_with_what_would_be_one(client, pasted):
    signed_in(client)
    answer = client.get("/why/", {"job": pasted})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'aria-invalid="true"' in page
    assert "is no address of a job. Paste it as your browser shows it, such as" in page
    assert len(page) < 20_000
    assert "<b>x" not in page


def test_odd_characters_do_no_harm(client):
    signed_in(client)
    for job in ("\0", "\ud800", "upwork:%00", "☃" * 3000):
        assert client.get("/why/", {"job": job.encode("utf-8", "replace")}).status_code == 200


def test_what_is_understood():
    assert understood("banana") is None
    assert understood("import:abc") == "import:abc"
    assert understood("sample:django-0001") == "sample:django-0001"
