from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils import timezone

from accounts.deleted_addresses import address_hash
from accounts.enrolment import enrol
from accounts.models import DeletedAddress, OptOutToken, Preferences, Search, User
from accounts.profiles import ProfileError, read_profile
from tests.accounts.instruments import at_once, tables
from tests.factories import person

pytestmark = pytest.mark.django_db


def searches(*fields):
    return list(Search.objects.order_by("position").values_list("position", "name", *fields))


def give(**profile):
    """Enrol ana again, as a process of its own would: deferred constraints checked."""
    with transaction.atomic():
        enrolled = enrol("ana@example.com", read_profile(profile))
        connection.check_constraints()
    return enrolled


def test_a_new_user_is_ready_to_receive():
    enrolled = enrol(" Ana@Example.com", read_profile({}))
    user = User.objects.get()
    assert (enrolled.user, enrolled.created, enrolled.changed) == (user, True, True)
    assert (user.email, user.is_staff, user.jobs_from) == ("ana@example.com", False, None)
    assert user.preferences.mode == "instant"
    assert (user.searches.count(), user.opt_out_tokens.get().purpose) == (1, "jobs")


PROFILES = [
    {},
    {"mode": "daily", "min_hourly": "35.50", "skills": ["Go"], "quiet_from": 22, "quiet_until": 7},
    {"searches": [{"name": "A", "skills": ["Go"]}, {"name": "B", "active": False}, {"about": "C"}]},
    {"paused_until": "2030-01-31T08:00+02:00", "my_country": "Germany"},
]


@pytest.mark.parametrize("profile", PROFILES)
def test_enrolling_again_changes_nothing_at_all(profile):
    give(**profile)
    before = tables()
    enrolled = give(**profile)
    assert (enrolled.created, enrolled.changed) == (False, False)
    assert tables() == before
    assert not give().changed
    assert tables() == before


@pytest.mark.parametrize(
    "profile",
    [
        {"mode": "daily"},
        {"min_score": 80},
        {"searches": [{"name": "My search"}, {"skills": ["Go"]}]},
    ],
)
def test_a_change_is_told_and_stamped(profile):
    ana = person()
    Preferences.objects.update(saved_at=timezone.now() - timedelta(days=1))
    before = Preferences.objects.get().saved_at
    assert give(**profile).changed
    assert Preferences.objects.get(user=ana).saved_at > before + timedelta(hours=23)


def test_only_the_keys_given_are_changed():
    person(mode="daily", digest_hour=6, skills=["Go"], min_hourly=40, min_score=80)
    token = OptOutToken.objects.get().token
    give(digest_hour=9, min_hourly=None)
    assert Preferences.objects.values_list("mode", "digest_hour").get() == ("daily", 9)
    assert searches("skills", "min_hourly", "min_score") == [(1, "My search", ["Go"], None, 80)]
    assert OptOutToken.objects.get().token == token


def test_one_end_of_the_quiet_hours_is_judged_beside_the_other():
    person(quiet_from=22, quiet_until=7)
    give(quiet_from=23)
    before = tables()
    for bad in ({"quiet_from": 7}, {"quiet_until": None}, {"quiet_until": 23, "mode": "daily"}):
        with pytest.raises(ProfileError, match="quiet_from and quiet_until"):
            give(**bad)
    assert tables() == before


def test_half_of_the_quiet_hours_makes_no_account():
    with pytest.raises(ProfileError, match="go together"):
        give(quiet_from=22)
    assert tables() == [[], [], [], []]


def test_the_list_becomes_the_searches_and_names_keep_their_rows():
    person(searches=[{"name": "A", "min_score": 90}, {"name": "B", "skills": ["Go"]}])
    kept = Search.objects.get(name="B").pk
    give(searches=[{"name": "C", "skills": ["C"]}, {"name": "B", "min_score": 50}])
    assert searches("min_score", "skills") == [(1, "C", 70, ["C"]), (2, "B", 50, ["Go"])]
    assert Search.objects.get(name="B").pk == kept


@pytest.mark.parametrize("order", ["BA", "CBA", "BCA", "DABC", "C", "ABCDEFGHIJ", "JIHGFEDCBA"])
def test_searches_are_reordered_freely(order):
    person(searches=[{"name": name} for name in "ABC"])
    keys = dict(Search.objects.values_list("name", "pk"))
    give(searches=[{"name": name, "skills": ["Go"]} for name in order])
    assert searches() == [(place, name) for place, name in enumerate(order, 1)]
    again = dict(Search.objects.values_list("name", "pk"))
    assert {n: again[n] for n in again if n in keys} == {n: keys[n] for n in keys if n in again}


def test_flat_keys_change_the_first_search():
    person(searches=[{"name": "A"}, {"name": "B"}])
    give(min_score=90)
    assert searches("min_score") == [(1, "A", 90), (2, "B", 70)]


@pytest.mark.parametrize(
    "profile",
    [
        {"min_score": 90},
        {"skills": []},
        {"headline": "Django developer", "min_score": 0},
        {"searches": [{"name": "A", "skills": ["Go"]}, {"name": "B"}]},
        {"searches": [{}]},
    ],
)
def test_a_search_that_lets_everything_through_is_refused_with_the_reason(profile):
    with pytest.raises(ProfileError, match="This search would let every job through"):
        give(**profile)
    assert tables() == [[], [], [], []]


def test_a_search_that_wants_what_it_avoids_is_refused_with_the_reason():
    with pytest.raises(ProfileError, match="“My search”, words_all: Nothing can pass: a post must"):
        give(words_all=["React"], words_none=["react"])
    assert tables() == [[], [], [], []]


def test_a_search_nobody_described_yet_may_wait_and_one_switched_off_may_be_empty():
    give(mode="daily")
    assert give(searches=[{"name": "A", "active": False}]).changed


def test_staff_stay_staff_and_are_made_so_once():
    assert enrol("ana@example.com", read_profile({}), staff=True).changed
    assert not enrol("ana@example.com", read_profile({}), staff=True).changed
    assert not give().changed
    assert User.objects.values_list("is_staff", "is_superuser", "is_active").get() == (True,) * 3


def test_a_user_made_elsewhere_is_completed():
    User.objects.create_superuser("ana@example.com")
    assert give().created is False
    assert [len(rows) for rows in tables()] == [1, 1, 1, 1]
    assert User.objects.get().is_superuser


@pytest.mark.parametrize("email", ["", "ana", "\ud800@example.com", "ana@b\u3000b.com"])
def test_an_address_that_is_none_is_refused(email):
    with pytest.raises(ValidationError):
        enrol(email, read_profile({}))
    assert tables() == [[], [], [], []]


def test_after_a_deletion_old_jobs_do_not_come_again():
    row = DeletedAddress.objects.create(address_hash=address_hash("Ana@example.com "))
    assert "ana" not in row.address_hash
    row.refresh_from_db()
    assert person().jobs_from == row.deleted_at
    assert person("bob@example.com").jobs_from is None


@pytest.mark.django_db(transaction=True)
def test_enrolling_one_new_address_at_once_makes_one_account():
    for email in ("ana@example.com", "bob@example.com", "cleo@example.com"):
        done = at_once(6, lambda _, email=email: enrol(email, read_profile({"mode": "daily"})))
        assert sorted(e.created for e in done) == [False] * 5 + [True]
    assert [len(rows) for rows in tables()] == [3, 3, 3, 3]


@pytest.mark.django_db(transaction=True)
def test_saving_lists_of_searches_at_once_ends_with_one_of_them():
    lists = ["ABC", "CBA", "BD", "A"]
    wanted = [[{"name": n, "skills": ["Go"]} for n in names] for names in lists]
    profiles = [read_profile({"searches": each}) for each in wanted]
    at_once(4, lambda place: enrol("ana@example.com", profiles[place]))
    assert "".join(name for _, name in searches()) in lists
    assert [place for place, _ in searches()] == list(range(1, Search.objects.count() + 1))
