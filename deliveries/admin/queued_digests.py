"""Digests that wait: one row a user, how it would look now, and sending it before its hour."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.admin.parts import link
from deliveries import routing
from deliveries.admin.confirming import ActingAdmin, note
from deliveries.admin.shown_mail import ShownMail, framed, nothing_to_show
from deliveries.early_digest import Preview, preview, send_now
from deliveries.models import Mail, QueuedDigest
from deliveries.work.clock import Clock

_NOTHING = "Nothing would be in it now: no job waits, or the day's cap is used up."


@admin.register(QueuedDigest)
class QueuedDigestAdmin(ActingAdmin[QueuedDigest]):
    """Users with daily rows in the queue."""

    list_display = ("email", "waiting", "best", "next_due", "state", "last_digest_on", "act")
    list_display_links = ("email",)
    search_fields = ("user__email__icontains",)
    search_help_text = "An e-mail address, or a part of it."

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """The best first."""
        return ("-best_score", "pk")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[QueuedDigest]":
        """One row a user, with what the list shows."""
        rows = QueuedDigest.objects.select_related("user", "user__suppression")
        queued = rows.filter(user__deliveries__status="queued", user__deliveries__route="daily")
        sealed = Mail.objects.filter(user_id=OuterRef("pk"), status="sealed")
        counted = queued.annotate(
            rows=Count("user__deliveries"),
            best_score=Max("user__deliveries__score"),
            again_at=Subquery(sealed.values("next_attempt_at")[:1]),
        )
        return counted.order_by(*self.get_ordering(request))

    def get_urls(self) -> list[URLPattern]:
        """Preview, its frame, and sending, beside the list."""
        wrap = self.admin_site.admin_view
        return [
            path("<path:key>/preview/", wrap(self.shown), name="deliveries_digest_preview"),
            path("<path:key>/body/", wrap(self.body), name="deliveries_digest_body"),
            path("<path:key>/send/", wrap(self.send), name="deliveries_digest_send"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *_: Any, **__: Any) -> Any:
        """A row leads to its preview."""
        return redirect("admin:deliveries_digest_preview", object_id)

    def shown(self, request: HttpRequest, key: str) -> HttpResponse:
        """The digest as it would be written now; nothing is stored."""
        found = self._preview(request, key)
        mail = ShownMail.of(found.rendered.raw) if found.rendered else None
        context = {
            **self.admin_site.each_context(request),
            "title": f"Digest of {found.person.email}, as of now",
            "opts": self.opts,
            "found": found,
            "mail": mail,
            "nothing": found.error or _NOTHING,
            "due": _local(self._next(found), found.person.terms.timezone),
            "frame": reverse("admin:deliveries_digest_body", args=[key]),
            "send": reverse("admin:deliveries_digest_send", args=[key]),
            "may_act": self.has_act_permission(request),
        }
        return TemplateResponse(request, "admin/deliveries/digest_preview.html", context)

    def body(self, request: HttpRequest, key: str) -> HttpResponse:
        """The preview's HTML part, for the sandboxed frame."""
        found = self._preview(request, key)
        if found.rendered is None:
            return nothing_to_show(found.error or _NOTHING)
        return framed(ShownMail.of(found.rendered.raw).html)

    def send(self, request: HttpRequest, key: str) -> HttpResponse:
        """GET asks, POST sends; pressed twice it mails once."""
        if not self.has_act_permission(request):
            raise PermissionDenied
        found = self._preview(request, key)
        if request.method == "POST":
            return self._send(request, found.person.user_id)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Send this digest to {found.person.email} now?",
            "opts": self.opts,
            "found": found,
            "nothing": found.error or _NOTHING,
            "due": _local(self._next(found), found.person.terms.timezone),
            "back": reverse("admin:deliveries_digest_preview", args=[key]),
        }
        return TemplateResponse(request, "admin/deliveries/digest_send.html", context)

    def _send(self, request: HttpRequest, user_id: str) -> HttpResponse:
        result = send_now(user_id, Clock())
        mails = Mail.objects.filter(pk=result.mail_id).defer("body")
        note(request, list(mails), f"“Send now” by staff. {result.sentence}")
        level = messages.SUCCESS if result.sent else messages.WARNING
        self.message_user(request, result.sentence, level)
        return redirect("admin:deliveries_queueddigest_changelist")

    def _preview(self, request: HttpRequest, key: str) -> Preview:
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = preview(unquote(key), now=Clock().now())
        if found is None:
            raise Http404
        return found

    def _next(self, found: Preview) -> datetime:
        return routing.next_digest(found.person.terms, Clock().now(), found.person.last_digest_on)

    @admin.display(description="user", ordering="user__email")
    def email(self, row: QueuedDigest) -> str:
        """Whose."""
        return row.user.email

    @admin.display(description="jobs queued", ordering="rows")
    def waiting(self, row: Any) -> int:
        """How many daily rows wait."""
        return int(row.rows)

    @admin.display(description="best score", ordering="best_score")
    def best(self, row: Any) -> int:
        """The best of them."""
        return int(row.best_score)

    @admin.display(description="next due, on their clock")
    def next_due(self, row: QueuedDigest) -> str:
        """The local time, date and zone."""
        try:
            now = timezone.now()
            due = routing.next_digest(row.terms(), now, row.last_digest_on)
        except (ValueError, ZoneInfoNotFoundError):
            return f"never: “{row.timezone}” is no time zone"
        return "now" if due <= now else _local(due, row.timezone)

    @admin.display(description="state")
    def state(self, row: Any) -> str:
        """What stands in its way."""
        if not row.user.is_active:
            return "switched off"
        if stopped := getattr(row.user, "suppression", None):
            return str(stopped.get_reason_display())
        if routing.is_paused(row.terms(), timezone.now()):
            return f"paused until {row.paused_until:%Y-%m-%d %H:%M} UTC"
        if row.again_at:
            return f"one is frozen, tried again from {row.again_at:%Y-%m-%d %H:%M} UTC"
        return "waits"

    @admin.display(description="")
    def act(self, row: QueuedDigest) -> SafeString:
        """The way to the preview, where it can be sent."""
        return link("preview", "deliveries_digest_preview", row.pk)


def _local(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M %Z} ({zone})"
