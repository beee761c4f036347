"""When somebody who has just set up can expect the first mail, in a sentence."""

from datetime import datetime
from typing import Final

from accounts.person import Person
from deliveries import routing
from deliveries.messages.job_card import local_time

_OFTEN: Final = "New posts are looked at about every 15 minutes"


def first_mail(person: Person, now: datetime) -> str:
    """What keeps mail away, or when the first can come, on the person's clock."""
    terms = person.terms
    zone = terms.timezone
    if not person.may_be_mailed:
        return "But job mail to you is stopped, so none comes until it is allowed again."
    if terms.paused_until is not None and routing.is_paused(terms, now):
        return f"Mail is paused: none comes before {local_time(terms.paused_until, zone)}."
    if terms.mode == "daily":
        due = local_time(routing.next_digest(terms, now, person.last_digest_on), zone)
        return f"The first digest can come on {due} ({zone}), if anything fits by then."
    if terms.quiet_until is not None and routing.is_quiet(terms, now):
        return f"{_OFTEN}; what fits comes when your quiet hours end at {terms.quiet_until:%H:%M}."
    return f"{_OFTEN}: the first mail comes as soon as one fits."
