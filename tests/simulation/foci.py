"""Where each mutant is hunted: nothing is scripted, but the draws are narrowed to what can show it.

The widest hunts with most of what the machine draws.  One step the machine itself does not know:
another row refers to one that is sealed, which no table of the product does today.
"""

from typing import Final

from hypothesis import strategies as st

from tests.simulation import draws
from tests.simulation.faults import ANY, Fault
from tests.simulation.hunting import Focus

_DAY: Final = 24 * 60
_kills = st.builds(
    Fault,
    boundary=st.sampled_from(["alert: claim", "mail: send"]),
    moment=st.sampled_from(["before", "after"]),
    kind=st.just("kill"),
    nth=st.integers(0, 1),
)
_anywhere = st.builds(
    Fault,
    boundary=st.just(ANY),
    moment=st.just("before"),
    kind=st.just("kill"),
    nth=draws.crossings,
)

FOCI: Final = {
    "any fault and answer while alerts are sent": Focus(
        modes=("instant",),
        kinds=("scan",),
        plans=st.lists(draws.faults, max_size=1),
        answers=draws.answers,
    ),
    "kills around claim and send": Focus(
        modes=("instant",),
        kinds=("scan",),
        plans=st.lists(_kills, min_size=1, max_size=1),
    ),
    "kills anywhere in a scan": Focus(
        modes=("instant",),
        kinds=("scan",),
        plans=st.lists(_anywhere, min_size=1, max_size=1),
    ),
    "two scans at once": Focus(
        modes=("instant",), kinds=("scan",), asides=("scan", "work"), crossings=(24, 31)
    ),
    "opt-outs during runs": Focus(
        modes=("instant", "daily"), kinds=("scan", "digest"), asides=("opt out",)
    ),
    "overtaken scans": Focus(
        modes=("instant",), kinds=("scan",), asides=("overtake",), leases=(True,)
    ),
    "many digest ticks a day": Focus(modes=("daily",), kinds=("scan", "digest"), hours=(8,)),
    "digests of unknown outcome": Focus(
        modes=("daily",),
        opening=("scan",),
        kinds=("digest",),
        answers=st.lists(st.sampled_from(["accepted, then silent", "silent"]), max_size=1),
        spans=(0, 31, 125),
        hours=(8,),
    ),
    "rows queued while a digest is sent": Focus(
        modes=("daily",),
        kinds=("scan", "digest"),
        asides=("", "scan"),
        spans=(0, _DAY),
        hours=(8,),
        crossings=(8, 30),
    ),
    "rows referred to while a digest is sent": Focus(
        modes=("daily",),
        opening=("scan",),
        kinds=("scan", "digest"),
        asides=("refer",),
        spans=(0, 31, _DAY),
        hours=(8,),
        crossings=(6, 30),
    ),
}
HUNTED: Final = {
    "any fault and answer while alerts are sent": (
        "send before claim",
        "claim and send in one transaction",
        "retry on unknown",
    ),
    "kills anywhere in a scan": ("seen-flag instead of ledger",),
    "kills around claim and send": ("claim everyone's batch at once",),
    "two scans at once": (
        "check-then-insert",
        "winners from ignore_conflicts",
    ),
    "opt-outs during runs": ("opt-out checked at the start only",),
    "overtaken scans": ("lease released without its token",),
    "many digest ticks a day": ("no date guard",),
    "digests of unknown outcome": ("unfrozen digest",),
    "rows queued while a digest is sent": ("flip by status instead of by ids",),
    "rows referred to while a digest is sent": ("lock on delivery rows instead of the mail row",),
}
POISON: Final = "one poisoned user or job"
