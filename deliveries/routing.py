"""When mail may leave, and how much of it: decisions on plain values."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from accounts.terms import DeliveryTerms

ALERT_JOBS: Final = 30
DIGEST_JOBS: Final = 20
DAILY_LIFE: Final = timedelta(hours=48)
DIGEST_LIFE: Final = timedelta(hours=24)
ALERT_ATTEMPTS: Final = 8
_BACKOFF: Final = (timedelta(minutes=15), timedelta(hours=1), timedelta(hours=4))


def is_paused(terms: DeliveryTerms, now: datetime) -> bool:
    """Whether the user asked for no mail at this moment."""
    return terms.paused_until is not None and now < terms.paused_until


def is_quiet(terms: DeliveryTerms, now: datetime) -> bool:
    """Whether instant mail waits: local time in [quiet_from, quiet_until), midnight included."""
    if terms.quiet_from is None or terms.quiet_until is None:
        return False
    local = now.astimezone(ZoneInfo(terms.timezone)).time()
    if terms.quiet_from < terms.quiet_until:
        return terms.quiet_from <= local < terms.quiet_until
    return local >= terms.quiet_from or local < terms.quiet_until


def quiet_span(terms: DeliveryTerms) -> timedelta:
    """How long the quiet hours last; zero without any."""
    if terms.quiet_from is None or terms.quiet_until is None:
        return timedelta()
    start, end = (
        timedelta(hours=t.hour, minutes=t.minute, seconds=t.second)
        for t in (terms.quiet_from, terms.quiet_until)
    )
    return (end - start) % timedelta(days=1)


def alert_horizon(terms: DeliveryTerms, now: datetime, fresh: timedelta) -> datetime:
    """The oldest date of a job that may still go out as an alert; quiet hours cost nothing."""
    return now - fresh - quiet_span(terms)


def day_start(terms: DeliveryTerms, now: datetime) -> datetime:
    """The moment, in UTC, at which the user's present local day began."""
    zone = ZoneInfo(terms.timezone)
    local = now.astimezone(zone)
    return datetime.combine(local.date(), time(), zone).astimezone(UTC)


def alerts_flow(terms: DeliveryTerms, now: datetime) -> bool:
    """Whether instant mail may leave at this moment: neither paused nor quiet."""
    return not is_paused(terms, now) and not is_quiet(terms, now)


def alert_allowance(terms: DeliveryTerms, mailed_today: int) -> int:
    """How many more jobs may be mailed at once on the user's present local day."""
    return max(0, terms.max_jobs_per_day - mailed_today)


def digest_size(terms: DeliveryTerms) -> int:
    """How many jobs one digest holds at most."""
    return min(DIGEST_JOBS, terms.max_jobs_per_day)


def digest_day(terms: DeliveryTerms, now: datetime, last: date | None) -> date | None:
    """The local date whose digest is due now, or None; each local date comes up once."""
    if is_paused(terms, now):
        return None
    local = now.astimezone(ZoneInfo(terms.timezone))
    today = local.date()
    if local.hour < terms.digest_hour or (last is not None and last >= today):
        return None
    return today


def retry_delay(attempts: int, retry_after: float | None) -> timedelta:
    """How long a digest waits after its nth failed attempt (n >= 1): 15 min, 1 h, then 4 h.

    A provider's Retry-After (seconds) is honoured when it asks for longer, up to 12 hours.
    """
    delay = _BACKOFF[min(max(attempts, 1), len(_BACKOFF)) - 1]
    if retry_after is not None:
        delay = max(delay, timedelta(seconds=min(retry_after, 43_200)))
    return delay
