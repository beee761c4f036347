"""A whole account in one hold: preferences before the user, as everywhere."""

import pytest
from django.db import connection, transaction

from accounts.locking import lock_account
from accounts.models import Preferences, User
from tests.factories import person
from tests.threads import behind, together

pytestmark = pytest.mark.django_db(transaction=True)


def locked(user_id):
    with transaction.atomic():
        return lock_account(user_id)


def test_whoever_waits_for_the_preferences_does_not_hold_the_user():
    ana = person()
    held = Preferences.objects.select_for_update().filter(pk=ana.pk)
    free = User.objects.select_for_update(nowait=True).filter(pk=ana.pk)
    assert behind(held.get, lambda: locked(ana.pk), then=free.get) == [ana]


def test_what_was_written_before_the_lock_was_had_is_read():
    ana = person()
    changed = User.objects.filter(pk=ana.pk)
    [found] = behind(lambda: changed.update(is_staff=True), lambda: locked(ana.pk))
    assert found.is_staff


def test_a_user_without_preferences_is_locked_and_nobody_is_none():
    bare = User.objects.create_user("bare@example.com")
    assert locked(bare.pk) == bare
    assert locked("nobody") is None


def test_both_rows_are_held_until_the_end():
    ana = person()
    seen = []

    def look():
        with connection.cursor() as cursor:
            for table, key in (("accounts_user", "uid"), ("accounts_preferences", "user_id")):
                cursor.execute(f"SELECT {key} FROM {table} FOR KEY SHARE SKIP LOCKED")
                seen.append(cursor.fetchall())

    with transaction.atomic():
        lock_account(ana.pk)
        together(look)
    assert seen == [[], []]
