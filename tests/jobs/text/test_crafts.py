import pytest

from jobs.text.crafts import crafts_of


@pytest.mark.parametrize(
    ("title", "crafts"),
    [
        ("smart contract for a token", set()),
        ("contract lawyer", {"law"}),
        ("voice ai agent on livekit", {"sound"}),
        ("real estate agent wanted", {"sales"}),
        ("web app with admin panel", {"development"}),
        ("admin assistant", {"assistance"}),
        ("an ai assistant for a shop", set()),
        ("hiring a react expert", set()),
        ("recruiter for nurses", {"recruiting"}),
        ("instagram account set up", set()),
        ("accounts receivable", {"accounts and finance"}),
    ],
)
def test_a_craft_is_told_by_words_that_mean_it(title, crafts):
    assert crafts_of(title) == crafts
