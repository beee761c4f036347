"""The fields of a search, each read as a file's key of its name is, and with its words."""

from collections.abc import Mapping
from typing import Any

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
from accounts.profiles import NAMED_KEYS
from accounts.search_fields import FIELDS


def text(name: str, **options: Any) -> ProfileField:
    """A line of text."""
    return ProfileField(NAMED_KEYS[name], **_words(name), **options)


def long_text(name: str) -> ProfileField:
    """Some paragraphs."""
    return text(name, widget=forms.Textarea(attrs={"rows": 5}))


def word_list(name: str) -> ListField:
    """Words or phrases."""
    area = forms.Textarea(attrs={"rows": 3})
    return ListField(NAMED_KEYS[name], **_words(name), widget=area)


def number(name: str, mode: str = "numeric") -> OptionalField:
    """A number, or nothing."""
    box = forms.TextInput(attrs={"inputmode": mode, "autocomplete": "off"})
    return OptionalField(NAMED_KEYS[name], **_words(name), widget=box)


def chosen(name: str, choices: Mapping[str, str]) -> ChosenField:
    """Some of the choices."""
    return ChosenField(NAMED_KEYS[name], choices, **_words(name))


def countries(name: str) -> CountriesField:
    """Any number of countries."""
    return CountriesField(NAMED_KEYS[name], **_words(name))


def country(name: str) -> CountryField:
    """One country, or none."""
    box = forms.TextInput(attrs={"list": "countries", "autocomplete": "off"})
    return CountryField(NAMED_KEYS[name], **_words(name), widget=box)


def flag(name: str) -> FlagField:
    """A box to tick."""
    return FlagField(NAMED_KEYS[name], **_words(name))


def _words(name: str) -> dict[str, str]:
    field = FIELDS[name]
    return {"label": field.label, "help_text": field.help}
