"""Language names and codes to ISO 639-1; names come from CLDR through Babel."""

from functools import lru_cache

from babel import Locale


def language_code(raw: str) -> str | None:
    """The two-letter code of a language named by code, English name or own name; else None."""
    return _table().get(raw.strip().casefold())


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for code, name in Locale("en").languages.items():
        if len(code) == 2:
            table |= {code: code, name.casefold(): code}
            own = Locale.parse(code, sep="-").get_language_name() if _known(code) else None
            if own:
                table.setdefault(own.casefold(), code)
    return table


def _known(code: str) -> bool:
    try:
        Locale.parse(code)
    except Exception:  # noqa: BLE001 -- Babel raises various errors for locales it has no data for
        return False
    return True
