"""Where the worker has to be, as a post's text says it: read carefully, or not at all.

Only sentences that ask something of the worker count: "must be based in Germany", "US only",
"looking for a UK-based designer", "open only to candidates in the EU".  Where the client sits,
whom the product is for, what is preferred and time zones say nothing.  A list of places with one
that is not known is no limit at all.
"""

import re
from functools import lru_cache
from typing import Final

from accounts.countries import ALIASES, country_code, country_names
from jobs.text.regions import REGIONS

# Names that are more often something else: a state, a person, a word.
_DOUBTFUL: Final = frozenset("Georgia Jordan Chad Guinea Niger Jersey Lao Congo America".split())
_SHORT: Final = {"US", "U.S.", "U.S", "USA", "U.S.A.", "UK", "U.K.", "U.K", "UAE", "U.A.E."}
_WORKER: Final = (
    r"(?:freelancers?|candidates?|applicants?|contractors?|developers?|designers?|engineers?|"
    r"consultants?|experts?|specialists?|professionals?|writers?|copywriters?|editors?|"
    r"translators?|assistants?|individuals?|talents?|programmers?|analysts?|scientists?|managers?|"
    r"narrators?|voice(?:over)? (?:artist|actor|talent)s?|actors?|tutors?|attorneys?|lawyers?|"
    r"accountants?|bookkeepers?|architects?|marketers?|recruiters?|photographers?|coders?|someone|"
    r"somebody|workers?|tech leads?)"
)
_BEING: Final = r"(?:(?:physically|currently|legally|permanently|already) )*"
_IN: Final = (
    rf"{_BEING}(?:be )?{_BEING}(?:based|located|living|residing|resident|live|reside)"
    r"(?: out)?,? (?:in|of|within|inside)"
)
_BEGIN: Final = r"(?:^|(?<=[\n.!?:;•*|()\[\]\-–—]))[^\w\n(]*"
_VERB: Final = r"(?:seeking|looking for|looking to hire|hiring|hire|need|require|want|in search of)"


@lru_cache(maxsize=1)
def _places() -> dict[str, frozenset[str]]:
    """Every place that is understood, as written, with its countries."""
    names = {name for name in country_names() if name not in _DOUBTFUL}
    listed = {alias for aliases in ALIASES.values() for alias in aliases.split(";")}
    names |= {alias for alias in listed if len(alias) > 3 and alias not in _DOUBTFUL}
    table = {name: code for name in names if (code := country_code(name)) is not None}
    table |= {name.upper(): code for name, code in table.items() if len(name) > 4}
    table |= {name: "US" if name[:2] in ("US", "U.") and "S" in name else "" for name in _SHORT}
    table |= dict.fromkeys(("UK", "U.K.", "U.K"), "GB") | dict.fromkeys(("UAE", "U.A.E."), "AE")
    return {name: frozenset({code}) for name, code in table.items()} | dict(REGIONS)


# `@` is a list of places, WORKER, IN, SEEK and BEGIN stand for the pieces above; case is folded
# but in the places ("us" is no country).
_RULES: Final = (
    r"(?:BEGIN|WORKER |you |who |they |and |applying: |please |position )must (?:also )?IN @",
    r"(?:you |candidates? |freelancers? |applicants? |BEGIN)must be from @",
    r"must (?:also )?be an? @ (?:resident|citizen|national)s?\b",
    r"SEEK (?:an? |our |some )?(?:[^.!?,;:()\n]+? )??WORKER (?:(?:who|that) (?:is|are) )?IN @",
    r"SEEK (?:an? )?@[- ]?based (?:[^.!?,;:()\n]+? )??WORKER\b",
    (
        r"only (?:open to |for |hiring |accepting |considering |work(?:ing)? with |contract with )*"
        r"(?:WORKER|people|those|persons) (?:who (?:are|live) |that are )?(?:IN|from|in) @"
    ),
    r"(?:open|available) only to (?:WORKER|people|those|residents) (?:IN|from|in|of) @",
    r"only apply if you (?:are |live |reside )?(?:IN|from|in) @",
    r"not (?:considering|accepting) WORKER BEING(?:based |located )?outside (?:of )?@",
    r"only @[- ](?:based )?(?:WORKER|residents|citizens|nationals)\b",
    r"@[- ](?:based )?(?:WORKER|residents|citizens|nationals) only\b",
    r"BEGIN@[- ]based only\b",
    r"(?:location|remote)\W{1,4}(?:remote\W{1,4})?only (?:in |from |within )?@",
    r"(?:location|remote)\W{1,4}(?:remote\W{1,4})?@(?:[- ]based)? only\b",
    r"\A\W*@ only\b(?=\s*[-–—:|!)\]])",
    r"\A[^\n]*\bWORKER\b[^\n]*[(\[|:,–—-]\s*@(?:[- ]based)? only\b",
    r"(?:\n|[.!?]\s)[\s•*-]*@(?:[- ]based)? only(?:,? please)?(?=\s*[.!\n]|\Z)",
    r"(?:BEGIN|WORKER |you |who |they )must be (?:[^.!?,;\n]{1,40}? and )?@[- ]based\b",
)


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each rule behind a word without which it cannot hold."""
    names = sorted(_places(), key=len, reverse=True)
    place = rf"(?:[Tt]he )?(?:{'|'.join(map(re.escape, names))})(?![\w&])"
    joint = r"(?i:\s*/\s*|\s*,?\s*(?:and|or)\s+(?:elsewhere )?(?:within )?(?:in )?|\s*,\s*)"
    where = rf"(?P<where>{place}(?:{joint}{place})*)"
    pieces = {"WORKER": _WORKER, "BEING": _BEING, "IN": _IN, "SEEK": _VERB, "BEGIN": _BEGIN}
    found = []
    for rule in _RULES:
        whole = re.sub("|".join(pieces), lambda piece: pieces[piece[0]], rule)
        before, after = whole.split("@")
        key = next((word for word in ("must", "only", "outside") if word in rule), "")
        found.append((key, re.compile(f"(?i:{before}){where}(?i:{after})")))
    return tuple(found)


_QUICK: Final = re.compile(r"(?i)\b(?:only|must|based|located|living|outside)\b|\bresid")
# What takes a limit back: another choice, a wish, a time zone, or whom the place belongs to.
_AFTER: Final = re.compile(
    r"(?i)^[^.!?\n;]{0,40}?\b(?:prefer\w*|ideal\w*|a plus|bonus|time ?-?zones?|hours|similar|"
    r"anywhere|elsewhere|etc|overlap|not required|not necessary|but we|also consider)\b|"
    r"^\s*(?:,\s*)?(?:or|and/or)\b|"
    r"^\s*[-–]?\s*(?:market|clients?|customers?|compan|business|users?)|"
    r"^,\s*(?-i:[A-Z])"
)
_BEFORE: Final = re.compile(
    r"(?i)(?:prefer\w*|ideally|bonus|\bif\b|\bnot\b|n't|nice to have|a plus|\bno need\b|"
    r"\bship\w*|\bmarkets?\b|\btarget\w*|\baudience|\bcustomers?|\bclients?|\bdata\b)"
    r"[^.!?\n]{0,40}$"
)
_NOT_ABOUT_WORKERS: Final = re.compile(
    r"(?i)\b(?:leads?|prospect\w*|influencers?|contacts?|e-?mails?|scrap\w+|list of|database of|"
    r"companies|creators|reviewers?)\b"
)


def worker_places(title: str, description: str) -> frozenset[str]:
    """The countries in which a post's text says that the worker must be; empty: not stated."""
    text = f"{title}\n{description}"
    if not _QUICK.search(text):
        return frozenset()
    folded = text.casefold()
    for key, rule in _rules():
        for found in rule.finditer(text) if key in folded else ():
            if countries := _limit(title, text, found):
                return countries
    return frozenset()


def _limit(title: str, text: str, found: re.Match[str]) -> frozenset[str]:
    begun = text[max(0, found.start() - 60) : found.start()]
    clause = text[found.start() : found.start("where")]
    if _AFTER.search(text[found.end() : found.end() + 60]) or _BEFORE.search(begun):
        return frozenset()
    if not re.search(rf"(?i:{_WORKER}|you|who)", clause) and _NOT_ABOUT_WORKERS.search(title):
        return frozenset()
    return countries_of(found["where"])


def countries_of(listed: str) -> frozenset[str]:
    """The countries of a list of places such as "US, Canada or the EU"; empty if one is unknown."""
    places = _places()
    parts = re.split(r"\s*/\s*|\s*,\s*(?:and |or )?|\s+(?:and|or)\s+", listed.strip())
    plain = [re.sub(r"^(?:elsewhere )?(?:within |in )?(?:[Tt]he )?", "", p.strip()) for p in parts]
    known = [places.get(part) for part in plain if part]
    if not known or None in known:
        return frozenset()
    return frozenset().union(*(part for part in known if part is not None))
