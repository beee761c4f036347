"""Parts of the world as clients name them, in countries (ISO 3166 alpha-2).

Where people differ about a region's edge (Turkey, the Caucasus, Cyprus) the country is in it: a
limit must not keep out somebody whom the client would take.
"""

from typing import Final

_EU: Final = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE"
_EUROPE: Final = (
    _EU + " GB CH NO IS LI AL BA ME MK RS XK MD UA BY AD MC SM VA TR RU GE AM AZ GI FO IM JE GG"
)
_CENTRAL: Final = "MX GT BZ SV HN NI CR PA"
_SOUTH: Final = "AR BO BR CL CO EC GY PY PE SR UY VE GF FK"
_CARIBBEAN: Final = "CU DO HT JM PR TT BB BS GD LC VC AG DM KN AW CW GP MQ KY VI VG TC"
_LATIN: Final = f"{_CENTRAL} {_SOUTH} {_CARIBBEAN}"
_NORTH: Final = "US CA"
_GULF: Final = "AE SA QA KW BH OM"

REGIONS: Final = {
    name: frozenset(countries.split())
    for names, countries in {
        "EU;E.U.;European Union;the EU": _EU,
        "EEA": _EU + " NO IS LI",
        "Europe;EUROPE": _EUROPE,
        "Eastern Europe;Central and Eastern Europe;CEE": (
            "AL BA BG BY CZ EE GE HR HU LT LV MD ME MK PL RO RS RU SI SK UA XK AM AZ GR AT TR"
        ),
        "Western Europe": "AT BE CH DE DK ES FI FR GB IE IS IT LI LU MC NL NO PT SE AD GR MT SM",
        "Scandinavia;Nordics;the Nordics": "DK SE NO FI IS FO",
        "DACH": "DE AT CH LI",
        "Benelux": "BE NL LU",
        "LATAM;LatAm;Latam;Latin America;LATIN AMERICA": _LATIN,
        "South America;SOUTH AMERICA": _SOUTH,
        "Central America": _CENTRAL,
        "North America;NORTH AMERICA": f"{_NORTH} {_CENTRAL} {_CARIBBEAN}",
        "GCC": _GULF,
    }.items()
    for name in names.split(";")
}
