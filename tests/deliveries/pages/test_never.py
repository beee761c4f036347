"""Never this country, never this word: a button on a job, a message, and the way back."""

import re
from html import unescape

import pytest

from accounts.models import Preferences, Search
from deliveries.never import Avoided
from deliveries.pages.never import in_words
from jobs import recent
from tests.accounts.signing_in import browser
from tests.deliveries.test_my_pages import left
from tests.factories import JobFactory, person, queued
from tests.page_forms import form_of

pytestmark = pytest.mark.django_db
ANA = "ana@example.com"


@pytest.fixture
def client():
    return browser()


def signed_in(client, **profile):
    user = person(ANA, **profile)
    client.force_login(user)
    return user


def notes(page):
    found = re.findall(r'class="note ([a-z]+)"[^>]*>(.*?)</(?:p|div)>', page, re.DOTALL)
    return [
        (level, " ".join(unescape(re.sub("<.*?>", " ", text)).split())) for level, text in found
    ]


def undo_of(page):
    """What the button of the message posts."""
    return {"undo": re.search(r'name="undo"\s+value="([^"]*)"\s+class="quiet"', page)[1]}


def step(client, **data):
    """One step, and the page it leads to."""
    answer = client.post("/jobs/never/", data)
    assert answer["Location"] == data.get("back", "/jobs/")
    return client.get(answer["Location"]).content.decode()


def test_a_country_in_one_step_and_back(client):
    user = signed_in(client)
    left(user, "sent", client_country="US")
    page = client.get("/jobs/").content.decode()
    assert re.search(r'name="country"\s+value="US"', page)
    page = step(client, country="US")
    checked = "Jobs that wait are checked again before they are sent."
    assert notes(page)[0] == (
        "good",
        f"From now on no jobs of clients in the United States come. {checked}",
    )
    assert Search.objects.get().countries_exclude == ["US"]
    assert 'name="country"' not in page
    assert notes(client.get("/jobs/").content.decode()) == []  # told once
    client.post("/jobs/never/undo/", undo_of(page))
    page = client.get("/jobs/").content.decode()
    undone = "Undone: jobs of clients in the United States may come again."
    assert notes(page) == [("success", undone)]
    assert Search.objects.get().countries_exclude == []


def test_undoing_twice_is_harmless(client):
    signed_in(client)
    undo = undo_of(step(client, word="logo"))
    client.post("/jobs/never/undo/", undo)
    Search.objects.update(words_none=["logo"])  # set by hand since then
    client.post("/jobs/never/undo/", undo)
    assert Search.objects.get().words_none == ["logo"]
    assert "undone already" in notes(client.get("/jobs/").content.decode())[-1][1]


def test_each_of_several_steps_can_be_undone(client):
    signed_in(client)
    undos = [undo_of(step(client, word=word)) for word in ("logo", "seo", "casino")]
    client.post("/jobs/never/undo/", undos[1])
    assert Search.objects.get().words_none == ["logo", "casino"]


def test_nobody_undoes_the_steps_of_others(client):
    signed_in(client)
    undo = undo_of(step(client, word="logo"))
    other = browser()
    other.force_login(person("bo@example.com"))
    other.post("/jobs/never/undo/", undo)
    assert Search.objects.get(user__email=ANA).words_none == ["logo"]


def test_words_are_offered_on_a_page_and_for_a_script_as_a_form(client):
    user = signed_in(client)
    row = queued(user, JobFactory(title="Django shop for zebras", skills=["Django", "<Stripe>"]))
    address = re.search(r'<a href="(/jobs/never/.*?)">', client.get("/jobs/").content.decode())[1]
    here = {"Referer": "https://testserver/jobs/?after=x", "x-forwarded-proto": "https"}
    page = client.get(address, headers=here).content.decode()
    script = {"HX-Request": "true", "HX-Current-URL": "https://testserver/why/"}
    part = client.get(address, headers={**script, "Host": "testserver"})
    for found, back in ((page, "/jobs/?after=x"), (part.content.decode(), "/why/")):
        assert re.findall(r'name="word"\s+value="(.*?)"', found) == [
            "&lt;Stripe&gt;",
            "shop",
            "zebras",
        ]
        assert form_of(found, "/jobs/never/")["back"] == [back]
    assert ("<html" in page, "<html" in part.content.decode()) == (True, False)
    assert (row.title in page, user.pk in page) == (True, False)


@pytest.mark.parametrize("job", ["", "upwork:1", "\0", "banana"])
def test_of_an_unknown_job_no_words_are_offered(client, job, django_assert_max_num_queries):
    signed_in(client)
    with django_assert_max_num_queries(12):
        page = client.get(
            "/jobs/never/", {"job": job}, headers={"Referer": "https://evil.example/"}
        )
    assert 'name="word"' not in page.content.decode()
    assert form_of(page.content.decode(), "/jobs/never/")["back"] == ["/jobs/"]


def test_a_word_is_chosen_or_typed(client):
    signed_in(client)
    step(client, word="zebras", typed="")
    step(client, typed=" Casino  games ")
    assert Search.objects.get().words_none == ["zebras", "Casino games"]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"typed": " "}, ("error", "Write the word that no job should name, then press “Never”.")),
        ({}, ("error", "Write the word that no job should name, then press “Never”.")),
        ({"typed": "x" * 81}, ("error", "Nothing was changed: ")),
        ({"country": "Atlantis"}, ("error", "Nothing was changed: 'Atlantis' is not a country;")),
        ({"word": "Django"}, ("error", "Nothing was changed. “My search” was left as it was: It")),
        ({"word": "SEO"}, ("info", "No jobs that name “SEO” come anyhow: that was set already.")),
    ],
)
def test_what_changes_nothing_says_why(client, data, told):
    signed_in(client, skills=["Django"], words_none=["seo"])
    saved = Preferences.objects.get().saved_at
    [(level, words)] = notes(step(client, **data))
    assert (level, words.startswith(told[1])) == (told[0], True)
    assert Preferences.objects.get().saved_at == saved


@pytest.mark.parametrize(
    ("now_in", "was_in", "left_out", "words"),
    [
        (("A", "B"), (), (), "From now on no jobs that name “x” come, by any of your 2 searches."),
        (("A",), ("B",), (("C", "Because."),), "come by “A”, “B”. Jobs that wait are checked"),
        (("A",), (), (("C", "Because."),), "sent. “C” was left as it was: Because."),
        ((), (), (), "Nothing was changed: none of your searches is switched on."),
    ],
)
def test_with_several_searches_it_says_which(now_in, was_in, left_out, words):
    outcome = Avoided("words_none", "x", tuple(range(len(now_in))), now_in, was_in, left_out)
    assert words in in_words(outcome)


def test_it_leads_back_to_where_one_was_and_nowhere_else(client):
    recent.forget()
    signed_in(client)
    for place in ("/jobs/near/", "/why/?job=upwork%3A1", "/jobs/?after=x"):
        page = step(client, word=f"w{len(place)}", back=place)
        assert notes(page)[0][0] == "good"
    for place in ("https://evil.example/", "//evil.example/jobs/", "/admin/"):
        answer = client.post("/jobs/never/", {"word": "casino", "back": place})
        assert answer["Location"].strip() == "/jobs/"


def test_only_by_post_with_a_token_and_signed_in(client):
    strict = browser(enforce_csrf_checks=True)
    assert client.post("/jobs/never/", {"word": "x"})["Location"].startswith("/sign-in/")
    user = signed_in(client)
    strict.force_login(user)
    client.get("/jobs/never/", {"word": "x", "country": "DE", "typed": "x"})
    assert client.get("/jobs/never/undo/").status_code == 405
    for path in ("/jobs/never/", "/jobs/never/undo/"):
        assert strict.post(path, {"word": "x"}).status_code == 403
    assert Search.objects.get().words_none == []


def test_an_account_that_went_away_meanwhile_is_told(client):
    signed_in(client)
    undo = undo_of(step(client, word="logo"))
    Preferences.objects.all().delete()
    gone = "This account is gone, or has a new address; nothing was changed."
    for path, data in (("/jobs/never/", {"word": "x"}), ("/jobs/never/undo/", undo)):
        client.post(path, data)
        assert (gone) in client.get("/jobs/").content.decode()


def test_an_undo_that_would_let_everything_through_says_so(client):
    signed_in(client)
    undo = undo_of(step(client, word="logo"))
    Search.objects.update(skills=[])
    client.post("/jobs/never/undo/", undo)
    page = client.get("/jobs/").content.decode()
    assert any(words.startswith("It was not undone: ") for _, words in notes(page))
