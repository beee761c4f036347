"""Budgets that nobody means: $1 to $5 put in because the form wants a number.

The figures behind the rule stand in docs/decisions/0006-what-a-post-states.md.
"""

import re
from decimal import Decimal
from typing import Final

from jobs.rates import Rate

MOST: Final = Decimal(5)
# Characters of description; below that nothing shows that the work is worth more.
LEAST_TOLD: Final = 200
# What says that so little is meant: a survey, a price for each piece, a job of minutes.
_MEANT: Final = re.compile(
    r"\bsurvey: |\bsurvey\b.{0,40}\bparticipa|\bparticipants? (?:needed|wanted)|questionnaire|"
    r"[$€£₹] ?[1-5](?:\.\d+)?(?![\d,.]*\w| ?(?:k|m|million|billion|thousand)\b)|"
    r"\b[1-5](?:\.\d+)? ?(?:\$|€|£|(?:usd|dollars?|bucks|eur|gbp)\b)|"
    r"\b(?:quick|tiny|5[ -]minute|five[ -]minute|two[ -]minute|micro) (?:job|task|gig)\b|"
    r"\btakes? (?:only |just |about |less than )*\d+ min|"
    r"\bbudget (?:is )?as is\b|\bfor (?:a |the )?(?:good |great |5[ -]?star |glowing )*reviews?\b"
)


def is_tiny(amount: Decimal | None, rate: Rate | None) -> bool:
    """Whether a budget is at most 5, or at most $5."""
    if amount is None:
        return False
    return amount <= MOST or (rate is not None and amount * rate.usd <= MOST)


def is_meant(folded: str) -> bool:
    """Whether a post with a tiny budget speaks of so little money, or of so little work.

    `folded` is its title and description, folded.
    """
    return _MEANT.search(folded) is not None
