"""What became of a ledger row, in words for the user."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Final

from deliveries.models import Delivery
from deliveries.why.steps import Step

_CAME: Final[Mapping[str, str]] = {
    "queued": "It waits to be mailed to you",
    "sealed": "It is on its way to you",
    "sent": "It was mailed to you",
    "unconfirmed": "It was perhaps mailed to you",
    "failed": "It could not be mailed to you",
    "expired": "It was not mailed to you",
}
_EXPIRED: Final[Mapping[str, str]] = {
    "stale": "It was to be mailed, but became too old while it waited.",
    "over the cap": "It was to be mailed, but found no place: so many others scored higher that"
    " your jobs for a day, or for a digest, were used up.",
    "opted out": "It was to be mailed, but the job mail was stopped when its turn came.",
    "filtered out now": "It was to be mailed, but when its turn came none of your searches let it"
    " through any more: they, or the post, had changed.",
    "closed": "It was to be mailed, but was closed before its turn came.",
    "restored backup": "It was to be mailed, but we had to go back to a backup, and gave up what"
    " waited, so that nothing comes twice.",
}


def came(row: Delivery | None) -> str:
    """What came of the job, in a few words."""
    return _CAME[row.status] if row else "It was not mailed to you"


def of_row(row: Delivery | None, at: Callable[[datetime], str]) -> Iterator[Step]:
    """What became of the row, its mail loaded; `at` writes a moment by the user's clock."""
    if row is None:
        yield Step("ledger", "So it was not mailed, and does not wait to be.", ok=False)
        return
    yield Step("ledger", f"It was set down to be mailed to you on {at(row.queued_at)}.", ok=True)
    if row.status == "expired":
        yield Step("mail", _expired(row), ok=False)
    else:
        yield _left(row, at)


def _expired(row: Delivery) -> str:
    if row.repeats_id:
        return f"It repeats the text of {row.repeats_id}, which was mailed to you or was to be."
    return _EXPIRED[row.reason]


def _left(row: Delivery, at: Callable[[datetime], str]) -> Step:
    if row.status == "queued":
        mail = "digest" if row.route == "daily" else "alert"
        return Step("mail", f"It waits for your next {mail}.")
    if row.status == "sealed":
        return Step("mail", "It is in a mail that is about to leave.")
    kind = "a digest" if row.mail and row.mail.kind == "digest" else "an alert"
    if row.status == "sent" and row.sent_at:
        return Step("mail", f"It left in {kind} on {at(row.sent_at)}.", ok=True)
    if row.status == "failed":
        refused = f"It was in {kind} that the mail service, or your mailbox, refused for good."
        return Step("mail", refused, ok=False)
    cut_off = f"It was in {kind} whose sending was cut off: it may have arrived."
    return Step("mail", f"{cut_off} So that nothing comes twice it is not sent again.")
