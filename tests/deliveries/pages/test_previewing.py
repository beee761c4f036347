"""Beside the searches: what the one being edited would have sent, as it is typed."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from jobs import recent, tasting
from tests.accounts.instruments import tables
from tests.accounts.signing_in import browser
from tests.factories import JobFactory, person
from tests.page_forms import form_of

pytestmark = pytest.mark.django_db
ANA = "ana@example.com"
PAGE, PREVIEW = "/preferences/", "/preferences/preview/"


@pytest.fixture(autouse=True)
def _no_table_kept():
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


def fields(client, **changes):
    """The page as it is shown, some fields changed: `min_score_2` is `search-2-min_score`."""
    data = form_of(client.get(PAGE).content.decode(), PAGE)
    for key, value in changes.items():
        name, _, place = key.rpartition("_")
        data[f"search-{place}-{name}"] = value
    return data


def text(answer):
    return " ".join(unescape(re.sub("<[^>]*>", " ", answer.content.decode())).split())


def test_what_is_typed_is_tried_and_nothing_is_saved(client):
    signed_in(client)
    JobFactory.create(title="Django shop", client_country="DE")
    JobFactory.create(title="A logo", description="Draw a logo.", skills=["Logo"])
    before = tables()
    answer = client.post(PREVIEW, fields(client) | {"place": "1"})
    assert answer.status_code == 200
    said = text(answer)
    assert said.startswith("1 of 2 recent jobs would have been sent.")
    assert re.search(r"These Django shop Fit \d+ · \$40–60 an hour · Germany Names", said)
    said = text(client.post(PREVIEW, fields(client, countries_exclude_1="Germany")))
    assert "None of the 2 recent jobs would have been sent. “No clients in these countries”" in said
    assert re.search(r"Near misses Django shop Fit \d+ .* No clients in these countries : ", said)
    assert tables() == before


def test_a_search_that_was_only_just_added_is_no_mistake(client):
    signed_in(client)
    added = client.post(PAGE, fields(client) | {"do": "add"}).content.decode()
    answer = client.post(PREVIEW, form_of(added, PAGE) | {"place": "2"})
    assert text(answer).startswith("Say what you do: a line or a few skills are enough.")
    assert "note warn" not in answer.content.decode()


def test_it_has_a_link_to_each_job_and_shows_hostile_titles_as_text(client):
    signed_in(client)
    job = JobFactory.create(title="Django <script>alert(1)</script>")
    page = client.post(PREVIEW, fields(client)).content.decode()
    assert re.search(rf'<a href="{re.escape(job.url)}"\s+rel="noreferrer">', page)
    assert "&lt;script&gt;" in page
    assert "<script" not in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"skills_1": "", "headline_1": ""}, "Skills : This search would let every job through"),
        ({"words_none_1": "django"}, "each is among the words you avoid."),
        ({"min_fixed_1": "a lot"}, "Fixed price, at least (US dollars) : 'a lot' is not a number"),
        ({"min_score_1": "100"}, "None of the 1 recent jobs would have been sent."),
        ({"min_score_1": "0"}, "All 1 recent jobs would have been sent: nothing is kept out."),
        ({"active_1": [], "skills_1": ""}, "This search would let every job through"),
    ],
)
def test_it_warns_and_says_what_to_mend(client, changes, words):
    signed_in(client)
    JobFactory.create()
    answer = client.post(PREVIEW, fields(client, **changes))
    assert answer.status_code == 200
    assert '<p class="note warn">' in answer.content.decode()
    assert words in text(answer)


def test_of_several_searches_the_one_being_edited_is_tried(client):
    signed_in(client, searches=[{"name": "A", "skills": ["Go"]}, {"name": "B"}])
    JobFactory.create()
    data = fields(client)
    assert "None of the 1" in text(client.post(PREVIEW, data | {"place": "1"}))
    answer = client.post(PREVIEW, data | {"place": "2"})
    assert "All 1 recent jobs" in text(answer)
    assert 'id="preview-2-words" hx-swap-oob="innerHTML"' in answer.content.decode()
    for odd in ("", "0", "3", "x"):
        assert "None of the 1" in text(client.post(PREVIEW, data | {"place": odd}))


def test_thumbs_count(client):
    user = signed_in(client)
    job = JobFactory.create(title="Django and Tailwind page")
    before = text(client.post(PREVIEW, fields(client)))
    for other in JobFactory.create_batch(5, title="Tailwind page", first_seen=long_ago()):
        tasting.give(user.pk, other.pk, up=False, title=other.title, now=timezone.now())
    assert job.pk
    assert text(client.post(PREVIEW, fields(client))) != before


def long_ago():
    return timezone.now() - timedelta(days=20)


def test_without_javascript_a_button_shows_it_in_the_page(client):
    signed_in(client, searches=[{"name": "A", "skills": ["Go"]}, {"name": "B"}])
    JobFactory.create(title="Django shop")
    answer = client.post(PAGE, fields(client, headline_2="typed") | {"do": "preview-2"})
    page = answer.content.decode()
    assert form_of(page, PAGE)["search-2-headline"] == ["typed"]
    assert "All 1 recent jobs would have been sent" in text(answer)
    assert re.search(r'<div id="preview-2-words" role="status">\s*<p', page)
    assert 'id="preview-1-words"' not in page  # one search is open at a time
    assert "Saved." not in text(client.get(PAGE))


def test_a_forged_key_tries_nobody_elses_search(client):
    other = person("bob@example.com", headline="bob's secret").searches.get()
    signed_in(client)
    JobFactory.create()
    answer = client.post(PREVIEW, fields(client) | {"search-1-pk": str(other.pk)})
    assert "bob" not in answer.content.decode()
    other.refresh_from_db()
    assert other.headline == "bob's secret"


def test_it_is_for_who_is_signed_in(client):
    assert "You are signed out" in text(client.post(PREVIEW, {}))
    signed_in(client)
    assert client.get(PREVIEW).status_code == 405
    answer = client.post(PREVIEW, fields(client))
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("searches", [1, 10])
def test_it_takes_few_queries(client, searches, django_assert_max_num_queries):
    signed_in(client, searches=[{"name": f"S{n}"} for n in range(searches)])
    JobFactory.create_batch(5)
    data = fields(client)
    with django_assert_max_num_queries(12):
        client.post(PREVIEW, data)


def test_the_page_itself_does_not_wait_for_it(client, monkeypatch):
    signed_in(client)
    monkeypatch.setattr("deliveries.pages.previewing.recent_jobs", None)
    page = client.get(PAGE).content.decode()
    assert 'hx-trigger="load, ' in page
