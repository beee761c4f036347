"""Which names of skills stored posts teach."""

from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.known_skills import known_skills
from tests.factories import JobFactory

pytestmark = pytest.mark.django_db


def test_what_three_new_posts_name_is_known_the_commonest_first():
    now = timezone.now()
    JobFactory.create_batch(2, skills=["Zope", "Plone"])
    JobFactory.create_batch(2, skills=["Plone", "Once"])
    JobFactory.create(skills=["Plone", "Zope"])
    JobFactory.create_batch(3, skills=["Old"], first_seen=now - timedelta(days=40))
    JobFactory.create_batch(3, skills=["Gone"], text_dropped_at=now)
    assert known_skills(now=now) == ["Plone", "Zope"]
