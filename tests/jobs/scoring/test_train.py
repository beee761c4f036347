from datetime import UTC, datetime

import numpy as np
import pytest

from accounts.terms import SearchTerms
from jobs.filters import passing
from jobs.scoring import judged
from jobs.scoring.judged import alerting, average_precision, ndcg
from jobs.scoring.train import cases_features, fit, leave_one_out, with_cut
from tests.conftest import CASES

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_measures_on_a_known_order():
    points, grades = np.array([9.0, 8, 7]), np.array([3, 0, 2])
    assert average_precision(points, grades) == pytest.approx((1 + 2 / 3) / 2)
    assert ndcg(points, grades) == pytest.approx((7 + 3 / 2) / (7 + 3 / np.log2(3)))


def test_ties_count_the_worst_way():
    assert average_precision(np.array([5.0, 5]), np.array([3, 0])) == 0.5


def test_alerts_are_counted_at_the_shipped_threshold():
    told = alerting(np.array([70.0, 90, 69]), np.array([3, 0, 2]))
    assert told == "F1 0.500, precision 0.500, recall 0.500, grade-0 alerts 0.500"


def test_what_tells_good_from_bad_gets_the_weight():
    rows = np.column_stack([np.tile([0.0, 1.0], 50), np.repeat([0.0, 1.0], 50)])
    model = with_cut(fit(rows, rows[:, 0]), rows, rows[:, 0] > 0)
    assert model.weight[0] > 10 * abs(model.weight[1])
    assert (model.points(model.log_odds(rows)) >= 70).tolist() == (rows[:, 0] > 0).tolist()


@pytest.fixture(scope="module")
def judged_cases():
    if not CASES.is_dir():
        pytest.skip(f"the real cases are not at {CASES}")
    return judged.read(CASES)


def test_profiles_never_learned_from_are_served(judged_cases):
    passed, rows = cases_features(judged_cases)
    points = leave_one_out(judged_cases, rows, passed)
    told, good = points >= 70, judged_cases.grades >= judged.GOOD
    assert 2 * (told & good).sum() / (told.sum() + good.sum()) >= 0.77
    assert (told & (judged_cases.grades == 0)).sum() / told.sum() <= 0.12
    mine = [judged_cases.rows == s for s in range(len(judged_cases.searches))]
    assert np.mean([average_precision(points[m], judged_cases.grades[m]) for m in mine]) >= 0.84
    assert np.mean([ndcg(points[m], judged_cases.grades[m]) for m in mine]) >= 0.80


def test_the_gate_of_skills_loses_few_good_pairs(judged_cases):
    searches = [SearchTerms(skills=search.skills) for search in judged_cases.searches]
    kept = passing(searches, judged_cases.table, NOW)[judged_cases.rows, judged_cases.cols]
    assert kept[judged_cases.grades >= judged.GOOD].mean() >= 0.97
