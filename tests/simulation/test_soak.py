"""Seed after seed until enough was seen: what each process of `./dev soak` runs."""

import json
import os
import time
from pathlib import Path

import pytest

from tests.simulation.batches import play_on
from tests.simulation.moment import moved_clock

BATCH = 20


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_soak():
    """Write a line a batch into SOAK_OUT, with seeds SOAK_SEED, SOAK_SEED + SOAK_STEP, …"""
    seed, step = int(os.environ["SOAK_SEED"]), int(os.environ["SOAK_STEP"])
    until = time.monotonic() + 60 * float(os.environ["SOAK_MINUTES"])
    wanted, seen = int(os.environ["SOAK_EXAMPLES"]), 0
    with moved_clock(), Path(os.environ["SOAK_OUT"]).open("a") as out:
        while seen < wanted and time.monotonic() < until:
            batch = play_on(seed, BATCH)
            print(json.dumps(batch.as_json()), file=out, flush=True)
            seen, seed = seen + batch.examples, seed + step
