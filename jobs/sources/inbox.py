"""What others sent to `/inbox/jobs` since the last scan; the watermark is the last id read."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from accounts.boundaries import commit
from jobs.inbox.reading import Reading, read
from jobs.licence import INBOX_KEEPS
from jobs.models import InboxMessage, InboxSender
from jobs.postings.posting import Posting
from jobs.postings.rejection import Scrap
from jobs.rows import BadRow
from jobs.source_health import HEALTHY, STATES, State
from jobs.sources.base import TRUST, Fetched

log = logging.getLogger(__name__)
_MOST_BYTES: Final = 32 * 1024 * 1024  # read in one scan; the rest waits for the next


@dataclass(frozen=True)
class InboxSource:
    """Messages in the order in which they came, least trusted of all sources.

    Their text goes a day after it was received.
    """

    name: str = "inbox"
    trust: int = TRUST["inbox"]
    keeps: timedelta | None = INBOX_KEEPS
    place: str = ""
    backs_off: bool = False

    def fetch(self, *, now: datetime, watermark: str) -> Fetched:
        """What came since the watermark; what came before is stored and can go.

        A sender that told of a captcha, or that it was logged out, makes this its state until it
        sends jobs again or is revoked.
        """
        last = int(watermark) if watermark.isdecimal() else 0
        with commit("inbox: forget"):
            InboxMessage.objects.filter(pk__lte=last).delete()
        postings: list[Posting] = []
        rejected: list[BadRow] = []
        half_understood: list[BadRow] = []
        oldest = now
        for message, received_at, reading in _since(last):
            last, oldest = message, min(oldest, received_at)
            postings += reading.postings
            rejected += reading.rejected
            half_understood += reading.half_understood
        state, detail = _state()
        if state in HEALTHY and rejected and not postings:
            state, detail = "broken", f"None of {len(rejected)} jobs that came can be read."
        return Fetched(
            state=state,
            detail=detail,
            postings=tuple(postings),
            rejected=tuple(rejected),
            half_understood=tuple(half_understood),
            watermark=str(last),
            fetched_at=oldest,
            read_whole=True,
        )


def _since(last: int) -> Iterator[tuple[int, datetime, Reading]]:
    size = 0
    messages = InboxMessage.objects.filter(pk__gt=last).order_by("pk")
    for message in messages.iterator(chunk_size=16):
        body = bytes(message.body)
        yield message.pk, message.received_at, _read(body, message.received_at)
        size += len(body)
        if size >= _MOST_BYTES:
            return


def _read(body: bytes, at: datetime) -> Reading:
    try:
        return read(body, at=at)
    except Exception as error:  # noqa: BLE001 -- one message must not hold up the others for ever
        log.warning("a message of the inbox cannot be read: %s", type(error).__name__)
        return Reading(
            rejected=(
                BadRow(
                    kind="rejected",
                    reason="a message that cannot be read",
                    raw=Scrap.cut("json", body.decode("utf-8", "replace")),
                    fetched_at=at,
                ),
            )
        )


def _state() -> tuple[State, str]:
    """The worst that live senders told of themselves."""
    senders = list(InboxSender.objects.filter(revoked_at=None).order_by("-state_at", "pk"))
    if not senders:
        return "off", "Nobody may send yet: make a sender with manage.py inbox_sender NAME."
    ill = [sender for sender in senders if sender.state not in HEALTHY]
    if ill:
        told = ", ".join(f"{sender.name}: {sender.state}" for sender in ill)
        state: State = next(state for state in STATES if state == ill[0].state)
        return state, f"Told by senders: {told}."
    heard = any(sender.last_seen_at for sender in senders)
    return ("ok", "") if heard else ("quiet", "Nothing has come yet.")
