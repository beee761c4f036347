"""Postings as JSON objects: what `import_jobs --dry-run` writes."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from jobs.postings.posting import Posting

KEYS: Final = (
    "id",
    "url",
    "title",
    "description",
    "skills",
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
    "client_payment_verified",
    "client_rating",
    "proposals",
    "posted_at",
)


def as_json(posting: Posting) -> dict[str, object]:
    """The posting as a JSON object with exactly the keys of KEYS, in that order.

    Money, rates and ratings are JSON numbers, times ISO 8601 in UTC ending in `Z`, what is not
    stated is None (`url` and `description`: "").  `normalise.normalise` turns the object
    back into an equal posting.
    """
    return {key: _plain(getattr(posting, key)) for key in KEYS}


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple):
        return list(value)
    return value
