from datetime import time

import pytest

from accounts.models import Preferences
from accounts.terms import DeliveryTerms
from tests.factories import person

pytestmark = pytest.mark.django_db


def test_an_empty_profile_gets_the_promised_defaults():
    terms = Preferences.objects.get(user=person()).terms()
    assert terms == DeliveryTerms() == Preferences().terms()
    assert {name: getattr(terms, name) for name in DeliveryTerms.__dataclass_fields__} == {
        "mode": "instant",
        "digest_hour": 8,
        "timezone": "UTC",
        "quiet_from": None,
        "quiet_until": None,
        "max_jobs_per_day": 30,
        "paused_until": None,
        "ai_allowed": True,
        "weekly_note": False,
    }


def test_terms_are_what_was_stored():
    person(mode="daily", quiet_from=22, quiet_until="07:30", max_jobs_per_day=5)
    assert Preferences.objects.get().terms() == DeliveryTerms(
        mode="daily", quiet_from=time(22), quiet_until=time(7, 30), max_jobs_per_day=5
    )
