"""People, jobs and ledger rows for tests, whole and valid unless told otherwise."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone
from factory.declarations import LazyAttribute, LazyFunction, Sequence
from factory.django import DjangoModelFactory

from accounts.enrolment import enrol
from accounts.models import User
from accounts.profiles import read_profile
from accounts.search_fields import FILTERS
from deliveries.models import Delivery
from jobs.models import Job, Verdict

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def person(email: str = "ana@example.com", **profile: Any) -> User:
    """A user ready to receive, with the profile keys of `add_user`'s file, looking for Django."""
    return enrol(email, read_profile(described(profile))).user


def described(profile: dict[str, Any]) -> dict[str, Any]:
    """The profile, with a skill for every search of which nothing tells what it looks for."""
    if "searches" in profile:
        return {**profile, "searches": [described(search) for search in profile["searches"]]}
    return profile if set(profile) & set(FILTERS) else {**profile, "skills": ["Django"]}


class JobFactory(DjangoModelFactory):
    """A fresh hourly Django job."""

    class Meta:
        model = Job

    id = Sequence(lambda n: f"upwork:{1990000000000000000 + n}")
    url = LazyAttribute(lambda job: f"https://www.upwork.com/jobs/~02{job.id[7:]}")
    title = Sequence(lambda n: f"Django developer for project {n}")
    description = "We need a Django and Python back end with PostgreSQL, several weeks of work."
    skills = LazyFunction(lambda: ["Django", "Python", "PostgreSQL"])
    job_type = "hourly"
    hourly_min = 40
    hourly_max = 60
    currency = "USD"
    client_country = "DE"
    posted_at = LazyAttribute(lambda job: job.first_seen)
    first_seen = LazyFunction(lambda: timezone.now() - timedelta(minutes=10))
    fetched_at = LazyAttribute(lambda job: job.first_seen)
    source = "file"
    trust = 20


def verdict(user: User, job: Job, score: int = 80, **values: Any) -> Verdict:
    """A stored verdict for this pair."""
    return Verdict.objects.create(
        **{
            "id": f"{user.pk}_{job.pk}",
            "user": user,
            "job": job,
            "search": user.searches.first(),
            "search_name": "My search",
            "score": score,
            "scorer": "local:1",
            "reasons": ["It fits."],
            "concerns": [],
            **values,
        }
    )


def queued(user: User, job: Job, score: int = 80, **values: Any) -> Delivery:
    """A ledger row in the queue, with its verdict."""
    verdict(user, job, score)
    return Delivery.objects.create(
        **{
            "id": f"{user.pk}_{job.pk}",
            "user": user,
            "job": job,
            "status": "queued",
            "route": "instant",
            "score": score,
            "threshold": 70,
            "title": job.title,
            "queued_at": timezone.now(),
            **values,
        }
    )
