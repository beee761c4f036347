"""The forms of the page about how mail reaches somebody."""

from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError

from accounts.forms.fields import FlagField, MomentField
from accounts.forms.preferences import PreferencesForm
from accounts.models import Preferences
from accounts.profile_values import flag
from accounts.profiles import PREFERENCE_KEYS
from accounts.terms import DeliveryTerms

_CAP: Final = (
    "What this number leaves over goes into the next digest, the best first; what finds no place"
    " within two days is dropped."
)
_WHEN: Final = ("mode", "digest_hour", "timezone")
_LESS: Final = ("quiet_from", "quiet_until", "max_jobs_per_day")
_NOTE: Final = ("weekly_note",)


@lru_cache(maxsize=1)
def zone_names() -> tuple[str, ...]:
    """Every time zone there is, to choose from."""
    return tuple(sorted(available_timezones()))


class DeliveryForm(PreferencesForm):
    """The settings of this page; a pause, and what models may read, are not among them."""

    weekly_note = FlagField(
        flag,
        label="Tell me once a week when nothing matched",
        help_text="On Mondays at the hour of the digest, and only if no job came for seven days:"
        " how many jobs were looked at, what came nearest, and what kept it out.",
    )

    def __init__(self, stored: Preferences, data: Any = None) -> None:
        """Show what is stored, or what was typed."""
        super().__init__(stored, data, only=(*_WHEN, *_LESS, *_NOTE))
        self.fields["max_jobs_per_day"].help_text = _CAP

    def rows(self) -> dict[str, list[forms.BoundField]]:
        """The fields by the part of the page they stand in."""
        parts = {"when": _WHEN, "less": _LESS, "note": _NOTE}
        return {part: [self[name] for name in names] for part, names in parts.items()}

    def troubles(self) -> list[forms.BoundField]:
        """The fields that have to be mended."""
        return [self[name] for name in self.errors if name in self.fields]


class PauseForm(forms.Form):
    """A moment of the user's own choice until which no mail comes."""

    paused_until = MomentField(
        PREFERENCE_KEYS["paused_until"],
        label="Or until",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )

    def __init__(self, terms: DeliveryTerms, now: datetime, data: Any = None) -> None:
        """By the wall clock of the user's zone."""
        super().__init__(data, prefix="pause")
        self.now = now
        field = self.fields["paused_until"]
        assert isinstance(field, MomentField)  # noqa: S101 -- declared above
        field.zone = ZoneInfo(terms.timezone)
        field.help_text = f"By the clock of {terms.timezone}."

    def clean_paused_until(self) -> datetime:
        """A moment to come; raises ValidationError for none, or one that has passed."""
        until = self.cleaned_data["paused_until"]
        if not isinstance(until, datetime):
            raise ValidationError("Choose a date and a time.")
        if until <= self.now:
            raise ValidationError("This has passed already: choose a later time.")
        return until
