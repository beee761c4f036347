"""The wall, and the signals that bring it nearer."""

import os
import signal
import threading

import pytest

from deliveries.work.wall import Wall, stopping_on_sigterm


@pytest.fixture
def seconds() -> list[float]:
    """What the wall's clock shows, to be moved."""
    return [1000.0]


@pytest.fixture
def wall(seconds) -> Wall:
    return Wall(270, monotonic=lambda: seconds[0])


@pytest.mark.parametrize(
    ("elapsed", "step", "fits"),
    [(0, 270, True), (240, 30, True), (241, 30, False), (300, 0, False)],
)
def test_a_step_fits_before_the_wall_or_not(wall, seconds, elapsed, step, fits):
    seconds[0] += elapsed
    assert wall.elapsed == elapsed
    assert wall.leaves(step) is fits


def test_after_a_stop_nothing_fits(wall):
    wall.stop()
    assert not wall.leaves(0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_wall_and_not_the_process(wall, number):
    before = signal.getsignal(number)
    with stopping_on_sigterm(wall):
        os.kill(os.getpid(), number)
        assert not wall.leaves(0)
    assert signal.getsignal(number) == before


def test_a_signal_interrupts_no_step(wall):
    answers = []
    with stopping_on_sigterm(wall):
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM))
        timer.start()
        answers.append(threading.Event().wait(0.1))
        timer.join()
    assert (answers, wall.stopped) == ([False], True)


def test_handlers_come_back_after_an_error(wall):
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyError), stopping_on_sigterm(wall):
        raise KeyError
    assert signal.getsignal(signal.SIGTERM) == before


def test_outside_the_main_thread_signals_are_left_alone(wall):
    raised: list[BaseException] = []

    def work() -> None:
        try:
            with stopping_on_sigterm(wall):
                pass
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert raised == []
