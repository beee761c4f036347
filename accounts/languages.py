"""Language names and codes to ISO 639-1; names come from CLDR through Babel."""

from functools import lru_cache
from typing import Final

from babel import Locale, localedata

# What marketplaces and people write besides CLDR's names.
_ALIASES: Final = {
    "bokmål": "nb",
    "castilian": "es",
    "farsi": "fa",
    "filipino": "tl",
    "flemish": "nl",
    "mandarin": "zh",
    "mandarin chinese": "zh",
}


@lru_cache(maxsize=4096)
def language_code(raw: str) -> str | None:
    """The two-letter code of a language named by code, English name or own name; else None."""
    return _table().get(raw.strip().casefold())


def language_name(code: str) -> str:
    """The English name (CLDR) of a two-letter code; an unknown code comes back as it is."""
    return str(Locale("en").languages.get(code, code))


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    names = {code: name for code, name in Locale("en").languages.items() if len(code) == 2}
    own = {
        code: Locale(code).get_language_name() or "" for code in names if localedata.exists(code)
    }
    table = {code: code for code in names} | _ALIASES
    for known in (names, own):
        for code, name in known.items():
            table.setdefault(name.casefold(), code)
    table.pop("", None)
    return table
