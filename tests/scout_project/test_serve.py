"""`./dev serve` for real: both processes run, and both are gone after one signal."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from scout_project import postgres
from tests.scout_project.test_command_line import UNSET, free_port
from tests.scout_project.test_postgres import tidy


def test_one_signal_stops_the_site_and_the_worker(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    command = [sys.executable, "-m", "scout_project.serve", address]
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(
            command,
            cwd=postgres.ROOT,
            env=kept | {"SCOUT_VAR": str(tmp_path)},
            stdout=log,
            stderr=log,
        )
        try:
            wait_for(f"http://{address}/admin/login/", tmp_path / "log")
            running.send_signal(signal.SIGINT)
            assert running.wait(30) == 0
        finally:
            running.kill()
            running.wait()
            tidy(tmp_path / "postgres")
    log_text = (tmp_path / "log").read_text()
    assert log_text.index("3 schedules: 3 made.") < log_text.index("Q Cluster")
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://{address}/admin/login/")


def wait_for(url: str, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url).close()
        except OSError:
            time.sleep(0.1)
        else:
            if "running." in log.read_text():
                return
    pytest.fail(log.read_text())
