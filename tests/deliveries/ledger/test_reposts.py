"""Reposts in the ledger: which of equal texts is kept, and what stands in the way of another."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError

from accounts.boundaries import watched
from accounts.models import User
from deliveries import ledger
from deliveries.ledger import NewRow
from deliveries.ledger.reposts import Rival, reposts
from deliveries.models import Delivery, Mail
from jobs.fingerprints import Fingerprint
from jobs.models import Job
from jobs.postings.posting import Posting
from jobs.store import store
from tests import factories
from tests.deliveries.ledger.tables import DAY, HOUR, alert_id
from tests.factories import NOON, JobFactory
from tests.jobs.fingerprints.texts import BODY, SHORT, TITLE
from tests.threads import behind, together

pytestmark = pytest.mark.django_db
side_by_side = pytest.mark.django_db(transaction=True)
PATIENT = timedelta(days=30)


def person(email: str = "ana@example.com") -> User:
    return factories.person(email, headline="Work of any kind", skills=[])


def posted(number: int, body: str = BODY, *, title: str = TITLE, at: datetime = NOON) -> str:
    """A stored job with this text; its id."""
    posting = Posting(id=f"upwork:{number}", title=title, description=body)
    store([posting], source="file", trust=20, now=at)
    return posting.id


def record(user: User, *jobs: str, scores: Sequence[int] = ()) -> set[str]:
    """The jobs that were queued."""
    rows = [
        NewRow(user_id=user.pk, job_id=job, score=score, threshold=70, title=TITLE)
        for job, score in zip(jobs, scores or [80] * len(jobs), strict=True)
    ]
    return {id_.rpartition("_")[2] for id_ in ledger.record(rows, now=NOON)}


def stand() -> dict[str, tuple[str, str, str | None]]:
    """Status, reason and repeated job of each row, by job."""
    rows = Delivery.objects.order_by("pk").values_list("job_id", "status", "reason", "repeats_id")
    return {job: (status, reason, repeats) for job, status, reason, repeats in rows}


QUEUED = ("queued", "", None)


def repost_of(job: str) -> tuple[str, str, str]:
    return ("expired", "repost", job)


def test_what_comes_later_repeats_what_was_there():
    user, first, later = person(), posted(1), posted(2, BODY.replace("small", "young"))
    assert record(user, first) == {first}
    assert record(user, later) == set()
    assert stand() == {first: QUEUED, later: repost_of(first)}
    before = list(Delivery.objects.values())
    assert record(user, first, later) == set()
    assert list(Delivery.objects.values()) == before


def test_of_several_at_once_the_best_is_kept_then_the_oldest():
    user, jobs = person(), [posted(3), posted(2, at=NOON - HOUR), posted(1), posted(9, SHORT)]
    assert record(user, *jobs, scores=[80, 90, 90, 70]) == {jobs[1], jobs[3]}
    assert stand() == {
        jobs[2]: repost_of(jobs[1]),
        jobs[1]: QUEUED,
        jobs[0]: repost_of(jobs[1]),
        jobs[3]: QUEUED,
    }


def test_each_user_has_reposts_of_their_own():
    ana, bob, first, later = person(), person("bob@example.com"), posted(1), posted(2)
    record(ana, first)
    assert (record(bob, later), record(ana, later)) == ({later}, set())


@pytest.mark.parametrize(("days", "queued"), [(14, False), (15, True)])
def test_after_two_weeks_a_text_is_new(days, queued):
    user, first = person(), posted(1, at=NOON - timedelta(days=days))
    record(user, first)
    later = posted(2)
    assert (record(user, later) == {later}) is queued


def test_another_market_and_a_text_too_short_to_tell_are_no_reposts():
    user, first = person(), posted(1)
    elsewhere = Posting(id="workana:1", title=TITLE, description=BODY)
    store([elsewhere], source="file", trust=20, now=NOON)
    bare = [posted(number, "See above.") for number in (5, 6)]
    assert record(user, first, elsewhere.id, *bare) == {first, elsewhere.id, *bare}


@pytest.mark.parametrize("end", ["sent", "unconfirmed", "failed"])
def test_what_was_or_may_be_mailed_stands_in_the_way(end):
    user, first, later = person(), posted(1), posted(2)
    record(user, first)
    claimed = ledger.claim(user.pk, now=NOON, fresh=DAY)
    assert claimed is not None
    ledger.finish(alert_id(f"{user.pk}_{first}"), end, now=NOON)
    record(user, later)
    assert stand() == {first: (end, "", None), later: repost_of(first)}


@pytest.mark.parametrize(
    ("reason", "stands"), [("stale", False), ("over the cap", False), ("restored backup", True)]
)
def test_what_expired_was_not_mailed_and_stands_in_nobodys_way(reason, stands):
    user, first, later = person(), posted(1), posted(2)
    record(user, first)
    ledger.expire([f"{user.pk}_{first}"], reason, now=NOON)
    assert (record(user, later) == set()) is stands


def test_a_repost_is_never_claimed_and_stays_expired_when_the_first_was_not_mailed():
    user, first, later = person(), posted(1), posted(2)
    record(user, first, later)
    claimed = ledger.claim(user.pk, now=NOON, fresh=PATIENT)
    assert claimed is not None
    assert Mail.objects.get().jobs == 1
    ledger.finish(claimed.mail.envelope, "failed", now=NOON)
    record(user, first, later)
    assert stand() == {first: ("failed", "", None), later: repost_of(first)}


def test_the_text_may_be_gone_by_then():
    user, first = person(), posted(1)
    record(user, first)
    Job.objects.update(title="", description="", skills=[], text_dropped_at=NOON)
    assert record(user, posted(2)) == set()


@side_by_side
def test_of_two_who_record_one_text_at_once_one_queues_it():
    user, first, later = person(), posted(1), posted(2)
    for _ in range(5):
        Delivery.objects.all().delete()
        queued = together(lambda: record(user, first), lambda: record(user, later))
        assert sorted(map(len, queued)) == [0, 1]
        assert sorted(status for status, _, _ in stand().values()) == ["expired", "queued"]


@side_by_side
def test_who_waited_sees_what_was_recorded_meanwhile():
    user, first, later = person(), posted(1), posted(2)
    assert behind(lambda: record(user, first), lambda: record(user, later)) == [set()]
    assert stand() == {first: QUEUED, later: repost_of(first)}


@side_by_side
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_in_between_nothing_is_recorded_and_the_next_comes_to_the_same(moment):
    user, first, later = person(), posted(1), posted(2)

    def strike(name, when):
        if (name, when) == ("ledger: expire reposts", moment):
            raise KeyboardInterrupt

    with watched(strike), pytest.raises(KeyboardInterrupt):
        record(user, first, later)
    assert stand() == {}
    assert record(user, first, later) == {first}
    assert stand() == {first: QUEUED, later: repost_of(first)}


@pytest.mark.parametrize("values", [{"repeats_id": None}, {"repeats_id": "upwork:1"}])
def test_the_database_wants_to_know_what_a_repost_repeats(values):
    user, first = person(), posted(1)
    record(user, first)
    with pytest.raises(IntegrityError, match="delivery_repeats_iff_repost"):
        Delivery.objects.update(status="expired", reason="repost", **values)


def test_what_repeats_a_repost_only_is_kept():
    """Likeness wears off from edit to edit; only what is mailed is in the way."""
    chain = {
        "a": Fingerprint(1, _sketch(0, 100)),
        "b": Fingerprint(1, _sketch(15, 115)),
        "c": Fingerprint(1, _sketch(30, 130)),
    }
    rivals = [
        Rival("u_a", "u", "a", "b", True),
        Rival("u_b", "u", "b", "a", True),
        Rival("u_b", "u", "b", "c", True),
        Rival("u_c", "u", "c", "b", True),
    ]
    assert reposts(rivals, chain) == {"u_b": "a"}


def _sketch(start: int, end: int) -> bytes:
    return b"".join(n.to_bytes(4, "little") for n in range(start, end))


def test_a_job_whose_text_changed_a_moment_ago_repeats_nothing():
    rivals = [Rival("u_a", "u", "a", "b", False)]
    assert reposts(rivals, {"b": Fingerprint(1, b"")}) == {}


def test_jobs_stored_before_there_were_fingerprints_are_queued():
    user, jobs = person(), [JobFactory(title=TITLE, description=BODY).pk for _ in range(2)]
    assert record(user, *jobs) == set(jobs)
