"""A row that could not become a posting, and why, as a value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why one row of an input was left out.

    `reason` is a short sentence for a person, such as "no title"; `where` says what to look at:
    a field, or a place in the file such as "line 12".  Neither quotes the row.
    """

    reason: str
    where: str = ""

    def __str__(self) -> str:
        """The reason with its place, on one line."""
        return f"{self.where}: {self.reason}" if self.where else self.reason
