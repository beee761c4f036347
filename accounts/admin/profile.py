"""Preferences and searches as parts of a user's page in the admin."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, TypeVar

from django import forms
from django.db.models import Model

from accounts import boundaries, vocabulary
from accounts.admin.parts import TypedForm, TypedFormSet, TypedInline
from accounts.models import Preferences, Search, User
from accounts.profiles import SEARCH_KEYS, ProfileError, check_quiet
from accounts.search_fields import refusal
from accounts.terms import terms_of

_M = TypeVar("_M", bound=Model)
_MODES = {"instant": "at once (alerts)", "daily": "one digest a day"}
_LISTS = (
    *("skills", "words_any", "words_all", "words_none"),
    *("countries_include", "countries_exclude", "languages"),
)


class LinesField(forms.CharField):
    """A list of texts, one a line."""

    widget = forms.Textarea(attrs={"rows": 3, "cols": 40})

    def __init__(self, **kwargs: Any) -> None:
        """Empty is an empty list."""
        super().__init__(**{"help_text": "One a line.", **kwargs, "required": False})

    def prepare_value(self, value: Any) -> Any:
        """As the box shows it."""
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """The lines that hold something."""
        if isinstance(value, list):
            return value
        return [line.strip() for line in (value or "").splitlines() if line.strip()]


def _some(choices: Sequence[str], **kwargs: Any) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        choices=[(choice, choice.replace("_", " ")) for choice in choices],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        **kwargs,
    )


class _ChangedOnly(TypedForm[_M]):
    """Saves the fields that the page changed; what others wrote meanwhile stays."""

    def save(self, commit: bool = True) -> Any:
        """Insert a new row, update the changed columns of another."""
        if self.instance.pk is None or self.instance._state.adding or not commit:
            with boundaries.commit("admin: save a new form"):
                return super().save(commit)
        columns = {field.name for field in self.instance._meta.concrete_fields}
        with boundaries.commit("admin: save a form"):
            self.instance.save(update_fields=[n for n in self.changed_data if n in columns])
        return self.instance


class PreferencesForm(_ChangedOnly[Preferences]):
    """How mail reaches the user."""

    mode = forms.ChoiceField(choices=[(m, _MODES[m]) for m in vocabulary.MODES])

    def clean(self) -> dict[str, Any]:
        """Quiet hours have both ends or neither."""
        values = super().clean() or {}
        try:
            check_quiet(values.get("quiet_from"), values.get("quiet_until"))
        except ProfileError as error:
            self.add_error("quiet_until", str(error))
        return values


class SearchForm(_ChangedOnly[Search]):
    """What the user looks for; each value is read as a profile file's would be."""

    job_types = _some(vocabulary.JOB_TYPES)
    experience_levels = _some(vocabulary.LEVELS)
    durations = _some(vocabulary.DURATIONS)
    categories = _some(tuple(vocabulary.CATEGORIES))
    strict = _some(
        vocabulary.STRICTABLE, help_text="Filters that also drop what a post does not state."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """A box with lines for each list."""
        super().__init__(*args, **kwargs)
        for name in _LISTS:
            label = self.fields[name].label if name in self.fields else None
            if label is not None:
                self.fields[name] = LinesField(label=label)

    def clean(self) -> dict[str, Any]:
        """Read every value by the rules of profiles, its error beside its field."""
        values = super().clean() or {}
        for name, read in SEARCH_KEYS.items():
            if name not in values:
                continue
            value = values[name]
            try:
                values[name] = read(str(value) if isinstance(value, Decimal) else value)
            except ProfileError as error:
                self.add_error(name, str(error))
        asked = self.has_changed() and not self.errors and values.get("active")
        if asked and (refused := refusal(terms_of(values))):
            self.add_error(*refused)
        return values


class SearchFormSet(TypedFormSet[Search, User, SearchForm]):
    """A user's searches: one to ten, a new one at the first free place."""

    def clean(self) -> None:
        """Refuse to leave a user without any search."""
        super().clean()
        kept = [f for f in self.forms if f.has_changed() or not f.instance._state.adding]
        if kept and not [f for f in kept if not f.cleaned_data.get("DELETE")]:
            raise forms.ValidationError("Leave one search, or make it inactive.")

    def save_new(self, form: SearchForm, commit: bool = True) -> Search:
        """Give it its place."""
        taken = Search.objects.filter(user=self.instance).values_list("position", flat=True)
        places = range(1, vocabulary.MAX_SEARCHES + 1)
        form.instance.position = next(place for place in places if place not in set(taken))
        new: Search = super().save_new(form, commit)
        return new


class PreferencesInline(TypedInline[Preferences, User]):
    """The user's preferences, and the book-keeping beside them."""

    model = Preferences
    form = PreferencesForm
    can_delete = False
    extra = 0
    verbose_name_plural = "preferences"
    fields = (
        ("mode", "digest_hour", "timezone"),
        ("quiet_from", "quiet_until"),
        ("max_jobs_per_day", "paused_until", "ai_allowed", "weekly_note"),
        ("last_digest_on", "visited_at", "saved_at"),
    )
    readonly_fields = ("last_digest_on", "visited_at", "saved_at")


class SearchInline(TypedInline[Search, User]):
    """The user's searches."""

    model = Search
    form = SearchForm
    formset = SearchFormSet  # type: ignore[assignment]  # the stubs want no form of our own
    extra = 0
    max_num = vocabulary.MAX_SEARCHES
    classes = ("collapse",)
    fields = (
        ("name", "active", "min_score"),
        "headline",
        "about",
        "wants",
        ("skills", "categories"),
        ("words_any", "words_all", "words_none"),
        ("job_types", "experience_levels", "durations"),
        ("min_hourly", "min_fixed"),
        ("countries_include", "countries_exclude", "languages", "my_country"),
        ("min_client_spent", "min_client_hires", "min_client_hire_rate", "min_client_rating"),
        ("payment_verified_only", "max_proposals", "posted_within_hours"),
        "strict",
    )
