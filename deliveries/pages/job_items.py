"""Jobs as a page lists them: cut to size, in the user's time, with what one can do about each."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from accounts.viewer import Viewer
from deliveries import compose
from deliveries.avoiding import is_avoided
from deliveries.messages.job_card import JobCard, local_time
from deliveries.messages.job_summary import JobSummary, Size, summarise
from deliveries.models import Delivery
from deliveries.near_misses import NearJob
from jobs import tasting
from jobs.filters.wording import country as in_sentence
from jobs.models import Verdict

_SIZE: Final = Size(title=120, line=120, excerpt=0, reasons=4, concerns=2, skills=0, opinion=False)
_STATUS: Final = {
    "queued": "waits",
    "sealed": "on its way",
    "sent": "mailed",
    "unconfirmed": "perhaps mailed: the sending was cut off",
    "failed": "could not be mailed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JobItem:
    """One job in a list.  `rated` is whether it can have a thumb, `thumb` the one it has.

    `country` is the client's, "" where none is stated or every search avoids it already.
    """

    job_id: str
    shown: JobSummary
    facts: tuple[str, ...]
    country: str
    country_name: str
    status: str = ""
    rated: bool = False
    thumb: bool | None = None
    kept_out_by: tuple[tuple[str, str, str], ...] = ()


def of_rows(who: Viewer, rows: Sequence[Delivery]) -> list[JobItem]:
    """Rows of the user's ledger, their jobs loaded; two queries for any number."""
    verdicts = Verdict.objects.in_bulk([row.pk for row in rows])
    thumbs = tasting.thumbs_on(who.user_id, [row.job_id for row in rows])
    several = len(who.active) > 1
    return [
        _item(
            who,
            compose.card(row, verdicts.get(row.pk), several),
            status=_status(row, who.terms.timezone),
            rated=True,
            thumb=thumbs.get(row.job_id),
        )
        for row in rows
    ]


def of_misses(who: Viewer, misses: Collection[NearJob]) -> list[JobItem]:
    """Near misses, each with the labels, sentences and addresses of what kept it out."""
    return [
        _item(
            who,
            miss.card,
            kept_out_by=tuple(
                (each.label, each.sentence, setting_url(miss.place, each.name))
                for each in miss.kept_out_by
            ),
        )
        for miss in misses
    ]


def setting_url(place: int, name: str) -> str:
    """Where one setting of the search at this place is changed."""
    return f"/preferences/?edit={place}#id_search-{place}-{name}"


def _status(row: Delivery, zone: str) -> str:
    what = _STATUS[row.status]
    if row.status == "queued":
        what = f"waits for the next {'digest' if row.route == 'daily' else 'alert'}"
    found = "" if row.sent_at else "found "
    return f"{what[0].upper()}{what[1:]} · {found}{local_time(row.sent_at or row.queued_at, zone)}"


def _item(
    who: Viewer,
    card: JobCard,
    *,
    status: str = "",
    rated: bool = False,
    thumb: bool | None = None,
    kept_out_by: tuple[tuple[str, str, str], ...] = (),
) -> JobItem:
    country = _to_avoid(who, card)
    shown = summarise(card, who.terms.timezone, _SIZE)
    return JobItem(
        job_id=card.job_id,
        shown=shown,
        facts=tuple(filter(None, (shown.pay, shown.work, shown.client))),
        country=country,
        country_name=in_sentence(country) if country else "",
        status=status,
        rated=rated,
        thumb=thumb,
        kept_out_by=kept_out_by,
    )


def _to_avoid(who: Viewer, card: JobCard) -> str:
    country = card.client_country or ""
    active = [search.terms for search in who.active]
    known = all(is_avoided(terms, "countries_exclude", country) for terms in active)
    return "" if known else country
