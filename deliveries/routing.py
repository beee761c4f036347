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
LONGEST_WAIT: Final = timedelta(hours=12)
WEEK: Final = timedelta(days=7)
NOTE_LIFE: Final = timedelta(hours=24)
SAMPLES_A_DAY: Final = 3
_MORNING: Final = 8
_STILL_IN_TIME: Final = timedelta(hours=3)
_BACKOFF: Final = (timedelta(minutes=15), timedelta(hours=1), timedelta(hours=4))
# No change of zone moves the local date back by more; a later date came from a wrong clock.
_ZONES_APART: Final = timedelta(days=2)


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
    """How long the quiet hours last by the wall clock; zero without any."""
    if terms.quiet_from is None or terms.quiet_until is None:
        return timedelta()
    start, end = (
        timedelta(hours=t.hour, minutes=t.minute, seconds=t.second, microseconds=t.microsecond)
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


def allowance(terms: DeliveryTerms, mailed_today: int) -> int:
    """How many more jobs may be mailed, at once or in a digest, on the present local day."""
    return max(0, terms.max_jobs_per_day - mailed_today)


def digest_size(terms: DeliveryTerms, mailed_today: int) -> int:
    """How many jobs a digest may hold now."""
    return min(DIGEST_JOBS, allowance(terms, mailed_today))


def digest_day(terms: DeliveryTerms, now: datetime, last: date | None) -> date | None:
    """The local date whose digest is due now, or None; each local date comes up once.

    `last` is the latest date that came up.  A date that nobody served comes up until three hours
    after its hour, past midnight too, so that a short outage does not cost a late hour its day.
    """
    today = early_digest_day(terms, now, last)
    if today is None:
        return None
    if now >= _digest_moment(terms, today):
        return today
    yesterday = today - timedelta(days=1)
    missed = last is not None and last < yesterday
    late = now - _digest_moment(terms, yesterday)
    return yesterday if missed and late < _STILL_IN_TIME else None


def early_digest_day(terms: DeliveryTerms, now: datetime, last: date | None) -> date | None:
    """The local date whose digest may be made now if nobody waits for its hour, or None."""
    today = now.astimezone(ZoneInfo(terms.timezone)).date()
    return None if is_paused(terms, now) or came_up(today, last) else today


def last_digest_moment(terms: DeliveryTerms, now: datetime) -> date:
    """The latest local date whose digest may have been made, because its hour has come."""
    today = now.astimezone(ZoneInfo(terms.timezone)).date()
    return today if now >= _digest_moment(terms, today) else today - timedelta(days=1)


def next_digest(terms: DeliveryTerms, now: datetime, last: date | None) -> datetime:
    """When a digest is due next, as things stand: `now` when it is due already."""
    begin = max(now, terms.paused_until or now)
    day = begin.astimezone(ZoneInfo(terms.timezone)).date()
    while came_up(day, last):
        day += timedelta(days=1)
    return max(begin, _digest_moment(terms, day))


def week_of_note(terms: DeliveryTerms, now: datetime, *, since: datetime) -> date | None:
    """The Monday of the local week whose note may be sent now, or None.

    For a day from the hour of Monday's digest on, if the user wants notes and has not paused mail:
    so an outage of some hours costs nobody the note, and an old one comes to nobody.  `since` is
    when jobs began to be looked at for this user: not all of the note's seven days, no note.
    """
    if not terms.weekly_note or is_paused(terms, now):
        return None
    monday = _monday(terms, now)
    late = now - _digest_moment(terms, monday)
    is_time = timedelta() <= late < NOTE_LIFE and since <= note_begins(terms, monday)
    return monday if is_time else None


def note_begins(terms: DeliveryTerms, week: date) -> datetime:
    """The begin of the seven days that the note of this week (its Monday) tells of."""
    return _digest_moment(terms, week) - WEEK


def next_note(terms: DeliveryTerms, now: datetime, *, since: datetime) -> datetime:
    """The hour of the next note, paused or not: `now` or later, and a whole week after `since`."""
    monday = _monday(terms, now)
    while _digest_moment(terms, monday) < now or note_begins(terms, monday) < since:
        monday += WEEK
    return _digest_moment(terms, monday)


def _monday(terms: DeliveryTerms, now: datetime) -> date:
    today = now.astimezone(ZoneInfo(terms.timezone)).date()
    return today - timedelta(days=today.weekday())


def tomorrow_morning(terms: DeliveryTerms, now: datetime) -> datetime:
    """Tomorrow at eight by the user's clock, in UTC."""
    zone = ZoneInfo(terms.timezone)
    day = now.astimezone(zone).date() + timedelta(days=1)
    return datetime.combine(day, time(_MORNING), zone).astimezone(UTC)


def in_a_week(terms: DeliveryTerms, now: datetime) -> datetime:
    """The same weekday and minute of the user's clock in a week, in UTC."""
    local = now.astimezone(ZoneInfo(terms.timezone)).replace(second=0, microsecond=0)
    return (local + WEEK).astimezone(UTC)


def came_up(day: date, last: date | None) -> bool:
    """Whether the digest of a local date was made, or passed over, when `last` was the latest."""
    return last is not None and day <= last <= day + _ZONES_APART


def _digest_moment(terms: DeliveryTerms, day: date) -> datetime:
    """When the digest of a local date is due: at its hour, or when the clock jumps over that.

    A date that ends in such a jump (Nuuk goes from 22:59 to 0:00 in spring) is due an hour earlier.
    """
    zone = ZoneInfo(terms.timezone)
    moment = datetime.combine(day, time(terms.digest_hour), zone).astimezone(UTC)
    over = moment.astimezone(zone).date() > day
    return moment - timedelta(hours=1) if over else moment


def retry_delay(attempts: int, retry_after: float | None) -> timedelta:
    """How long a digest waits after its nth failed attempt (n >= 1): 15 min, 1 h, then 4 h.

    A provider's Retry-After (seconds) is honoured when it asks for longer, up to 12 hours.
    """
    delay = _BACKOFF[min(max(attempts, 1), len(_BACKOFF)) - 1]
    return max(delay, asked_wait(retry_after) or delay)


def asked_wait(retry_after: float | None) -> timedelta | None:
    """A provider's Retry-After (seconds) as a time to wait, at most 12 hours."""
    if retry_after is None:
        return None
    return timedelta(seconds=min(max(retry_after, 0.0), LONGEST_WAIT.total_seconds()))
