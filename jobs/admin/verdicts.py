"""Staff pages about verdicts: scores, what they are made of and what was compared."""

from typing import Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from accounts.admin.parts import ReadOnlyAdmin, lines, link, table
from jobs.admin.filters import ScoreFilter, ScorerFilter, job_id_in
from jobs.filters import FILTERS
from jobs.models import Verdict
from jobs.scoring.parts import START, in_words

_LABELS: Final = {each.name: each.label for each in FILTERS}


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
        ("Why", {"fields": ("made_of", "for_it", "against_it", "values")}),
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

    @admin.display(description="what the score is made of")
    def made_of(self, verdict: Verdict) -> SafeString | str:
        """Each part with its points, and their sum."""
        if not verdict.parts:
            return "not recorded: from before parts were"
        parts = [
            (part.label, f"{points:{'' if part == START else '+'}}", part.about)
            for part, points in in_words(verdict.parts)
        ]
        total = ("Score", sum(verdict.parts.values()), "")
        return table(("part", "points", "what it looks at"), [*parts, total])

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
