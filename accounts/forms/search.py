"""The form over one search."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.http import QueryDict

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
from accounts.search_fields import FIELDS, refusal, too_open
from accounts.terms import SearchTerms, terms_of
from accounts.vocabulary import CATEGORIES, DURATION_LABELS, JOB_TYPE_LABELS, STRICTABLE

_LEVELS: Final = {"entry": "entry level", "intermediate": "intermediate", "expert": "expert"}
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
_FOLD: Final = frozenset({"Words in the post", "The work", "The client"})


def _text(name: str, **options: Any) -> ProfileField:
    return ProfileField(NAMED_KEYS[name], **_words(name), **options)


def _long(name: str) -> ProfileField:
    return _text(name, widget=forms.Textarea(attrs={"rows": 5}))


def _list(name: str) -> ListField:
    area = forms.Textarea(attrs={"rows": 3})
    return ListField(NAMED_KEYS[name], **_words(name), widget=area)


def _number(name: str, mode: str = "numeric") -> OptionalField:
    box = forms.TextInput(attrs={"inputmode": mode, "autocomplete": "off"})
    return OptionalField(NAMED_KEYS[name], **_words(name), widget=box)


def _chosen(name: str, choices: Mapping[str, str]) -> ChosenField:
    return ChosenField(NAMED_KEYS[name], choices, **_words(name))


def _countries(name: str) -> CountriesField:
    return CountriesField(NAMED_KEYS[name], **_words(name))


def _flag(name: str) -> FlagField:
    return FlagField(NAMED_KEYS[name], **_words(name))


def _words(name: str) -> dict[str, str]:
    field = FIELDS[name]
    return {"label": field.label, "help_text": field.help}


class SearchForm(forms.Form):
    """Every field of a Search that people set, or some of them."""

    pk = forms.IntegerField(required=False, widget=forms.HiddenInput)
    name = _text("name")
    active = _flag("active")
    headline = _text("headline", widget=forms.TextInput(attrs={"class": "wide"}))
    skills = _list("skills")
    about = _long("about")
    wants = _long("wants")
    words_any = _list("words_any")
    words_all = _list("words_all")
    words_none = _list("words_none")
    job_types = _chosen("job_types", JOB_TYPE_LABELS)
    min_hourly = _number("min_hourly", mode="decimal")
    min_fixed = _number("min_fixed", mode="decimal")
    experience_levels = _chosen("experience_levels", _LEVELS)
    durations = _chosen("durations", DURATION_LABELS)
    categories = _chosen("categories", CATEGORIES)
    posted_within_hours = _number("posted_within_hours")
    max_proposals = _number("max_proposals")
    countries_include = _countries("countries_include")
    countries_exclude = _countries("countries_exclude")
    my_country = CountryField(
        NAMED_KEYS["my_country"],
        **_words("my_country"),
        widget=forms.TextInput(attrs={"list": "countries", "autocomplete": "off"}),
    )
    languages = _list("languages")
    payment_verified_only = _flag("payment_verified_only")
    min_client_spent = _number("min_client_spent", mode="decimal")
    min_client_hires = _number("min_client_hires")
    min_client_hire_rate = _number("min_client_hire_rate", mode="decimal")
    min_client_rating = _number("min_client_rating", mode="decimal")
    min_score = _number("min_score")
    strict = ChosenField(NAMED_KEYS["strict"], {name: name for name in STRICTABLE})
    delete = forms.BooleanField(required=False, label="Delete this search when I save")

    def __init__(
        self,
        stored: Search,
        place: int,
        data: Any = None,
        *,
        only: Collection[str] | None = None,
    ) -> None:
        """Show what is stored, or what was typed; `place` counts from 1.

        With `only` the form has no more than these fields; what the others say is as stored.
        """
        initial = {name: getattr(stored, name) for name in ("pk", *NAMED_KEYS)}
        super().__init__(data, initial=initial, prefix=f"search-{place}")
        if only is not None:
            self.fields = {name: field for name, field in self.fields.items() if name in only}
        self.place = place
        self.lets_all_through = False

    def clean(self) -> dict[str, Any]:
        """Refuse a search that lets everything or nothing through, unless it is as stored."""
        found = super().clean() or {}
        if self.errors:
            return found
        terms = terms_of({**self.initial, **found})
        self.lets_all_through = too_open(terms) is not None
        if self.is_to_go or self._stays_as_it_is(found):
            return found
        if refused := refusal(terms):
            name, reason = refused
            shown = name in self.fields
            self.add_error(
                name if shown else None, reason if shown else f"{FIELDS[name].label}: {reason}"
            )
        return found

    def _stays_as_it_is(self, found: Mapping[str, Any]) -> bool:
        """Whether nobody asked for anything: switched off, or saved again without a change."""
        if "active" not in self.fields:
            return False
        stored = self.initial["pk"] is not None
        as_before = all(found[name] == self.initial[name] for name in NAMED_KEYS)
        return not found["active"] or (stored and as_before)

    def terms(self) -> SearchTerms:
        """What a valid form says, and for fields it does not have what is stored."""
        return terms_of({**self.initial, **self.cleaned_data})

    @property
    def is_to_go(self) -> bool:
        """Whether its deletion was asked for."""
        return "delete" in self.fields and bool(self["delete"].value())

    @property
    def is_active(self) -> bool:
        """Whether the box for it is ticked, as shown."""
        return bool(self["active"].value())

    def hidden(self) -> Iterator[tuple[str, str]]:
        """Names and values of everything in the form, as a browser would post them."""
        for field in self:
            if isinstance(self.data, QueryDict) and self.is_bound:
                values = self.data.getlist(field.html_name)
            else:
                found = field.value()
                values = found if isinstance(found, list) else ["on" if found is True else found]
            yield from ((field.html_name, str(v)) for v in values if v not in ("", None, False))

    def groups(self) -> list[Group]:
        """The fields as the page shows them, but for those about the search itself."""
        groups = [
            Group(legend, self.rows(names), folds=legend in _FOLD)
            for legend, names in _GROUPS.items()
        ]
        return [group for group in groups if group.rows]

    def rows(self, names: Collection[str]) -> list[Row]:
        """These fields, as far as the form has them, each with its box for what is not stated."""
        return [
            Row(self[name], self._strict(name), self._in_use(name))
            for name in names
            if name in self.fields
        ]

    def _strict(self, name: str) -> dict[str, Any] | None:
        if name not in STRICTABLE or "strict" not in self.fields:
            return None
        box = self["strict"]
        return {
            "name": box.html_name,
            "value": name,
            "id": f"{box.auto_id}-{name}",
            "checked": name in (box.value() or []),
            "not_stated": FIELDS[name].not_stated,
        }

    def _in_use(self, name: str) -> bool:
        if self.is_bound and name in self.errors:
            return True
        found = self.cleaned_data if self.is_bound else self.initial
        return name in found.get("strict", ()) or found[name] != getattr(Search(), name)

    def values(self) -> dict[str, Any]:
        """What is to be stored, under the names of the model's fields, and the row's key."""
        names = (*NAMED_KEYS, "pk")
        return {name: self.cleaned_data[name] for name in names if name in self.fields}
