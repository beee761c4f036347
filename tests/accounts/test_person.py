from datetime import date

import pytest
from django.db import transaction

from accounts.models import OptOutToken, Preferences, Suppression, User
from accounts.person import Person, read_person
from accounts.terms import DeliveryTerms
from tests.factories import person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("lock", [False, True])
def test_a_person_is_read_as_a_plain_value(lock):
    ana = person(mode="daily")
    Preferences.objects.update(last_digest_on=date(2026, 11, 25))
    with transaction.atomic():
        found = read_person(ana.pk, lock=lock)
    assert found == Person(
        user_id=ana.pk,
        email="ana@example.com",
        is_active=True,
        suppressed=False,
        terms=DeliveryTerms(mode="daily"),
        last_digest_on=date(2026, 11, 25),
        opt_out_token=ana.opt_out_tokens.get().token,
        joined_at=ana.date_joined,
    )


@pytest.mark.parametrize("lock", [False, True])
def test_nobody_is_none(lock):
    User.objects.create_user("ana@example.com")  # without preferences
    with transaction.atomic():
        assert read_person("bm9ib2R5", lock=lock) is None
        assert read_person(User.objects.get().pk, lock=lock) is None


def test_who_is_inactive_or_suppressed_may_not_be_mailed():
    ana, bob, cleo = person(), person("bob@example.com"), person("cleo@example.com")
    User.objects.filter(pk=ana.pk).update(is_active=False)
    Suppression.objects.create(user=bob, reason="bounced")
    assert [read_person(u.pk).may_be_mailed for u in (ana, bob, cleo)] == [False, False, True]


def test_a_missing_token_is_made():
    ana = person()
    OptOutToken.objects.all().delete()
    assert read_person(ana.pk).opt_out_token == OptOutToken.objects.get().token
