from datetime import UTC, datetime

import pytest

from jobs.scoring import judged
from jobs.scoring.feedback import Trial, compared, report
from tests.conftest import CASES


@pytest.fixture(scope="module")
def trial():
    if not CASES.is_dir():
        pytest.skip(f"the real cases are not at {CASES}")
    return Trial.of(judged.read(CASES, datetime(2026, 3, 1, tzinfo=UTC)))


@pytest.mark.parametrize("mailed", [False, True])
def test_thumbs_on_one_half_improve_the_other(trial, mailed):
    before, after, _ = compared(trial, seeds=12, mailed=mailed)
    ndcg, precision, f1, bad = after - before
    assert min(ndcg, precision, f1) > 0
    assert bad <= 0


def test_the_report_tells_all_measures(trial):
    assert len(list(report(trial, seeds=1))) == 2 * (1 + 4)
