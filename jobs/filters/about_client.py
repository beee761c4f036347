"""Filters on who posts a job."""

from collections.abc import Callable, Sequence
from decimal import Decimal

import numpy as np

from accounts.terms import SearchTerms
from jobs.columns import UNKNOWN, Floats, country_code
from jobs.filters.about_terms import one_of
from jobs.filters.judging import Block, Filter, Judgement
from jobs.filters.wording import counted, country
from jobs.rates import usd
from jobs.table import JobTable

Limit = Decimal | int | None


def _names(codes: Sequence[str]) -> str:
    return ", ".join(map(country, codes))


def _country_found(block: Block) -> str:
    code = block.table.postings[0].client_country
    return f"the client is in {country(code)}" if code else "the post names no country"


def _at_least(
    name: str,
    column: Callable[[JobTable], Floats],
    limit: Callable[[SearchTerms], Limit],
    sentence: Callable[[float, str], str],
    new: str = "the post does not tell",
) -> Filter:
    """A lower limit on one client fact.

    `sentence` puts a number, behind "at least " or nothing, into "the client has …"; `new` tells of
    a client of whom nobody can know it yet.
    """

    def judge(block: Block) -> Judgement:
        found = column(block.table)[None, :]
        return Judgement(stated=~np.isnan(found), fits=found >= block.column(limit))

    def found(block: Block) -> str:
        number = column(block.table)[0]
        if np.isnan(number):
            return new if _is_new(block) else "the post does not tell"
        return f"this one has {sentence(float(number), '')}"

    return Filter(
        name=name,
        judge=judge,
        wanted=lambda search: (
            f"you want clients with {sentence(float(limit(search) or 0), 'at least ')}"
        ),
        found=found,
    )


def _is_new(block: Block) -> bool:
    return bool(block.table.hires[0] == 0)


def _verified(block: Block) -> Judgement:
    found = block.table.verified[None, :]
    return Judgement(stated=found != UNKNOWN, fits=found == 1)


def _verified_found(block: Block) -> str:
    stated = {1: "this one is verified", 0: "this one is not"}
    return stated.get(int(block.table.verified[0]), "the post does not tell")


CLIENT_FILTERS = (
    Filter(
        name="countries_include",
        judge=one_of(lambda t: t.country, lambda s: s.countries_include, country_code),
        wanted=lambda search: f"you want clients in {_names(search.countries_include)}",
        found=_country_found,
    ),
    Filter(
        name="countries_exclude",
        judge=one_of(
            lambda t: t.country, lambda s: s.countries_exclude, country_code, wanted=False
        ),
        wanted=lambda search: f"you avoid clients in {_names(search.countries_exclude)}",
        found=_country_found,
    ),
    Filter(
        name="payment_verified_only",
        judge=_verified,
        wanted=lambda _: "you want clients with a verified way to pay",
        found=_verified_found,
    ),
    _at_least(
        "min_client_spent",
        lambda t: t.spent,
        lambda s: s.min_client_spent,
        lambda number, least: f"{least}{usd(number)} spent",
    ),
    _at_least(
        "min_client_hires",
        lambda t: t.hires,
        lambda s: s.min_client_hires,
        lambda number, least: f"{least}{counted(round(number), 'hire')}",
    ),
    _at_least(
        "min_client_hire_rate",
        lambda t: t.hire_rate,
        lambda s: s.min_client_hire_rate,
        lambda number, least: f"a hire rate of {least}{number:g} %",
        new="this one is new and has none yet",
    ),
    _at_least(
        "min_client_rating",
        lambda t: t.rating,
        lambda s: s.min_client_rating,
        lambda number, least: f"{least}{number:g} {'star' if number == 1 else 'stars'}",
        new="this one is new and has none yet",
    ),
)
