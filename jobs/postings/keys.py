"""What a key means by its words and by those of the keys around it.

A key's words, and those of the objects around it, make one set: `client: {totalSpent}`,
`clientTotalSpent` and "Total spent by client" are {client, total, spent}.  `field_words` says
which sets name which field.
"""

import re
from functools import lru_cache
from typing import Final

from jobs.postings.field_words import CODES, FIELDS
from jobs.postings.lexicon import is_known, plain, words

DEEPEST: Final = 10  # keys on the way to a value
# Objects beside the job: other jobs, other people, the request.
_ASIDE: Final = frozenset(
    "annotation annotations commitment applicantsbidsstats attachments buyerjobs categories "
    "category categorygroup clientrelation contractorinfo currentuser currentuserinfo "
    "enqueuedfrom error errors filters freelancer freelancerclientrelation freelancerinfo group "
    "groups headers input occupation occupations openjobs organizationextra pageinfo pagination "
    "params preferredqualifications qualifications query questions relatedjobs request "
    "requestbody requestheaders responseheaders sandsjobpost search searchparams "
    "segmentationdata similarjobs subcategory user viewer weeklybudget weeklyretainerbudget "
    "workhistory worklocation".split()
)
# Words of objects that only wrap.
_WRAPS: Final = frozenset(
    "job node data info item items tile attrs field fields properties props page state payload "
    "result results response body record entry post details auth extra extended sands upwork "
    "history content document doc source hit object marketplace value fact facts meta summary "
    "about overview custom parameters specs json detail dom".split()
)
# Words of keys that hold other jobs than this one.
_OTHERS: Final = frozenset("other similar related recommended history past previous".split())
_JOBS: Final = frozenset(("job", "jobs"))
# Words that say no more than that a key holds an object.
_KINDS_OF_OBJECTS: Final = frozenset("profile card box block section panel snapshot".split())
_TEXTS: Final = frozenset("title description skills".split())
_UNKNOWN: Final = 2  # words of a key
_BEGINNING: Final = re.compile(r"[A-Za-z]{1,12}[_.:]")
_FEWEST: Final = 4  # keys that tell a prefix


def is_of_others(key: str) -> bool:
    """Whether a key holds other jobs than the one its object is about."""
    said = words(key)
    return not _OTHERS.isdisjoint(said) and not _JOBS.isdisjoint(said)


@lru_cache(maxsize=4096)
def prefix(names: tuple[object, ...]) -> str:
    """What most keys of an object begin with, `op_` say, where it means nothing."""
    keys = [key for key in names if isinstance(key, str)]
    starts = [found[0] for key in keys if (found := _BEGINNING.match(key))]
    if len(starts) < _FEWEST or 2 * len(starts) < len(keys):
        return ""
    start = max(starts, key=starts.count)
    if starts.count(start) < _FEWEST or 2 * starts.count(start) < len(keys):
        return ""
    return "" if any(map(is_known, words(start))) else start


@lru_cache(maxsize=16384)
def meaning(path: tuple[str, ...]) -> tuple[tuple[str, int, int], ...] | None:
    """The fields a path of keys may name, each with a penalty and the place of its core.

    None when the last key begins something beside the job.
    """
    *around, last = path
    if (plain(last) in _ASIDE or is_of_others(last)) and len(path) < DEEPEST:
        return None
    if not words(last):
        return ()
    bag = {word for word in words(last) if word != "cents" and word not in CODES}
    ignored = 0
    for key in around:
        parts = set(words(key)) - _WRAPS
        if parts == {"posted"} and "job" in words(key):
            continue  # "postedJob" wraps a job
        if any(map(is_known, parts)):
            bag |= parts - _KINDS_OF_OBJECTS
        else:
            ignored += bool(parts) or not words(key)
    if named := _named(bag, ignored):
        return named
    return _named_in_part(bag, ignored) if any(map(is_known, words(last))) else ()


def _named_in_part(bag: set[str], ignored: int) -> tuple[tuple[str, int, int], ...]:
    """The texts that a key names with one or two unknown words beside, believed last."""
    known = set(filter(is_known, bag))
    if not known or not 0 < len(bag) - len(known) <= _UNKNOWN:
        return ()
    return tuple(
        (name, 3 + penalty, core)
        for name, penalty, core in _named(known, ignored)
        if name in _TEXTS and core < FIELDS[name].weak
    )


def _named(bag: set[str], ignored: int) -> tuple[tuple[str, int, int], ...]:
    named = []
    for name, field in FIELDS.items():
        for place, core in enumerate(field.cores):
            if core <= bag and bag - core <= field.extras:
                weak = place >= field.weak
                if weak and ignored:
                    break
                named.append((name, ignored + weak, place))
                break
    return tuple(named)
