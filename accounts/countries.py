"""Country names and codes to ISO 3166 alpha-2, and back to English names.

Names come from CLDR through Babel, alpha-3 and withdrawn codes from CLDR's territory aliases;
ALIASES adds what marketplaces write besides.  Tables are built on first use.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from babel import Locale
from babel.core import get_global

LANGUAGES: Final = (
    "en es pt fr de it ar uk ru nl pl tr zh ja he hi id ro sv ko fa cs hu vi da fi nb el".split()
)

# Territories of CLDR that are no countries.
_NO_COUNTRY: Final = frozenset({"CQ", "EA", "EU", "EZ", "IC", "QO", "UN", "XA", "XB", "ZZ"})

_NOT_STATED: Final = frozenset(
    "n/a;n.a.;na;n/d;none;null;nan;nil;-;--;?;unknown;other;stub;worldwide;anywhere;anywhere in "
    "the world;global;remote;any;all;everywhere;location;international;multiple".split(";")
)

# "Denver, CO" is no Colombia: after a comma a state's letters do not name a country.
_US_STATES: Final = frozenset(
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ "
    "NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY".split()
)

# ISO 3166's official and inverted names, former names, and everyday ones that CLDR lacks.
ALIASES: Final = {
    "AE": "UAE;Emirates;الإمارات;الامارات",
    "BA": "Bosnia;Bosnia Herzegovina",
    "BN": "Brunei Darussalam",
    "CD": "Congo, the Democratic Republic of the;Democratic Republic of the Congo;DR Congo;DRC;"
    "Congo, Democratic Republic of the;Congo, Dem. Rep.;Congo (DRC);Congo (Kinshasa);Zaire",
    "CG": "Congo;Republic of the Congo;Congo, Republic of the;Congo (Brazzaville)",
    "CI": "Ivory Coast;Cote d'Ivoire",
    "CV": "Cape Verde;Cabo Verde",
    "CW": "Curacao",
    "CZ": "Czech Republic;Czechia",
    "FK": "Falkland Islands (Malvinas)",
    "FM": "Federated States of Micronesia",
    "GB": "UK;U.K.;Great Britain;Britain;England;Scotland;Wales;Northern Ireland;"
    "United Kingdom of Great Britain and Northern Ireland",
    "HK": "Hong Kong;Hong Kong SAR",
    "IE": "Republic of Ireland",
    "IR": "Iran, Islamic Republic of",
    "KN": "St Kitts and Nevis;Saint Kitts and Nevis",
    "KP": "Korea, Democratic People's Republic of;North Korea;DPRK",
    "KR": "Korea;Korea, Republic of;Republic of Korea;South Korea;한국",
    "LA": "Lao People's Democratic Republic;Lao",
    "LC": "Saint Lucia",
    "MD": "Republic of Moldova;Moldova, Republic of",
    "MF": "Saint Martin (French part)",
    "MK": "Macedonia;Republic of Macedonia;FYROM;"
    "Macedonia, the former Yugoslav Republic of;The former Yugoslav Republic of Macedonia",
    "MM": "Burma;Myanmar",
    "MO": "Macau;Macao",
    "NL": "Holland",
    "PN": "Pitcairn",
    "PS": "Palestinian Territories;Palestine;State of Palestine;Palestinian Territory, Occupied;"
    "Palestinian Territory",
    "RU": "Russian Federation;РФ",
    "SA": "KSA;السعودية",
    "SH": "Saint Helena;Saint Helena, Ascension and Tristan da Cunha",
    "ST": "Sao Tome and Principe",
    "SX": "Sint Maarten (Dutch part);Sint Maarten",
    "SY": "Syrian Arab Republic",
    "SZ": "Swaziland",
    "TL": "East Timor;Timor-Leste",
    "TR": "Turkey;Turkiye",
    "TW": "Taiwan, Province of China;Taiwan, ROC",
    "TZ": "United Republic of Tanzania",
    "US": "USA;U.S.A.;U.S.;United States of America;America;Estados Unidos da America;EE.UU.;EEUU;"
    "EUA;США;أمريكا;امريكا;Etats-Unis d'Amerique",
    "VA": "Vatican;Holy See;Holy See (Vatican City State)",
    "VC": "St Vincent and the Grenadines;Saint Vincent and the Grenadines",
    "VG": "Virgin Islands, British",
    "VI": "Virgin Islands, U.S.;United States Virgin Islands",
    "VN": "Viet Nam",
}

_LABEL: Final = re.compile(
    r"^(?:client |buyer )?(?:location|country|pays|pa[ií]s)\b[\s:]*", re.IGNORECASE
)
_PARENTHESIS: Final = re.compile(r"\([^()]*\)")
_BETWEEN: Final = re.compile(r"[,\n|•()]| [-–] ")
_LONGEST: Final = 120


def country_code(raw: str) -> str | None:
    """The ISO 3166 alpha-2 code of a country as any source writes it, or None.

    Takes names in the LANGUAGES, alpha-2 and alpha-3 codes in any case, former names, and places
    such as "Doha, Qatar" or "United States, Dillon".  "Worldwide", "N/A" and unknown words give
    None.  Every code it returns is given back unchanged.  Never raises.
    """
    return _code(raw.strip()) if len(raw) <= _LONGEST else None


def country_name(code: str) -> str:
    """The English name (CLDR) of an alpha-2 code; an unknown code comes back as it is."""
    return str(Locale("en").territories.get(code, code))


@lru_cache(maxsize=1)
def country_names() -> tuple[str, ...]:
    """The English names of all countries, in their order."""
    return tuple(sorted(map(country_name, _alpha2())))


@lru_cache(maxsize=4096)
def _code(text: str) -> str | None:
    if text in _alpha2():
        return text
    text = _LABEL.sub("", text)
    if not text or text.casefold() in _NOT_STATED:
        return None
    return _named(text) or _in_place(text)


def _in_place(text: str) -> str | None:
    """The country of "city, country" or "country, city"; the last part counts first."""
    parts = [part.strip() for part in _BETWEEN.split(text)]
    if len(parts) == 1:
        return None
    parts = [part for part in parts if part] or parts
    for part in (parts[-1], parts[0]):
        if part in _US_STATES and part not in _alpha2():
            return "US"  # "Austin, TX"
        found = None if part.upper() in _US_STATES else _named(part)
        if found:
            return found
    return None


def _named(text: str) -> str | None:
    """The code of a whole name or code."""
    for form in (text, _PARENTHESIS.sub(" ", text)):
        key = _key(form)
        if key and (found := _english().get(key) or _foreign().get(key)):
            return found
    return None


@lru_cache(maxsize=1)
def _alpha2() -> frozenset[str]:
    names = map(str, Locale("en").territories)
    return frozenset(
        code for code in names if len(code) == 2 and code.isalpha() and code not in _NO_COUNTRY
    )


@lru_cache(maxsize=1)
def _english() -> dict[str, str]:
    """Keys of aliases, codes and English names, the earlier of two equal keys winning."""
    table: dict[str, str] = {}
    for code, names in ALIASES.items():
        for name in names.split(";"):
            table.setdefault(_key(name), code)
    for code in _alpha2():
        table.setdefault(code.casefold(), code)
    for old, new in get_global("territory_aliases").items():
        if old.isalpha() and len(new) == 1 and new[0] in _alpha2():
            table.setdefault(old.casefold(), str(new[0]))
    for key, code in _names_in("en"):
        table.setdefault(key, code)
    return table


@lru_cache(maxsize=1)
def _foreign() -> dict[str, str]:
    """Keys of the names in all other languages; loaded when English did not answer."""
    table: dict[str, str] = {}
    for language in LANGUAGES[1:]:
        for key, code in _names_in(language):
            table.setdefault(key, code)
    return table


def _names_in(language: str) -> Iterator[tuple[str, str]]:
    territories = Locale.parse(language).territories
    for code in sorted(_alpha2()):
        name = territories.get(code, "")
        yield _key(name), code
        yield _key(_PARENTHESIS.sub(" ", name)), code


def _key(name: str) -> str:
    """A name without case, accents, punctuation, "the" and the spelling of "saint" and "and"."""
    plain = unicodedata.normalize("NFKD", name.casefold()).replace("&", " and ")
    kept = "".join(c for c in plain if not unicodedata.combining(c) and c not in ".'’`")
    words = ["saint" if w == "st" else w for w in re.findall(r"\w+", kept)]
    return " ".join(words[1:] if words[:1] == ["the"] else words)
