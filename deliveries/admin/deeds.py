"""What staff may decide about the ledger, through its own functions."""

from collections.abc import Callable, Sequence
from typing import Literal

from django.db.models import QuerySet
from django.http import HttpRequest

from deliveries import ledger
from deliveries.admin.confirming import Deed, counted, note
from deliveries.models import Mail
from deliveries.work.clock import Clock


def requeueing() -> Deed:
    """Queue failed rows again."""

    def act(ids: Sequence[str]) -> str:
        rows = ledger.requeue(ids, now=Clock().now())
        return f"Queued again: {counted(rows, 'job')}."

    return Deed(
        action="requeue",
        ask="Queue these jobs again?",
        consequence="Each leaves once more with its user's next alert or digest, unless it is too"
        " old: an alert wants a fresh job, a digest takes what was first queued within 48 hours."
        " What is too old expires at the next scan.",
        none="None of the chosen rows failed: nothing was changed.",
        noted="Queued again by staff.",
        act=act,
    )


def settling(
    request: HttpRequest,
    end: Literal["sent", "failed"],
    mails_of: "Callable[[Sequence[str]], QuerySet[Mail]]",
) -> Deed:
    """End unconfirmed mails as staff know it; `mails_of` finds them by the chosen ids."""

    def act(ids: Sequence[str]) -> str:
        now = Clock().now()
        mails = list(mails_of(ids).filter(status="unconfirmed").defer("body"))
        rows = {mail: ledger.settle(mail.pk, end, now=now) for mail in mails}
        # A notice carries no row, so their number does not tell.
        done = Mail.objects.filter(pk__in=[mail.pk for mail in mails], status=end)
        settled = list(done.defer("body"))
        note(request, settled, f"Settled as {end} by staff.")
        jobs = counted(sum(rows.values()), "job")
        return f"Settled as {end}: {counted(len(settled), 'mail')} with {jobs}."

    fact = "arrived" if end == "sent" else "did not arrive"
    then = " What failed can be queued again." if end == "failed" else ""
    return Deed(
        action=f"settle_as_{end}",
        ask=f"Do you know that this mail {fact}?",
        consequence="A mail is settled whole, with every job in it, and for good." + then,
        none="None of the chosen rows is unconfirmed: nothing was changed.",
        noted=f"Settled as {end} by staff, with its mail.",
        act=act,
    )
