"""Which words in a key name which field: a table that grows with every new shape.

A field takes a set of words that holds one of its cores and beyond it nothing but its extras.
"""

from typing import Final, NamedTuple


class Field(NamedTuple):
    """The word sets that name a field, the most telling first, and words that change nothing."""

    cores: tuple[frozenset[str], ...]
    weak: int  # cores from here on are too common to be believed inside other things
    extras: frozenset[str]


_COMMON: Final = (
    "job jobs text label value raw display string formatted name info data upwork field is full"
)
_PAID: Final = (
    "hour hourly rate budget price amount pay range salary compensation estimated total base"
)
_SAID: Final = _PAID.replace("hour hourly ", "") + " fixed payment"
_WHEN: Final = (
    "at on time date timestamp ms ago since relative normalized utc string when epoch vor hace"
)
# Field -> cores, weak cores behind "~" -> words beside them.
_TABLE: Final = {
    "id": ("id|ciphertext|recno ~ reference|guid|key", "legacy native external hash count"),
    "url": (
        "url ~ guid",
        "title public details page web apply external canonical air direct alternate",
    ),
    "marketplace": ("marketplace", "domain"),
    "title": ("title|headline|subject ~ air url|heading|name|job|role", ""),
    "description": (
        (
            "full description|description|content|body|details|snippet|summary|overview|text|short "
            "description|excerpt|preview ~ job|requirements|scope|message|about|mb"
        ),
        "html plain encoded clean original long short preview role snippet excerpt",
    ),
    "skills": (
        "skill ~ attrs|tags|air token|jobs|must have",
        (
            "required mandatory ontology additional preferred tags tools sands category and pretty "
            "top attrs list experience"
        ),
    ),
    "job_type": (
        (
            "type|hourly or fixed ~ unit|job tile info list|engagement|payment|budget text|terms|"
            "period"
        ),
        (
            "payment budget contract price pricing rate engagement compensation salary employment "
            "unit base"
        ),
    ),
    "is_hourly": ("hourly", "contract"),
    "is_fixed": ("fixed", "price contract"),
    "hourly_min": ("hourly min|rate min|hour min", _PAID),
    "hourly_max": ("hourly max|rate max|hour max", _PAID),
    "hourly": ("hourly|rate|price hour|pay hour|budget hour", _PAID + " period"),
    "least": (
        "budget min|price min|amount min|pay min|salary min|fixed min|compensation min|payment min",
        _SAID,
    ),
    "most": (
        (
            "budget max|price max|amount max|pay max|salary max|fixed max|compensation max|"
            "payment max|budget limit|price limit"
        ),
        _SAID,
    ),
    "fixed": ("fixed", "price amount budget total pay estimated"),
    "budget": (
        "budget|price|amount|pay|salary|compensation|reward ~ job tile info list|contract value",
        "range total amount price estimated budget base payout",
    ),
    "currency": (
        "currency",
        _PAID + " fixed code iso symbol min max payment contract",
    ),
    "level": (
        "level|experience|seniority ~ job tile info list",
        "experience level contractor skill required expert freelancer seniority requirements",
    ),
    "duration": (
        "duration ~ engagement|time|job tile info list",
        (
            "estimated engagement hourly fixed price contract expected delivery time execution "
            "project product"
        ),
    ),
    "duration_weeks": ("duration week", "engagement hourly fixed price estimated"),
    "duration_unit": ("duration period|duration unit", ""),
    "duration_days": ("duration day ~ max day", "engagement hourly fixed price estimated"),
    "duration_months": ("duration month", "engagement hourly fixed price estimated"),
    "country": (
        "client country|client location|country|location ~ air badge tagline",
        "location country code iso client alpha profile",
    ),
    "spent": ("spent ~ air badge tagline", "client total amount money usd stats so far"),
    "hires": ("hire|assignments", "client total count past stats so far"),
    "jobs_with_hires": ("jobs with hire|jobs filled", "client total count stats"),
    "posted_jobs": (
        "jobs posted|jobs published|client posted|client jobs count",
        "client total count stats so far",
    ),
    "hire_rate": ("hire rate|hire percent", "client total percent rate stats"),
    "verified": (
        "payment verified|client verified|verified ~ payment|payment method|air badge tagline",
        "client payment method status account",
    ),
    "rating": (
        "client rating|client feedback|rating|feedback|client score|client stars|stars",
        "client total average stats score air feedback reviews rating stars out adjusted",
    ),
    "reviews": ("reviews", "client total count average stats mean"),
    "client_line": ("client ~ about client", "info details summary stats"),
    "proposals": (
        "proposals",
        "client total count level activity range bucket received stats so far",
    ),
    "posted_at": (
        (
            "published|posted|normalized date|created|added|date ~ time|job timestamp|age|"
            "text light|relative"
        ),
        _WHEN,
    ),
    "posted_ago": ("posted ago|age|published ago", "relative time"),
    "minutes_ago": ("minute ago|age minute", "posted published"),
    "hours_ago": ("hours ago|age hours|hour ago|age hour", "posted published"),
    "days_ago": ("day ago|age day", "posted published"),
}


# Words that change nothing elsewhere, but do here: the name beside an id is another thing.
_OTHERS: Final = {"id": frozenset(("name", "text", "label"))}
# Fields that hold money for the work, whose keys may name its currency, and such names.
MONEY: Final = frozenset("hourly_min hourly_max hourly least most fixed budget".split())
CODES: Final = frozenset(
    "usd eur gbp inr aud cad nzd sgd hkd brl mxn pln chf sek nok dkk czk jpy cny rub uah try zar "
    "php idr myr thb ngn pkr aed sar ils".split()
)


def _fields() -> dict[str, Field]:
    table = {}
    for name, (cores, extras) in _TABLE.items():
        strong, _, weak = cores.partition("~")
        sets = [frozenset(core.split()) for part in (strong, weak) for core in part.split("|")]
        kept = tuple(core for core in sets if core)
        common = frozenset((_COMMON + " " + extras).split()) - _OTHERS.get(name, frozenset())
        table[name] = Field(kept, len(strong.split("|")), common)
    return table


FIELDS: Final = _fields()
