"""Who looks at a page, read by one query."""

import pytest

from accounts.models import Search, Suppression, User
from accounts.terms import DeliveryTerms
from accounts.viewer import viewer
from tests.factories import person

pytestmark = pytest.mark.django_db
ANA = "ana@example.com"


def test_everything_that_pages_ask_by_one_query(django_assert_num_queries):
    two = [{"name": "A", "skills": ["x"]}, {"name": "B", "active": False, "headline": "Writer"}]
    ana = person(ANA, searches=two, timezone="Asia/Tokyo", quiet_from="22:00", quiet_until="07:00")
    person("bo@example.com")
    Suppression.objects.create(user=ana, reason="bounced")
    with django_assert_num_queries(1):
        found = viewer(ana.pk)
    rows = list(Search.objects.filter(user=ana).order_by("position"))
    assert [(s.pk, s.place, s.terms) for s in found.searches] == [
        (row.pk, place, row.terms()) for place, row in enumerate(rows, 1)
    ]
    assert [search.terms.name for search in found.active] == ["A"]
    assert (found.stopped, found.is_active, found.terms) == (
        "bounced",
        True,
        ana.preferences.terms(),
    )


def test_one_without_preferences_has_those_everybody_begins_with():
    user = User.objects.create_user(ANA)
    found = viewer(user.pk)
    assert (found.terms, found.searches, found.stopped) == (DeliveryTerms(), (), "")


def test_a_search_that_is_off_or_not_described_does_not_look():
    ana = person(ANA)
    assert [search.looks for search in viewer(ana.pk).searches] == [True]
    Search.objects.update(active=False)
    assert [search.looks for search in viewer(ana.pk).searches] == [False]
    Search.objects.update(active=True, skills=[])
    assert [search.looks for search in viewer(ana.pk).searches] == [False]


def test_nobody_is_an_error():
    with pytest.raises(User.DoesNotExist):
        viewer("bm9ib2R5")
