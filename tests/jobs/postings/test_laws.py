"""Laws of reading: no money and no date comes out that was not written in."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from jobs.postings.field_words import FIELDS
from jobs.postings.normalise import normalise
from jobs.postings.posting import Posting

FETCHED = datetime(2026, 11, 25, 12, tzinfo=UTC)
CENT = Decimal("0.01")
KEYS = [
    " ".join(core)
    for name in ("budget", "fixed", "hourly", "hourly_min", "hourly_max", "least", "most", "spent")
    for core in FIELDS[name].cores
]
PIECES = st.sampled_from(
    "$ € £ R$ USD EUR zł - – to bis a k K M + / /hr per hour hourly fixed . , ' 1 5 10 20.00 1,500 "
    "1.500 1.500,00 1,5 0 0.0 99 1 000 less than over avg ( ) % ~ between and 3 months #12".split(
        " "
    )
)
TEXTS = st.lists(PIECES, min_size=1, max_size=7).map("".join) | st.lists(
    PIECES, min_size=1, max_size=7
).map(" ".join)
VALUES = st.one_of(
    TEXTS,
    st.integers(-5, 10**7),
    st.decimals(0, 10**6, places=2).map(float),
    st.fixed_dictionaries({"min": TEXTS, "max": TEXTS}),
    st.fixed_dictionaries({"rawValue": TEXTS, "currency": st.just("USD")}),
)


def readings(written):
    """Every amount that the figures in a text may stand for."""
    found = set()
    figures = re.findall(r"\d(?:[\d.,' \xa0]*\d)?", written)
    parts = [part for one in figures for part in [one, *re.split(r"[ ']", one)]]
    for part in parts:
        digits = re.sub(r"\D", "", part)
        if not 0 < len(digits) < 16:
            continue
        ends = {0} | {len(re.sub(r"\D", "", part[m.end() :])) for m in re.finditer(r"[.,]", part)}
        for times in (1, 1_000, 1_000_000):
            found |= {(Decimal(digits) / 10**end * times).quantize(CENT) for end in ends}
    return found


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1, max_size=4))
def test_no_amount_comes_out_that_was_not_written(row):
    found = normalise({"title": "Shed", **row}, FETCHED)
    assert isinstance(found, Posting)
    written = readings(" | ".join(map(str, row.values())))
    for amount in (found.hourly_min, found.hourly_max, found.fixed_budget, found.client_spent):
        assert amount is None or amount in written


MOMENTS = st.datetimes(datetime(2000, 1, 2), datetime(2099, 12, 30)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)
FORMS = st.sampled_from(
    [
        "%Y-%m-%dT%H:%M:%SZ",
        "%Y-%m-%d %H:%M:%S",
        "%Y-%m-%dT%H:%M:%S,000+0000",
        "%Y/%m/%d %H:%M:%S",
        "%d.%m.%Y %H:%M:%S",
        "%a, %d %b %Y %H:%M:%S +0000",
        "%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)",
        "%A, %B %d, %Y %I:%M:%S %p",
        "%m/%d/%Y %I:%M:%S %p",
        "Posted on %d %B %Y at %H:%M:%S UTC",
    ]
)


@given(MOMENTS, FORMS)
def test_a_time_written_out_comes_out_as_it_is(moment, form):
    found = normalise({"title": "Shed", "posted": moment.strftime(form)}, FETCHED)
    assert isinstance(found, Posting)
    assert (found.posted_at, found.posted_at_estimated) == (moment, False)


@given(MOMENTS, st.sampled_from([1, 10**3, 10**6]), st.sampled_from([int, str]))
def test_an_epoch_comes_out_as_it_is(moment, scale, kind):
    seconds = int(moment.timestamp())
    if seconds < 10**8 * 10:
        return
    found = normalise({"title": "Shed", "posted": kind(seconds * scale)}, FETCHED)
    assert isinstance(found, Posting)
    assert found.posted_at == moment


@given(MOMENTS, st.sampled_from(["%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y %H:%M"]))
def test_a_date_that_could_be_two_is_none(moment, form):
    found = normalise({"title": "Shed", "posted": moment.strftime(form)}, FETCHED)
    assert isinstance(found, Posting)
    if moment.day <= 12 and moment.day != moment.month:
        assert found.posted_at is None
    else:
        assert found.posted_at is not None
        assert found.posted_at.date() == moment.date()


@given(st.integers(1, 50), st.sampled_from(["minute", "hour", "day", "week"]))
def test_a_relative_time_is_reckoned_from_the_fetch_and_marked(count, unit):
    found = normalise({"title": "Shed", "posted": f"Posted {count} {unit}s ago"}, FETCHED)
    assert isinstance(found, Posting)
    assert found.posted_at == FETCHED - timedelta(**{f"{unit}s": count})
    assert found.posted_at_estimated
