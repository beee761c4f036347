import pytest

from jobs.scoring.wishes import Wishes, read_wishes


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("", "", ()),
        ("API work. No PHP, no pure front end.", "api work.", ("php", "pure front end")),
        (
            "Not WordPress or Wix. I may look at Framer.",
            "i may look at framer.",
            ("wordpress", "wix"),
        ),
        ("I can cut but do not film", "i can cut but", ("film",)),
        ("Notion and nonprofits", "notion and nonprofits", ()),
    ],
)
def test_denials_are_kept_apart(text, wanted, unwanted):
    assert read_wishes(text) == Wishes(wanted, unwanted)
