"""The form over one search."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.http import QueryDict

from accounts.forms import named
from accounts.forms.fields import ChosenField
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


class SearchForm(forms.Form):
    """Every field of a Search that people set, or some of them."""

    pk = forms.IntegerField(required=False, widget=forms.HiddenInput)
    name = named.text("name")
    active = named.flag("active")
    headline = named.text("headline", widget=forms.TextInput(attrs={"class": "wide"}))
    skills = named.word_list("skills")
    about = named.long_text("about")
    wants = named.long_text("wants")
    words_any = named.word_list("words_any")
    words_all = named.word_list("words_all")
    words_none = named.word_list("words_none")
    job_types = named.chosen("job_types", JOB_TYPE_LABELS)
    min_hourly = named.number("min_hourly", mode="decimal")
    min_fixed = named.number("min_fixed", mode="decimal")
    experience_levels = named.chosen("experience_levels", _LEVELS)
    durations = named.chosen("durations", DURATION_LABELS)
    categories = named.chosen("categories", CATEGORIES)
    posted_within_hours = named.number("posted_within_hours")
    max_proposals = named.number("max_proposals")
    countries_include = named.countries("countries_include")
    countries_exclude = named.countries("countries_exclude")
    my_country = named.country("my_country")
    languages = named.word_list("languages")
    payment_verified_only = named.flag("payment_verified_only")
    min_client_spent = named.number("min_client_spent", mode="decimal")
    min_client_hires = named.number("min_client_hires")
    min_client_hire_rate = named.number("min_client_hire_rate", mode="decimal")
    min_client_rating = named.number("min_client_rating", mode="decimal")
    min_score = named.number("min_score")
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
    def is_begun(self) -> bool:
        """Whether what is stored says what to look for: that nobody did yet is no mistake."""
        return self.initial["pk"] is not None and too_open(terms_of(self.initial)) is None

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
                values = _posted(field.value())
            yield from ((field.html_name, value) for value in values if value)

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


def _posted(value: Any) -> list[str]:
    """A stored value as a browser posts it; a number may be 0."""
    if value is True:
        return ["on"]
    if value is None or value is False:
        return []
    return value if isinstance(value, list) else [str(value)]
