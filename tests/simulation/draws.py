"""What an example may consist of: wishes, faults, answers of the provider, spans of time."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from hypothesis import strategies as st

from tests.simulation.faults import ANY, KINDS, Fault
from tests.simulation.provider import SENDS
from tests.simulation.world import ASIDES

ADDRESSES: Final = ("ana@example.com", "bo@example.com", "cy@example.com")
BEGINNINGS: Final = tuple(
    datetime.fromisoformat(moment).replace(tzinfo=UTC)
    for moment in (
        "2026-11-25T11:50",
        "2026-03-29T00:40",  # clocks go forward in Berlin, at 1:00 UTC
        "2026-10-25T00:40",  # and back
        "2026-11-01T05:40",  # and back in New York, at 6:00 UTC
        "2026-12-31T22:50",
    )
)
BOUNDARIES: Final = (
    *("lease: take", "scan: begin", "source: fetch", "source: keep", "jobs: store"),
    *("jobs: upsert", "jobs: prepare", "visit: begin", "verdicts: keep", "ledger: record"),
    *("searches: prepare", "watermark: note"),
    *("ledger: expire reposts", "ledger: filter out"),
    *("mail: open", "alert: claim", "mail: send", "mail: finish", "visit: end", "scan: end"),
    *("lease: release", "breaker: remember", "sweep: an old digest", "sweep: expire"),
    *("sweep: an abandoned alert", "source: retire"),
    *("sweep: stale alerts", "sweep: an opted-out digest", "digest: begin a tick"),
    *("digest: skip day", "digest: freeze", "digest: begin", "digest: mark", "digest: put off"),
    *("digest: pass over", "digest: stop", "digest: wait out a pause", "digest: end a tick"),
    *("prune: deliveries", "prune: mails", "prune: a batch", "prune: small tables"),
    *("restore: start afresh", "ledger: give up all", "person: make a token"),
    *("wanted: begin", "wanted: end", "licence: end", "quarantine: keep"),
)
_OFTEN: Final = ("alert: claim", "mail: send", "mail: finish", "digest: mark", "digest: begin")

Runs = list[tuple[str, list[Fault], list[str]]]

emails = st.sampled_from(ADDRESSES)
spans = st.sampled_from([1, 14, 31, 125, 7 * 60, 23 * 60, 24 * 60, 49 * 60, 5 * 24 * 60])
ages = st.sampled_from([None, timedelta(minutes=3), timedelta(hours=20), timedelta(hours=-3)])
asides = st.sampled_from(ASIDES)
crossings = st.integers(0, 45)
few = st.lists(
    st.builds(
        Fault,
        boundary=st.just(ANY),
        moment=st.just("before"),
        kind=st.sampled_from(KINDS),
        nth=st.integers(0, 12),
    ),
    max_size=1,
)
answers = st.lists(st.sampled_from(SENDS), max_size=3)
somewhere = st.builds(
    Fault,
    boundary=st.just(ANY),
    moment=st.just("before"),
    kind=st.sampled_from(KINDS),
    nth=crossings,
)
there = st.builds(
    Fault,
    boundary=st.one_of(st.sampled_from(BOUNDARIES), st.sampled_from(_OFTEN)),
    moment=st.sampled_from(["before", "after"]),
    kind=st.sampled_from(KINDS),
    nth=st.sampled_from([0, 0, 0, 1, 2]),
)
faults = st.one_of(somewhere, there)
plans = st.lists(faults, min_size=1, max_size=3)
storms = st.lists(
    st.tuples(st.sampled_from(["scan", "scan", "work", "digest", "digest"]), plans, answers),
    min_size=4,
    max_size=9,
)
quiet = st.sampled_from(
    [
        {"quiet_from": None, "quiet_until": None},
        {"quiet_from": "22:00", "quiet_until": "07:00"},
        {"quiet_from": "11:00", "quiet_until": "14:00"},
    ]
)
wishes: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(["instant", "daily"]),
        "digest_hour": st.sampled_from([0, 2, 8, 13, 23]),
        "timezone": st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]),
        "max_jobs_per_day": st.sampled_from([100, 100, 100, 1]),
        "words_none": st.sampled_from([[], ["rust"]]),
    },
)
deeds = st.sampled_from(
    ["stop", "stop", "resume", "leave", "move", "pause", "pause for long", "go on"]
)
