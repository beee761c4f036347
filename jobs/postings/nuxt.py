"""Stores as Nuxt writes them: one flat list, in which numbers are places in it."""

from typing import Final

_KINDS: Final = frozenset(
    "Reactive ShallowReactive Ref ShallowRef EmptyRef EmptyShallowRef".split()
)
_DEEPEST: Final = 40
_MOST: Final = 200_000  # values that are put together


def is_flat(whole: list[object]) -> bool:
    """Whether a list is such a store: it begins with a kind of object and where that stands."""
    head = whole[0] if len(whole) > 2 else None
    return (
        isinstance(head, list)
        and len(head) == 2
        and head[0] in _KINDS
        and isinstance(head[1], int)
        and isinstance(whole[1], dict)
    )


def put_together(whole: list[object]) -> object:
    """The value that a flat store stands for; what is nested too deeply or twice is None."""
    return _Store(whole).value(0, 0)


class _Store:
    def __init__(self, flat: list[object]) -> None:
        self._flat = flat
        self._left = _MOST

    def value(self, place: object, depth: int) -> object:
        """What stands at a place."""
        self._left -= 1
        if not isinstance(place, int) or not 0 <= place < len(self._flat):
            return None
        if depth > _DEEPEST or self._left < 0:
            return None
        found = self._flat[place]
        if isinstance(found, dict):
            return {key: self.value(at, depth + 1) for key, at in found.items()}
        if not isinstance(found, list):
            return found
        if found and isinstance(found[0], str):  # a kind of object, or a date
            if len(found) == 2 and found[0] in _KINDS:
                return self.value(found[1], depth + 1)
            return found[1] if len(found) == 2 else None
        return [self.value(at, depth + 1) for at in found]
