"""A row that could not become a posting, and why, as a value."""

from dataclasses import dataclass, field
from typing import Final, Literal, get_args

Form = Literal["json", "csv", "html"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)
LONGEST_SCRAP: Final = 20_000  # characters; of a longer one only so many are carried, and one more


@dataclass(frozen=True, slots=True)
class Scrap:
    """The text of a row that could not be read, and what it should have been.

    `head` is the line of names that a CSV record stands under, with its end.
    """

    form: Form
    text: str
    head: str = ""

    @classmethod
    def cut(cls, form: Form, text: str, head: str = "") -> "Scrap":
        """A scrap that is no longer than what is worth keeping tells apart from a whole one."""
        return cls(form, text[: LONGEST_SCRAP + 1], head)

    def __str__(self) -> str:
        """A text that can be read by itself."""
        return self.head + self.text


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why one row of an input was left out.

    `reason` is a short sentence for a person, such as "no title"; `where` says what to look at:
    a field, or a place in the file such as "line 12".  Neither quotes the row.  `scrap` is the
    text of a row that is not even JSON or CSV.
    """

    reason: str
    where: str = ""
    scrap: Scrap | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        """The reason with its place, on one line."""
        return f"{self.where}: {self.reason}" if self.where else self.reason
