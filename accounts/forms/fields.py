"""Form fields that take what a profile file takes, by the same readers."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from accounts.countries import country_name
from accounts.profile_values import ProfileError, Reader

_FOR_PEOPLE: Final = (
    (", or null", ", or leave it empty"),
    ("; write it in quotes", ""),
    ("T08:00:00Z", "T08:00"),
)
# The reader shows a value by its first 60 signs: an empty or a long one tells nothing.
_NOTHING_TO_SEE: Final = re.compile(r"""^(?:''|null|'[^']{59}|"[^"]{59}) """)

_LONG_ENTRY: Final = re.compile(r"^('[^']{30})[^']{29} ")


class ProfileField(forms.Field):
    """A field whose text is turned into a file's value, then read by the file's reader."""

    widget: type[forms.Widget] = forms.TextInput

    def __init__(self, reader: Reader, **options: Any) -> None:
        """Never required: whether it may be empty is the reader's to say."""
        super().__init__(**{"required": False, **options})
        self.reader = reader

    def value_of(self, entered: Any) -> object:
        """What a file would hold."""
        return (entered or "").strip()

    def clean(self, value: Any) -> Any:
        """The value as stored; raises ValidationError with the reader's words."""
        try:
            return self.reader(self.value_of(value))
        except ProfileError as error:
            raise ValidationError(self.told(str(error))) from None

    def told(self, message: str) -> str:
        """A reader's words for people: nothing about files, nor what the field shows anyway."""
        for words, better in _FOR_PEOPLE:
            message = message.replace(words, better)
        return _NOTHING_TO_SEE.sub("This ", message)

    def prepare_value(self, value: Any) -> Any:
        """What stands in the page for a stored value; what was typed stays as it was."""
        return value


class OptionalField(ProfileField):
    """Empty means not stated."""

    def value_of(self, entered: Any) -> object:
        """None when empty."""
        return super().value_of(entered) or None

    def prepare_value(self, value: Any) -> Any:
        """A number without needless zeros, a time without seconds."""
        if isinstance(value, Decimal):
            return f"{value.normalize():f}"
        return f"{value:%H:%M}" if isinstance(value, time) else value


class MomentField(OptionalField):
    """A moment, written as a wall clock shows it in `zone`."""

    zone = ZoneInfo("UTC")

    def value_of(self, entered: Any) -> object:
        """The moment with its zone."""
        written = super().value_of(entered)
        try:
            return datetime.fromisoformat(str(written)).replace(tzinfo=self.zone).isoformat()
        except ValueError:
            return written

    def prepare_value(self, value: Any) -> Any:
        """The wall clock's time, to the minute, as browsers write it."""
        if isinstance(value, datetime):
            return f"{value.astimezone(self.zone):%Y-%m-%dT%H:%M}"
        return value


class FlagField(ProfileField):
    """A box, ticked or not."""

    widget = forms.CheckboxInput

    def value_of(self, entered: Any) -> object:
        """True or false."""
        return bool(entered)


class ChosenField(ProfileField):
    """Some of a few words, each with a box."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, reader: Reader, choices: Mapping[str, str], **options: Any) -> None:
        """`choices` are the words and what people read."""
        super().__init__(reader, **options)
        self.widget.choices = list(choices.items())

    def value_of(self, entered: Any) -> object:
        """The ticked words."""
        return list(entered or [])


class OneField(ProfileField):
    """One of a few words."""

    widget = forms.RadioSelect

    def told(self, message: str) -> str:
        """The words are there to choose from."""
        return "Choose one of these."

    def __init__(self, reader: Reader, choices: Mapping[str, str], **options: Any) -> None:
        """`choices` are the words and what people read."""
        super().__init__(reader, **options)
        self.widget.choices = list(choices.items())


class ListField(ProfileField):
    """A list as text: one a line, or separated by commas; an entry with a comma in quotes."""

    widget = forms.Textarea

    def value_of(self, entered: Any) -> object:
        """The entries."""
        return split_list([entered or ""])

    def told(self, message: str) -> str:
        """With the beginning of the entry that is too long."""
        return super().told(_LONG_ENTRY.sub(r"\1…' ", message))

    def prepare_value(self, value: Any) -> Any:
        """One entry a line."""
        return "\n".join(map(quoted, value)) if isinstance(value, list) else value


class BoxesInput(forms.TextInput):
    """One box an entry, and some empty ones."""

    use_fieldset = True
    spare = 3

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """What stands in all the boxes."""
        return data.getlist(name) if isinstance(data, QueryDict) else data.get(name)

    def format_value(self, value: Any) -> Any:
        """The boxes to show."""
        filled = [entry for entry in value or [] if entry]
        return [*filled, *[""] * self.spare]

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """By a template of this project, which forms do not look for by themselves."""
        return render_to_string("accounts/boxes.html", self.get_context(name, value, attrs))


class CountriesField(ProfileField):
    """Countries by name or code, one a box; a box may hold several, separated by commas."""

    widget = BoxesInput

    def value_of(self, entered: Any) -> object:
        """The entries of all boxes."""
        return split_list(entered or [])

    def prepare_value(self, value: Any) -> Any:
        """Their English names; what was typed stays as it was."""
        return [country_name(entry) for entry in value or []]


class CountryField(ProfileField):
    """One country by name or code, or none."""

    def prepare_value(self, value: Any) -> Any:
        """Its English name; what was typed stays as it was."""
        return country_name(value) if value else ""


def split_list(texts: Iterable[str]) -> list[str]:
    """The entries of texts, split at line ends and at commas outside of quotes."""
    lines = [line for text in texts for line in text.splitlines()]
    return [entry for line in lines for entry in map(str.strip, _fields(line)) if entry]


def _fields(line: str) -> Sequence[str]:
    try:
        return next(csv.reader([line.strip()], skipinitialspace=True), [])
    except csv.Error:  # a field longer than any word may be
        return [line]


def quoted(entry: str) -> str:
    """An entry of a list as people write it: in quotes where it holds a comma or a quote."""
    return '"' + entry.replace('"', '""') + '"' if "," in entry or '"' in entry else entry
