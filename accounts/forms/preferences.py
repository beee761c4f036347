"""The form over how mail reaches somebody."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django import forms

from accounts.forms.fields import FlagField, MomentField, OneField, OptionalField, ProfileField
from accounts.models import Preferences
from accounts.profile_values import ProfileError
from accounts.profiles import PREFERENCE_KEYS, check_quiet

_MODES: Final = {
    "instant": "At once, as soon as a job that fits is found",
    "daily": "Once a day, a digest of the best ones",
}
_HOURS: Final = {str(hour): f"{hour:02}:00" for hour in range(24)}
_KEYS = PREFERENCE_KEYS


@dataclass(frozen=True, slots=True)
class Row:
    """One field in the page; `strict` is the box beside a filter, for what is not stated."""

    field: forms.BoundField
    strict: dict[str, Any] | None = None
    in_use: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that belong together, under one heading; `folds` away while none is in use."""

    legend: str
    rows: list[Row]
    folds: bool = False

    @property
    def in_use(self) -> bool:
        """Whether any of the fields says something, or has an error."""
        return any(row.in_use for row in self.rows)


def _clock() -> forms.Widget:
    return forms.TimeInput(attrs={"type": "time"})


class PreferencesForm(forms.Form):
    """Every field of Preferences that people set, or some of them."""

    mode = OneField(_KEYS["mode"], _MODES, label="When to mail")
    digest_hour = OneField(
        _KEYS["digest_hour"],
        _HOURS,
        label="Hour of the digest",
        widget=forms.Select,
        help_text="By the clock of your time zone.",
    )
    timezone = ProfileField(
        _KEYS["timezone"],
        label="Time zone",
        widget=forms.TextInput(attrs={"list": "timezones", "autocomplete": "off"}),
        help_text="Such as Europe/Berlin.",
    )
    quiet_from = OptionalField(_KEYS["quiet_from"], label="Quiet from", widget=_clock())
    quiet_until = OptionalField(
        _KEYS["quiet_until"],
        label="Quiet until",
        widget=_clock(),
        help_text="Between the two no mail comes at once; it waits. Leave both empty for none.",
    )
    max_jobs_per_day = OptionalField(
        _KEYS["max_jobs_per_day"],
        label="At most this many jobs a day",
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    paused_until = MomentField(
        _KEYS["paused_until"],
        label="Pause all job mail until",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
        help_text="By the clock of your time zone. Empty: no pause.",
    )
    ai_allowed = FlagField(
        _KEYS["ai_allowed"],
        label="A language model may read what I write here to judge jobs",
        help_text="Without it, jobs are judged by the words alone.",
    )

    def __init__(
        self, stored: Preferences, data: Any = None, *, only: Collection[str] | None = None
    ) -> None:
        """Show what is stored, or what was typed; `only` these fields where they are given."""
        names = [name for name in self.base_fields if only is None or name in only]
        initial = {name: getattr(stored, name) for name in names}
        super().__init__(data, initial=initial, prefix="mail")
        self.fields = {name: self.fields[name] for name in names}
        self.stored = stored
        moment = self.fields.get("paused_until")
        if isinstance(moment, MomentField):
            moment.zone = ZoneInfo(self._zone())

    def _zone(self) -> str:
        typed = str(self.data.get(self.add_prefix("timezone"), "")).strip() if self.data else ""
        return typed if typed and typed in available_timezones() else self.stored.timezone

    def clean(self) -> dict[str, Any]:
        """Judge the two ends of the quiet hours together; keep the seconds of an unmoved pause."""
        found = super().clean() or {}
        shown = self.initial.get("paused_until")
        if shown:
            paused = self["paused_until"]
            if paused.data == paused.field.prepare_value(shown):
                found["paused_until"] = shown
        if {"quiet_from", "quiet_until"} <= found.keys():
            start, end = found["quiet_from"], found["quiet_until"]
            try:
                check_quiet(start, end)
            except ProfileError:
                empty = "quiet_from" if start is None else "quiet_until"
                both = "Give both ends, or neither."
                self.add_error(empty, both if None in (start, end) else "Give two different times.")
        return found

    def changed(self) -> dict[str, Any]:
        """The values of a valid form that are other than the stored ones."""
        return {
            name: value for name, value in self.cleaned_data.items() if value != self.initial[name]
        }

    def groups(self) -> list[Group]:
        """The fields as the page shows them."""
        when = ("mode", "digest_hour", "timezone")
        less = ("quiet_from", "quiet_until", "max_jobs_per_day", "paused_until")
        parts = {
            "When mail comes": when,
            "When it does not": less,
            "How jobs are judged": ("ai_allowed",),
        }
        groups = [
            Group(legend, [Row(self[name]) for name in names if name in self.fields])
            for legend, names in parts.items()
        ]
        return [group for group in groups if group.rows]
