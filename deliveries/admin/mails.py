"""Mails as staff see them: status, attempts, errors, events, and the bytes while they are kept."""

from typing import Any, Final

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString

from accounts.admin.parts import lines, link, mark, table
from deliveries.admin.confirming import ActingAdmin
from deliveries.admin.deeds import settling
from deliveries.admin.searching import Term
from deliveries.admin.shown_mail import ShownMail, framed, nothing_to_show
from deliveries.models import Delivery, Mail
from deliveries.statuses import NOTICES

_GONE: Final = (
    "The mail's bytes are no longer kept: they are blanked when a mail is finished,"
    " at the latest after 48 hours."
)
_KINDS: Final = {"weekly": "weekly note"}
_DOUBT: Final = {True: "yes: an attempt may have left", False: "no"}


def _themselves(ids: Any) -> "QuerySet[Mail]":
    return Mail.objects.filter(pk__in=ids)


@admin.register(Mail)
class MailAdmin(ActingAdmin[Mail]):
    """One message to one person."""

    list_display = (
        *("subject", "user", "kind", "stands", "jobs", "attempts", "error"),
        *("created_at", "sent_at"),
    )
    list_filter = ("status", "kind", ("created_at", admin.DateFieldListFilter))
    list_select_related = ("user",)
    search_fields = ("user__email__icontains",)
    search_help_text = "An e-mail address or a part of it, a job's id or address, or an envelope."
    date_hierarchy = "created_at"
    ordering = ("-created_at", "pk")
    actions = ("settle_as_sent", "settle_as_failed")
    fieldsets = (
        (
            None,
            {"fields": ("stands", "kind", "who", "recipient", "subject", "digest_on", "week_on")},
        ),
        (
            "Sending",
            {
                "fields": (
                    *("attempts", "doubt", "next_attempt_at", "error"),
                    *("provider", "provider_id", "id", "what_happened"),
                )
            },
        ),
        ("Times", {"fields": ("created_at", "finished_at", "sent_at")}),
        ("Jobs", {"fields": ("carried",)}),
        ("The mail itself", {"fields": ("itself",)}),
    )

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Mail]":
        """Never with the bytes, which a list does not need."""
        return super().get_queryset(request).defer("body")

    def get_urls(self) -> list[URLPattern]:
        """The frame's page, beside the usual ones."""
        body = self.admin_site.admin_view(self.body)
        own = path("<path:envelope>/body/", body, name="deliveries_mail_body")
        return [own, *super().get_urls()]

    def body(self, request: HttpRequest, envelope: str) -> HttpResponse:
        """The HTML part, for the sandboxed frame; 404 with a sentence once it is blanked."""
        mail = self.get_object(request, unquote(envelope))
        if mail is None:
            raise Http404
        if not self.has_view_permission(request, mail):
            raise PermissionDenied
        if mail.body is None:
            return nothing_to_show(_GONE)
        return framed(ShownMail.of(bytes(mail.body)).html)

    def get_search_results(
        self, request: HttpRequest, queryset: "QuerySet[Mail]", search_term: str
    ) -> tuple["QuerySet[Mail]", bool]:
        """A mail, the mails with a job, or those to users."""
        term = Term.of(search_term)
        if term.envelope:
            return queryset.filter(pk=term.envelope), False
        if term.job_id:
            rows = Delivery.objects.filter(job_id=term.job_id)
            return queryset.filter(pk__in=rows.values("mail_id")), False
        return super().get_search_results(request, queryset, search_term)

    def heading(self, row: Mail) -> str:
        """Its subject."""
        return row.subject or f"A {_KINDS.get(row.kind, row.kind)} that was never written"

    def in_words(self, row: Mail) -> str:
        """What, to whom, when."""
        what = _KINDS.get(row.kind, row.kind)
        return f"{what} of {row.created_at:%Y-%m-%d %H:%M} UTC to {row.user.email}"

    @admin.action(description="Settle unconfirmed ones as sent", permissions=["act"])
    def settle_as_sent(self, request: HttpRequest, chosen: "QuerySet[Mail]") -> Any:
        """Staff know that they arrived."""
        deed = settling(request, "sent", _themselves)
        return self.carry_out(request, chosen, chosen.filter(status="unconfirmed"), deed)

    @admin.action(description="Settle unconfirmed ones as failed", permissions=["act"])
    def settle_as_failed(self, request: HttpRequest, chosen: "QuerySet[Mail]") -> Any:
        """Staff know that they did not arrive."""
        deed = settling(request, "failed", _themselves)
        return self.carry_out(request, chosen, chosen.filter(status="unconfirmed"), deed)

    @admin.display(description="status", ordering="status")
    def stands(self, mail: Mail) -> SafeString:
        """The status, in its colour."""
        return mark(mail.status)

    @admin.display(description="user")
    def who(self, mail: Mail) -> SafeString:
        """A link to the user."""
        return link(mail.user.email, "accounts_user_change", mail.user_id)

    @admin.display(description="in doubt")
    def doubt(self, mail: Mail) -> str:
        """Whether an attempt may have left without anybody knowing."""
        return _DOUBT[mail.doubtful]

    @admin.display(description="events")
    def what_happened(self, mail: Mail) -> SafeString | str:
        """What the provider told afterwards, an event a line."""
        return lines(
            " · ".join(f"{key}: {value}" for key, value in event.items())
            if isinstance(event, dict)
            else event
            for event in mail.events
        )

    @admin.display(description="ledger rows")
    def carried(self, mail: Mail) -> SafeString | str:
        """The rows that are in it."""
        if mail.kind in NOTICES:
            return "None: a notice carries no row of the ledger."
        rows = mail.deliveries.order_by("-score", "job_id")
        return table(
            ("score", "job", "status"),
            (
                (row.score, link(row.title, "deliveries_delivery_change", row.pk), row.status)
                for row in rows
            ),
        )

    @admin.display(description="as it leaves")
    def itself(self, mail: Mail) -> SafeString | str:
        """Rendered in a sandboxed frame, its text, its headers; a sentence once it is blanked."""
        if mail.body is None:
            return _GONE
        frame = reverse("admin:deliveries_mail_body", args=[mail.pk])
        shown = {"mail": ShownMail.of(bytes(mail.body)), "frame": frame}
        return render_to_string("admin/deliveries/shown_mail.html", shown)
