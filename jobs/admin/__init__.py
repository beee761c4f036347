"""Staff pages about jobs and sources: to look at, nothing to change."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from accounts.admin.parts import ReadOnlyAdmin, lines, link, link_out, mark
from jobs.admin import ai as ai  # registers its pages
from jobs.admin import inbox as inbox  # the same
from jobs.admin import quarantine as quarantine  # the same
from jobs.admin import verdicts as verdicts  # the same
from jobs.admin.filters import (
    NOT_STATED,
    FreshnessFilter,
    KindFilter,
    SourceFilter,
    job_id_in,
)
from jobs.models import Job, SourceState
from jobs.source_health import HEALTHY


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin[Job]):
    """What the sources said."""

    list_display = ("title", "type", "pay", "source", "dated_at", "first_seen")
    list_filter = (SourceFilter, KindFilter, FreshnessFilter)
    search_fields = ("title",)
    search_help_text = "Words of the title, a job's id, or its address on the marketplace."
    date_hierarchy = "dated_at"
    ordering = ("-dated_at", "pk")
    fieldsets = (
        (None, {"fields": ("title", "id", "address", "description", "skill_list")}),
        ("Terms", {"fields": ("type", "pay", "experience_level", "duration", "proposals")}),
        (
            "Client",
            {
                "fields": (
                    *("client_country", "client_spent", "client_hires", "client_hire_rate"),
                    *("client_rating", "client_payment_verified"),
                )
            },
        ),
        (
            "Where from",
            {
                "fields": (
                    *("source", "trust", "posted_at", "first_seen", "dated_at", "fetched_at"),
                    *("text_until", "text_dropped_at", "elsewhere"),
                )
            },
        ),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: "QuerySet[Job]", search_term: str
    ) -> tuple["QuerySet[Job]", bool]:
        """One job by id or address, else by words of the title."""
        found, several = super().get_search_results(request, queryset, search_term)
        if wanted := job_id_in(search_term):
            found = found | queryset.filter(pk=wanted)
        return found, several

    def heading(self, row: Job) -> str:
        """Its title, or its id once the text is gone."""
        return str(row)

    @admin.display(description="type", ordering="job_type")
    def type(self, job: Job) -> str:
        """Hourly or fixed price."""
        return {"hourly": "hourly", "fixed": "fixed price"}.get(job.job_type or "", NOT_STATED)

    @admin.display(description="pay")
    def pay(self, job: Job) -> str:
        """The pay as stated."""
        bounds = [job.hourly_min, job.hourly_max, job.fixed_budget]
        stated = list(dict.fromkeys(f"{money:,.2f}" for money in bounds if money is not None))
        return f"{' to '.join(stated)} {job.currency or ''}" if stated else NOT_STATED

    @admin.display(description="address")
    def address(self, job: Job) -> SafeString | str:
        """Where it stands on the marketplace."""
        return link_out(job.url) or NOT_STATED

    @admin.display(description="skills")
    def skill_list(self, job: Job) -> str:
        """The skills, in one line."""
        return ", ".join(job.skills) or NOT_STATED

    @admin.display(description="see also")
    def elsewhere(self, job: Job) -> SafeString | str:
        """Who was to get it."""
        return lines(
            [
                link("verdicts on this job", "jobs_verdict_changelist", query=f"?q={job.pk}"),
                link("its ledger rows", "deliveries_delivery_changelist", query=f"?q={job.pk}"),
            ]
        )


@admin.register(SourceState)
class SourceStateAdmin(ReadOnlyAdmin[SourceState]):
    """How each source is doing."""

    list_display = (
        *("name", "how", "detail", "failures"),
        *("checked_at", "succeeded_at", "new_job_at", "next_look_at"),
    )
    list_filter = ("state",)
    fields = (*list_display, "since", "watermark")

    @admin.display(description="state", ordering="state")
    def how(self, source: SourceState) -> SafeString:
        """The state, marked well or not, and whether it waits for somebody to act."""
        text = source.get_state_display()
        if source.needs_operator:
            text = f"{text}: log in, or correct SCOUT_SOURCES"
        return mark("well" if source.state in HEALTHY else "ill", text)
