"""Every step from fetch to inbox for one user and one job, a sentence each."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings

from accounts.identity import normalise_email, uid_of
from accounts.person import Person, read_person
from deliveries import routing
from deliveries.models import Delivery
from deliveries.why.finding import find
from deliveries.why.judging import judged_now, judged_then, of_verdict, without_text
from deliveries.why.steps import Step as Step
from deliveries.why.steps import at
from jobs.matching import UserSearch
from jobs.models import AwaitedVerdict, Job, Verdict
from jobs.verdicts import readable_jobs, searches_of


class UnknownPairError(LookupError):
    """No such user, or no source has ever named this job."""


def explain(email: str, job: str, *, now: datetime) -> list[Step]:
    """The steps for this pair, in their order; `job` is an id or an address.

    Raises UnknownPairError for a user or a job that is not there.
    """
    person, found = _person_of(email), find(job)
    if found is None:
        raise UnknownPairError(f"Never seen: no source has named the job {job!r}.")
    row = Delivery.objects.filter(user_id=person.user_id, job=found).select_related("mail").first()
    verdict = Verdict.objects.filter(user_id=person.user_id, job=found).first()
    waiting = AwaitedVerdict.objects.filter(user_id=person.user_id, job=found).first()
    searches = searches_of([person.user_id], {})
    return [
        *_fetched(found, row, now),
        *_person(person.may_be_mailed, routing.is_paused(person.terms, now)),
        *_begin(found, searches[0].jobs_from if searches else None),
        *_judging(found, verdict, searches, now),
        *_verdict(verdict, row, found, waiting, now),
        *_threshold(verdict, row),
        *_ledger(row),
    ]


def _person_of(email: str) -> Person:
    try:
        person = read_person(uid_of(email))
    except ValueError:
        person = None
    if person is None:
        raise UnknownPairError(
            f"No user has the address {normalise_email(email)!r}: add one with add_user."
        )
    return person


def _fetched(job: Job, row: Delivery | None, now: datetime) -> Iterator[Step]:
    title = job.title or (row.title if row else "no longer kept")
    seen = f"{at(job.first_seen)} from {job.source}: “{title}” ({job.pk})."
    yield Step("fetched", seen, ok=True)
    if job.text_until is not None:
        yield Step("licence", f"What the post says may be kept until {at(job.text_until)}.")
    age, fresh = now - job.dated_at, timedelta(hours=settings.SCOUT_FRESH_HOURS)
    state = "fresh" if age <= fresh else "too old to be matched now"
    hours = f"{age.total_seconds() / 3600:.1f} hours, of {settings.SCOUT_FRESH_HOURS}"
    yield Step("age", f"{hours}: {state}.", ok=age <= fresh)


def _person(may_be_mailed: bool, paused: bool) -> Iterator[Step]:
    if not may_be_mailed:
        out = "Opted out, or switched off: nothing is matched and nothing is mailed."
        yield Step("user", out, ok=False)
    elif paused:
        yield Step("user", "Paused: nothing is matched until the pause ends.", ok=False)


def _begin(job: Job, jobs_from: datetime | None) -> Iterator[Step]:
    if jobs_from is not None and job.dated_at <= jobs_from:
        yield Step(
            "begin",
            f"Dated {at(job.dated_at)}; only jobs after {at(jobs_from)} come: before that, this"
            " mailbox had another account, or a backup was restored.",
            ok=False,
        )


def _judging(
    job: Job, verdict: Verdict | None, searches: list[UserSearch], now: datetime
) -> Iterator[Step]:
    if job.text_dropped_at is not None:
        yield from without_text(verdict, job.text_dropped_at)
        return
    one = readable_jobs([job.pk]).table
    if not len(one):
        yield Step("search", "The job cannot be read, and is left out: the log says why.", ok=False)
        return
    if not searches:
        yield Step("search", "None is active: nothing is matched.", ok=False)
    steps = [s for each in searches for s in judged_now(each, one, now, verdict)]
    yield from steps
    if verdict and not any(step.name == "search" and step.ok for step in steps):
        yield from judged_then(verdict, "let it through when it was judged")


def _verdict(
    verdict: Verdict | None,
    row: Delivery | None,
    job: Job,
    waiting: AwaitedVerdict | None,
    now: datetime,
) -> Iterator[Step]:
    kept = timedelta(days=settings.SCOUT_RETENTION_DAYS)
    if verdict is not None:
        yield from of_verdict(verdict)
    elif row is not None:
        yield Step("verdict", f"None is kept; the ledger recorded {row.score} of 100.")
    elif waiting is not None:
        yield Step(
            "verdict",
            f"None yet: it has waited for a language model since {at(waiting.since)}"
            f" ({waiting.tries} failed {'try' if waiting.tries == 1 else 'tries'}); a later scan"
            " asks again, or takes the local score.",
        )
    elif now - job.dated_at > kept:
        yield Step(
            "verdict",
            "None is kept: no search let it through while it was fresh and matched, or it was"
            f" deleted with what is older than {kept.days} days.",
        )
    elif now - job.dated_at <= timedelta(hours=settings.SCOUT_FRESH_HOURS):
        yield Step("verdict", "None so far: no scan has seen a search let it through.")
    else:
        yield Step("verdict", "None: no search let it through while it was fresh and matched.")


def _threshold(verdict: Verdict | None, row: Delivery | None) -> Iterator[Step]:
    score = verdict.score if verdict else row.score if row else None
    search = verdict.search if verdict else None
    threshold = row.threshold if row else search.min_score if search else None
    if score is not None and threshold is not None:
        reached = "reached" if score >= threshold else "not reached"
        yield Step("threshold", f"{threshold}: {reached}.", ok=score >= threshold)


def _ledger(row: Delivery | None) -> Iterator[Step]:
    if row is None:
        yield Step("ledger", "No row: nothing is to be delivered.", ok=False)
        return
    reason = f", {row.reason}" if row.reason else ""
    if row.repeats_id:
        reason += f" of {row.repeats_id}, the same text"
    yield Step(
        "ledger",
        f"{row.status}{reason}, route {row.route}, queued {at(row.queued_at)},"
        f" {row.attempts} tries that did not leave.",
        ok=_went_well(row.status),
    )
    if row.mail is None:
        yield Step("mail", "None yet." if row.status == "queued" else "None.")
        return
    mail = row.mail
    when = f", {at(mail.sent_at)}" if mail.sent_at else ""
    error = f" ({mail.error})" if mail.error else ""
    sentence = f"{mail.kind} {mail.pk}: {mail.status}{when}{error}."
    yield Step("mail", sentence, ok=_went_well(mail.status))


def _went_well(status: str) -> bool | None:
    """Whether a row or mail arrived; None while that is open."""
    return {"sent": True, "failed": False, "expired": False, "void": False}.get(status)
