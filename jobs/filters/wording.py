"""Words of the filters' sentences: so many of something, and countries as they stand in one."""

from typing import Final

from accounts.countries import country_name

_WITH_ARTICLE: Final = frozenset(
    "AE BS CC CF CK DO FK FO GB GM IM KM KY MH MP MV NL PH SB SC TC TF UM US VG VI".split()
)


def counted(number: int, noun: str) -> str:
    """So many of something: `1 hour`, `2 hours`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def last_hours(hours: int) -> str:
    """`the last hour`, `the last 24 hours`."""
    return "the last hour" if hours == 1 else f"the last {hours} hours"


def country(code: str) -> str:
    """A country as it stands in a sentence: `Germany`, `the United States`."""
    return f"the {country_name(code)}" if code in _WITH_ARTICLE else country_name(code)
