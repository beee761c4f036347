"""The numbers by which a pair is scored: one row a job, one column a feature."""

from dataclasses import dataclass, fields, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from accounts.terms import SearchTerms
from jobs.scoring.naming import Named
from jobs.scoring.offer import Offer, prepare
from jobs.table import JobTable
from jobs.text.latent import SCALE
from jobs.text.lexical import Floats, Lexical, covered, found, likeness
from jobs.text.signs import MANY_TAGS, NO_TEXT, SHORT_TEXT, LanguageMasks, Signs

# The rarity (lexicon.weight) from which a phrase that is ruled out tells by itself.
_TELLING: Final = 4.5
# What tags count for when a post's own words bear none of them out: many posts carry stock tags.
_UNBACKED: Final = 0.15
# Tags speak alone when there are this many and neither title nor text comes near the search.
_STOCK_TAGS: Final = 6
_BORNE_OUT: Final = {"headline_in_title": 0.05, "text_likeness": 0.04}

Bools = NDArray[np.bool_]
Places = NDArray[np.intp]
Latent = NDArray[np.int8]

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
class _Chosen:
    """What the features look at of N jobs."""

    lexical: Lexical
    signs: Signs
    latent: Latent
    latent_head: Latent
    hourly: Floats
    budget: Floats
    written: LanguageMasks
    placeholder: Bools

    @classmethod
    def of(cls, table: JobTable) -> Self:
        """All of a table's jobs."""
        headers = table.prepared.headers
        return cls(
            table.lexical,
            table.signs,
            headers["latent"],
            headers["latent_head"],
            table.hourly,
            table.budget,
            table.written,
            table.placeholder,
        )

    def take(self, cols: Places) -> Self:
        """Only the jobs at these places."""
        columns = (getattr(self, each.name)[cols] for each in fields(self)[2:])
        return replace(
            self,
            lexical=self.lexical.take(cols),
            signs=self.signs.take(cols),
            **dict(zip([each.name for each in fields(self)[2:]], columns, strict=True)),
        )


def features(search: SearchTerms, table: JobTable, cols: Places, named: Named) -> Floats:
    """The features NAMES (columns) of `search` with each of the jobs at `cols` (rows).

    Rounded, so that the order in which floats are added cannot show.
    """
    offer, jobs = prepare(search), _Chosen.of(table)
    few = 2 * len(cols) < len(table)  # taking many costs more than looking at all
    if few:
        jobs = jobs.take(cols)
    values = {**_likenesses(offer, jobs), **_money(search, jobs), **_signs(offer, jobs)}
    if not few:
        values = {name: column[cols] for name, column in values.items()}
    values |= _skills(offer, named)
    unbacked = named.only_tagged(table.signs.text_length[cols])
    for name in ("tags_likeness", "tags_covered", "skills_in_tags"):
        values[name] = np.where(unbacked, _UNBACKED * values[name], values[name])
    rows: Floats = np.column_stack([values[name] for name in NAMES])
    return rows.round(9)


def tags_alone(rows: Floats, table: JobTable, cols: Places, named: Named) -> Bools:
    """Pairs (`features` in `rows`) for which nothing but a long list of tags speaks."""
    alone = named.only_tagged(table.signs.text_length[cols])
    alone &= table.signs.tag_count[cols] >= _STOCK_TAGS
    for name, least in _BORNE_OUT.items():
        alone &= rows[:, NAMES.index(name)] < least
    return alone


def _likenesses(offer: Offer, jobs: _Chosen) -> dict[str, Floats]:
    lexical = jobs.lexical
    query, core = lexical.dense(offer.query), lexical.dense(offer.core)
    headline = lexical.dense(offer.headline)
    return {
        "title_likeness": likeness(lexical.titles, query),
        "tags_likeness": likeness(lexical.tags, query),
        "text_likeness": likeness(lexical.bodies, query),
        "latent_likeness": jobs.latent @ offer.latent / SCALE,
        "latent_headline": jobs.latent_head @ offer.latent_headline / SCALE,
        "latent_unwanted": jobs.latent @ offer.latent_unwanted / SCALE,
        "title_covered": covered(lexical.titles, core),
        "tags_covered": covered(lexical.tags, core),
        "text_covered": covered(lexical.bodies, query),
        "headline_in_title": found(lexical.titles, headline, sum(offer.headline.values())),
    }


def _unwanted(offer: Offer, jobs: _Chosen) -> Bools:
    """Whether the title holds all words of a telling phrase that is ruled out."""
    titles = jobs.lexical.titles
    named = np.zeros(titles.size, dtype=np.bool_)
    for phrase in offer.unwanted.values():
        if (total := sum(phrase.values())) > _TELLING:
            named |= found(titles, jobs.lexical.dense(phrase), total) > 0.99
    return named


def _skills(offer: Offer, named: Named) -> dict[str, Floats]:
    """Rarity of the skills among the tags, up to 20, and the logarithm of how many are named."""
    weights = np.array([skill.weight for skill in offer.skills], dtype=np.float64)
    tags = (weights[:, None] * named.tags).sum(axis=0)
    count = (named.title | named.tags | named.body).sum(axis=0)
    return {"skills_in_tags": np.minimum(tags, 20), "skills_named": np.log1p(count)}


def _money(search: SearchTerms, jobs: _Chosen) -> dict[str, Floats]:
    """The logarithm of rate over floor, 0 where either is not stated, and whether money is."""
    floor = max(0.0, float(search.min_hourly or 0))
    over = np.log(np.maximum(jobs.hourly, 0.5) / floor) if floor else np.zeros(len(jobs.hourly))
    return {
        "rate_over_floor": np.nan_to_num(np.clip(over, -2, 1.5)),
        "money_not_stated": (np.isnan(jobs.hourly) & np.isnan(jobs.budget)) * 1.0,
    }


def _signs(offer: Offer, jobs: _Chosen) -> dict[str, Floats]:
    signs, size = jobs.signs, jobs.signs.text_length
    others = np.bitwise_count(signs.text_languages & ~offer.languages)
    crafts = np.bitwise_count(signs.title_crafts & ~offer.crafts)
    return {
        "many_tags": np.maximum(0, signs.tag_count - MANY_TAGS),
        "no_text": (size < NO_TEXT) * 1.0,
        "short_text": ((size >= NO_TEXT) & (size < SHORT_TEXT)) * 1.0,
        "other_languages_named": np.minimum(2.0, others),
        "other_language_in_title": _any_other(signs.title_languages, offer) * 1.0,
        "tied_to_a_place": signs.place * 1.0,
        "spoken_against": _against(offer, jobs),
        "other_crafts_in_title": crafts * 1.0,
    }


def _any_other(languages: LanguageMasks, offer: Offer) -> Bools:
    """Whether each set has a language that the person does not mention."""
    return (languages & ~offer.languages) > 0


def _against(offer: Offer, jobs: _Chosen) -> Floats:
    """How many plain reasons against a job there are: another language, a place to be at, …"""
    signs = jobs.signs
    foreign = _any_other(jobs.written, offer), _any_other(signs.demanded, offer)
    reasons = (*foreign, signs.on_site, signs.study, jobs.placeholder, _unwanted(offer, jobs))
    count: Floats = np.sum(reasons, axis=0, dtype=np.float64)
    return count
