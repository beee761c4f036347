"""From tried searches to the mails that tell of them: writes nothing."""

from collections.abc import Sequence
from datetime import datetime

from accounts.person import Person
from deliveries import compose
from deliveries.messages import Rendered, render_sample
from deliveries.messages.job_card import JobCard
from deliveries.messages.mail_bytes import AddressError
from deliveries.messages.tried_card import card_of
from deliveries.messages.weekly_note import Miss, WeeklyNote, render_weekly_note
from deliveries.recent_fits import RecentFits


def sample(person: Person, found: RecentFits, *, envelope: str, now: datetime) -> Rendered:
    """The sample with the best jobs that would have been sent, of which there is at least one.

    Jobs that cannot be written into a mail are left out; raises as `alert` does else.
    """
    context = compose.context_of(person, envelope, now)

    def write(cards: Sequence[JobCard]) -> Rendered:
        return render_sample(context, cards, found.considered)

    cards = [card_of(fit.job, fit.search if found.several else "") for fit in found.fits]
    try:
        return write(cards)
    except AddressError:
        raise
    except Exception:  # noqa: BLE001 -- whichever jobs it is, they are left out
        return write([card for card in cards if compose.renders(write, card)])


def weekly_note(
    person: Person, found: RecentFits, causes: Sequence[str], *, envelope: str, now: datetime
) -> Rendered:
    """The note that nothing matched, with what came nearest; raises AddressError as `alert`."""
    note = WeeklyNote(
        looked_at=found.considered,
        searches=[(name if found.several else "", words) for name, words in found.words],
        none_switched_on=not found.words,
        causes=causes,
        misses=[
            Miss(card_of(m.job), tuple(f"{s.label}: {s.sentence}" for s in m.kept_out_by))
            for m in found.misses
        ],
        would_fit=[card_of(fit.job) for fit in found.fits],
    )
    return render_weekly_note(compose.context_of(person, envelope, now), note)
