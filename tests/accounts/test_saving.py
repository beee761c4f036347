"""Every way of saving a user that could hit somebody else's row."""

import copy
import pickle

import pytest
from django.db import IntegrityError, transaction

from accounts.identity import uid_of
from accounts.models import User

pytestmark = pytest.mark.django_db
BOB = uid_of("bob@example.com")


@pytest.fixture(autouse=True)
def ana():
    return User.objects.create_user("ana@example.com")


@pytest.fixture(autouse=True)
def bob():
    return User.objects.create_user("bob@example.com")


def rows():
    return sorted(User.objects.values_list("uid", "email", "is_staff", "is_active", "date_joined"))


def preset_uid():
    User(uid=BOB, email="ana@example.com", is_staff=True).save()


def preset_uid_and_address():
    User(uid=BOB, email="bob@example.com", is_staff=True).save()


def changed_key():
    user = User.objects.get(email="ana@example.com")
    user.uid, user.is_staff = BOB, True
    user.save()


def changed_key_and_address():
    user = User.objects.get(email="ana@example.com")
    user.uid, user.email = BOB, "bob@example.com"
    user.save()


def changed_key_of_one_just_made():
    user = User.objects.create_user("cleo@example.com")
    user.uid, user.email = BOB, "bob@example.com"
    user.save()


def changed_address():
    user = User.objects.get(email="ana@example.com")
    user.email = "cleo@example.com"
    user.save()


def changed_address_to_a_taken_one():
    user = User.objects.get(email="ana@example.com")
    user.email = "bob@example.com"
    user.save(update_fields=["email"])


def changed_key_of_a_deferred_one():
    user = User.objects.only("is_staff").get(email="ana@example.com")
    user.pk = BOB
    user.save()


def changed_key_of_a_copy():
    user = pickle.loads(pickle.dumps(copy.copy(User.objects.get(email="ana@example.com"))))
    user.pk = BOB
    user.save(force_update=True)


def pretended_to_be_loaded():
    user = User(uid=BOB, email="bob@example.com", is_staff=True)
    user._state.adding = False
    user.save()


def loaded_and_made_new():
    user = User.objects.get(email="ana@example.com")
    user.pk, user._state.adding = None, True
    user.save()


def bulk_create_without_keys():
    User.objects.bulk_create([User(email="cleo@example.com")])


def bulk_create_with_another_key():
    User.objects.bulk_create([User(uid=BOB, email="cleo@example.com")])


def bulk_create_over_another_key():
    User.objects.bulk_create(
        [User(uid=BOB, email="ana@example.com", is_staff=True)],
        update_conflicts=True,
        unique_fields=["uid"],
        update_fields=["email", "is_staff"],
    )


def bulk_create_in_capitals():
    key = "Qm9iQGV4YW1wbGUuY29t"  # base64url of Bob@example.com
    User.objects.bulk_create([User(uid=key, email="Bob@example.com")])


def bulk_update_the_address():
    user = User.objects.get(email="ana@example.com")
    user.email = "cleo@example.com"
    User.objects.bulk_update([user], ["email"])


def update_or_create_by_key():
    User.objects.update_or_create(uid=BOB, defaults={"email": "ana@example.com"})


def update_or_create_by_address():
    User.objects.update_or_create(email="cleo@example.com", defaults={"uid": BOB})


def get_or_create_in_capitals():
    User.objects.get_or_create(email="BOB@example.com", defaults={"is_staff": True})


def query_update():
    User.objects.filter(email="ana@example.com").update(uid=BOB)


@pytest.mark.parametrize(
    ("attempt", "refusal"),
    [
        (preset_uid, "user_uid_is_of_email"),
        (preset_uid_and_address, "accounts_user_pkey"),
        (changed_key, "leave the uid"),
        (changed_key_and_address, "leave the uid"),
        (changed_key_of_one_just_made, "leave the uid"),
        (changed_address, "user_uid_is_of_email"),
        (changed_address_to_a_taken_one, "user_uid_is_of_email"),
        (changed_key_of_a_deferred_one, "leave the uid"),
        (changed_key_of_a_copy, "leave the uid"),
        (pretended_to_be_loaded, "Load a user before saving"),
        (loaded_and_made_new, "accounts_user_pkey"),
        (bulk_create_without_keys, "user_uid_is_of_email"),
        (bulk_create_with_another_key, "user_uid_is_of_email"),
        (bulk_create_over_another_key, "user_uid_is_of_email"),
        (bulk_create_in_capitals, "user_email_is_lowercase"),
        (bulk_update_the_address, "user_uid_is_of_email"),
        (update_or_create_by_key, "user_uid_is_of_email"),
        (update_or_create_by_address, "user_uid_is_of_email"),
        (get_or_create_in_capitals, "accounts_user_pkey"),
        (query_update, "user_uid_is_of_email"),
    ],
)
def test_no_way_of_saving_overwrites_somebody_else(attempt, refusal):
    before = rows()
    with pytest.raises((IntegrityError, ValueError), match=refusal), transaction.atomic():
        attempt()
    assert rows() == before


def test_saving_a_loaded_user_changes_only_that_row(ana, bob):
    joined = dict(User.objects.values_list("email", "date_joined"))
    user = User.objects.only("email").get(pk=ana.pk)
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    User.objects.update_or_create(email="bob@example.com", defaults={"is_active": False})
    assert rows() == [
        (ana.pk, "ana@example.com", True, True, joined["ana@example.com"]),
        (bob.pk, "bob@example.com", False, False, joined["bob@example.com"]),
    ]
