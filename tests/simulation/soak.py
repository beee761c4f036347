"""`./dev soak`: the simulation for as long as asked, on all cores, with new seeds.

    ./dev soak --minutes 30          or --examples 1000; --seed N for the first seed

Prints seeds, examples, faults by kind, the boundaries where they struck, and violations, each with
the life that led to it.  The status is 1 when there was one.  A seed's batch can be played again:
`./dev soak --seed N --examples 20 --workers 1`.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

_TEST: Final = "tests/simulation/test_soak.py"
_QUIET: Final = subprocess.DEVNULL
_EVERY: Final = 30  # seconds between two lines of progress


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the workers, tell how it goes, and what came of it; the exit status."""
    asked = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        outs = [Path(folder) / f"{number}.jsonl" for number in range(asked.workers)]
        workers = [_start(asked, number, out) for number, out in enumerate(outs)]
        began = last = time.monotonic()
        while any(worker.poll() is None for worker in workers):
            time.sleep(0.5)
            if time.monotonic() - last > _EVERY:
                last = time.monotonic()
                found = _read(outs)
                examples, faults = _sum(found, "examples"), _counter(found, "faults").total()
                print(f"{last - began:6.0f} s  {examples} examples, {faults} faults", flush=True)
        found = _read(outs)
    broke = [worker.returncode for worker in workers if worker.returncode]
    _report(found, time.monotonic() - began)
    if broke:
        print(f"{len(broke)} workers broke off: run `./dev test -m soak {_TEST}` to see why.")
    return 1 if broke or any(batch["violation"] for batch in found) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev soak", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="at most so long (10)")
    parser.add_argument(
        "--examples", type=int, default=1_000_000, help="at least so many, if given"
    )
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    return parser


def _start(asked: argparse.Namespace, number: int, out: Path) -> "subprocess.Popen[bytes]":
    out.touch()
    env = os.environ | {
        "SOAK_SEED": str(asked.seed + number),
        "SOAK_STEP": str(asked.workers),
        "SOAK_MINUTES": str(asked.minutes),
        "SOAK_EXAMPLES": str(-(-asked.examples // asked.workers)),
        "SOAK_OUT": str(out),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-m", "soak", _TEST]
    return subprocess.Popen(command, env=env, stdout=_QUIET, stderr=_QUIET)


def _read(outs: Sequence[Path]) -> list[dict[str, Any]]:
    lines = (line for out in outs for line in out.read_text().splitlines() if line.endswith("}"))
    return sorted(map(json.loads, lines), key=lambda batch: int(batch["seed"]))


def _sum(found: Sequence[dict[str, Any]], key: str) -> int:
    return sum(int(batch[key]) for batch in found)


def _counter(found: Sequence[dict[str, Any]], key: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for batch in found:
        counted.update(batch[key])
    return counted


def _report(found: Sequence[dict[str, Any]], seconds: float) -> None:
    faults, struck = _counter(found, "faults"), _counter(found, "struck_at")
    seeds = [batch["seed"] for batch in found]
    bad = [batch for batch in found if batch["violation"]]
    for batch in bad:
        life = Path("var") / f"soak-{batch['seed']}.txt"
        life.write_text(batch["violation"])
        print(f"\nseed {batch['seed']}: {batch['violation'].splitlines()[0]}\n  its life: {life}")
    print(
        f"\nseeds        {min(seeds, default=0)} to {max(seeds, default=0)}, {len(seeds)} batches"
    )
    print(f"examples     {_sum(found, 'examples')} in {seconds:.0f} s")
    print(f"mails        {_sum(found, 'mailed')} accepted")
    print(f"faults       {faults.total()}")
    for kind, count in faults.most_common():
        print(f"             {count:6} {kind}")
    print(f"struck       at {len(struck)} different places")
    for place, count in struck.most_common():
        print(f"             {count:6} {place}")
    deeds = ", ".join(f"{count} {deed}" for deed, count in _counter(found, "deeds").most_common())
    print(f"deeds        {deeds}")
    print(f"violations   {len(bad)}")


if __name__ == "__main__":
    sys.exit(main())
