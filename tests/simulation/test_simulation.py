"""The pipeline under every fault, in whatever order: the thirteen assertions hold."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.simulation.machine import Machine
from tests.simulation.moment import moved_clock

pytestmark = pytest.mark.django_db(transaction=True)


def test_no_fault_makes_a_mail_come_twice_or_get_lost():
    Machine._hypothesis_internal_use_seed = int(os.environ.get("SEED", 1))
    with moved_clock():
        run_state_machine_as_test(
            Machine,
            settings=settings(
                max_examples=int(os.environ.get("N", 10)),
                stateful_step_count=20,
                deadline=None,
                database=None,
                phases=[Phase.generate] if "RAW" in os.environ else list(Phase),
                suppress_health_check=list(HealthCheck),
            ),
        )
    print(Machine.examples, Machine.faults.total(), Machine.faults, Machine.mailed, Machine.deeds)
