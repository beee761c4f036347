"""Staff pages about who must not be mailed; a user's own page is in deliveries, which sees all."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest

from accounts.admin.parts import ReadOnlyAdmin, TypedAdmin
from accounts.models import DeletedAddress, Suppression
from accounts.opting_out import stop_by_staff

admin.site.site_header = "Upwork Scout"
admin.site.site_title = "Upwork Scout"
admin.site.index_title = "Who gets what, and why"
admin.site.enable_nav_sidebar = False  # the lists need the width


@admin.register(Suppression)
class SuppressionAdmin(TypedAdmin[Suppression]):
    """Who is not mailed: staff add their own stops, and lift all but a user's own word."""

    list_display = ("user", "reason", "since")
    list_filter = ("reason",)
    list_select_related = ("user",)
    search_fields = ("user__email__icontains",)
    search_help_text = "An e-mail address, or a part of it."
    date_hierarchy = "since"
    show_full_result_count = False
    autocomplete_fields = ("user",)
    fields = ("user", "reason", "since")
    readonly_fields = ("reason", "since")

    def get_fields(self, request: HttpRequest, obj: Suppression | None = None) -> Any:
        """A new one asks only for whom: its reason is staff's."""
        return self.fields if obj else ("user",)

    def has_change_permission(self, request: HttpRequest, obj: Suppression | None = None) -> bool:
        """It is there or it is not."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Suppression | None = None) -> bool:
        """What the user said only the user takes back, by the link in any mail."""
        by_user = obj is not None and obj.reason == Suppression.Reason.OPTED_OUT
        return not by_user and super().has_delete_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Suppression, form: Any, change: bool) -> None:
        """Stop the mail; a stop that came in between stays as it is."""
        obj.reason = Suppression.Reason.STAFF
        if not stop_by_staff(obj.user_id):
            messages.warning(request, "Mail to this user was stopped already.")


@admin.register(DeletedAddress)
class DeletedAddressAdmin(ReadOnlyAdmin[DeletedAddress]):
    """Addresses that deleted their account, known by a keyed hash only."""

    list_display = ("address_hash", "deleted_at")
    date_hierarchy = "deleted_at"
