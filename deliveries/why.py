"""Every step from fetch to inbox for one user and one job, a sentence each."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from accounts.identity import normalise_email, uid_of
from accounts.person import read_person
from accounts.search_fields import too_open
from deliveries import routing
from deliveries.models import Delivery
from jobs.filters import compare
from jobs.matching import UserSearch
from jobs.models import Job, Verdict
from jobs.postings.identifiers import job_id_from
from jobs.verdicts import searches_of, table_of


class UnknownPairError(LookupError):
    """No such user, or no source has ever named this job."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a job's way, and how it went."""

    name: str
    sentence: str


def explain(email: str, job: str, *, now: datetime) -> list[Step]:
    """The steps for this pair, in their order; `job` is an id or an address.

    Raises UnknownPairError for a user or a job that is not there.
    """
    try:
        person = read_person(uid_of(email))
    except ValueError:
        person = None
    if person is None:
        raise UnknownPairError(
            f"No user has the address {normalise_email(email)!r}: add one with add_user."
        )
    found = _find(job)
    row = Delivery.objects.filter(user_id=person.user_id, job=found).select_related("mail").first()
    verdict = Verdict.objects.filter(user_id=person.user_id, job=found).first()
    searches = searches_of([person.user_id], {})
    return [
        *_fetched(found, row, now),
        *_person(person.may_be_mailed, routing.is_paused(person.terms, now)),
        *_begin(found, searches[0].jobs_from if searches else None),
        *(step for search in searches for step in _filters(found, search, now)),
        *_verdict(verdict, row),
        *_ledger(row),
    ]


def _find(job: str) -> Job:
    wanted = job.strip()
    derived = job_id_from(wanted, url=wanted)
    found = Job.objects.filter(pk__in=[wanted, *([derived] if derived else [])]).first()
    if found is None:
        raise UnknownPairError(f"Never seen: no source has named the job {job!r}.")
    return found


def _fetched(job: Job, row: Delivery | None, now: datetime) -> Iterator[Step]:
    title = job.title or (row.title if row else "no longer kept")
    yield Step("fetched", f"{_at(job.first_seen)} from {job.source}: “{title}” ({job.pk}).")
    if job.text_until is not None:
        yield Step("licence", f"What the post says may be kept until {_at(job.text_until)}.")
    age = now - job.dated_at
    fresh = timedelta(hours=settings.SCOUT_FRESH_HOURS)
    hours = age.total_seconds() / 3600
    state = "fresh" if age <= fresh else "too old to be matched now"
    yield Step("age", f"{hours:.1f} hours, of {settings.SCOUT_FRESH_HOURS}: {state}.")


def _person(may_be_mailed: bool, paused: bool) -> Iterator[Step]:
    if not may_be_mailed:
        yield Step("user", "Opted out, or switched off: nothing is matched and nothing is mailed.")
    elif paused:
        yield Step("user", "Paused: nothing is matched until the pause ends.")


def _begin(job: Job, jobs_from: datetime | None) -> Iterator[Step]:
    if jobs_from is not None and job.dated_at <= jobs_from:
        yield Step(
            "begin",
            f"Dated {_at(job.dated_at)}; only jobs after {_at(jobs_from)} come: before that, this"
            " mailbox had another account, or a backup was restored.",
        )


def _filters(job: Job, search: UserSearch, now: datetime) -> Iterator[Step]:
    if job.text_dropped_at is not None:
        yield Step("filters", f"“{search.terms.name}”: the post's text is no longer kept.")
        return
    if reason := too_open(search.terms):
        yield Step("search", f"“{search.terms.name}” finds nothing. {reason}")
        return
    one = table_of(Job.objects.filter(pk=job.pk))
    compared = compare(search.terms, one.table, 0, now)
    failed = [c for c in compared if not c.passed]
    turned_down = f"{len(failed)} of {len(compared)} filters turn it down"
    outcome = turned_down if failed else "lets it through"
    yield Step("search", f"“{search.terms.name}” {outcome}.")
    for each in compared:
        yield Step("  passes" if each.passed else "  fails", f"{each.label}: {each.sentence}")


def _verdict(verdict: Verdict | None, row: Delivery | None) -> Iterator[Step]:
    if verdict is None:
        yield Step("verdict", "None: no search let it through while it was fresh and matched.")
        return
    yield Step(
        "verdict",
        f"{verdict.score} of 100 by {verdict.scorer} for “{verdict.search_name}”,"
        f" {_at(verdict.made_at)}.",
    )
    yield from (Step("  for", reason) for reason in verdict.reasons)
    yield from (Step("  against", concern) for concern in verdict.concerns)
    threshold = row.threshold if row else verdict.search.min_score if verdict.search else None
    if threshold is not None:
        reached = "reached" if verdict.score >= threshold else "not reached"
        yield Step("threshold", f"{threshold}: {reached}.")


def _ledger(row: Delivery | None) -> Iterator[Step]:
    if row is None:
        yield Step("ledger", "No row: nothing is to be delivered.")
        return
    reason = f", {row.reason}" if row.reason else ""
    if row.repeats_id:
        reason += f" of {row.repeats_id}, the same text"
    yield Step(
        "ledger",
        f"{row.status}{reason}, route {row.route}, queued {_at(row.queued_at)},"
        f" {row.attempts} tries that did not leave.",
    )
    if row.mail is None:
        yield Step("mail", "None yet." if row.status == "queued" else "None.")
        return
    mail = row.mail
    when = f", {_at(mail.sent_at)}" if mail.sent_at else ""
    error = f" ({mail.error})" if mail.error else ""
    yield Step("mail", f"{mail.kind} {mail.pk}: {mail.status}{when}{error}.")


def _at(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
