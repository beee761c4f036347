"""The form over preferences and searches: complete, forgiving, losing nothing."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from html import unescape

import pytest
from django.utils import timezone

from accounts.forms import unsaved
from accounts.forms.profile import ProfileForm
from accounts.models import Preferences, Search, User
from accounts.profiles import PREFERENCE_KEYS, SEARCH_KEYS, read_profile
from accounts.search_fields import FIELDS
from accounts.vocabulary import STRICTABLE
from deliveries.leaving import delete_account
from deliveries.models import Delivery
from deliveries.moving import change_address
from deliveries.pages import typed
from deliveries.people import save_profile
from tests.accounts.instruments import tables
from tests.accounts.signing_in import browser, error_beside, sign_in
from tests.factories import JobFactory, person, queued
from tests.page_forms import form_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
ANA = "ana@example.com"
PAGE = "/preferences/"
FULL = {
    "headline": "Django & <b>more</b>",
    "about": "Ten years.\n\nOf it all.",
    "wants": "No crypto",
    "skills": ["Django", "C++", "Word, Excel", 'the "best"'],
    "words_any": ["django", "flask"],
    "words_all": ["api"],
    "words_none": ["wordpress"],
    "job_types": ["hourly"],
    "min_hourly": 40.5,
    "min_fixed": 1000,
    "experience_levels": ["expert"],
    "categories": ["Web, Mobile & Software Dev"],
    "countries_include": ["DE", "CD", "HK"],
    "countries_exclude": ["IN"],
    "my_country": "PT",
    "languages": ["en", "pt"],
    "min_client_spent": "1234567.89",
    "min_client_hires": 3,
    "min_client_hire_rate": 60,
    "min_client_rating": 4.5,
    "payment_verified_only": True,
    "max_proposals": 20,
    "durations": ["month", "ongoing"],
    "posted_within_hours": 12,
    "strict": ["min_hourly", "languages"],
    "min_score": 55,
    "mode": "daily",
    "digest_hour": 17,
    "timezone": "Europe/Lisbon",
    "quiet_from": "22:30",
    "quiet_until": 7,
    "max_jobs_per_day": 12,
    "paused_until": "2030-07-01T08:09:10Z",
    "ai_allowed": False,
}
assert FULL.keys() == {*SEARCH_KEYS, *PREFERENCE_KEYS}
SEARCH_OF_FULL = {key: FULL[key] for key in SEARCH_KEYS}


@pytest.fixture
def client():
    return browser()


def signed_in(client, **profile) -> User:
    user = person(ANA, **profile)
    client.force_login(user)
    return user


def shown(client, path=PAGE):
    return form_of(client.get(path).content.decode(), PAGE)


def post(client, fields, **changes):
    """Post the fields, some changed; `search_1_x` is `search-1-x`, `mail_x` is `mail-x`."""
    data = dict(fields)
    for key, value in changes.items():
        name = re.sub(r"^search_(\d+)_", r"search-\1-", key)
        data[re.sub("^mail_", "mail-", name)] = value
    return client.post(PAGE, {key: value for key, value in data.items() if value is not None})


def saved(client, **changes):
    """Save the page as shown but for the changes; it must work."""
    answer = post(client, shown(client), **changes)
    assert answer.status_code == 302, troubles(answer)
    assert "Saved." in client.get(PAGE).content.decode()


def troubles(answer):
    """The errors listed on top."""
    page = answer.content.decode()
    found = re.findall(r'<a href="#([\w-]+)">.*?</a>: (.*?)\s*</li>', page, re.DOTALL)
    return [(field, unescape(message)) for field, message in found]


def test_every_field_is_there_and_a_save_without_a_change_changes_nothing(client):
    signed_in(client, **FULL)
    before = tables()
    fields = shown(client)
    assert {f"search-1-{key}" for key in SEARCH_KEYS} <= fields.keys()
    assert {f"mail-{key}" for key in PREFERENCE_KEYS} - {"mail-ai_allowed"} <= fields.keys()
    saved(client)
    assert tables()[1:] == before[1:]


def test_what_is_typed_is_what_a_file_would_have_stored(client):
    signed_in(client)
    typed = {f"search_1_{key}": FULL[key] for key in SEARCH_KEYS}
    typed |= {f"mail_{key}": FULL[key] for key in PREFERENCE_KEYS}
    typed |= {
        "search_1_skills": 'Django, C++\n"Word, Excel"\n\nthe "best", Django',
        "search_1_words_any": "django\nflask",
        "search_1_words_all": "api,",
        "search_1_words_none": " wordpress ",
        "search_1_categories": ["web_mobile_software_dev"],
        "search_1_countries_include": ["Germany, COD", "", "Hong Kong SAR China"],
        "search_1_countries_exclude": ["in", " "],
        "search_1_my_country": "Portugal",
        "search_1_languages": "English, português",
        "search_1_payment_verified_only": "on",
        "mail_ai_allowed": None,
        "mail_quiet_until": "07:00",
        "mail_paused_until": "2030-07-01T09:09",
    }
    saved(client, **typed)
    wanted = read_profile(FULL)
    [search], preferences = Search.objects.all(), Preferences.objects.get()
    stored = {key: getattr(search, key) for key in SEARCH_KEYS}
    assert stored == wanted.search
    at = {"paused_until": datetime(2030, 7, 1, 8, 9, tzinfo=UTC)}
    assert {key: getattr(preferences, key) for key in PREFERENCE_KEYS} == {
        **wanted.preferences,
        **at,
    }


@pytest.mark.parametrize(
    ("field", "typed", "stored"),
    [
        ("min_hourly", " 12.345 ", Decimal("12.34")),
        ("min_hourly", "", None),
        ("max_proposals", "0", 0),
        ("min_client_rating", "5", Decimal(5)),
        ("posted_within_hours", "720", 720),
        ("headline", "  a \t b ", "a b"),
        ("about", "a\r\nb", "a\nb"),
        ("job_types", None, []),
        ("job_types", ["fixed", "hourly"], ["fixed", "hourly"]),
        ("skills", "", []),
        ("my_country", "", ""),
        ("strict", list(STRICTABLE), list(STRICTABLE)),
        ("name", "Python work", "Python work"),
        ("active", None, False),
        ("min_score", "0", 0),
    ],
)
def test_values_that_a_search_takes(client, field, typed, stored):
    signed_in(client, min_hourly=9, skills=["Go"], words_any=["Go"])
    saved(client, **{f"search_1_{field}": typed})
    assert getattr(Search.objects.get(), field) == stored


NOT_FROM_0 = "; write one, or leave it empty."


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("min_hourly", "a lot", "'a lot' is not a number from 0 to 9999999" + NOT_FROM_0),
        ("min_hourly", "-1", "'-1' is not a number from 0 to 9999999" + NOT_FROM_0),
        ("min_fixed", "1,000", "'1,000' is not a number from 0 to 99999999" + NOT_FROM_0),
        ("min_client_spent", "NaN", "'NaN' is not a number from 0 to 99999999999" + NOT_FROM_0),
        ("min_client_hires", "1.5", "'1.5' is not a whole number from 0 to 1000000" + NOT_FROM_0),
        ("min_client_hire_rate", "101", "'101' is not a number from 0 to 100" + NOT_FROM_0),
        ("min_client_rating", "5.1", "'5.1' is not a number from 0 to 5" + NOT_FROM_0),
        ("max_proposals", "1e9", "'1e9' is not a whole number from 0 to 1000000" + NOT_FROM_0),
        ("posted_within_hours", "0", "'0' is not a whole number from 1 to 720" + NOT_FROM_0),
        ("min_score", "", "This is not a whole number from 0 to 100; write one."),
        ("min_score", "101", "'101' is not a whole number from 0 to 100; write one."),
        ("headline", "x" * 301, "This has 301 characters; write 0 to 300."),
        ("about", "x" * 20_001, "This has 20001 characters; write 0 to 20000."),
        ("wants", "x" * 20_001, "This has 20001 characters; write 0 to 20000."),
        ("name", "", "This has 0 characters; write 1 to 80."),
        ("name", "x" * 81, "This has 81 characters; write 1 to 80."),
        ("skills", "x" * 81, f"'{'x' * 30}…' has 81 characters; write 1 to 80."),
        (
            "words_any",
            "\n".join(map(str, range(201))),
            "201 entries are too many; write at most 200.",
        ),
        ("words_all", "\u200b", "'\\u200b' has 0 characters; write 1 to 80."),
        ("words_none", "x" * 81, None),
        ("categories", ["x" * 81], None),
        (
            "languages",
            "Klingonish",
            "'Klingonish' is not a language; write one such as en or English.",
        ),
        ("my_country", "Narnia", "'Narnia' is not a country; write one such as DE or Germany."),
        (
            "countries_include",
            ["DE", "Narnia"],
            "'Narnia' is not a country; write one such as DE or Germany.",
        ),
        (
            "countries_exclude",
            ["Narnia"],
            "'Narnia' is not a country; write one such as DE or Germany.",
        ),
        ("job_types", ["barter"], "'barter' is not known; write one of hourly, fixed."),
        (
            "experience_levels",
            ["guru"],
            "'guru' is not known; write one of entry, intermediate, expert.",
        ),
        ("durations", ["year"], None),
        ("strict", ["headline"], None),
    ],
)
def test_values_that_a_search_refuses(client, field, typed, message):
    signed_in(client, headline="before")
    before = tables()
    changes = {"search_1_wants": "typed & kept", f"search_1_{field}": typed}
    answer = post(client, shown(client), **changes)
    assert answer.status_code == 200
    assert tables()[1:] == before[1:]
    [(where, listed)] = troubles(answer)
    assert where.startswith(f"id_search-1-{field}")
    assert message in (None, listed)
    again = form_of(answer.content.decode(), PAGE)
    if field != "wants":
        assert again["search-1-wants"] == ["typed & kept"]
    if isinstance(typed, str):
        assert again[f"search-1-{field}"] == [typed]
        assert error_beside(answer, f"id_search-1-{field}") == listed


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"mode": "weekly"}, "mode", "Choose one of these."),
        ({"mode": None}, "mode", "Choose one of these."),
        (
            {"digest_hour": "24"},
            "digest_hour",
            "Choose one of these.",
        ),
        (
            {"timezone": "Mars/Base"},
            "timezone",
            "'Mars/Base' is not a time zone; write one such as Europe/Berlin.",
        ),
        ({"timezone": ""}, "timezone", None),
        (
            {"quiet_from": "25:00"},
            "quiet_from",
            "'25:00' is not a time of day; write one such as 22:00, or leave it empty.",
        ),
        ({"quiet_from": "22:00"}, "quiet_until", "Give both ends, or neither."),
        ({"quiet_until": "22:00"}, "quiet_from", "Give both ends, or neither."),
        ({"quiet_from": "8", "quiet_until": "08:00"}, "quiet_until", "Give two different times."),
        (
            {"max_jobs_per_day": "0"},
            "max_jobs_per_day",
            "'0' is not a whole number from 1 to 200; write one.",
        ),
        ({"max_jobs_per_day": "201"}, "max_jobs_per_day", None),
        (
            {"paused_until": "tomorrow"},
            "paused_until",
            "'tomorrow' is not a time; write one such as 2030-01-31T08:00, or leave it empty.",
        ),
        ({"paused_until": "0001-01-01T00:00", "timezone": "Asia/Tokyo"}, "paused_until", None),
    ],
)
def test_preferences_that_are_refused(client, typed, field, message):
    signed_in(client)
    before = tables()
    changes = {f"mail_{key}": value for key, value in typed.items()}
    answer = post(client, shown(client), search_1_headline="kept", **changes)
    assert tables()[1:] == before[1:]
    [(where, listed)] = troubles(answer)
    assert where.startswith(f"id_mail-{field}")
    assert message in (None, listed)
    again = form_of(answer.content.decode(), PAGE)
    assert again["search-1-headline"] == ["kept"]
    for key, value in typed.items():
        if value is not None and key not in ("mode", "digest_hour"):
            assert again[f"mail-{key}"] == [value]


def test_all_errors_are_shown_at_once(client):
    signed_in(client, searches=[{"name": "A"}, {"name": "B"}])
    answer = post(
        client, shown(client), mail_timezone="x", search_1_min_fixed="y", search_2_min_fixed="z"
    )
    assert [field for field, _ in troubles(answer)] == [
        "id_search-1-min_fixed",
        "id_search-2-min_fixed",
        "id_mail-timezone",
    ]
    assert "Not saved" in re.search("<title>(.*?)</title>", answer.content.decode(), re.DOTALL)[1]


def names():
    return list(Search.objects.order_by("position").values_list("name", "headline", "active"))


def test_searches_are_added_renamed_switched_off_and_deleted(client):
    signed_in(client, headline="one")
    assert "id_search-1-delete" not in client.get(PAGE).content.decode()
    first = Search.objects.get().pk
    page = post(client, shown(client), do="add", search_1_headline="changed").content.decode()
    assert names() == [("My search", "one", True)]  # adding saves nothing yet
    fields = form_of(page, PAGE)
    assert fields["search-1-headline"] == ["changed"]
    assert (fields["search-2-name"], fields["search-2-job_types"]) == (
        ["Search 2"],
        ["hourly", "fixed"],
    )
    assert post(client, fields, search_2_headline="two").status_code == 302
    assert names() == [("My search", "changed", True), ("Search 2", "two", True)]
    saved(client, search_1_name="Search 2", search_2_name="My search", search_2_active=None)
    assert names() == [("Search 2", "changed", True), ("My search", "two", False)]
    saved(client, search_1_name="Anew", search_2_delete="on")
    assert names() == [("Anew", "changed", True)]
    assert Search.objects.get().pk == first  # verdicts go on naming it


def test_a_new_search_may_take_the_name_another_one_gives_up(client):
    signed_in(client, headline="one")
    fields = form_of(post(client, shown(client), do="add").content.decode(), PAGE)
    post(client, fields, search_1_name="Other", search_2_name="My search", search_2_headline="two")
    assert names() == [("Other", "one", True), ("My search", "two", True)]


def test_the_last_search_stays(client):
    signed_in(client, searches=[{"name": "A"}, {"name": "B"}])
    answer = post(client, shown(client), search_1_delete="on", search_2_delete="on")
    assert troubles(answer) == [
        ("id_search-2-delete", "One search stays: untick this, or another one.")
    ]
    assert len(names()) == 2
    answer = post(client, shown(client), search_1_delete="on", search_1_min_fixed="not a number")
    assert answer.status_code == 302  # what goes need not be right
    assert [name for name, *_ in names()] == ["B"]


def test_two_searches_have_two_names(client):
    signed_in(client, searches=[{"name": "A"}, {"name": "B"}])
    answer = post(client, shown(client), search_2_name=" A ")
    assert error_beside(answer, "id_search-2-name") == (
        "Another search has this name; write a different one."
    )


def test_a_search_that_wants_what_it_avoids_is_told_beside_the_field(client):
    signed_in(client)
    answer = post(client, shown(client), search_1_words_any="PHP", search_1_words_none="php")
    assert error_beside(answer, "id_search-1-words_any") == (
        "Nothing can pass: each of these is among the words you avoid."
    )


def test_there_are_ten_searches_at_most(client):
    signed_in(client, searches=[{"name": f"S{n}"} for n in range(9)])
    page = post(client, shown(client), do="add").content.decode()
    assert "Add another search" not in page
    fields = form_of(page, PAGE)
    assert "let every job through" in post(client, fields).content.decode()
    assert post(client, fields, search_10_skills="Go").status_code == 302
    answer = post(client, shown(client), do="add", searches="11")
    assert len(form_of(answer.content.decode(), PAGE)["searches"]) == 1
    assert Search.objects.count() == 10


@pytest.mark.parametrize("count", ["", "0", "-1", "x", "999999999999999999999", "²"])
def test_a_forged_count_is_no_error(client, count):
    signed_in(client)
    assert post(client, shown(client), searches=count).status_code == 302
    assert Search.objects.count() == 1


def test_a_forged_key_never_reaches_another_users_search(client):
    other = person("bob@example.com", headline="bob's").searches.get()
    signed_in(client)
    post(client, shown(client), search_1_pk=str(other.pk), search_1_headline="mine")
    other.refresh_from_db()
    assert (other.headline, other.user_id) == ("bob's", "Ym9iQGV4YW1wbGUuY29t")
    for odd in ("x", "0", "99999999999999999999999"):
        assert post(client, shown(client), search_1_pk=odd).status_code in (200, 302)
    assert Search.objects.count() == 2


def test_the_longest_form_fits(client):
    words = [f"{'ж' * 70}{n}" for n in range(200)]
    countries = sorted(__import__("accounts.countries").countries._alpha2())[:200]
    one = {
        "about": "ж" * 20_000,
        "wants": "語" * 20_000,
        "skills": words,
        "words_any": words,
        "words_none": [word[::-1] for word in words],
        "countries_include": countries,
        "countries_exclude": countries[1:],
    }
    signed_in(client, searches=[{"name": f"S{n}", **one} for n in range(10)])
    before = tables()
    saved(client)
    assert tables()[1:] == before[1:]


def test_saving_moves_what_is_queued_and_marks_the_time(client):
    user = signed_in(client)
    row = queued(user, JobFactory())
    before = Preferences.objects.get().saved_at
    saved(client, mail_mode="daily")
    row.refresh_from_db()
    assert row.route == "daily"
    assert Preferences.objects.get().saved_at > before


def test_saving_something_else_leaves_the_queue_alone(client):
    user = signed_in(client)
    queued(user, JobFactory(), route="daily")  # over the day's cap, say
    saved(client, search_1_headline="other")
    assert Delivery.objects.get().route == "daily"


def test_a_pause_is_by_the_clock_of_the_zone(client):
    signed_in(client, timezone="Asia/Tokyo")
    saved(client, mail_paused_until="2030-01-01T09:00")
    assert Preferences.objects.get().paused_until == datetime(2030, 1, 1, tzinfo=UTC)
    assert shown(client)["mail-paused_until"] == ["2030-01-01T09:00"]
    saved(client, mail_timezone="America/New_York", mail_paused_until="2030-01-01T09:00")
    assert Preferences.objects.get().paused_until == datetime(2030, 1, 1, 14, tzinfo=UTC)


def test_a_page_opened_before_another_save_replaces_nothing_unasked(client):
    user = signed_in(client)
    old = shown(client)
    save_profile(ANA, read_profile({"headline": "from elsewhere"}), now=timezone.now())
    answer = post(client, old, search_1_headline="from here")
    page = answer.content.decode()
    assert "were changed elsewhere" in page
    assert user.searches.get().headline == "from elsewhere"
    fields = form_of(page, PAGE)
    assert fields["search-1-headline"] == ["from here"]
    assert post(client, fields).status_code == 302
    assert user.searches.get().headline == "from here"


def test_what_was_typed_survives_being_signed_out(client, mailoutbox):
    user = signed_in(client)
    fields = shown(client)
    client.logout()
    answer = post(client, fields, search_1_headline="typed long", search_1_countries_include=["DE"])
    assert answer["Location"] == "/sign-in/?next=/preferences/"
    assert "what you typed" in client.get(answer["Location"]).content.decode()
    assert sign_in(client, mailoutbox, ANA, next=PAGE)["Location"] == PAGE
    for _ in range(2):
        page = client.get(PAGE).content.decode()
        assert "nothing of this is saved yet" in page
    again = form_of(page, PAGE)
    assert again["search-1-headline"] == ["typed long"]
    assert again["search-1-countries_include"][0] == "Germany"
    assert user.searches.get().headline == ""
    assert post(client, again).status_code == 302
    assert user.searches.get().headline == "typed long"
    assert "saved yet" not in client.get(PAGE).content.decode()


def test_what_was_typed_may_be_dropped(client):
    signed_in(client, headline="stored")
    fields = shown(client)
    client.logout()
    post(client, fields, search_1_headline="typed")
    client.force_login(User.objects.get())
    assert shown(client)["search-1-headline"] == ["typed"]
    assert shown(client, f"{PAGE}?stored")["search-1-headline"] == ["stored"]
    assert shown(client)["search-1-headline"] == ["stored"]


def test_what_one_typed_is_neither_shown_to_another_nor_saved_for_them(client):
    signed_in(client, headline="ana's")
    fields = shown(client)
    client.logout()
    post(client, fields, search_1_headline="secret of ana")
    bob = person("bob@example.com")
    client.force_login(bob)
    assert "secret of ana" not in client.get(PAGE).content.decode()
    answer = post(client, fields, search_1_headline="secret of ana")
    assert answer["Location"] == PAGE
    assert "another address" in client.get(PAGE).content.decode()
    assert bob.searches.get().headline == ""


def test_a_form_from_before_signing_in_anew_is_kept(mailoutbox):
    client = browser(
        enforce_csrf_checks=True, HTTP_HOST="testserver", HTTP_ORIGIN="https://testserver"
    )
    user = signed_in(client)
    fields = shown(client)
    client.force_login(user)  # another tab signed in, which makes older forms worthless
    client.get("/sign-out/")
    answer = post(client, fields, search_1_headline="typed", csrfmiddlewaretoken="x" * 64)
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    page = client.get(PAGE).content.decode()
    again = form_of(page, PAGE)
    assert again["search-1-headline"] == ["typed"]
    assert post(client, again).status_code == 302
    assert user.searches.get().headline == "typed"


@pytest.mark.parametrize("owner", ["", "0" * 64, "x:y", None])
def test_a_form_that_is_none_of_ours_is_not_kept_for_later(client, owner):
    signed_in(client)
    fields = shown(client)
    client.logout()
    post(client, fields, owner=owner, search_1_headline="x" * 300)
    assert "unsaved" not in client.session


def test_a_foreign_form_is_refused_and_keeps_nothing():
    client = browser(enforce_csrf_checks=True)
    signed_in(client)
    fields = shown(client)
    answer = post(client, fields, owner="0" * 64, csrfmiddlewaretoken="x" * 64)
    assert answer.status_code == 403
    assert "Nothing was changed" in answer.content.decode()
    assert "unsaved" not in client.session


def test_a_user_without_preferences_gets_them(client):
    client.force_login(User.objects.create_user(ANA))
    assert shown(client)["search-1-name"] == ["My search"]
    assert (Preferences.objects.count(), Search.objects.count()) == (1, 1)


def move(user_id, *, now):
    change_address(user_id, "ana@elsewhere.example", now=now)


@pytest.mark.parametrize("leave", [delete_account, move])
@pytest.mark.parametrize("moment", ["is_owner", "is_valid"])
def test_who_leaves_while_saving_is_asked_to_sign_in(client, monkeypatch, leave, moment):
    user = signed_in(client, headline="before")
    home = {"is_owner": unsaved, "is_valid": ProfileForm}[moment]
    real = getattr(home, moment)

    def then_left(*given):
        answer = real(*given)
        leave(user.pk, now=timezone.now())
        return answer

    fields = shown(client)
    monkeypatch.setattr(home, moment, then_left)
    answer = post(client, fields, search_1_headline="after")
    assert answer["Location"] == "/sign-in/?next=/preferences/"
    assert "has a new address" in client.get(answer["Location"]).content.decode()
    assert not Search.objects.filter(headline="after")
    assert User.objects.filter(pk=user.pk).count() == 0


def test_who_left_before_getting_preferences_gets_no_new_account(client, monkeypatch):
    user = User.objects.create_user(ANA)
    client.force_login(user)

    real = typed.complete

    def complete_too_late(given):
        delete_account(user.pk, now=timezone.now())
        real(given)

    monkeypatch.setattr(typed, "complete", complete_too_late)
    assert client.get(PAGE)["Location"] == "/sign-in/?next=/preferences/"
    assert not User.objects.exists()


@pytest.mark.parametrize("searches", [1, 10])
def test_the_page_takes_few_queries(client, searches, django_assert_max_num_queries):
    signed_in(client, searches=[{"name": f"S{n}"} for n in range(searches)])
    with django_assert_max_num_queries(12):
        fields = shown(client)
    with django_assert_max_num_queries(12):
        post(client, fields, search_1_min_fixed="wrong")


def test_the_page_is_for_who_is_signed_in(client):
    assert client.get(PAGE)["Location"] == "/sign-in/?next=/preferences/"
    signed_in(client)
    assert "no-store" in client.get(PAGE)["Cache-Control"]
    assert client.put(PAGE).status_code == 405


def test_each_field_has_a_label_and_the_errors_are_tied_to_it(client):
    signed_in(client, searches=[{"name": "A"}, {"name": "B"}])
    page = post(client, shown(client), search_1_min_fixed="x", mail_mode="x").content.decode()
    ids = re.findall(r'\bid="([\w-]+)"', page)
    assert len(ids) == len(set(ids))
    for tag in re.findall(r"<(?:input|select|textarea)[^>]*>", page):
        if 'type="hidden"' in tag:
            continue
        [own] = re.findall(r'\bid="([\w-]+)"', tag)
        assert f'for="{own}"' in page or "aria-label=" in tag, tag
    for named in re.findall(r'aria-describedby="([^"]+)"', page):
        assert set(named.split()) <= set(ids), named
    assert "style=" not in page
    assert re.findall(r"<script(?! src=\"/static/)", page) == []


def test_a_copy_holds_all_that_was_typed_under_a_name_of_its_own(client):
    signed_in(client, **FULL)
    first = Search.objects.get()
    answer = post(client, shown(client), do="copy-1", search_1_headline="typed")
    assert names() == [("My search", FULL["headline"], True)]  # copying saves nothing yet
    fields = form_of(answer.content.decode(), PAGE)
    assert fields["search-2-name"] == ["My search copy"]
    assert not fields.get("search-2-pk")
    assert post(client, fields).status_code == 302
    stored = list(Search.objects.order_by("position").values(*SEARCH_KEYS))
    assert stored[0] == stored[1]
    assert names() == [("My search", "typed", True), ("My search copy", "typed", True)]
    assert Search.objects.order_by("position").first().pk == first.pk


@pytest.mark.parametrize("do", ["copy-0", "copy-3", "copy-x", "copy-", "edit-99", "preview-"])
def test_a_forged_deed_saves_nothing_and_adds_nothing_odd(client, do):
    signed_in(client, headline="one")
    answer = post(client, shown(client), do=do, search_1_headline="typed")
    assert answer.status_code == 200
    assert names() == [("My search", "one", True)]


def test_of_many_searches_one_is_shown_whole_and_none_loses_anything(client):
    zeros = {"min_score": 0, "min_client_hires": 0, "max_proposals": 0, "min_hourly": 0}
    odd = {**SEARCH_OF_FULL, **zeros, "name": "Odd", "active": False}
    full = [{**SEARCH_OF_FULL, "name": f"S{n}"} for n in range(9)]
    signed_in(client, searches=[*full, odd])
    before = tables()
    page = client.get(PAGE).content.decode()
    assert len(page) < 100_000
    assert (page.count("<textarea"), page.count('value="edit-')) == (7, 9)
    saved(client)
    assert tables()[1:] == before[1:]
    answer = post(client, shown(client), do="edit-4", search_2_headline="typed")
    page = answer.content.decode()
    assert 'id="id_search-4-headline"' in page
    assert 'id="id_search-1-headline"' not in page
    assert post(client, form_of(page, PAGE)).status_code == 302
    assert [headline for _, headline, _ in names()][1] == "typed"


def test_groups_nobody_uses_are_folded_and_errors_unfold_them(client):
    signed_in(client)
    folded = r'<details class="group">\s*<summary>([^<]*)</summary>'
    assert re.findall(folded, client.get(PAGE).content.decode()) == [
        "Words in the post",
        "The work",
        "The client",
    ]
    answer = post(client, shown(client), search_1_min_fixed="x")
    assert re.findall(folded, answer.content.decode()) == ["Words in the post", "The client"]
    saved(client, search_1_strict=["languages"])
    page = client.get(PAGE).content.decode()
    assert re.findall(folded, page) == ["Words in the post", "The work"]


def test_each_filter_says_what_becomes_of_posts_that_do_not_state_it(client):
    signed_in(client)
    page = unescape(client.get(PAGE).content.decode())
    for name in STRICTABLE:
        assert FIELDS[name].not_stated in page
        assert f'aria-describedby="id_search-1-strict-{name}_not"' in page


def test_what_is_kept_of_somebody_signed_out_is_kept_for_a_day(client):
    signed_in(client)
    form = shown(client)
    client.logout()
    post(client, form, search_1_headline="Not saved yet")
    assert 86_000 < client.session.get_expiry_age() <= 86_400
