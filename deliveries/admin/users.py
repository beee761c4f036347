"""Users as staff see them: who, what they want, how they are mailed, and what they got."""

from typing import Any, Final

from django.contrib import admin
from django.db.models.functions import Now
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.admin.parts import TypedAdmin, lines, link, table
from accounts.admin.profile import PreferencesForm, PreferencesInline, SearchInline
from accounts.boundaries import commit
from accounts.models import Preferences, User
from deliveries.models import Delivery
from deliveries.people import follow_mode
from deliveries.work.clock import Clock

_LATEST: Final = 10
_ALWAYS_AS_THEY_ARE: Final = ("email", "uid", "date_joined", "jobs_from", "last_login")
_FOR_SUPERUSERS: Final = ("is_staff", "is_superuser", "groups", "user_permissions")


@admin.register(User)
class UserAdmin(TypedAdmin[User]):
    """Changed here, never made or deleted: `add_user` and signing up make them, and deleting
    must end in the ledger."""

    list_display = ("email", "mode", "mail", "is_active", "is_staff", "date_joined")
    list_filter = ("preferences__mode", "suppression__reason", "is_active", "is_staff")
    list_select_related = ("preferences", "suppression")
    search_fields = ("email__icontains",)
    search_help_text = "An e-mail address, or a part of it."
    date_hierarchy = "date_joined"
    ordering = ("email",)
    show_full_result_count = False
    list_per_page = 50
    inlines = (PreferencesInline, SearchInline)
    filter_horizontal = ("groups", "user_permissions")
    fieldsets = (
        (None, {"fields": ("email", "is_active", "mail", "elsewhere")}),
        ("What they got lately", {"fields": ("lately",)}),
        ("Account", {"fields": ("uid", "date_joined", "last_login", "jobs_from")}),
        ("Staff", {"classes": ("collapse",), "fields": _FOR_SUPERUSERS}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Only a superuser hands out rights."""
        own = ("mail", "elsewhere", "lately")
        rights = () if _is_superuser(request) else _FOR_SUPERUSERS
        return (*_ALWAYS_AS_THEY_ARE, *own, *rights)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody: an account comes with preferences, a search and a token."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody: deleting has to end in the ledger, and a page of this kind does not."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Only a superuser changes staff."""
        above = obj is not None and obj.is_staff and not _is_superuser(request)
        return not above and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save what was changed; the preferences are locked first, as everywhere."""
        Preferences.objects.select_for_update().filter(pk=obj.pk).first()
        columns = {field.name for field in User._meta.concrete_fields}
        if fields := [name for name in form.changed_data if name in columns]:
            with commit("admin: save a user"):
                obj.save(update_fields=fields)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save preferences and searches, and let queued rows follow a new mode."""
        super().save_related(request, form, formsets, change)
        if not any(formset.has_changed() for formset in formsets):
            return
        user_id = form.instance.pk
        with commit("admin: note a save"):
            Preferences.objects.filter(pk=user_id).update(saved_at=Now())
        for each in (f for formset in formsets for f in formset.forms):
            if isinstance(each, PreferencesForm) and "mode" in each.changed_data:
                follow_mode(user_id, each.cleaned_data["mode"], now=Clock().now())

    @admin.display(description="mode", ordering="preferences__mode")
    def mode(self, user: User) -> str:
        """Alerts or digests."""
        preferences = getattr(user, "preferences", None)
        return preferences.mode if preferences else "–"

    @admin.display(description="mail")
    def mail(self, user: User) -> str:
        """Whether mail reaches the user, and if not, why."""
        preferences, stopped = (getattr(user, n, None) for n in ("preferences", "suppression"))
        if not user.is_active:
            return "none: switched off"
        if stopped:
            return f"none: {stopped.get_reason_display()}"
        if preferences and preferences.paused_until and preferences.paused_until > timezone.now():
            return f"paused until {preferences.paused_until:%Y-%m-%d %H:%M} UTC"
        return "flows" if preferences else "none: no preferences"

    @admin.display(description="see also")
    def elsewhere(self, user: User) -> SafeString | str:
        """Everything else there is about the user."""
        return lines(
            link(text, f"{model}_changelist", query=f"?user__uid__exact={user.pk}")
            for text, model in (
                ("all ledger rows", "deliveries_delivery"),
                ("all mails", "deliveries_mail"),
                ("all verdicts", "jobs_verdict"),
            )
        )

    @admin.display(description="newest ledger rows")
    def lately(self, user: User) -> SafeString | str:
        """The newest ledger rows."""
        rows = Delivery.objects.filter(user=user).order_by("-queued_at", "pk")[:_LATEST]
        return table(
            ("score", "job", "status", "queued"),
            (
                (
                    row.score,
                    link(row.title, "deliveries_delivery_change", row.pk),
                    f"{row.status} {row.reason}",
                    f"{row.queued_at:%Y-%m-%d %H:%M} UTC",
                )
                for row in rows
            ),
        )


def _is_superuser(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))
