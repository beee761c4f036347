"""The words for where a delivery or a mail stands, and the only moves between them."""

from typing import Final, Literal

DeliveryStatus = Literal["queued", "sealed", "sent", "unconfirmed", "failed", "expired"]
MailStatus = Literal["sealed", "sending", "sent", "failed", "unconfirmed", "void"]
Route = Literal["instant", "daily"]
Kind = Literal["alert", "digest", "sample", "weekly"]

ROUTES: Final[tuple[Route, ...]] = ("instant", "daily")
KINDS: Final[tuple[Kind, ...]] = ("alert", "digest", "sample", "weekly")
# A delivery is in one of these; the others are notices, which carry none.
CARRY_JOBS: Final[tuple[Kind, ...]] = ("alert", "digest")
NOTICES: Final[tuple[Kind, ...]] = ("sample", "weekly")

# From each status, where a delivery may go.  `failed` is queued again by staff only; what is
# `unconfirmed` is settled by a provider's event or by staff.
DELIVERY_MOVES: Final[dict[DeliveryStatus, frozenset[DeliveryStatus]]] = {
    "queued": frozenset({"sealed", "expired"}),
    "sealed": frozenset({"sent", "unconfirmed", "failed", "queued"}),
    "unconfirmed": frozenset({"sent", "failed"}),
    "failed": frozenset({"queued"}),
    "sent": frozenset(),
    "expired": frozenset(),
}
DELIVERY_STATUSES: Final = tuple(DELIVERY_MOVES)

MAIL_MOVES: Final[dict[MailStatus, frozenset[MailStatus]]] = {
    "sealed": frozenset({"sent", "failed", "unconfirmed", "void"}),
    "sending": frozenset({"sent", "failed", "unconfirmed", "void"}),
    "unconfirmed": frozenset({"sent", "failed"}),
    "sent": frozenset(),
    "failed": frozenset(),
    "void": frozenset(),
}
MAIL_STATUSES: Final = tuple(MAIL_MOVES)
OPEN_MAIL: Final[tuple[MailStatus, ...]] = ("sealed", "sending")

# Where the rows of a mail go when the mail is finished.
ROWS_FOLLOW: Final[dict[MailStatus, DeliveryStatus]] = {
    "sent": "sent",
    "failed": "failed",
    "unconfirmed": "unconfirmed",
    "void": "queued",
}

ExpiryReason = Literal[
    "stale", "over the cap", "opted out", "filtered out now", "repost", "closed", "restored backup"
]
EXPIRY_REASONS: Final[tuple[ExpiryReason, ...]] = (
    "stale",
    "over the cap",
    "opted out",
    "filtered out now",
    "repost",
    "closed",
    "restored backup",
)


def may_move(kind: Literal["delivery", "mail"], before: str, after: str) -> bool:
    """Whether the table of transitions has this move; unknown words are no moves."""
    if kind == "delivery":
        return any(before == key and after in moves for key, moves in DELIVERY_MOVES.items())
    return any(before == key and after in moves for key, moves in MAIL_MOVES.items())
