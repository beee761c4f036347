"""Staff pages about jobs, verdicts and sources: to look at, nothing to change."""

from typing import Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from accounts.admin.parts import ReadOnlyAdmin, lines, link, link_out, mark, table
from jobs.admin import ai as ai  # registers its pages
from jobs.admin import inbox as inbox  # the same
from jobs.admin import quarantine as quarantine  # the same
from jobs.admin.filters import (
    NOT_STATED,
    FreshnessFilter,
    KindFilter,
    ScoreFilter,
    ScorerFilter,
    SourceFilter,
    job_id_in,
)
from jobs.filters import FILTERS
from jobs.models import Job, SourceState, Verdict
from jobs.source_health import HEALTHY

_LABELS: Final = {each.name: each.label for each in FILTERS}


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


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin[Verdict]):
    """Scores with reasons, one for each user and job."""

    list_display = ("score", "job_title", "user", "search_name", "scorer", "made_at")
    list_display_links = ("score", "job_title")
    list_filter = (ScoreFilter, ScorerFilter, "needs_review")
    list_select_related = ("user", "job")
    search_fields = ("user__email__icontains",)
    search_help_text = "An e-mail address or a part of it, a job's id, or its address."
    date_hierarchy = "made_at"
    ordering = ("-made_at", "pk")
    fieldsets = (
        (None, {"fields": ("score", "who", "what", "why")}),
        ("Why", {"fields": ("for_it", "against_it", "values")}),
        (
            "By whom",
            {
                "fields": (
                    *("search_name", "scorer", "made_at"),
                    *("local_score", "needs_review", "prompt", "cost"),
                )
            },
        ),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: "QuerySet[Verdict]", search_term: str
    ) -> tuple["QuerySet[Verdict]", bool]:
        """The verdicts on one job by id or address, else of users by address."""
        if wanted := job_id_in(search_term):
            return queryset.filter(job_id=wanted), False
        return super().get_search_results(request, queryset, search_term)

    def heading(self, row: Verdict) -> str:
        """The score and the job."""
        return f"{row.score} of 100: {row.job}"

    @admin.display(description="job", ordering="job__title")
    def job_title(self, verdict: Verdict) -> str:
        """The job's title."""
        return str(verdict.job)

    @admin.display(description="user")
    def who(self, verdict: Verdict) -> SafeString:
        """A link to the user."""
        return link(verdict.user.email, "accounts_user_change", verdict.user_id)

    @admin.display(description="job")
    def what(self, verdict: Verdict) -> SafeString:
        """A link to the job."""
        return link(verdict.job, "jobs_job_change", verdict.job_id)

    @admin.display(description="from fetch to inbox")
    def why(self, verdict: Verdict) -> SafeString:
        """A link to every step for this pair."""
        return link("every step, and the ledger row", "deliveries_why_pair", verdict.pk)

    @admin.display(description="for it")
    def for_it(self, verdict: Verdict) -> SafeString | str:
        """The reasons, a line each."""
        return lines(verdict.reasons)

    @admin.display(description="against it")
    def against_it(self, verdict: Verdict) -> SafeString | str:
        """The concerns, a line each."""
        return lines(verdict.concerns)

    @admin.display(description="what was compared")
    def values(self, verdict: Verdict) -> SafeString | str:
        """Each filter with what was wanted and what the post said."""
        rows = [(_LABELS.get(name, name), *pair) for name, pair in verdict.compared.items()]
        return table(("filter", "the search", "the post"), rows)

    @admin.display(description="cost")
    def cost(self, verdict: Verdict) -> str:
        """What a language model read, wrote and cost."""
        if not (verdict.tokens_in or verdict.tokens_out or verdict.cost_usd):
            return "none"
        tokens = f"{verdict.tokens_in} tokens in, {verdict.tokens_out} out"
        return f"US$ {verdict.cost_usd:f}; {tokens}"


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
