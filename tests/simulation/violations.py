"""What must never be seen, numbered as in docs/guarantees.md."""

from typing import Final

ASSERTIONS: Final = {
    1: "an alert reaches nobody twice with one job",
    2: "no job comes to somebody in an alert and in a digest, or in two digests",
    3: "what was due was mailed or says why not; losses are at most the faults",
    4: "after a tail without faults no row is left waiting, and what could be mailed was",
    5: "a digest has at most one copy more than it met faults",
    6: "copies are byte-identical",
    7: "sent means that it left",
    8: "nothing leaves that was read after an opt-out",
    9: "a run at rest mails nothing and changes nothing",
    10: "all of it with the lease off",
    11: "with the lease on no work is done twice",
    12: "a poisoned user or job changes nothing for the others",
    13: "after a kill the work is done within the lease and one tick",
}


class Violation(AssertionError):  # noqa: N818 -- the word of the guarantees
    """One of the assertions does not hold."""

    def __init__(self, number: int, words: str) -> None:
        """Which, and what was seen."""
        super().__init__(f"assertion {number} ({ASSERTIONS[number]}): {words}")
        self.number = number


def require(condition: object, number: int, words: str) -> None:
    """Raise Violation unless the condition holds."""
    if not condition:
        raise Violation(number, words)
