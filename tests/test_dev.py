"""./dev on machines that lack something: a copy of the script meets real, broken surroundings."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scout_project.postgres import ROOT

OLD = "import sys; sys.version_info = (3, 9, 0)"
NO_ENSUREPIP = "import sys; sys.modules['ensurepip'] = None"
REAL_PYTHON = os.path.realpath(sys.executable)


@pytest.fixture
def checkout() -> Iterator[Path]:
    """The files ./dev reads, where any user may look, with a manage.py that tells its arguments."""
    with tempfile.TemporaryDirectory(prefix="scout dev ") as name:
        root = Path(name)
        root.chmod(0o755)
        for file in ("dev", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / file, root)
        (root / "manage.py").write_text("import sys; print(sys.argv[1:])")
        yield root


def dev(
    root: Path,
    *arguments: str,
    prefix: tuple[str, ...] = (),
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(root), **(environment or {})}
    command = [*prefix, REAL_PYTHON, str(root / "dev"), *arguments]
    return subprocess.run(command, env=clean, capture_output=True, text=True)


def without_network(root: Path) -> dict[str, str]:
    return {"PIP_NO_INDEX": "1", "UV_OFFLINE": "1", "PIP_CONFIG_FILE": os.devnull}


def broken_by(root: Path, code: str) -> dict[str, str]:
    """An environment in which every Python runs `code` first."""
    place = root / "broken"
    place.mkdir()
    (place / "sitecustomize.py").write_text(code)
    return {"PYTHONPATH": str(place)}


def complete(root: Path) -> None:
    """A `.venv` that ./dev takes for complete, borrowed from the Python that runs this."""
    bin_ = root / ".venv" / "bin"
    bin_.mkdir(parents=True)
    (bin_ / "python").symlink_to(REAL_PYTHON)
    (root / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(REAL_PYTHON).parent}\n")
    wanted = f"import runpy; print(end=runpy.run_path({str(root / 'dev')!r})['wanted']())"
    stamp = subprocess.run([REAL_PYTHON, "-c", wanted], capture_output=True, check=True).stdout
    (root / ".venv" / "scout-complete").write_bytes(stamp)


@pytest.mark.parametrize("arguments", [(), ("help",), ("--help",)])
def test_help_sets_nothing_up(checkout: Path, arguments: tuple[str, ...]) -> None:
    done = dev(checkout, *arguments)
    assert (done.returncode, "./dev demo" in done.stdout) == (0, True)
    assert not (checkout / ".venv").exists()


def test_an_unknown_verb_is_refused(checkout: Path) -> None:
    done = dev(checkout, "biuld")
    assert done.returncode == 1
    assert done.stderr.endswith("There is no ./dev biuld.\n")


def test_a_complete_environment_is_entered_at_once(checkout: Path) -> None:
    complete(checkout)
    done = dev(checkout, "manage", "scan", "--json")
    assert (done.stdout, done.stderr) == ("['scan', '--json']\n", "")


@pytest.mark.parametrize("change", ["dependency", "tool", "place"])
def test_set_up_runs_again_only_for_what_matters(checkout: Path, change: str) -> None:
    complete(checkout)
    project = checkout / "pyproject.toml"
    if change == "dependency":
        project.write_text(project.read_text().replace('"gunicorn>=23"', '"gunicorn>=99"'))
    elif change == "tool":
        project.write_text(project.read_text() + "\n[tool.another]\n")
    else:
        stamp = checkout / ".venv" / "scout-complete"
        stamp.write_text(stamp.read_text().replace(str(checkout), "/some/where/else", 1))
    broken = without_network(checkout) | broken_by(checkout, NO_ENSUREPIP)
    done = dev(checkout, "manage", environment=broken)
    assert ("Setting up" in done.stderr) is (change != "tool")


def test_an_old_python_is_named(checkout: Path) -> None:
    done = dev(checkout, "test", environment=broken_by(checkout, OLD) | {"PATH": "/nowhere"})
    assert done.returncode == 1
    assert done.stderr.startswith("Upwork Scout needs Python 3.11 or newer, but ")


def test_a_python_without_venv_is_named_with_the_package_to_install(checkout: Path) -> None:
    done = dev(checkout, "test", environment=broken_by(checkout, NO_ENSUREPIP))
    assert done.returncode == 1
    assert done.stderr.endswith("apt-get install python3-venv\n")


def test_without_network_a_broken_environment_is_mended_as_far_as_possible(checkout: Path) -> None:
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/a/python/that/is/gone")
    done = dev(checkout, "test", environment=without_network(checkout))
    assert done.returncode == 1
    assert "cannot be downloaded or installed" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert subprocess.run([python, "--version"]).returncode == 0
    assert (checkout / ".venv" / "scout-unfinished").exists()


def test_a_checkout_that_cannot_be_written_is_named(checkout: Path) -> None:
    if os.geteuid() == 0:
        prefix: tuple[str, ...] = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        if subprocess.run([*prefix, REAL_PYTHON, "--version"], capture_output=True).returncode:
            pytest.skip(f"{REAL_PYTHON} is closed to other users")
    else:
        prefix = ()
        checkout.chmod(0o555)
    done = dev(checkout, "test", prefix=prefix)
    checkout.chmod(0o755)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"{checkout} cannot be written")
