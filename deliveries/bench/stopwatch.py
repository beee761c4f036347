"""Where the time of real code goes: functions timed by stage while they do their work."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

Timer = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Part:
    """A function as its callers find it, the stage its time counts for, and what it may lead to:
    `then` is given its result and counts for `then_stage`."""

    stage: str
    module: ModuleType
    name: str
    then_stage: str = ""
    then: Callable[[Any], object] | None = None


@dataclass
class Stopwatch:
    """Seconds by stage; what a stage spends inside another counts for the inner one only."""

    timer: Timer = time.perf_counter
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    _inner: list[float] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what is done inside."""
        self._inner.append(0.0)
        begun = self.timer()
        try:
            yield
        finally:
            whole = self.timer() - begun
            self.seconds[name] += whole - self._inner.pop()
            if self._inner:
                self._inner[-1] += whole

    @contextmanager
    def watching(self, parts: Sequence[Part]) -> Iterator[None]:
        """Time each part, whoever calls it, until the end.  AttributeError: there is none such."""
        before = [(part, getattr(part.module, part.name)) for part in parts]
        for part, function in before:
            setattr(part.module, part.name, self._timed(part, function))
        try:
            yield
        finally:
            for part, function in before:
                setattr(part.module, part.name, function)

    def _timed(self, part: Part, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            with self.stage(part.stage):
                found = function(*args, **kwargs)
                if part.then:
                    with self.stage(part.then_stage):
                        part.then(found)
                return found

        return timed
