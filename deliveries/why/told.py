"""The same path as `explain` tells, told to the user: in their words and by their clock, and
nothing of what only staff may know (sources, ids of mails, what a provider answered)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.conf import settings

from accounts.viewer import Viewer
from deliveries import routing
from deliveries.messages.job_card import local_time
from deliveries.models import Delivery
from deliveries.why.judging import judged_now, judged_then, made_of, without_text
from deliveries.why.ledger_words import came, of_row
from deliveries.why.steps import Step
from jobs.matching import LOCAL, UserSearch
from jobs.models import AwaitedVerdict, Job, Verdict
from jobs.scoring.parts import PARTS
from jobs.tasting import tastes_of
from jobs.verdicts import readable_jobs

_LABELS: Final = frozenset(part.label for part in PARTS)


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a job for one user, in a few words, and the steps to it.

    The steps have no names.  `title` is "" where it is no longer kept.
    """

    outcome: str
    title: str
    url: str
    steps: tuple[Step, ...]


def told(who: Viewer, job: Job, *, now: datetime) -> Told:
    """Every step of this job's way to this user, by at most seven queries."""
    row = Delivery.objects.filter(user_id=who.user_id, job=job).select_related("mail").first()
    verdicts = Verdict.objects.filter(user_id=who.user_id, job=job)
    verdict = verdicts.select_related("search").first()
    title = job.title or (row.title if row else "")
    steps = [
        *_seen(job, row, who, now),
        *_own(who, job, now),
        *_judging(who, job, verdict, now),
        *_verdict(who, job, verdict, row, now),
        *_threshold(verdict, row),
        *of_row(row, partial(local_time, timezone=who.terms.timezone)),
    ]
    return Told(came(row), title, job.url, tuple(map(_nameless, steps)))


def _nameless(step: Step) -> Step:
    """The step with what its name told moved into the sentence: a part of a score has points."""
    if step.name not in _LABELS:
        return replace(step, name="")
    points, _, about = step.sentence.strip().partition("  ")
    return Step("", f"{step.name} {points.replace('-', '−')}: {about}", part=step.part)


def _seen(job: Job, row: Delivery | None, who: Viewer, now: datetime) -> Iterator[Step]:
    def at(moment: datetime) -> str:
        return local_time(moment, who.terms.timezone)

    posted = f" It was posted on {at(job.posted_at)}." if job.posted_at else ""
    yield Step("seen", f"We first saw it on {at(job.first_seen)}.{posted}", ok=True)
    if row is None:
        fresh, age = settings.SCOUT_FRESH_HOURS, now - job.dated_at
        if age <= timedelta(hours=fresh):
            yield Step("age", f"It is young enough: jobs of up to {fresh} hours are sent.", ok=True)
        else:
            hours = f"{age / timedelta(hours=1):,.0f}"
            old = f"It is {hours} hours old by now; only jobs of up to {fresh} hours are sent."
            yield Step("age", old)


def _own(who: Viewer, job: Job, now: datetime) -> Iterator[Step]:
    if not who.is_active or who.stopped:
        yield Step("you", "Your job mail is off now: nothing is looked for.", ok=False)
    elif routing.is_paused(who.terms, now):
        yield Step("you", "You paused your job mail: nothing is looked for now.", ok=False)
    if who.jobs_from is not None and job.dated_at <= who.jobs_from:
        since = local_time(who.jobs_from, who.terms.timezone)
        yield Step("you", f"Only jobs from after {since} come to this account.", ok=False)


def _judging(who: Viewer, job: Job, verdict: Verdict | None, now: datetime) -> Iterator[Step]:
    at = partial(local_time, timezone=who.terms.timezone)
    if job.text_dropped_at is not None:
        yield from without_text(verdict, job.text_dropped_at, at)
        return
    one = readable_jobs([job.pk]).table
    if not len(one):
        yield Step("search", "We cannot read this post, so no search was asked.", ok=False)
        return
    if not who.active:
        yield Step("search", "None of your searches is switched on.", ok=False)
    taste = tastes_of([who.user_id]).get(who.user_id)
    asked = [UserSearch(who.user_id, own.pk, own.terms, taste=taste) for own in who.active]
    steps = [step for each in asked for step in judged_now(each, one, now, verdict)]
    yield from steps
    if verdict and not any(step.name == "search" and step.ok for step in steps):
        yield from judged_then(verdict, "let it through when it was judged", at)


def _verdict(
    who: Viewer, job: Job, verdict: Verdict | None, row: Delivery | None, now: datetime
) -> Iterator[Step]:
    if verdict is not None:
        on = local_time(verdict.made_at, who.terms.timezone)
        model = "" if verdict.scorer == LOCAL else ", judged by a language model, too"
        scored = f"It scored {verdict.score} of 100 for “{verdict.search_name}”, on {on}{model}."
        yield Step("verdict", scored)
        yield from made_of(verdict)
    elif row is not None:
        yield Step("verdict", f"It scored {row.score} of 100; how is no longer kept.")
    elif AwaitedVerdict.objects.filter(user_id=who.user_id, job=job).exists():
        yield Step(
            "verdict", "It waits to be judged by a language model; one of the next looks does."
        )
    elif now - job.dated_at <= timedelta(hours=settings.SCOUT_FRESH_HOURS):
        yield Step("verdict", "No look has scored it for you so far.")
    else:
        none = "It was not scored for you: no search of yours let it through while it was young."
        yield Step("verdict", none, ok=False)


def _threshold(verdict: Verdict | None, row: Delivery | None) -> Iterator[Step]:
    score = verdict.score if verdict else row.score if row else None
    search = verdict.search if verdict else None
    threshold = row.threshold if row else search.min_score if search else None
    if score is not None and threshold is not None:
        reached = "That is enough" if score >= threshold else "That is not enough"
        yield Step(
            "threshold", f"{reached}: your lowest score is {threshold}.", ok=score >= threshold
        )
