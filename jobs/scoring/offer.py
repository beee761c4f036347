"""A search prepared for scoring: what the person offers, wants and rules out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from accounts.terms import SearchTerms
from jobs.scoring.wishes import read_wishes
from jobs.text.crafts import CRAFT_MASKS, crafts_of
from jobs.text.latent import Floats, latent_of_bag
from jobs.text.lexical import Bag, bag, length
from jobs.text.lexicon import stems, weight
from jobs.text.skills import names_of, telling_words
from jobs.text.tongues import CODES, LANGUAGE_MASKS, named_languages
from jobs.text.words import fold

# How much a word counts by where the person wrote it.
_SKILL, _HEADLINE, _WANTS, _ABOUT = 1.0, 1.0, 0.6, 0.35
_UNKNOWN_SKILL: Final = 3.0


@dataclass(frozen=True, slots=True)
class Skill:
    """One offered skill: as written, its folded names, its telling words, its rarity."""

    label: str
    names: tuple[str, ...]
    parts: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Offer:
    """`query` (all words) has length 1; `core` holds skills and headline, `headline` itself.

    The `latent` ones are directions (jobs/text/latent.py): of the query, of the headline, of what
    `wants` rules out.

    `unwanted` maps each phrase ruled out to its bag, without the words of the core.  `crafts`
    are the kinds of work that anything but those phrases speaks of, `languages` those, English
    apart, that anything speaks of; both as masks (CRAFT_MASKS, LANGUAGE_MASKS).
    """

    skills: tuple[Skill, ...]
    query: Bag
    core: Bag
    headline: Bag
    latent: Floats
    latent_headline: Floats
    latent_unwanted: Floats
    unwanted: Mapping[str, Bag]
    languages: np.uint64
    crafts: np.uint16


_known: Final[dict[SearchTerms, Offer]] = {}
_MOST_KNOWN: Final = 20_000


def prepare(search: SearchTerms) -> Offer:
    """The offer in `search`, from its words alone; without skills, `words_any` stand in.

    A process works out each one once.
    """
    offer = _known.get(search)
    if offer is None:
        offer = _prepared(search)
        remember(search, offer)
    return offer


def is_prepared(search: SearchTerms) -> bool:
    """Whether this process knows the offer."""
    return search in _known


def remember(search: SearchTerms, offer: Offer) -> None:
    """Let this process know an offer that was worked out before."""
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[search] = offer


def forget() -> None:
    """Let this process know no offer."""
    _known.clear()


def _prepared(search: SearchTerms) -> Offer:
    labels = search.skills or search.words_any
    wants, about = read_wishes(search.wants), read_wishes(search.about)
    skills, headline = bag(fold(" ".join(labels))), bag(fold(search.headline))
    core = _merged((skills, _SKILL), (headline, _HEADLINE))
    query = _merged((core, 1.0), (bag(wants.wanted), _WANTS), (bag(about.wanted), _ABOUT))
    size = length(query)
    query = {root: value / size for root, value in query.items()}
    wanted = (search.headline, *labels, wants.wanted, about.wanted)
    phrases = {p: _bag_without(p, core) for p in wants.unwanted}
    return Offer(
        skills=tuple(map(_skill, labels)),
        query=query,
        core=core,
        headline=headline,
        latent=latent_of_bag(query),
        latent_headline=latent_of_bag(headline),
        latent_unwanted=latent_of_bag(bag(" ".join(wants.unwanted))),
        unwanted={phrase: found for phrase, found in phrases.items() if found},
        languages=_languages(search),
        crafts=np.uint16(CRAFT_MASKS.of(crafts_of(fold(" ".join(wanted))))),
    )


def _skill(label: str) -> Skill:
    weights = [weight(root) for root in stems(fold(label))]
    return Skill(label, names_of(label), telling_words(label), max(weights, default=_UNKNOWN_SKILL))


def _merged(*bags: tuple[Bag, float]) -> dict[str, float]:
    merged: dict[str, float] = {}
    for words, factor in bags:
        for root, value in words.items():
            merged[root] = max(merged.get(root, 0.0), factor * value)
    return merged


def _bag_without(phrase: str, core: Bag) -> dict[str, float]:
    return {root: weight(root) for root in stems(phrase) if root not in core}


def _languages(search: SearchTerms) -> np.uint64:
    written = " ".join((search.headline, search.about, search.wants, *search.skills))
    chosen = {CODES[code] for code in search.languages if code in CODES}
    return np.uint64(LANGUAGE_MASKS.of(named_languages(fold(written)) | chosen))
