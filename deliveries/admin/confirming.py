"""Actions on chosen rows: a page that asks first, then the deed, then an entry in the log."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.contrib.admin import helpers
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from accounts.admin.parts import ReadOnlyAdmin

_M = TypeVar("_M", bound=Model)
MOST: Final = 500
_SHOWN: Final = 50


@dataclass(frozen=True, kw_only=True)
class Deed:
    """What an action does; `act` takes the ids and says in a sentence what came of it.

    `ask` is the question, `consequence` what staff should know before they answer, `none` what is
    said when no chosen row is fit, `noted` what the log keeps.
    """

    action: str
    ask: str
    consequence: str
    none: str
    noted: str
    act: Callable[[Sequence[Any]], str]


class ActingAdmin(ReadOnlyAdmin[_M]):
    """Read-only rows with actions, for staff who have the right to change the model."""

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Whether this person may act; nobody edits."""
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    def in_words(self, row: Any) -> str:
        """How a row is named when the page asks."""
        return str(row)

    def carry_out(
        self,
        request: HttpRequest,
        chosen: "QuerySet[Any]",
        fit: "QuerySet[Any]",
        deed: Deed,
    ) -> TemplateResponse | None:
        """Ask about the fit ones among the chosen rows; once confirmed, do it, note it, say so."""
        rows = list(fit[: MOST + 1])
        if not rows:
            self.message_user(request, deed.none, messages.WARNING)
            return None
        if len(rows) > MOST:
            self.message_user(request, f"Choose at most {MOST} at once.", messages.WARNING)
            return None
        if request.POST.get("confirmed") != "yes":
            return self._ask(request, rows, deed)
        sentence = deed.act([row.pk for row in rows])
        note(request, rows, deed.noted)
        self.message_user(request, sentence, messages.SUCCESS)
        return None

    def _ask(self, request: HttpRequest, rows: Sequence[Any], deed: Deed) -> TemplateResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": deed.ask,
            "opts": self.opts,
            "deed": deed,
            "rows": [self.in_words(row) for row in rows[:_SHOWN]],
            "more": max(0, len(rows) - _SHOWN),
            "ids": [row.pk for row in rows],
            "checkbox": helpers.ACTION_CHECKBOX_NAME,
            "media": self.media,
        }
        return TemplateResponse(request, "admin/deliveries/confirm.html", context)


def note(request: HttpRequest, rows: Sequence[Model], what: str) -> None:
    """Write into the admin's log, for each row, who did what."""
    if rows and request.user.pk is not None:
        LogEntry.objects.log_actions(request.user.pk, rows, CHANGE, what)


def counted(number: int, thing: str) -> str:
    """ "1 mail", "2 mails"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
