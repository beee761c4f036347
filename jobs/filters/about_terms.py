"""Filters on what a job pays, how long it runs, how old and how wanted it is."""

from collections.abc import Callable, Sequence

import numpy as np

from accounts.terms import SearchTerms
from accounts.vocabulary import (
    DURATION_LABELS,
    DURATIONS,
    JOB_TYPE_LABELS,
    JOB_TYPES,
    LEVELS,
)
from jobs.columns import UNKNOWN, Codes, code_of
from jobs.filters.judging import Block, Filter, Judgement
from jobs.filters.wording import counted, last_hours
from jobs.rates import usd
from jobs.table import JobTable

HOURLY, FIXED = range(len(JOB_TYPES))


def one_of(
    column: Callable[[JobTable], Codes],
    values: Callable[[SearchTerms], Sequence[str]],
    code: Callable[[str | None], int],
    *,
    wanted: bool = True,
) -> Callable[[Block], Judgement]:
    """Whether a job's code is (or with `wanted=False` is not) among the search's values."""

    def judge(block: Block) -> Judgement:
        found = column(block.table)
        fits = np.zeros((len(block.searches), len(block.table)), dtype=np.bool_)
        for s, search in enumerate(block.searches):
            fits[s] = np.isin(found, [code(value) for value in values(search)]) == wanted
        return Judgement(stated=(found != UNKNOWN)[None, :], fits=fits)

    return judge


def _hourly(block: Block) -> Judgement:
    offered = block.table.hourly[None, :]
    return Judgement(
        stated=~np.isnan(offered),
        fits=offered >= block.column(lambda s: s.min_hourly),
        applies=(block.table.kind != FIXED)[None, :],
    )


def _fixed(block: Block) -> Judgement:
    offered = block.table.budget[None, :]
    return Judgement(
        stated=~np.isnan(offered),
        fits=offered >= block.column(lambda s: s.min_fixed),
        applies=(block.table.kind != HOURLY)[None, :],
    )


def _hourly_found(block: Block) -> str:
    post = block.table.postings[0]
    if block.table.kind[0] == FIXED:
        return "the post has a fixed budget"
    if np.isnan(block.table.hourly[0]):
        stated = post.hourly_min is not None or post.hourly_max is not None
        return _no_money("rate", stated, post.currency)
    only = "from" if post.hourly_max is None else "up to"
    return f"the post offers {only} {_money(block.table.hourly[0], '/h', block)}"


def _fixed_found(block: Block) -> str:
    if block.table.kind[0] == HOURLY:
        return "the post is paid by the hour"
    post = block.table.postings[0]
    if block.table.placeholder[0]:
        stated = f"{(post.fixed_budget or 0):f}".rstrip("0").rstrip(".")
        amount = (
            f"${stated}" if post.currency == "USD" else f"{stated} {post.currency or ''}".strip()
        )
        return f"the post's budget of {amount} looks like a placeholder, so it counts as not stated"
    if np.isnan(block.table.budget[0]):
        return _no_money("budget", post.fixed_budget is not None, post.currency)
    return f"the post's budget is {_money(block.table.budget[0], '', block)}"


def _no_money(what: str, stated: bool, currency: str | None) -> str:
    if stated:
        if currency is None:
            return f"the post's {what} is in a currency that we do not know"
        return f"we know no exchange rate for the post's {what} in {currency}"
    return f"the post states no {what}"


def _money(dollars: float, per: str, block: Block) -> str:
    currency, day = block.table.postings[0].currency, block.table.rated_on[0]
    if np.isnat(day):
        return f"{usd(dollars)}{per}"
    return f"about {usd(dollars)}{per} (converted from {currency} at the rate of {day})"


def _proposals(block: Block) -> Judgement:
    found = block.table.proposals[None, :]
    return Judgement(stated=~np.isnan(found), fits=found <= block.column(lambda s: s.max_proposals))


def _recent(block: Block) -> Judgement:
    """By the time of posting, else by the time we first saw it."""
    table = block.table
    since = block.now[None, :] - np.array(
        [(search.posted_within_hours or 0) * 3600 for search in block.searches],
        dtype="timedelta64[s]",
    ).reshape(-1, 1)
    return Judgement(
        stated=~np.isnat(table.posted)[None, :],
        fits=table.posted[None, :] >= since,
        lenient=table.seen[None, :] >= since,
    )


def _recent_found(block: Block) -> str:
    stated = not np.isnat(block.table.posted[0])
    since = block.table.posted[0] if stated else block.table.seen[0]
    hours = max(0, int((block.now[0] - since) / np.timedelta64(1, "h")))
    ago = f"{counted(hours, 'hour')} ago" if hours else "less than an hour ago"
    return f"it was posted {ago}" if stated else f"it was first seen {ago}"


def _duration_found(block: Block) -> str:
    duration = block.table.postings[0].duration
    return (
        f"the post says {DURATION_LABELS[duration]}"
        if duration
        else "the post does not say how long"
    )


TERM_FILTERS = (
    Filter(
        name="job_types",
        judge=one_of(lambda t: t.kind, lambda s: s.job_types, code_of(JOB_TYPES)),
        wanted=lambda search: (
            f"you want jobs {' or '.join(JOB_TYPE_LABELS[t] for t in search.job_types)}"
        ),
        found=lambda block: (
            "the post does not say which it is"
            if block.table.kind[0] == UNKNOWN
            else f"this one is {JOB_TYPE_LABELS[JOB_TYPES[block.table.kind[0]]]}"
        ),
    ),
    Filter(
        name="min_hourly",
        judge=_hourly,
        wanted=lambda search: f"your floor is {usd(search.min_hourly or 0)}/h",
        found=_hourly_found,
    ),
    Filter(
        name="min_fixed",
        judge=_fixed,
        wanted=lambda search: f"your floor is {usd(search.min_fixed or 0)} for a fixed job",
        found=_fixed_found,
    ),
    Filter(
        name="experience_levels",
        judge=one_of(lambda t: t.level, lambda s: s.experience_levels, code_of(LEVELS)),
        wanted=lambda search: f"you want {' or '.join(search.experience_levels)} level",
        found=lambda block: (
            f"the post says {level}"
            if (level := block.table.postings[0].experience_level)
            else "the post names no level"
        ),
    ),
    Filter(
        name="durations",
        judge=one_of(lambda t: t.duration, lambda s: s.durations, code_of(DURATIONS)),
        wanted=lambda search: (
            f"you want jobs that run {' or '.join(DURATION_LABELS[d] for d in search.durations)}"
        ),
        found=_duration_found,
    ),
    Filter(
        name="max_proposals",
        judge=_proposals,
        wanted=lambda search: f"you want at most {counted(search.max_proposals or 0, 'proposal')}",
        found=lambda block: (
            "the post does not count them"
            if (count := block.table.postings[0].proposals) is None
            else f"it has up to {count}"
        ),
    ),
    Filter(
        name="posted_within_hours",
        judge=_recent,
        wanted=lambda search: f"you want jobs of {last_hours(search.posted_within_hours or 0)}",
        found=_recent_found,
    ),
)
