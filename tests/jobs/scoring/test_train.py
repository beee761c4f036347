from datetime import UTC, datetime

import numpy as np
import pytest

from accounts.terms import SearchTerms
from jobs.filters import passing
from jobs.scoring import judged, score
from jobs.scoring.measuring import GOOD, alerting, average_precision, ndcg
from jobs.scoring.train import fit, leave_one_out, seen_by, with_cut
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
    return judged.read(CASES, NOW)


def test_profiles_never_learned_from_are_served(judged_cases):
    points = leave_one_out(judged_cases, seen_by(judged_cases))
    told, good = points >= 70, judged_cases.grades >= GOOD
    assert 2 * (told & good).sum() / (told.sum() + good.sum()) >= 0.81
    assert (told & (judged_cases.grades == 0)).sum() / told.sum() <= 0.08
    mine = [judged_cases.rows == s for s in range(len(judged_cases.searches))]
    assert np.mean([average_precision(points[m], judged_cases.grades[m]) for m in mine]) >= 0.87
    assert np.mean([ndcg(points[m], judged_cases.grades[m]) for m in mine]) >= 0.84


def test_the_gate_of_skills_loses_few_good_pairs(judged_cases):
    searches = [SearchTerms(skills=search.skills) for search in judged_cases.searches]
    kept = passing(searches, judged_cases.table, NOW)[judged_cases.rows, judged_cases.cols]
    assert kept[judged_cases.grades >= GOOD].mean() >= 0.97


# Posts that want answers, and posts whose tags name crafts that their text has nothing of.
UNFIT = """
1906154873585821636 1903258918944991418 1909307140635259601 1903255866952386120
1906157376609201007 1907845809384560772 1914005890059704966 1914004555540208323
1899653505372057925 1903253395980548771 1905169361843258952 1896481255231659486
1897304054946991591 1897952238770204624 1895085745113122659 0159eb2fd2b7f3c7b4
1898048204618546298 1897288371660063555 1897324386009353703 1898141758342773882
1896841403842364227 1895726933433724726 013aa818fc0286eaba 014720d29c8b85f531
2084720557603901909 1924635230126479837 1896515334698245598 1897300728655914664
1897559525196959207 1896355605659002536
""".split()


def test_surveys_and_stuffed_tags_stay_low_for_everybody(judged_cases):
    table = judged_cases.table
    cols = [j for j, posting in enumerate(table.postings) if posting.id.split(":")[1] in UNFIT]
    assert len(cols) == len(UNFIT) >= 20
    rows, chosen = np.meshgrid(np.arange(len(judged_cases.searches)), cols)
    found = score(judged_cases.searches, table, rows.ravel(), chosen.ravel())
    assert max(each.score for each in found) < 40
