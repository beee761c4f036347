"""Staff pages about who may send jobs to the inbox: made with a token shown once, and revoked."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.cache import add_never_cache_headers
from django.utils.safestring import SafeString

from accounts.admin.parts import ReadOnlyAdmin, mark
from jobs.inbox import senders
from jobs.models import InboxSender
from jobs.source_health import HEALTHY


class SenderForm(forms.Form):
    """What a new sender is called."""

    name = forms.CharField(
        max_length=senders.LONGEST_NAME,
        help_text="Such as ana-laptop. A revoked sender of this name gets a new token.",
    )

    def clean_name(self) -> str:
        """A fit name that no live sender has."""
        try:
            name = senders.checked_name(self.cleaned_data["name"])
        except senders.SenderNameError as error:
            raise forms.ValidationError(str(error)) from None
        if InboxSender.objects.filter(name=name, revoked_at=None).exists():
            raise forms.ValidationError(f"{name} may send already: revoke it first.")
        return name


@admin.register(InboxSender)
class InboxSenderAdmin(ReadOnlyAdmin[InboxSender]):
    """Who may send, and how they are."""

    list_display = ("name", "may_send", "how", "last_seen_at", "made_at", "revoked_at")
    search_fields = ("name",)
    ordering = ("name",)
    actions = ("revoke",)
    fields = (*list_display, "state_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Staff who have the right to."""
        return request.user.has_perm("jobs.add_inboxsender")

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Staff who may change senders; nobody edits them."""
        return request.user.has_perm("jobs.change_inboxsender")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask for a name, then show the token this once."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form, token = SenderForm(request.POST or None), ""
        if request.method == "POST" and form.is_valid():
            token = senders.make(form.cleaned_data["name"])
            sender = InboxSender.objects.get(name=form.cleaned_data["name"])
            self.log_addition(request, sender, "Made, with a token.")
        context = {
            **self.admin_site.each_context(request),
            "title": "Add an inbox sender" if not token else "Its token",
            "opts": self.opts,
            "form": form,
            "token": token,
            "media": self.media,
        }
        response = TemplateResponse(request, "admin/jobs/sender.html", context)
        add_never_cache_headers(response)
        return response

    @admin.action(description="Revoke: their tokens open nothing any more", permissions=["revoke"])
    def revoke(self, request: HttpRequest, chosen: "QuerySet[InboxSender]") -> None:
        """Revoke the chosen ones that may still send."""
        revoked = [sender for sender in chosen if senders.revoke(sender.name)]
        for sender in revoked:
            self.log_change(request, sender, "Revoked.")
        names = ", ".join(sender.name for sender in revoked) or "none: no chosen one could send"
        self.message_user(request, f"Revoked: {names}.", messages.SUCCESS)

    @admin.display(description="may send", boolean=True, ordering="revoked_at")
    def may_send(self, sender: InboxSender) -> bool:
        """Whether its token opens anything."""
        return sender.revoked_at is None

    @admin.display(description="told last", ordering="state")
    def how(self, sender: InboxSender) -> SafeString:
        """The state it told of, marked well or not; one never heard of is off."""
        return mark("well" if sender.state in HEALTHY else "ill", sender.get_state_display())
