"""Country names and codes to ISO 3166 alpha-2, and back to English names."""


def country_code(raw: str) -> str | None:
    """The ISO 3166 alpha-2 code of a country written in any known way, else None."""
    raise NotImplementedError


def country_name(code: str) -> str:
    """The English name of an alpha-2 code."""
    raise NotImplementedError
