"""Users as staff see and change them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Preferences, Search, Suppression, User
from deliveries.models import Delivery
from tests.admin_browser import listed, page, queries, staff
from tests.factories import JobFactory, person, queued, verdict

pytestmark = pytest.mark.django_db


def form_of(client, user):
    """What a browser would post back from the user's page."""
    response = client.get(reverse("admin:accounts_user_change", args=[user.pk]))
    assert response.status_code == 200
    forms = [response.context["adminform"].form]
    data = {}
    for formset in response.context["inline_admin_formsets"]:
        forms += [formset.formset.management_form, *formset.formset.forms]
    for form in forms:
        for bound in form:
            value = bound.value()
            if value is None or value is False:
                continue
            widget = bound.field.widget
            parts = getattr(widget, "widgets", None)
            if parts:
                for n, part in enumerate(widget.decompress(value)):
                    data[f"{bound.html_name}_{n}"] = part or ""
            else:
                data[bound.html_name] = value
    return data


def save(client, user, **changes):
    """Post the page with some fields changed; the errors it names."""
    data = form_of(client, user)
    data |= {name.replace("__", "-"): value for name, value in changes.items()}
    address = reverse("admin:accounts_user_change", args=[user.pk])
    response = client.post(address, data)
    if response.status_code == 302:
        return []
    assert response.status_code == 200
    return [str(e) for errors in response.context["errors"] for e in [errors] if e]


def test_saving_a_page_unchanged_changes_nothing():
    user = person(skills=["C, or C++", "Django"], quiet_from="22:00", quiet_until="06:30")
    before = [list(m.objects.values()) for m in (User, Preferences, Search)]
    assert save(staff(), user) == []
    after = [
        list(m.objects.exclude(pk=User.objects.get(is_staff=True).pk).values())
        if m is User
        else list(m.objects.values())
        for m in (User, Preferences, Search)
    ]
    assert after == before


def test_a_new_mode_takes_the_queued_rows_along():
    user, other = person(), person("bob@example.com")
    queued(user, JobFactory())
    queued(other, JobFactory())
    saved_at = user.preferences.saved_at
    assert save(staff(), user, preferences__0__mode="daily", preferences__0__digest_hour=9) == []
    assert dict(Delivery.objects.values_list("user__email", "route")) == {
        "ana@example.com": "daily",
        "bob@example.com": "instant",
    }
    row = Preferences.objects.get(pk=user.pk)
    assert (row.mode, row.digest_hour, row.saved_at > saved_at) == ("daily", 9, True)


def test_what_was_written_meanwhile_is_not_taken_back(monkeypatch):
    user, boss = person(), staff()
    real = Preferences.save
    day = timezone.now().date()

    def saved_late(row, **kwargs):
        Preferences.objects.filter(pk=row.pk).update(last_digest_on=day)
        real(row, **kwargs)

    monkeypatch.setattr(Preferences, "save", saved_late)
    save(boss, user, preferences__0__digest_hour=7)
    row = Preferences.objects.get(pk=user.pk)
    assert (row.digest_hour, row.last_digest_on) == (7, day)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"preferences__0__quiet_from": "22:00"}, "go together"),
        ({"preferences__0__timezone": "Nowhere"}, "is not a time zone"),
        ({"preferences__0__digest_hour": "24"}, "less than or equal to 23"),
        ({"searches__0__countries_include": "Germany\nAtlantis"}, "is not a country"),
        ({"searches__0__min_hourly": "-1"}, "not a number from 0 to 9999999"),
        ({"searches__0__min_client_hires": "2000000"}, "not a whole number from 0 to 1000000"),
        ({"searches__0__DELETE": "on"}, "Leave one search"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_saved(changes, told):
    user = person()
    before = [list(m.objects.values()) for m in (Preferences, Search)]
    assert told in " ".join(save(staff(), user, **changes))
    assert [list(m.objects.values()) for m in (Preferences, Search)] == before


def test_a_search_that_lets_everything_through_is_refused():
    user, boss = person(), staff()
    (error,) = save(boss, user, searches__0__skills="")
    assert "This search would let every job through" in error
    assert user.searches.get().skills == ["Django"]


def test_a_search_that_wants_what_it_avoids_is_refused():
    user, boss = person(), staff()
    words = {"searches__0__words_all": "React", "searches__0__words_none": "react"}
    (error,) = save(boss, user, **words)
    assert "Nothing can pass: a post must name “React”, and none “react”." in error
    assert user.searches.get().words_all == []


def test_searches_are_changed_added_and_removed():
    user, boss = person(), staff()
    first = user.searches.get()
    judged = verdict(user, JobFactory())
    assert (
        save(
            boss,
            user,
            searches__0__skills="Django\n C, or C++ \n\nDjango",
            searches__0__countries_include="Germany\nPL",
            searches__0__job_types=["fixed"],
            searches__TOTAL_FORMS=2,
            searches__1__user=user.pk,
            searches__1__name="Second",
            searches__1__skills="Go",
            searches__1__active="on",
            searches__1__min_score=80,
            searches__1__job_types=["hourly", "fixed"],
        )
        == []
    )
    first.refresh_from_db()
    assert (first.skills, first.countries_include, first.job_types) == (
        *(["Django", "C, or C++"], ["DE", "PL"], ["fixed"]),
    )
    assert list(user.searches.values_list("name", "position", "min_score")) == [
        ("My search", 1, 70),
        ("Second", 2, 80),
    ]
    assert save(boss, user, searches__0__DELETE="on") == []
    judged.refresh_from_db()
    assert (list(user.searches.values_list("name", "position")), judged.search_name) == (
        *([("Second", 2)], "My search"),
    )


def test_users_are_found_by_address_and_narrowed():
    boss, ana, bob = staff(), person(), person("bob@example.com", mode="daily")
    Suppression.objects.create(user=bob, reason="bounced")
    for query, expected in {
        "q=ANA": [ana.pk],
        "preferences__mode__exact=daily": [bob.pk],
        "suppression__reason__exact=bounced": [bob.pk],
        "is_staff__exact=0": [ana.pk, bob.pk],
    }.items():
        assert listed(boss, "accounts_user", f"?{query}") == expected, query


def test_a_user_is_shown_with_what_they_got_and_why_nothing_comes():
    user, boss = person(), staff()
    queued(user, JobFactory(title="<script>alert(1)</script>"))
    html = page(boss, "accounts_user_change", user.pk)
    assert (user.pk in html, "<script>alert" in html, "alert(1)" in html) == (True, False, True)
    for change, told in (
        ({"paused_until": timezone.now() + timedelta(days=1)}, "paused until"),
        ({}, "the address does not exist"),
    ):
        Preferences.objects.filter(pk=user.pk).update(**change) if change else (
            Suppression.objects.create(user=user, reason="bounced")
        )
        assert told in page(boss, "accounts_user_change", user.pk)


def test_the_list_takes_a_fixed_number_of_queries():
    boss = staff()
    for n in range(3):
        person(f"user{n}@example.com")
    few = queries(boss, "accounts_user")
    for n in range(3, 30):
        person(f"user{n}@example.com")
    assert queries(boss, "accounts_user") == few <= 10


def test_users_are_neither_added_nor_deleted_here():
    user, boss = person(), staff()
    for name, args in (("add", []), ("delete", [user.pk])):
        address = reverse(f"admin:accounts_user_{name}", args=args)
        assert boss.post(address, {"post": "yes", "email": "x@example.com"}).status_code == 403
    assert User.objects.count() == 2


def test_only_a_superuser_hands_out_rights_or_changes_staff():
    user, other = person(), User.objects.create_user("chef@example.com", is_staff=True)
    helper = staff(
        *("accounts.change_user", "accounts.change_preferences", "accounts.view_search"),
        email="helper@example.com",
    )
    save(helper, user, is_staff="on", is_superuser="on", preferences__0__digest_hour=5)
    user.refresh_from_db()
    assert (user.is_staff, user.is_superuser, user.preferences.digest_hour) == (False, False, 5)
    address = reverse("admin:accounts_user_change", args=[other.pk])
    assert helper.post(address, {"is_active": ""}).status_code == 403
    assert save(staff(email="boss@example.com"), user, is_staff="on") == []
    user.refresh_from_db()
    assert user.is_staff is True


def test_the_address_and_the_key_cannot_be_changed():
    user = person()
    save(staff(), user, email="eve@example.com", uid="x")
    assert User.objects.filter(pk=user.pk, email="ana@example.com").exists()
