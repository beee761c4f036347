"""The numbers by which a pair is scored: one row a job, one column a feature."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from accounts.terms import SearchTerms
from jobs.scoring.offer import Offer, prepare
from jobs.table import JobTable
from jobs.text.latent import SCALE
from jobs.text.lexical import Floats, covered, found, likeness
from jobs.text.signs import MANY_TAGS, NO_TEXT, SHORT_TEXT, LanguageMasks
from jobs.text.words import WordIndex

# The rarity (lexicon.weight) from which a phrase that is ruled out tells by itself.
_TELLING: Final = 4.5
# What tags count for when a post's own words bear none of them out: many posts carry stock tags.
_UNBACKED: Final = 0.15
# Tags speak alone when there are this many and neither title nor text comes near the search.
_STOCK_TAGS: Final = 6
_BORNE_OUT: Final = {"headline_in_title": 0.05, "text_likeness": 0.04}

Bools = NDArray[np.bool_]
Places = NDArray[np.intp]

NAMES: Final = (
    "title_likeness",
    "tags_likeness",
    "text_likeness",
    "latent_likeness",
    "latent_headline",
    "latent_unwanted",
    "title_covered",
    "tags_covered",
    "text_covered",
    "headline_in_title",
    "skills_in_tags",
    "skills_named",
    "rate_over_floor",
    "money_not_stated",
    "many_tags",
    "no_text",
    "short_text",
    "other_languages_named",
    "other_language_in_title",
    "tied_to_a_place",
    "spoken_against",
    "other_crafts_in_title",
)


@dataclass(frozen=True)
class SkillHits:
    """Which names of skills occur where, for the jobs at `cols` (ascending) of a table."""

    index: WordIndex
    cols: Places
    titles: Bools
    tags: Bools
    bodies: Bools

    @classmethod
    def of(cls, searches: Sequence[SearchTerms], table: JobTable, cols: Places) -> Self:
        """One pass over each of the jobs' texts for the skills of all searches."""
        skills = [skill for search in searches for skill in prepare(search).skills]
        index = WordIndex(word for skill in skills for word in (*skill.names, *skill.parts))
        fields = (table.titles, table.tags, table.bodies)
        return cls(index, cols, *(index.hits([field[c] for c in cols]) for field in fields))

    def named(self, search: SearchTerms, cols: Places) -> "Named":
        """Where each job at `cols` (which must be among ours) names each skill of `search`."""
        skills = prepare(search).skills
        at = np.searchsorted(self.cols, cols)
        names = [self.index.rows(skill.names) for skill in skills]
        parts = [self.index.rows(skill.parts) for skill in skills]
        fields = (self.titles, self.tags, self.bodies)
        title, tags, body = (_any_of(matrix, names, at) for matrix in fields)
        near = np.logical_or.reduce([_any_of(matrix, parts, at) for matrix in fields])
        return Named(title, tags, body, near)


@dataclass(frozen=True)
class Named:
    """Skills by pairs: named in title, tags, description; or `near`, by a telling word."""

    title: Bools
    tags: Bools
    body: Bools
    near: Bools

    def only_tagged(self, text_length: Floats) -> Bools:
        """Pairs whose skills stand among the tags only, though there is a text to name them."""
        told = (self.title | self.body).any(axis=0)
        answer: Bools = self.tags.any(axis=0) & ~told & (text_length >= SHORT_TEXT)
        return answer


def _any_of(matrix: Bools, groups: Sequence[Sequence[int]], at: Places) -> Bools:
    """For each group of rows (G) and column (N): whether any of the group's rows is set."""
    answer = np.zeros((len(groups), len(at)), dtype=np.bool_)
    for g, rows in enumerate(groups):
        answer[g] = np.logical_or.reduce(matrix[rows], axis=0)[at]
    return answer


def features(search: SearchTerms, table: JobTable, cols: Places, named: Named) -> Floats:
    """The features NAMES (columns) of `search` with each of the jobs at `cols` (rows).

    Rounded, so that the order in which floats are added cannot show.
    """
    offer = prepare(search)
    parts = {
        **_likenesses(offer, table),
        **_money(search, table),
        **_signs(offer, table),
    }
    chosen = {name: values[cols] for name, values in parts.items()} | _skills(offer, named)
    unbacked = named.only_tagged(table.signs.text_length[cols])
    for name in ("tags_likeness", "tags_covered", "skills_in_tags"):
        chosen[name] = np.where(unbacked, _UNBACKED * chosen[name], chosen[name])
    rows: Floats = np.column_stack([chosen[name] for name in NAMES])
    return rows.round(9)


def tags_alone(rows: Floats, table: JobTable, cols: Places, named: Named) -> Bools:
    """Pairs (`features` in `rows`) for which nothing but a long list of tags speaks."""
    alone = named.only_tagged(table.signs.text_length[cols])
    alone &= table.signs.tag_count[cols] >= _STOCK_TAGS
    for name, least in _BORNE_OUT.items():
        alone &= rows[:, NAMES.index(name)] < least
    return alone


def _likenesses(offer: Offer, table: JobTable) -> dict[str, Floats]:
    lexical = table.lexical
    query, core = lexical.dense(offer.query), lexical.dense(offer.core)
    headline = lexical.dense(offer.headline)
    whole, head = (table.prepared.headers[name] for name in ("latent", "latent_head"))
    return {
        "title_likeness": likeness(lexical.titles, query),
        "tags_likeness": likeness(lexical.tags, query),
        "text_likeness": likeness(lexical.bodies, query),
        "latent_likeness": whole @ offer.latent / SCALE,
        "latent_headline": head @ offer.latent_headline / SCALE,
        "latent_unwanted": whole @ offer.latent_unwanted / SCALE,
        "title_covered": covered(lexical.titles, core),
        "tags_covered": covered(lexical.tags, core),
        "text_covered": covered(lexical.bodies, query),
        "headline_in_title": found(lexical.titles, headline, sum(offer.headline.values())),
    }


def _unwanted(offer: Offer, table: JobTable) -> Bools:
    """Whether the title holds all words of a telling phrase that is ruled out."""
    named = np.zeros(len(table), dtype=np.bool_)
    for phrase in offer.unwanted.values():
        if (total := sum(phrase.values())) > _TELLING:
            named |= found(table.lexical.titles, table.lexical.dense(phrase), total) > 0.99
    return named


def _skills(offer: Offer, named: Named) -> dict[str, Floats]:
    """Rarity of the skills among the tags, up to 20, and the logarithm of how many are named."""
    weights = np.array([skill.weight for skill in offer.skills], dtype=np.float64)
    tags = (weights[:, None] * named.tags).sum(axis=0)
    count = (named.title | named.tags | named.body).sum(axis=0)
    return {"skills_in_tags": np.minimum(tags, 20), "skills_named": np.log1p(count)}


def _money(search: SearchTerms, table: JobTable) -> dict[str, Floats]:
    """The logarithm of rate over floor, 0 where either is not stated, and whether money is."""
    floor = max(0.0, float(search.min_hourly or 0))
    over = np.log(np.maximum(table.hourly, 0.5) / floor) if floor else np.zeros(len(table))
    return {
        "rate_over_floor": np.nan_to_num(np.clip(over, -2, 1.5)),
        "money_not_stated": (np.isnan(table.hourly) & np.isnan(table.budget)) * 1.0,
    }


def _signs(offer: Offer, table: JobTable) -> dict[str, Floats]:
    signs, size = table.signs, table.signs.text_length
    others = np.bitwise_count(signs.text_languages & ~offer.languages)
    crafts = np.bitwise_count(signs.title_crafts & ~offer.crafts)
    return {
        "many_tags": np.maximum(0, signs.tag_count - MANY_TAGS),
        "no_text": (size < NO_TEXT) * 1.0,
        "short_text": ((size >= NO_TEXT) & (size < SHORT_TEXT)) * 1.0,
        "other_languages_named": np.minimum(2.0, others),
        "other_language_in_title": _any_other(signs.title_languages, offer) * 1.0,
        "tied_to_a_place": signs.place * 1.0,
        "spoken_against": _against(offer, table),
        "other_crafts_in_title": crafts * 1.0,
    }


def _any_other(languages: LanguageMasks, offer: Offer) -> Bools:
    """Whether each set has a language that the person does not mention."""
    return (languages & ~offer.languages) > 0


def _against(offer: Offer, table: JobTable) -> Floats:
    """How many plain reasons against a job there are: another language, a place to be at, …"""
    signs = table.signs
    foreign = _any_other(table.written, offer), _any_other(signs.demanded, offer)
    reasons = (*foreign, signs.on_site, signs.study, table.placeholder, _unwanted(offer, table))
    count: Floats = np.sum(reasons, axis=0, dtype=np.float64)
    return count
