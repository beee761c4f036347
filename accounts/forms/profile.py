"""One form over a user's preferences and all of the user's searches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

from django import forms
from django.http import QueryDict

from accounts.forms.preferences import PreferencesForm
from accounts.forms.search import SearchForm
from accounts.models import Preferences, Search, User
from accounts.profiles import ProfileChanges
from accounts.vocabulary import MAX_SEARCHES

_COUNT: Final = "searches"


@dataclass(frozen=True, slots=True)
class Trouble:
    """One error, for the list on top of the page; without label and field where it has none."""

    label: str
    field_id: str
    message: str


class ProfileForm:
    """The parts of the page, bound to what was typed where there is something typed."""

    def __init__(
        self, preferences: PreferencesForm, searches: Sequence[SearchForm], asked: int = 1
    ) -> None:
        """Use `stored` or `typed`; `asked` is the place of the search that is being looked at."""
        self.preferences = preferences
        self.searches = searches
        self.asked = asked

    @classmethod
    def stored(cls, user: User, asked: str = "") -> Self:
        """What is stored, nothing typed; the search at the place `asked` is shown, or the first."""
        rows = list(Search.objects.filter(user=user).order_by("position")) or [Search(user=user)]
        searches = [SearchForm(row, place) for place, row in enumerate(rows, 1)]
        place = int(asked) if asked in map(str, range(1, len(searches) + 1)) else 1
        return cls(PreferencesForm(Preferences.objects.get(pk=user.pk)), searches, place)

    @classmethod
    def typed(cls, user: User, data: QueryDict) -> Self:
        """What was typed; after it one more search with `do=add` in it, a copy with `do=copy-2`.

        Any other `do` that ends in a place, such as `edit-2`, asks to see the search there.
        """
        rows = {str(row.pk): row for row in Search.objects.filter(user=user)}
        count = _count(data)
        deed, _, place = data.get("do", "").partition("-")
        asked = int(place) if place in map(str, range(1, count + 1)) else 1
        room = count < MAX_SEARCHES
        if deed == "copy" and room:
            data, count, asked = _with_copy(data, asked, count + 1), count + 1, count + 1
        searches = [
            SearchForm(rows.get(data.get(f"search-{place}-pk", ""), Search(user=user)), place, data)
            for place in range(1, count + 1)
        ]
        if deed == "add" and room:
            fresh = Search(user=user, name=_free_name(data, "Search", count + 1))
            searches.append(SearchForm(fresh, count + 1))
            asked = count + 1
        return cls(PreferencesForm(Preferences.objects.get(pk=user.pk), data), searches, asked)

    @property
    def one(self) -> bool:
        """Whether there is just one search, the usual case."""
        return len(self.searches) == 1

    def shown(self) -> list[tuple[SearchForm, bool]]:
        """The searches, and whether each is shown whole: several would make a page too large."""
        return [(form, self._opens(form)) for form in self.searches]

    def _opens(self, form: SearchForm) -> bool:
        return form.place == self.asked or (form.is_bound and any(troubles_of(form)))

    @property
    def may_add(self) -> bool:
        """Whether there is room for another search."""
        return len(self.searches) < MAX_SEARCHES

    def is_valid(self) -> bool:
        """Whether everything that stays may be stored; the errors stand beside the fields."""
        kept = [form for form in self.searches if not form.is_to_go]
        if not kept:
            self.searches[-1].add_error("delete", "One search stays: untick this, or another one.")
        _refuse_same_names(kept)
        return bool(kept) and all(form.is_valid() for form in (self.preferences, *kept))

    def changes(self) -> ProfileChanges:
        """What is to be stored, of a valid form: of the preferences only those that differ."""
        kept = [form.values() for form in self.searches if not form.is_to_go]
        return ProfileChanges(preferences=self.preferences.changed(), searches=tuple(kept))

    def troubles(self) -> list[Trouble]:
        """Every error of the page, in its order."""
        return [
            trouble for form in (*self.searches, self.preferences) for trouble in troubles_of(form)
        ]


def troubles_of(form: forms.Form) -> Iterator[Trouble]:
    """Every error of one form; of a search that is to go none."""
    if not form.is_bound or (isinstance(form, SearchForm) and form.is_to_go and form.is_valid()):
        return
    for name, errors in form.errors.items():
        field = form[name] if name in form.fields else None
        for message in errors:
            if field is None:
                yield Trouble("", "", str(message))
            else:
                yield Trouble(str(field.label), field.id_for_label or field.auto_id, str(message))


def _refuse_same_names(searches: Sequence[SearchForm]) -> None:
    seen = set()
    for form in searches:
        name = form.cleaned_data.get("name") if form.is_bound and form.errors is not None else None
        if name in seen:
            form.add_error("name", "Another search has this name; write a different one.")
        seen |= {name} if name else set()


def _count(data: QueryDict) -> int:
    raw = data.get(_COUNT, "")
    return min(max(int(raw), 1), MAX_SEARCHES) if raw.isdecimal() and len(raw) < 3 else 1


def _with_copy(data: QueryDict, copied: int, place: int) -> QueryDict:
    """The typed form with the search at `copied` once more at `place`, under a name of its own."""
    copy = data.copy()
    before, prefix = f"search-{copied}-", f"search-{place}-"
    for name in [name for name in copy if name.startswith(prefix)]:
        del copy[name]
    for name in [name for name in data if name.startswith(before)]:
        copy.setlist(prefix + name.removeprefix(before), data.getlist(name))
    copy[f"{prefix}name"] = _free_name(data, f"{data.get(f'{before}name', '').strip()[:70]} copy")
    for name in ("pk", "delete"):
        copy.pop(prefix + name, None)
    return copy


def _free_name(data: QueryDict, words: str, number: int = 1) -> str:
    """`words` with the first number, or none for 1, that no search of the form has as its name."""
    taken = {data.get(f"search-{place}-name", "").strip() for place in range(1, MAX_SEARCHES + 1)}
    numbers = range(number, number + MAX_SEARCHES + 1)
    names = (words.strip() if each == 1 else f"{words.strip()} {each}" for each in numbers)
    return next(name for name in names if name not in taken)
