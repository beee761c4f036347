"""One poisoned user or job: everybody else's outcome equals that of a run without it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from accounts.models import User
from deliveries import compose
from deliveries.digest import digest
from deliveries.models import Delivery
from deliveries.scan import scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests import processes
from tests.factories import NOON, JobFactory, person

pytestmark = pytest.mark.django_db(transaction=True)

VICTIM, BAD_JOB = "c@example.com", "upwork:1990000000000000002"
HEALTHY_ZONE = "Asia/Kolkata"


def enrol_five() -> None:
    """Three instant users and two daily ones, whom three jobs fit."""
    for letter, mode in zip(
        "abcde", ("instant", "daily", "instant", "daily", "instant"), strict=True
    ):
        terms = {"words_any": ["django"], "min_score": 0, "timezone": HEALTHY_ZONE}
        person(f"{letter}@example.com", mode=mode, digest_hour=18, **terms)
    for number in (1, 2, 3):
        made = NOON - timedelta(minutes=number)
        JobFactory(id=f"upwork:{1_990_000_000_000_000_000 + number}", first_seen=made)


def outcome(smtp, poison: Callable[[], object]) -> tuple[set[Any], set[Any]]:
    """Mails and ledger rows of a scan and a digest; of rows of the bad job, nothing."""
    call_command("flush", interactive=False, verbosity=0)
    enrol_five()
    poison()
    before = len(smtp.accepted)
    scan(Clock.set_to(NOON), Wall(60))
    digest(Clock.set_to(NOON + timedelta(hours=1)), Wall(60))
    mails = {
        (who, frozenset(jobs) - {2}) for who, _, jobs in processes.inbox(smtp.accepted[before:])
    }
    rows = Delivery.objects.exclude(job_id=BAD_JOB).values_list(
        "user__email", "job_id", "status", "route", "score", "attempts"
    )
    return mails, set(rows)


def of_others(found: tuple[set[Any], set[Any]]) -> tuple[set[Any], set[Any]]:
    """The outcome without the victim's."""
    mails, rows = found
    return {one for one in mails if one[0] != VICTIM}, {one for one in rows if one[0] != VICTIM}


def sql(statement: str) -> Callable[[], object]:
    """A poison by SQL, past every check in our code."""

    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    return run


USER_POISONS = {
    "no such time zone": "UPDATE accounts_preferences SET timezone = 'No/Where' {which}",
    "daily, no such time zone": (
        "UPDATE accounts_preferences SET timezone = 'No/Where', mode = 'daily' {which}"
    ),
    "a search word that is none": (
        "UPDATE accounts_search SET words_any = ARRAY['django', NULL] {which}"
    ),
    "a floor that is no number": "UPDATE accounts_search SET min_hourly = 'NaN' {which}",
    "no search": "DELETE FROM accounts_search {which}",
    "no preferences": "DELETE FROM accounts_preferences {which}",
    "a search name no header could hold": (
        "UPDATE accounts_search SET name = E'two\\nlines\\x0b' {which}"
    ),
}


@pytest.mark.parametrize("poison", USER_POISONS.values(), ids=USER_POISONS)
def test_a_poisoned_user_changes_nobody_elses_outcome(smtp, poison):
    healthy = outcome(smtp, lambda: None)
    which = f"WHERE user_id = (SELECT uid FROM accounts_user WHERE email = '{VICTIM}')"
    poisoned = outcome(smtp, sql(poison.format(which=which)))
    assert len(healthy[0]) == 5
    assert of_others(poisoned) == of_others(healthy)


@pytest.mark.parametrize("email", ["a@example.com", "b@example.com"])
def test_a_mail_that_cannot_be_rendered_changes_nobody_elses_outcome(smtp, monkeypatch, email):
    healthy = outcome(smtp, lambda: None)

    def breaking(render):
        def rendered(who, *args, **options):
            assert who.email != email, "no mail can be made of this"
            return render(who, *args, **options)

        return rendered

    for name in ("alert", "digest"):
        monkeypatch.setattr(compose, name, breaking(getattr(compose, name)))
    mails, rows = outcome(smtp, lambda: None)
    assert mails == {one for one in healthy[0] if one[0] != email}
    assert {r for r in rows if r[0] != email} == {r for r in healthy[1] if r[0] != email}
    assert {r[2] for r in rows if r[0] == email} == {"queued"}
    assert User.objects.get(email=email).mails.count() == 0


JOB_POISONS = {
    "pay that is no number": "SET hourly_max = 'NaN'",
    "posted in the far future": "SET posted_at = '9999-12-31 23:59:59+00'",
    "posted after the last year": "SET posted_at = 'infinity'",
    "a skill that is none": "SET skills = ARRAY['django', NULL]",
    "spent what is no number": "SET client_spent = 'NaN'",
    "a currency nobody knows": "SET currency = 'QQQ'",
    "a country nobody knows": "SET client_country = 'QQ'",
    "a title of control characters": "SET title = E'two\\nlines \\x0b\\u2028 \\x1b[2J'",
    "no title": "SET title = ''",
    "an address with a space": "SET url = 'https://example.com/a b\"<>'",
}


@pytest.mark.parametrize("poison", JOB_POISONS.values(), ids=JOB_POISONS)
def test_a_poisoned_job_changes_the_outcome_of_no_other(smtp, poison):
    healthy = outcome(smtp, lambda: None)
    poisoned = outcome(smtp, sql(f"UPDATE jobs_job {poison} WHERE id = '{BAD_JOB}'"))
    assert poisoned == healthy
