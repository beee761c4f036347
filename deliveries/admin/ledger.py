"""The ledger as staff see it: who got which job, when, in which mail, and why."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.safestring import SafeString

from accounts.admin.parts import link, mark
from deliveries.admin import why_pages
from deliveries.admin.confirming import ActingAdmin
from deliveries.admin.deeds import requeueing, settling
from deliveries.admin.searching import Term
from deliveries.models import Delivery, Mail
from deliveries.statuses import EXPIRY_REASONS


class ReasonFilter(admin.SimpleListFilter):
    """Why a row expired; the reasons are known, so the ledger is not searched for them."""

    title = "reason"
    parameter_name = "reason"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        return [(reason, reason) for reason in EXPIRY_REASONS]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Delivery]") -> Any:
        """The rows of the chosen one."""
        return queryset.filter(reason=v) if (v := self.value()) else queryset


def mails_of(ids: Any) -> "QuerySet[Mail]":
    """The mails that these ledger rows are in."""
    return Mail.objects.filter(pk__in=Delivery.objects.filter(pk__in=ids).values("mail_id"))


@admin.register(Delivery)
class DeliveryAdmin(ActingAdmin[Delivery]):
    """One row a user and job."""

    list_display = ("title", "user", "stands", "route", "fit", "queued_at", "in_mail")
    list_filter = ("status", "route", ReasonFilter, ("queued_at", admin.DateFieldListFilter))
    list_select_related = ("user",)
    search_fields = ("user__email__icontains",)
    search_help_text = "An e-mail address or a part of it, a job's id or address, or an envelope."
    date_hierarchy = "queued_at"
    ordering = ("-queued_at", "pk")
    actions = ("requeue", "settle_as_sent", "settle_as_failed")
    change_list_template = "admin/deliveries/ledger_list.html"
    fieldsets = (
        (None, {"fields": ("stands", "who", "what", "verdict", "repeated", "mail_link", "why")}),
        ("Decision", {"fields": ("route", "score", "threshold", "title", "attempts")}),
        ("Times", {"fields": ("queued_at", "changed_at", "sent_at")}),
    )

    def get_urls(self) -> list[URLPattern]:
        """The pages that say why, beside the usual ones."""
        wrap = self.admin_site.admin_view
        return [
            path("why/", wrap(self.why_form), name="deliveries_why"),
            path("<path:pair>/why/", wrap(self.why_pair), name="deliveries_why_pair"),
            *super().get_urls(),
        ]

    def why_form(self, request: HttpRequest) -> TemplateResponse:
        """Why did, or did not, a job reach somebody?"""
        return why_pages.form(self, request)

    def why_pair(self, request: HttpRequest, pair: str) -> TemplateResponse:
        """Every step for a pair."""
        return why_pages.pair(self, request, pair)

    def get_search_results(
        self, request: HttpRequest, queryset: "QuerySet[Delivery]", search_term: str
    ) -> tuple["QuerySet[Delivery]", bool]:
        """Rows of a mail, of a job, or of users."""
        term = Term.of(search_term)
        if term.envelope:
            return queryset.filter(mail_id=term.envelope), False
        if term.job_id:
            return queryset.filter(job_id=term.job_id), False
        return super().get_search_results(request, queryset, search_term)

    def heading(self, row: Delivery) -> str:
        """The job."""
        return row.title

    def in_words(self, row: Delivery) -> str:
        """Job and user."""
        return f"{row.title} – {row.user.email}"

    @admin.action(description="Queue failed ones again", permissions=["act"])
    def requeue(self, request: HttpRequest, chosen: "QuerySet[Delivery]") -> Any:
        """Queue failed rows again."""
        return self.carry_out(request, chosen, chosen.filter(status="failed"), requeueing())

    @admin.action(description="Settle unconfirmed ones as sent", permissions=["act"])
    def settle_as_sent(self, request: HttpRequest, chosen: "QuerySet[Delivery]") -> Any:
        """Staff know that they arrived."""
        deed = settling(request, "sent", mails_of)
        return self.carry_out(request, chosen, chosen.filter(status="unconfirmed"), deed)

    @admin.action(description="Settle unconfirmed ones as failed", permissions=["act"])
    def settle_as_failed(self, request: HttpRequest, chosen: "QuerySet[Delivery]") -> Any:
        """Staff know that they did not arrive."""
        deed = settling(request, "failed", mails_of)
        return self.carry_out(request, chosen, chosen.filter(status="unconfirmed"), deed)

    @admin.display(description="status", ordering="status")
    def stands(self, row: Delivery) -> SafeString:
        """The status, and the reason when it expired."""
        return mark(row.status, f"{row.status}: {row.reason}" if row.reason else row.status)

    @admin.display(description="score", ordering="score")
    def fit(self, row: Delivery) -> str:
        """The score and what it had to reach."""
        return f"{row.score} (of {row.threshold})"

    @admin.display(description="mail")
    def in_mail(self, row: Delivery) -> SafeString | str:
        """A link to the mail."""
        return link("open", "deliveries_mail_change", row.mail_id) if row.mail_id else "–"

    @admin.display(description="user")
    def who(self, row: Delivery) -> SafeString:
        """A link to the user."""
        return link(row.user.email, "accounts_user_change", row.user_id)

    @admin.display(description="job")
    def what(self, row: Delivery) -> SafeString:
        """A link to the job."""
        return link(row.title, "jobs_job_change", row.job_id)

    @admin.display(description="repeats")
    def repeated(self, row: Delivery) -> SafeString | str:
        """A link to this user's row of the job whose text this one repeats."""
        first = f"{row.user_id}_{row.repeats_id}"
        return (
            link(row.repeats_id, "deliveries_delivery_change", first) if row.repeats_id else "none"
        )

    @admin.display(description="verdict")
    def verdict(self, row: Delivery) -> SafeString:
        """A link to the verdict, which has the same id."""
        return link(f"{row.score} of 100, and why", "jobs_verdict_change", row.pk)

    @admin.display(description="mail")
    def mail_link(self, row: Delivery) -> SafeString | str:
        """A link to the mail, by its envelope."""
        return link(row.mail_id, "deliveries_mail_change", row.mail_id) if row.mail_id else "none"

    @admin.display(description="from fetch to inbox")
    def why(self, row: Delivery) -> SafeString:
        """A link to every step."""
        return link("every step", "deliveries_why_pair", row.pk)
