"""What a user should know now of how things stand: plain sentences from plain values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from accounts.viewer import Viewer
from deliveries import routing
from deliveries.messages.job_card import local_time
from deliveries.running.liveness import Signs, trouble
from jobs.source_health import HEALTHY

Level = Literal["wrong", "warn", "note"]

_SEARCHES: Final = ("/preferences/", "Your searches")
_SETTING_UP: Final = ("/welcome/", "Go on setting up")
_DELIVERY: Final = ("/mail/", "Delivery")


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence or two, how grave it is (a class of `.note`), and a page where one may act."""

    level: Level
    text: str
    link: str = ""
    link_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Works:
    """How the product itself does: `sources` are the states of those that it looks at, `read_at`
    is when the last look at any of them went well, `mail_is_down` what the last run found."""

    signs: Signs
    mail_is_down: bool = False
    sources: Sequence[str] = ()
    read_at: datetime | None = None


def notices(who: Viewer, works: Works, now: datetime) -> tuple[Notice, ...]:
    """What to say, the user's own matters first; nothing when all is well."""
    return (*_own(who, now), *_searching(who), *_of_the_product(works, who.terms.timezone))


def _own(who: Viewer, now: datetime) -> Iterator[Notice]:
    if not who.is_active:
        yield Notice("wrong", "Your account is switched off: no jobs are looked for.")
    elif who.stopped == "opted_out":
        yield Notice(
            "warn",
            "You stopped the job mail: no jobs are looked for until you want it again.",
            *_DELIVERY,
        )
    elif who.stopped:
        yield Notice(
            "wrong",
            "Job mail to you was stopped, because it came back or was reported, or by staff: no"
            " jobs are looked for.",
            *_DELIVERY,
        )
    elif routing.is_paused(who.terms, now) and who.terms.paused_until:
        until = local_time(who.terms.paused_until, who.terms.timezone)
        yield Notice(
            "warn", f"Job mail is paused until {until}: no jobs are looked for.", *_DELIVERY
        )


def _searching(who: Viewer) -> Iterator[Notice]:
    if any(search.looks for search in who.searches):
        return
    if len(who.searches) == 1 and not who.active:
        off = (
            "Your search is switched off, so nothing is found. Switch it on among your searches, or"
        )
        yield Notice("warn", f"{off} at the end of setting up.", *_SETTING_UP)
    elif who.searches and not who.active:
        off = "All your searches are switched off, so nothing is found."
        yield Notice("warn", off, *_SEARCHES)
    else:
        yield Notice(
            "warn",
            "You have not said yet what work you look for, so nothing is found.",
            *_SETTING_UP,
        )


def _of_the_product(works: Works, zone: str) -> Iterator[Notice]:
    if trouble(works.signs):
        last = works.signs.last_scan
        since = f" The last look was on {local_time(last, zone)}." if last else ""
        yield Notice(
            "wrong",
            f"We are late: new jobs are not being looked for at present.{since}"
            " You need not do anything: what is young enough by then is still found.",
        )
    yield from _of_sources(works, zone)
    if works.mail_is_down:
        yield Notice(
            "wrong",
            "No mail leaves at present: our mail service does not take it. What fits waits here and"
            " is sent when it does; alerts for jobs that have become too old by then are not.",
        )


def _of_sources(works: Works, zone: str) -> Iterator[Notice]:
    looked_at = [state for state in works.sources if state != "off"]
    bad = [state for state in looked_at if state not in HEALTHY]
    if not bad:
        return
    if len(bad) < len(looked_at):
        yield Notice(
            "warn",
            f"{len(bad)} of the {len(looked_at)} places where we look for jobs cannot be read at"
            " present. Jobs that only they have come late, or not at all.",
        )
        return
    last = (
        f" The last look that went well was on {local_time(works.read_at, zone)}."
        if works.read_at
        else ""
    )
    yield Notice(
        "wrong",
        f"New jobs cannot be read at present, wherever we look.{last}"
        " You need not do anything: we try again by ourselves.",
    )
