"""Setting up in three steps: nothing typed is lost, nothing is mailed before the last one."""

import re
from html import unescape

import pytest
from django.utils import timezone

from accounts.boundaries import watched
from accounts.forms.welcome import StepForm
from accounts.models import Preferences, Search, User
from accounts.person import is_set_up
from deliveries.leaving import delete_account
from deliveries.models import Delivery
from deliveries.scan import scan
from deliveries.work.clock import Clock
from jobs import recent
from tests.accounts.instruments import tables
from tests.accounts.signing_in import browser, sign_in
from tests.factories import JobFactory, person
from tests.page_forms import form_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
ANA = "ana@example.com"
WHO, WORK, MAIL = "/welcome/", "/welcome/work/", "/welcome/mail/"
STEPS = (WHO, WORK, MAIL)


@pytest.fixture(autouse=True)
def _no_table_kept():
    recent.forget()
    yield
    recent.forget()


@pytest.fixture
def client():
    return browser()


@pytest.fixture
def newcomer(client) -> User:
    """Somebody who has just entered their first code."""
    user = User.objects.create_user(ANA)
    client.force_login(user)
    return user


def shown(client, path):
    return form_of(client.get(path).content.decode(), path.partition("?")[0])


def post(client, path, do="next", **changes):
    """Post a step as shown but for the changes; `mail_x` is `mail-x`, all others the search's."""
    data = shown(client, path) | {"do": do}
    for key, value in changes.items():
        plain = key in ("owner", "suggested")
        name = key if plain else re.sub("^mail_", "mail-", key)
        data[name if plain or name != key else f"search-1-{key}"] = value
    return client.post(path, {key: value for key, value in data.items() if value is not None})


def described(client):
    """The first step done."""
    return post(client, WHO, headline="Django developer", skills="Django")


def text(answer):
    return " ".join(unescape(re.sub("<[^>]*>", " ", answer.content.decode())).split())


def search():
    return Search.objects.get()


def test_who_is_new_is_led_there_and_through(client, mailoutbox):
    assert sign_in(client, mailoutbox)["Location"] == WHO
    assert described(client)["Location"] == WORK
    assert post(client, WORK, min_hourly="40")["Location"] == MAIL
    assert post(client, MAIL, min_score="50", mail_timezone="Europe/Lisbon")["Location"] == "/jobs/"
    assert "You are set up. New posts are looked at" in text(client.get("/jobs/"))
    found = search()
    assert (found.headline, found.skills, found.min_hourly) == ("Django developer", ["Django"], 40)
    assert (found.active, found.min_score) == (True, 50)
    assert Preferences.objects.get().timezone == "Europe/Lisbon"


def test_each_step_is_kept_and_nothing_is_switched_on_before_the_last(client, newcomer):
    described(client)
    assert (search().headline, search().active) == ("Django developer", False)
    post(client, WORK, words_none="wordpress")
    assert (search().words_none, search().active) == (["wordpress"], False)
    assert shown(client, WHO)["search-1-headline"] == ["Django developer"]
    post(client, MAIL, do="back", mail_mode="daily")
    assert (search().active, newcomer.preferences.mode) == (False, "daily")
    assert not is_set_up(newcomer.pk)


def test_nothing_is_mailed_before_the_last_step(client, newcomer, settings, wall):
    settings.SCOUT_SOURCES = []
    JobFactory.create()
    described(client)
    scan(Clock(), wall)
    assert not Delivery.objects.exists()
    post(client, MAIL, min_score="50")
    scan(Clock(), wall)
    assert list(Delivery.objects.values_list("user_id", flat=True)) == [newcomer.pk]


def test_a_save_that_fails_stores_nothing(client, newcomer):
    shown(client, WHO)
    before = tables()

    def fail(name, moment):
        if (name, moment) == ("welcome: save", "before"):
            raise RuntimeError

    with watched(fail), pytest.raises(RuntimeError):
        described(client)
    assert tables() == before


@pytest.mark.parametrize("path", STEPS)
def test_back_saves_too_and_a_get_changes_nothing(client, newcomer, path):
    described(client)
    before = tables()
    for each in STEPS:
        client.get(each)
    assert tables() == before
    answer = post(client, path, do="back")
    assert answer["Location"] == STEPS[max(STEPS.index(path) - 1, 0)]


def test_who_says_nothing_is_told_beside_the_field(client, newcomer):
    answer = post(client, WHO)
    assert answer.status_code == 200
    assert "Skills : This search would let every job through: say what work you do" in text(answer)
    assert "Not saved" in text(answer)
    assert search().active  # as it was made: it says nothing, so nothing passes
    assert "This search would let every job through" in text(post(client, MAIL))
    assert not is_set_up(newcomer.pk)


@pytest.mark.parametrize(
    ("path", "typed", "message"),
    [
        (WHO, {"search-1-headline": "x" * 301}, "This has 301 characters"),
        (WORK, {"search-1-min_hourly": "a lot"}, "'a lot' is not a number"),
        (WORK, {"search-1-words_none": "django"}, "is among the words you avoid"),
        (MAIL, {"mail-timezone": "Mars"}, "'Mars' is not a time zone"),
    ],
)
def test_errors_stand_beside_the_fields_and_nothing_is_lost(client, newcomer, path, typed, message):
    described(client)
    before = tables()
    answer = client.post(path, {**shown(client, path), **typed, "do": "next"})
    assert message in text(answer)
    again = form_of(answer.content.decode(), path)
    assert {name: again[name] for name in typed} == {name: [typed[name]] for name in typed}
    assert tables() == before


def test_a_threshold_that_is_none_of_the_choices_is_refused(client, newcomer):
    described(client)
    assert "Choose one of these." in text(post(client, MAIL, min_score="x"))


def test_a_search_at_work_stays_at_work(client):
    user = person(ANA, headline="Go developer", skills=["Go"], min_score=63)
    client.force_login(user)
    assert "You are set up already" in text(client.get(WHO))
    post(client, WHO, headline="Rust developer")
    assert (search().active, search().headline) == (True, "Rust developer")
    assert "63 of 100, as you set it" in text(client.get(MAIL))
    post(client, MAIL)
    assert search().min_score == 63


def test_who_has_not_finished_is_told_so(client, newcomer):
    client.get(WHO)
    assert "Go on setting up" in text(client.get("/preferences/"))
    described(client)
    assert "Go on setting up" in text(client.get("/preferences/"))
    post(client, MAIL)
    assert "Go on setting up" not in text(client.get("/preferences/"))


def test_suggested_skills_are_offered_ticked_and_become_skills(client, newcomer):
    answer = post(client, WHO, do="suggest", about="Django, PostgreSQL & Redis", skills="Redis")
    page = answer.content.decode()
    assert "2 skills found: untick what is not yours." in text(answer)
    fields = form_of(page, WHO)
    assert fields["suggested"] == ["Django", "PostgreSQL"]
    assert fields["search-1-about"] == ["Django, PostgreSQL & Redis"]
    assert answer["HX-Trigger-After-Settle"] == '{"suggested": {}}'
    assert not search().skills  # nothing is saved yet
    client.post(WHO, {**fields, "suggested": ["PostgreSQL", 'odd, "one"'], "do": "next"})
    assert search().skills == ["Redis", "PostgreSQL", 'odd, "one"']


def test_a_text_without_skills_is_told_so(client, newcomer):
    answer = post(client, WHO, do="suggest", about="I like walks")
    assert "No further skill was recognised" in text(answer)


def test_other_steps_suggest_nothing(client, newcomer):
    described(client)
    assert post(client, WORK, do="suggest")["Location"] == MAIL


def test_skills_of_stored_posts_are_suggested_too(client, newcomer):
    JobFactory.create_batch(3, skills=["Zope"])
    answer = post(client, WHO, do="suggest", about="Ten years of Zope")
    assert form_of(answer.content.decode(), WHO)["suggested"] == ["Zope"]


def test_the_time_zone_is_asked_of_the_browser_while_nobody_named_one(client, newcomer):
    described(client)
    assert 'data-zone-of="id_mail-timezone"' in client.get(MAIL).content.decode()
    post(client, MAIL, mail_timezone="Europe/Lisbon")
    assert "data-zone-of" not in client.get(MAIL).content.decode()


def test_without_javascript_a_button_shows_what_would_have_come(client, newcomer):
    JobFactory.create_batch(2)
    client.get(WHO)
    before = tables()
    answer = post(client, WHO, do="preview", headline="Django developer", skills="Django")
    assert "All 2 recent jobs would have been sent" in text(answer)
    assert form_of(answer.content.decode(), WHO)["search-1-headline"] == ["Django developer"]
    assert tables() == before


def test_the_preview_of_a_step_counts_what_earlier_ones_said(client, newcomer):
    JobFactory.create(hourly_max=60)
    described(client)
    fields = shown(client, WORK)
    path = "/welcome/preview/work/"
    answer = client.post(path, {**fields, "search-1-min_hourly": "90"})
    assert "None of the 1 recent jobs" in text(answer)
    assert "Near misses" in text(answer)
    assert "All 1 recent jobs" in text(client.post(path, fields))
    assert search().min_hourly is None


def test_the_preview_asks_before_it_warns(client, newcomer):
    answer = client.post("/welcome/preview/who/", shown(client, WHO))
    assert "Say what you do" in text(answer)
    assert "note" not in answer.content.decode()


def test_what_was_typed_survives_being_signed_out(client, mailoutbox, newcomer):
    fields = shown(client, WHO)
    client.logout()
    answer = client.post(WHO, {**fields, "search-1-headline": "typed", "do": "next"})
    assert answer["Location"] == "/sign-in/?next=/welcome/"
    assert "You are signed out" in text(client.post("/welcome/preview/who/", fields))
    assert sign_in(client, mailoutbox, ANA, next=WHO)["Location"] == WHO
    assert shown(client, WHO)["search-1-headline"] == ["typed"]
    assert shown(client, f"{WHO}?stored")["search-1-headline"] == [""]


def test_what_one_typed_is_not_saved_for_another(client, newcomer):
    fields = shown(client, WHO)
    bob = person("bob@example.com", headline="bob's")
    client.force_login(bob)
    answer = client.post(WHO, {**fields, "search-1-headline": "ana's", "do": "next"})
    assert answer["Location"] == WHO
    assert bob.searches.get().headline == "bob's"


def test_who_left_meanwhile_gets_no_new_account(client, newcomer, monkeypatch):
    fields = shown(client, WHO)
    real = StepForm.is_valid

    def then_left(form):
        answer = real(form)
        delete_account(newcomer.pk, now=timezone.now())
        return answer

    monkeypatch.setattr(StepForm, "is_valid", then_left)
    answer = client.post(WHO, {**fields, "search-1-headline": "typed", "do": "next"})
    assert answer["Location"] == "/sign-in/?next=/welcome/"
    assert not User.objects.exists()


@pytest.mark.parametrize("path", STEPS)
def test_a_step_takes_few_queries_and_little_html(
    client, newcomer, path, django_assert_max_num_queries
):
    described(client)
    fields = shown(client, path)
    with django_assert_max_num_queries(12):
        client.get(path)
    JobFactory.create_batch(3)
    name = {WHO: "who", WORK: "work", MAIL: "mail"}[path]
    with django_assert_max_num_queries(12):
        client.post(f"/welcome/preview/{name}/", fields)


@pytest.mark.parametrize("path", STEPS)
def test_the_steps_are_for_who_is_signed_in(client, path):
    assert client.get(path)["Location"] == f"/sign-in/?next={path}"
    assert client.put(path).status_code in (302, 405)
    assert client.get("/welcome/preview/who/").status_code == 405
    client.force_login(person(ANA))
    assert "no-store" in client.get(path)["Cache-Control"]
    assert client.post("/welcome/preview/else/", {}).status_code == 404
