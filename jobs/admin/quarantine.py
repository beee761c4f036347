"""Staff pages about the quarantine: what was not understood, and a way to try again."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.admin.parts import ReadOnlyAdmin, link
from jobs.models import QuarantinedRow
from jobs.quarantine import run_again


@admin.register(QuarantinedRow)
class QuarantinedRowAdmin(ReadOnlyAdmin[QuarantinedRow]):
    """Rows that were not, or only half, understood."""

    list_display = ("reason", "source", "kind", "count", "seen_at", "first_seen", "until")
    list_filter = ("kind", "source")
    search_fields = ("reason",)
    search_help_text = "Words of the reason."
    ordering = ("-seen_at", "-pk")
    actions = ("again",)
    fields = (*list_display, "fetched_at", "job", "form", "whole", "value")

    def has_run_permission(self, request: HttpRequest) -> bool:
        """Staff who may change quarantined rows; nobody edits them."""
        return request.user.has_perm("jobs.change_quarantinedrow")

    @admin.action(description="Run again: store what is understood now", permissions=["run"])
    def again(self, request: HttpRequest, chosen: "QuerySet[QuarantinedRow]") -> None:
        """Put the chosen ones through the normaliser again."""
        rows = list(chosen)
        done = run_again(chosen, now=timezone.now())
        left = set(QuarantinedRow.objects.filter(pk__in=[r.pk for r in rows]).values_list("pk"))
        for row in rows:
            if (row.pk,) not in left:
                self.log_change(request, row, "Run again, understood and gone.")
        self.message_user(
            request,
            f"{done.understood} understood ({done.new_jobs} new jobs), {done.left} left.",
            messages.SUCCESS,
        )

    @admin.display(description="the row as it came")
    def value(self, row: QuarantinedRow) -> SafeString:
        """The row as text, which is JSON where it could be read."""
        return format_html('<pre class="raw">{}</pre>', row.raw or "not to be had")

    @admin.display(description="stored as")
    def job(self, row: QuarantinedRow) -> SafeString | str:
        """The job of a half-understood row."""
        return link(row.job_id, "jobs_job_change", row.job_id) if row.job_id else "–"
