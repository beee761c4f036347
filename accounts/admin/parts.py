"""What the admin pages of all apps share."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import Model
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst

_M = TypeVar("_M", bound=Model)

# Django's own classes, with the type arguments that its stubs know and Django itself does not.
if TYPE_CHECKING:
    TypedAdmin = admin.ModelAdmin
    TypedInline = admin.StackedInline
    TypedForm = forms.ModelForm
    TypedFormSet = BaseInlineFormSet
else:

    class _Typed:
        def __class_getitem__(cls, _: Any) -> type:
            return cls

    class TypedAdmin(_Typed, admin.ModelAdmin):
        """A ModelAdmin that says of which model."""

    class TypedInline(_Typed, admin.StackedInline):
        """An inline that says of which model, and below which."""

    class TypedForm(_Typed, forms.ModelForm):
        """A form that says of which model."""

    class TypedFormSet(_Typed, BaseInlineFormSet):
        """A formset that says of which model, below which, and of which forms."""


class ReadOnlyAdmin(TypedAdmin[_M]):
    """Rows to look at: nobody adds, changes or deletes them here."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody; whoever may view sees the values."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def heading(self, row: Any) -> str:
        """What stands above a row's page."""
        return capfirst(f"{self.opts.verbose_name}: {row}")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """The list under its name: there is nothing to select for."""
        title = capfirst(str(self.opts.verbose_name_plural))
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """A row's page under its own heading."""
        row = kwargs.get("obj")
        context |= {"title": self.heading(row), "subtitle": None} if row else {}
        return super().render_change_form(request, context, *args, **kwargs)


def link(text: object, view: str, *args: str, query: str = "") -> SafeString:
    """A link to an admin page by its name and a row's key, the text escaped."""
    quoted = [quote(arg) for arg in args]
    return format_html('<a href="{}{}">{}</a>', reverse(f"admin:{view}", args=quoted), query, text)


def link_out(url: str) -> SafeString | str:
    """A link that leaves the site and does not tell from where; only https."""
    if not url.startswith("https://"):
        return url
    return format_html('<a href="{0}" rel="noreferrer noopener" target="_blank">{0}</a>', url)


def mark(word: str, text: object = "") -> SafeString:
    """A word in a colour of its own."""
    return format_html('<span class="mark mark-{}">{}</span>', word, text or word)


def lines(items: Iterable[object]) -> SafeString | str:
    """A list, an entry a line; a dash when there is none."""
    found = format_html_join("", "<li>{}</li>", ((item,) for item in items))
    return format_html('<ul class="lines">{}</ul>', found) if found else "–"


def table(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> SafeString | str:
    """A small table; a dash when it has no rows."""
    cells = (format_html_join("", "<td>{}</td>", ((cell,) for cell in row)) for row in rows)
    body = format_html_join("", "<tr>{}</tr>", ((row,) for row in cells))
    head = format_html_join("", "<th>{}</th>", ((heading,) for heading in headings))
    if not body:
        return "–"
    return format_html(
        '<div class="scrolls"><table class="facts"><thead><tr>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>",
        head,
        body,
    )
