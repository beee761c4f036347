"""Sets of names as numbers, one bit a name, so that many can be compared at once."""

from collections.abc import Iterable, Sequence


class Masks:
    """Numbers for the sets of at most 64 `names`; a name's bit is its place among them."""

    def __init__(self, names: Sequence[str]) -> None:
        if len(names) > 64:
            raise ValueError(f"{len(names)} names do not fit into 64 bits")
        self.names = tuple(names)
        self._bits = {name: 1 << place for place, name in enumerate(names)}

    def of(self, names: Iterable[str]) -> int:
        """The number of a set; a name that is not ours has no bit."""
        mask = 0
        for name in names:
            mask |= self._bits.get(name, 0)
        return mask

    def named(self, mask: int) -> tuple[str, ...]:
        """The names of a set, in the order of ours."""
        if not mask:
            return ()
        return tuple(name for name, bit in self._bits.items() if mask & bit)
