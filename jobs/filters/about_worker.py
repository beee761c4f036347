"""Filters on the kind of work, and on who may do it: category, language, the worker's country."""

import numpy as np

from accounts.categories import category_label
from accounts.languages import language_name
from accounts.terms import SearchTerms
from accounts.vocabulary import CATEGORIES
from jobs.columns import UNKNOWN, Bools, code_of, country_code, language_place
from jobs.filters.about_terms import one_of
from jobs.filters.judging import Block, Filter, Judgement
from jobs.filters.wording import country

_MOST_NAMED = 6


def _category_found(block: Block) -> str:
    slug = block.table.postings[0].category
    return f"the post is in {category_label(slug)}" if slug else "the post names no category"


def _place_of(value: str | None) -> int:
    return UNKNOWN if value is None else language_place(value)


def _language_found(block: Block) -> str:
    code = block.table.languages[0]
    if not code:
        return "the post's language cannot be told"
    return f"the post is written in {language_name(code)}"


def _my_country(block: Block) -> Judgement:
    """Whether each searcher's country is among those in which the worker may be."""
    allowed = block.table.workers
    mine = [country_code(search.my_country) for search in block.searches]
    stated: Bools = np.any(allowed, axis=1, keepdims=True).T
    return Judgement(stated=stated, fits=allowed[:, mine].T)


def _my_country_found(block: Block) -> str:
    numbers = np.flatnonzero(block.table.workers[0]).tolist()
    if not numbers:
        return "the post names no country for whoever does the work"
    names = [country(f"{chr(65 + n // 26)}{chr(65 + n % 26)}") for n in numbers]
    shown = ", ".join(sorted(names, key=lambda name: name.removeprefix("the "))[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"the post wants somebody in {shown}{more}"


def _languages_wanted(search: SearchTerms) -> str:
    return f"you work in {', '.join(map(language_name, search.languages))}"


WORKER_FILTERS = (
    Filter(
        name="categories",
        judge=one_of(lambda t: t.category, lambda s: s.categories, code_of(tuple(CATEGORIES))),
        wanted=lambda search: f"you want {' or '.join(map(category_label, search.categories))}",
        found=_category_found,
    ),
    Filter(
        name="languages",
        judge=one_of(lambda t: t.language, lambda s: s.languages, _place_of),
        wanted=_languages_wanted,
        found=_language_found,
    ),
    Filter(
        name="my_country",
        judge=_my_country,
        wanted=lambda search: f"you are in {country(search.my_country)}",
        found=_my_country_found,
    ),
)
