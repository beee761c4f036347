"""A batch: so many examples from one seed, and what came of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.simulation.machine import Machine

STEPS: Final = 30
_FOUND_ONLY: Final = (Phase.generate,)


@dataclass
class Batch:
    """One seed's examples in numbers; `violation` is "" when all held."""

    seed: int
    examples: int = 0
    mailed: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    struck_at: Counter[str] = field(default_factory=Counter)
    deeds: Counter[str] = field(default_factory=Counter)
    violation: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            name: dict(value) if isinstance(value, Counter) else value
            for name, value in vars(self).items()
        }


def play(seed: int, examples: int, *, phases: Sequence[Phase] = _FOUND_ONLY) -> Batch:
    """Play so many examples; raises what was violated, with the life that led to it."""
    machine = _counting(seed)
    _run(machine, examples, phases)
    return _batch(machine, seed)


def play_on(seed: int, examples: int) -> Batch:
    """As `play`, but a violation ends the batch and stands in it."""
    machine = _counting(seed)
    try:
        _run(machine, examples, _FOUND_ONLY)
    except Exception as error:
        notes = "\n".join(getattr(error, "__notes__", []))
        batch = _batch(machine, seed)
        batch.violation = f"{type(error).__name__}: {error}\n{notes}"
        return batch
    return _batch(machine, seed)


def _counting(seed: int) -> type[Machine]:
    """The machine with counters of its own."""
    counters: dict[str, Any] = {name: Counter() for name in ("faults", "struck_at", "deeds")}
    # How hypothesis hands a seed on to a state machine (its `seed` decorator sets the same).
    counters |= {"examples": 0, "mailed": 0, "_hypothesis_internal_use_seed": seed}
    return type("Machine", (Machine,), counters)


def _run(machine: type[Machine], examples: int, phases: Sequence[Phase]) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            phases=phases,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )


def _batch(machine: type[Machine], seed: int) -> Batch:
    return Batch(
        seed,
        machine.examples,
        machine.mailed,
        machine.faults,
        machine.struck_at,
        machine.deeds,
    )
