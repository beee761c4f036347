"""Runs with what came of them, and how the mail provider is doing."""

from dataclasses import fields
from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.admin.parts import ReadOnlyAdmin, mark, table
from deliveries.admin.confirming import ActingAdmin, Deed
from deliveries.models import MailProvider, Run
from deliveries.sending.post import close_breaker
from deliveries.summaries import DigestSummary, ScanSummary
from deliveries.work.clock import Clock
from jobs.source_health import HEALTHY

_WORDS: Final = {
    "skipped": "skipped, because",
    "ai_calls": "calls of a language model",
    "ai_usd": "their cost, US$",
    "ai_reason": "not all were judged by it, because",
    "mail": "mail provider",
    "queued": "jobs queued",
    "failed": "jobs failed",
    "unconfirmed": "jobs unconfirmed",
    "expired": "jobs expired",
    "due": "digests due",
}
# PostgreSQL keeps no order of keys.
_ORDER: Final = {
    name: place
    for place, name in enumerate(
        dict.fromkeys([f.name for kind in (ScanSummary, DigestSummary) for f in fields(kind)])
    )
}
_IN_A_LINE: Final = (
    *("due", "new_jobs", "verdicts", "queued", "mails_sent", "jobs_sent"),
    *("failed", "unconfirmed", "expired", "errors", "users_left"),
)


def _word(key: str) -> str:
    return _WORDS.get(key, key.replace("_", " "))


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {state}" for name, state in value.items()) or "none"
    return "–" if value is None else str(value)


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin[Run]):
    """Scans and digest ticks."""

    list_display = ("started_at", "kind", "seconds", "outcome")
    list_filter = ("kind",)
    date_hierarchy = "started_at"
    ordering = ("-started_at", "-pk")
    fields = ("kind", "started_at", "finished_at", "seconds", "outcome", "numbers")

    @admin.display(description="took")
    def seconds(self, run: Run) -> str:
        """How long it took."""
        if run.finished_at is None:
            return "–"
        return f"{(run.finished_at - run.started_at).total_seconds():.1f} s"

    @admin.display(description="outcome")
    def outcome(self, run: Run) -> SafeString | str:
        """What came of it, in a line."""
        if run.finished_at is None:
            return mark("ill", "not finished: still at work, or killed")
        found = run.summary
        if found.get("skipped"):
            return f"skipped: {found['skipped']}"
        sources = found.get("sources", {})
        ill = [f"{name} is {state}" for name, state in sources.items() if state not in HEALTHY]
        if found.get("mail", "ok") != "ok":
            ill.append(f"mail is {found['mail']}")
        if ill:
            return mark("ill", ", ".join(ill))
        told = [f"{found[key]} {_word(key)}" for key in _IN_A_LINE if found.get(key)]
        return ", ".join(told) or "nothing to do"

    @admin.display(description="in numbers")
    def numbers(self, run: Run) -> SafeString | str:
        """Every number it reported."""
        known = sorted(run.summary, key=lambda key: _ORDER.get(key, len(_ORDER)))
        rows = ((_word(key), _value(run.summary[key])) for key in known)
        return table(("what", "how many"), rows)


@admin.register(MailProvider)
class MailProviderAdmin(ActingAdmin[MailProvider]):
    """The breaker: whether a provider refuses everybody, and until when nobody asks it."""

    list_display = ("name", "how", "not_before", "refusals_in_a_row", "detail", "changed_at")
    fields = list_display
    actions = ("close_it",)

    @admin.display(description="state", ordering="down")
    def how(self, provider: MailProvider) -> SafeString:
        """Well, down or waiting."""
        if provider.down:
            return mark("ill", "down: refused everybody, or could not be reached")
        if provider.not_before and provider.not_before > timezone.now():
            return mark("ill", "waiting, as it asked")
        return mark("well", "well")

    @admin.action(description="Close the breaker", permissions=["act"])
    def close_it(self, request: HttpRequest, chosen: "QuerySet[MailProvider]") -> Any:
        """Let the next run try at once."""

        def act(names: Any) -> str:
            now = Clock().now()
            for name in names:
                close_breaker(name, now=now)
            return "The breaker is closed: the next run tries to send."

        deed = Deed(
            action="close_it",
            ask="Close the breaker?",
            consequence="What was learned about this provider is forgotten: the next scan or"
            " digest sends as if nothing had happened. Mend the cause first.",
            none="Nothing was chosen.",
            noted="The breaker was closed by staff.",
            act=act,
        )
        return self.carry_out(request, chosen, chosen, deed)
