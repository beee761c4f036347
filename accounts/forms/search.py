"""The form over one search."""

from typing import Any, Final

from django import forms

from accounts.forms.fields import (
    ChosenField,
    CountriesField,
    CountryField,
    FlagField,
    ListField,
    OptionalField,
    ProfileField,
)
from accounts.forms.preferences import Group, Row
from accounts.models import Search
from accounts.profiles import NAMED_KEYS
from accounts.vocabulary import STRICTABLE

_JOB_TYPES: Final = {"hourly": "paid by the hour", "fixed": "at a fixed price"}
_LEVELS: Final = {"entry": "entry level", "intermediate": "intermediate", "expert": "expert"}
_DURATIONS: Final = {
    "week": "less than a week",
    "month": "less than a month",
    "quarter": "1 to 3 months",
    "semester": "3 to 6 months",
    "ongoing": "more than 6 months",
}
_GROUPS: Final = {
    "What you do": ("headline", "skills", "about", "wants"),
    "Words in the post": ("words_any", "words_all", "words_none"),
    "The work": (
        *("job_types", "experience_levels", "min_hourly", "min_fixed", "durations"),
        *("max_proposals", "posted_within_hours", "categories"),
    ),
    "The client": (
        *("countries_include", "countries_exclude", "my_country", "languages"),
        *("payment_verified_only", "min_client_spent", "min_client_hires"),
        *("min_client_hire_rate", "min_client_rating"),
    ),
    "How well it must fit": ("min_score",),
}
_ONE_A_LINE: Final = "One a line, or separated by commas."


def _text(name: str, label: str, help_text: str = "", **options: Any) -> ProfileField:
    return ProfileField(NAMED_KEYS[name], label=label, help_text=help_text, **options)


def _long(name: str, label: str, help_text: str = "") -> ProfileField:
    return _text(name, label, help_text, widget=forms.Textarea(attrs={"rows": 5}))


def _list(name: str, label: str, help_text: str = _ONE_A_LINE) -> ListField:
    area = forms.Textarea(attrs={"rows": 3})
    return ListField(NAMED_KEYS[name], label=label, help_text=help_text, widget=area)


def _number(name: str, label: str, help_text: str = "", mode: str = "numeric") -> OptionalField:
    box = forms.TextInput(attrs={"inputmode": mode, "autocomplete": "off"})
    return OptionalField(NAMED_KEYS[name], label=label, help_text=help_text, widget=box)


def _chosen(name: str, label: str, choices: dict[str, str]) -> ChosenField:
    return ChosenField(NAMED_KEYS[name], choices, label=label, help_text="None ticked: any.")


def _countries(name: str, label: str) -> CountriesField:
    several = "By name or code; several in one box, separated by commas, are fine."
    return CountriesField(NAMED_KEYS[name], label=label, help_text=several)


class SearchForm(forms.Form):
    """Every field of a Search that people set."""

    pk = forms.IntegerField(required=False, widget=forms.HiddenInput)
    name = _text("name", "Name of this search")
    active = FlagField(NAMED_KEYS["active"], label="Look for jobs by this search")
    headline = _text(
        "headline",
        "Your work in one line",
        "Such as: Django developer for shops.",
        widget=forms.TextInput(attrs={"class": "wide"}),
    )
    skills = _list("skills", "Skills")
    about = _long("about", "About you", "What a client would want to know.")
    wants = _long("wants", "What you look for", "In your own words; also what you do not want.")
    words_any = _list("words_any", "At least one of these words")
    words_all = _list("words_all", "All of these words")
    words_none = _list("words_none", "None of these words")
    job_types = _chosen("job_types", "Payment", _JOB_TYPES)
    min_hourly = _number("min_hourly", "Hourly rate, at least (US dollars)", mode="decimal")
    min_fixed = _number("min_fixed", "Fixed price, at least (US dollars)", mode="decimal")
    experience_levels = _chosen("experience_levels", "Level", _LEVELS)
    durations = _chosen("durations", "Length", _DURATIONS)
    categories = _list("categories", "Categories", f"{_ONE_A_LINE} Kept, but not yet looked at.")
    posted_within_hours = _number("posted_within_hours", "Posted within so many hours", "1 to 720.")
    max_proposals = _number("max_proposals", "At most so many proposals")
    countries_include = _countries("countries_include", "Only clients in these countries")
    countries_exclude = _countries("countries_exclude", "No clients in these countries")
    my_country = CountryField(
        NAMED_KEYS["my_country"],
        label="Your country",
        widget=forms.TextInput(attrs={"list": "countries", "autocomplete": "off"}),
        help_text="For posts open to some countries only. Kept, but not yet looked at.",
    )
    languages = _list(
        "languages", "Languages you work in", f"{_ONE_A_LINE} Posts in others score lower."
    )
    payment_verified_only = FlagField(
        NAMED_KEYS["payment_verified_only"], label="Only clients whose payment is verified"
    )
    min_client_spent = _number(
        "min_client_spent", "Spent so far, at least (US dollars)", mode="decimal"
    )
    min_client_hires = _number("min_client_hires", "Hires so far, at least")
    min_client_hire_rate = _number(
        "min_client_hire_rate", "Hire rate, at least (percent)", mode="decimal"
    )
    min_client_rating = _number(
        "min_client_rating", "Rating, at least", "0 to 5 stars.", mode="decimal"
    )
    min_score = _number("min_score", "Mail jobs that score at least", "Of 100; 70 is usual.")
    strict = ChosenField(NAMED_KEYS["strict"], {name: name for name in STRICTABLE})
    delete = forms.BooleanField(required=False, label="Delete this search when I save")

    def __init__(self, stored: Search, place: int, data: Any = None) -> None:
        """Show what is stored, or what was typed; `place` counts from 1."""
        initial = {name: getattr(stored, name) for name in ("pk", *NAMED_KEYS)}
        super().__init__(data, initial=initial, prefix=f"search-{place}")
        self.place = place

    @property
    def is_to_go(self) -> bool:
        """Whether its deletion was asked for."""
        return bool(self["delete"].value())

    @property
    def is_active(self) -> bool:
        """Whether the box for it is ticked, as shown."""
        return bool(self["active"].value())

    def groups(self) -> list[Group]:
        """The fields as the page shows them, but for those about the search itself."""
        return [
            Group(legend, [Row(self[name], self._strict(name)) for name in names])
            for legend, names in _GROUPS.items()
        ]

    def _strict(self, name: str) -> dict[str, Any] | None:
        if name not in STRICTABLE:
            return None
        box = self["strict"]
        return {
            "name": box.html_name,
            "value": name,
            "id": f"{box.auto_id}-{name}",
            "checked": name in (box.value() or []),
        }

    def values(self) -> dict[str, Any]:
        """What is to be stored, under the names of the model's fields, and the row's key."""
        found = {name: self.cleaned_data[name] for name in NAMED_KEYS}
        return {**found, "pk": self.cleaned_data["pk"]}
