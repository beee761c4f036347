"""The three forms of setting up, one a page: few fields each, over the first search."""

from dataclasses import dataclass
from typing import Final

from django.http import QueryDict

from accounts.forms.fields import OneField, quoted
from accounts.forms.preferences import Group, PreferencesForm
from accounts.forms.profile import Trouble, troubles_of
from accounts.forms.search import SearchForm
from accounts.models import Preferences, Search, User
from accounts.profiles import NAMED_KEYS, ProfileChanges

_THRESHOLDS: Final = {
    "50": "Anything that could fit: more mail, some of it beside the point (50 of 100 or more)",
    "70": "What fits (70 or more)",
    "85": "Only what fits very well: few mails (85 or more)",
}
_PASTE: Final = "Paste the text of your profile here, or write a few lines."


@dataclass(frozen=True, slots=True)
class Step:
    """One page of setting up: its address, what it asks first, and what it folds away."""

    name: str
    url: str
    title: str
    lead: str
    legend: str
    first: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    delivery: tuple[str, ...] = ()


STEPS: Final = (
    Step(
        "who",
        "welcome",
        "Who you are",
        "A line and a few skills are enough to begin with; everything can be changed later.",
        "Your work",
        first=("headline", "about", "skills"),
    ),
    Step(
        "work",
        "welcome-work",
        "What you want",
        "None of this must be filled in: what stays empty is welcome as it comes.",
        "Your wishes",
        first=(
            *("wants", "job_types", "min_hourly", "min_fixed"),
            *("words_none", "my_country", "languages"),
        ),
        folded=(
            *("words_any", "words_all", "experience_levels", "durations", "max_proposals"),
            *("posted_within_hours", "categories", "countries_include", "countries_exclude"),
            *("payment_verified_only", "min_client_spent", "min_client_hires"),
            *("min_client_hire_rate", "min_client_rating"),
        ),
    ),
    Step(
        "mail",
        "welcome-mail",
        "How to reach you",
        "When mail comes, and how well a job must fit to be worth one.",
        "How well it must fit",
        first=("min_score",),
        delivery=("mode", "digest_hour", "timezone"),
    ),
)


@dataclass(frozen=True, slots=True)
class StepForm:
    """One step's part of the first search, and of the preferences."""

    step: Step
    search: SearchForm
    preferences: PreferencesForm

    @classmethod
    def of(cls, step: Step, user: User, data: QueryDict | None = None) -> "StepForm":
        """What is stored, or what was typed; raises Preferences.DoesNotExist for who left.

        Ticked suggestions in `data` have become skills.
        """
        preferences = Preferences.objects.get(pk=user.pk)
        stored = Search.objects.filter(user=user).order_by("position").first() or Search(user=user)
        names = (*step.first, *step.folded)
        if data is not None:
            data = _with_ticked(data)
        search = SearchForm(stored, 1, data, only=names)
        if "min_score" in names:
            search.fields["min_score"] = _threshold(stored.min_score)
        if "about" in names:
            search.fields["about"].help_text = _PASTE
        return cls(step, search, PreferencesForm(preferences, data, only=step.delivery))

    @property
    def forms(self) -> tuple[SearchForm, PreferencesForm]:
        """Both parts."""
        return self.search, self.preferences

    def is_valid(self) -> bool:
        """Whether both parts may be stored; the errors stand beside the fields."""
        return all(form.is_valid() for form in self.forms)

    def changes(self, *, active: bool) -> ProfileChanges:
        """What is to be stored, of a valid form; the search is switched on or off."""
        search = {**self.search.values(), "active": active}
        return ProfileChanges(preferences=self.preferences.changed(), search=search)

    def troubles(self) -> list[Trouble]:
        """Every error of the page, in its order."""
        return [trouble for form in self.forms for trouble in troubles_of(form)]

    def groups(self) -> list[Group]:
        """What is asked first."""
        asked = Group(self.step.legend, self.search.rows(self.step.first))
        return [*self.preferences.groups(), asked]

    def folded(self) -> list[Group]:
        """What is folded away, in groups."""
        found = []
        for group in self.search.groups():
            rows = [row for row in group.rows if row.field.name in self.step.folded]
            found += [Group(group.legend, rows)] if rows else []
        return found

    @property
    def unfolds(self) -> bool:
        """Whether anything that is folded away says something, or has an error."""
        return any(group.in_use for group in self.folded())


def _threshold(stored: int) -> OneField:
    own = {} if str(stored) in _THRESHOLDS else {str(stored): f"{stored} of 100, as you set it"}
    return OneField(
        NAMED_KEYS["min_score"], {**_THRESHOLDS, **own}, label="How well must a job fit?"
    )


def _with_ticked(data: QueryDict) -> QueryDict:
    """The typed form with the ticked suggestions among the skills."""
    ticked = [quoted(name) for name in data.getlist("suggested")]
    if not ticked:
        return data
    copy = data.copy()
    copy["search-1-skills"] = "\n".join([copy.get("search-1-skills", ""), *ticked]).strip()
    return copy
