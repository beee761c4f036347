"""From ledger rows to the mail that carries them: reads jobs and verdicts, writes nothing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from email.utils import parseaddr

from django.conf import settings
from django.urls import reverse

from accounts.models import Search
from accounts.person import Person
from deliveries.messages import MailContext, Rendered, render_alert, render_digest
from deliveries.messages.job_card import JobCard
from deliveries.messages.mail_bytes import AddressError, ascii_address
from deliveries.messages.stored_mail import StoredMail
from deliveries.models import Delivery
from deliveries.thumb_links import ThumbLink, token_for
from jobs.models import Verdict

_FROM_JOB = (
    "url",
    "job_type",
    "hourly_min",
    "hourly_max",
    "fixed_budget",
    "currency",
    "experience_level",
    "duration",
    "client_country",
    "client_spent",
    "client_hires",
    "client_hire_rate",
    "client_rating",
    "client_payment_verified",
    "proposals",
    "posted_at",
    "description",
)


class PoisonedJobsError(Exception):
    """Some jobs, each alone, cannot be written into a mail."""

    def __init__(self, ids: frozenset[str]) -> None:
        """Keep the ids of their ledger rows."""
        super().__init__(f"{len(ids)} jobs cannot be written into a mail")
        self.ids = ids


def alert(person: Person, ids: Sequence[str], *, envelope: str, now: datetime) -> Rendered:
    """The alert for these ledger rows, in this order; the same arguments give the same bytes.

    Raises AddressError when nobody can write to the user, PoisonedJobsError when it would succeed
    without some of the jobs.
    """
    context = context_of(person, envelope, now)
    return _rendered(lambda cards: render_alert(context, cards), ids, _cards(person, ids, context))


def digest(
    person: Person,
    ids: Sequence[str],
    *,
    envelope: str,
    now: datetime,
    day: date,
    more_waiting: int,
) -> Rendered:
    """The digest of one local date for these ledger rows, and how many more wait.

    Raises as `alert` does.
    """
    context = context_of(person, envelope, now)
    cards = _cards(person, ids, context)
    return _rendered(lambda some: render_digest(context, some, day, more_waiting), ids, cards)


def stored(envelope: str, recipient: str, raw: bytes) -> StoredMail:
    """A mail's stored bytes, addressed for the way out; raises AddressError as rendering did."""
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return StoredMail(
        envelope=envelope,
        sender=ascii_address(sender),
        recipient=ascii_address(recipient),
        raw=raw,
    )


def context_of(person: Person, envelope: str, now: datetime) -> MailContext:
    """What a mail to this person needs to know beside its jobs."""
    unsubscribe = reverse("unsubscribe", args=[person.opt_out_token])
    return MailContext(
        recipient=person.email,
        sender=settings.DEFAULT_FROM_EMAIL,
        site_url=settings.SITE_URL,
        unsubscribe_url=f"{settings.SITE_URL}{unsubscribe}",
        preferences_url=f"{settings.SITE_URL}/preferences/",
        timezone=person.terms.timezone,
        envelope=envelope,
        sent_date=now,
    )


def _rendered(
    render: Callable[[Sequence[JobCard]], Rendered], ids: Sequence[str], cards: Sequence[JobCard]
) -> Rendered:
    try:
        return render(cards)
    except AddressError:
        raise
    except Exception as error:
        poisoned = {id_ for id_, card in zip(ids, cards, strict=True) if not renders(render, card)}
        if 0 < len(poisoned) < len(ids):
            raise PoisonedJobsError(frozenset(poisoned)) from error
        raise


def renders(render: Callable[[Sequence[JobCard]], Rendered], card: JobCard) -> bool:
    """Whether a mail with this job alone can be written."""
    try:
        render([card])
    except Exception:  # noqa: BLE001 -- the boundary between jobs: whatever it is, leave it out
        return False
    return True


def _cards(person: Person, ids: Sequence[str], context: MailContext) -> list[JobCard]:
    rows = Delivery.objects.select_related("job").in_bulk(ids)
    verdicts = Verdict.objects.in_bulk(ids)
    several = Search.objects.filter(user_id=person.user_id, active=True).count() > 1
    cards = [card(rows[id_], verdicts.get(id_), several) for id_ in ids]
    return [_with_links(each, context) for each in cards]


def _with_links(card: JobCard, context: MailContext) -> JobCard:
    def link(up: bool) -> str:
        thumb = ThumbLink(context.envelope, card.job_id, up)
        token = token_for(thumb, now=context.sent_date)
        return f"{context.site_url}{reverse('thumb-link', args=[token])}"

    return replace(card, more_url=link(True), less_url=link(False))


def card(row: Delivery, verdict: Verdict | None, several: bool) -> JobCard:
    """What may be said about a row, its job loaded; the search is named where there are several."""
    return JobCard(
        job_id=row.job_id,
        title=row.title,
        score=row.score,
        reasons=tuple(verdict.reasons) if verdict else (),
        concerns=tuple(verdict.concerns) if verdict else (),
        search_name=verdict.search_name if verdict and several else "",
        skills=tuple(row.job.skills),
        text_gone=row.job.text_dropped_at is not None,
        **{name: getattr(row.job, name) for name in _FROM_JOB},
    )
