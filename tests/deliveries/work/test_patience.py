"""Waiting too long is told in words; every other trouble stays what it is."""

import pytest
from django.db import OperationalError
from psycopg.errors import AdminShutdown, DeadlockDetected, LockNotAvailable

from deliveries.work.patience import BusyError, told_when_busy


def failing(cause):
    with told_when_busy("The account"):
        raise OperationalError("words that may quote a row") from cause


@pytest.mark.parametrize("cause", [LockNotAvailable(), DeadlockDetected()])
def test_a_lock_that_is_not_to_be_had_is_told(cause):
    with pytest.raises(BusyError) as caught:
        failing(cause)
    assert str(caught.value) == (
        "The account is in use at this moment, and nothing was changed: try again in some minutes."
    )


@pytest.mark.parametrize("cause", [AdminShutdown(), None])
def test_another_trouble_is_another_error(cause):
    with pytest.raises(OperationalError):
        failing(cause)


def test_without_trouble_nothing_is_told():
    with told_when_busy("The account"):
        pass
