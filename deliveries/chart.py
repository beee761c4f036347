"""Bars of how many jobs came in how many mails a day: plain values to geometry."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from deliveries.messages.job_card import MONTHS, WEEKDAYS

DAYS: Final = 30
WIDTH: Final = 600
HEIGHT: Final = 110
_ROOM_ABOVE: Final = 10
_GAP: Final = 4
_LEAST: Final = 3


@dataclass(frozen=True, slots=True)
class Bar:
    """One day's bar of jobs, and in it the narrower one of mails; the origin is top left."""

    x: int
    width: int
    y: int
    height: int
    mails_x: int
    mails_width: int
    mails_y: int
    mails_height: int
    on: str
    jobs: int
    mails: int


@dataclass(frozen=True, slots=True)
class Chart:
    """The bars of the days on which something came, the oldest first, and what they say."""

    width: int
    height: int
    bars: tuple[Bar, ...]
    first: str
    last: str
    words: str


def chart_of(counts: Mapping[date, tuple[int, int]], today: date) -> Chart | None:
    """The last thirty days up to `today`, from jobs and mails by day; None when nothing came."""
    begin = today - timedelta(days=DAYS - 1)
    days = {day: found for day, found in sorted(counts.items()) if begin <= day <= today}
    days = {day: found for day, found in days.items() if found[0] > 0}
    if not days:
        return None
    top = max(jobs for jobs, _ in days.values())
    bars = tuple(_bar((day - begin).days, day, *found, top=top) for day, found in days.items())
    return Chart(WIDTH, HEIGHT, bars, _named(begin), _named(today), _in_words(days))


def _bar(place: int, day: date, jobs: int, mails: int, *, top: int) -> Bar:
    step = WIDTH // DAYS
    width, high, low = step - _GAP, _height(jobs, top), _height(mails, top)
    inset = width // 4
    return Bar(
        x=place * step + _GAP // 2,
        width=width,
        y=HEIGHT - high,
        height=high,
        mails_x=place * step + _GAP // 2 + inset,
        mails_width=width - 2 * inset,
        mails_y=HEIGHT - low,
        mails_height=low,
        on=_named(day),
        jobs=jobs,
        mails=mails,
    )


def _height(count: int, top: int) -> int:
    """The share of the room that is left; what is not nothing can be seen."""
    return max(_LEAST, round(count / top * (HEIGHT - _ROOM_ABOVE))) if count else 0


def _in_words(days: Mapping[date, tuple[int, int]]) -> str:
    jobs, mails = (sum(found[part] for found in days.values()) for part in (0, 1))
    best = max(days, key=lambda day: (days[day][0], day))
    most = f"; most on {_named(best)}, {_counted(days[best][0], 'job')}" if len(days) > 1 else ""
    found = f"{_counted(jobs, 'job')} came in {_counted(mails, 'mail')}"
    return f"In the last {DAYS} days {found}{most}."


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _named(day: date) -> str:
    return f"{WEEKDAYS[day.weekday()][:3]} {day.day} {MONTHS[day.month - 1][:3]}"
