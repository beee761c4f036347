"""Staff pages about language models: the calls, the money, and who waits."""

from django.contrib import admin

from accounts.admin.parts import ReadOnlyAdmin
from jobs.models import AiCall, AiSpending, AwaitedVerdict


@admin.register(AiCall)
class AiCallAdmin(ReadOnlyAdmin[AiCall]):
    """One request to a provider each; one without an outcome is under way, or was killed."""

    list_display = ("asked_at", "scorer", "user", "jobs", "how", "cost_usd", "reserved_usd")
    list_filter = ("scorer",)
    list_select_related = ("user",)
    search_fields = ("user__email__icontains",)
    date_hierarchy = "asked_at"
    ordering = ("-asked_at", "-pk")
    fields = (
        *("asked_at", "settled_at", "user", "scorer", "prompt", "jobs", "how"),
        *("tokens_in", "tokens_out", "cost_usd", "reserved_usd"),
    )

    @admin.display(description="outcome", ordering="outcome")
    def how(self, call: AiCall) -> str:
        """What came of it."""
        return str(call)


@admin.register(AiSpending)
class AiSpendingAdmin(ReadOnlyAdmin[AiSpending]):
    """The money of a day: of a user, or of the installation."""

    list_display = ("day", "whose", "spent_usd", "reserved_usd", "limit_usd", "over_usd")
    list_select_related = ("user",)
    search_fields = ("user__email__icontains",)
    date_hierarchy = "day"
    ordering = ("-day", "user")
    fields = list_display

    @admin.display(description="whose", ordering="user")
    def whose(self, row: AiSpending) -> str:
        """An address, or everybody."""
        return row.user.email if row.user else "everybody"


@admin.register(AwaitedVerdict)
class AwaitedVerdictAdmin(ReadOnlyAdmin[AwaitedVerdict]):
    """Pairs that a model has not judged."""

    list_display = ("job", "user", "tries", "since")
    list_select_related = ("job", "user")
    search_fields = ("user__email__icontains",)
    ordering = ("since", "pk")
    fields = list_display
