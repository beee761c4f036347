import pytest

from jobs.text.tongues import CODES, LANGUAGE_MASKS, named_languages, spoken_of, written_mask


def test_english_is_not_among_the_named():
    assert named_languages("english to german, germany") == {"german"}


def test_a_written_language_is_a_mask_of_one_or_none():
    assert [LANGUAGE_MASKS.named(written_mask(code)) for code in ("de", "en", "", "xx")] == [
        ("german",),
        (),
        (),
        (),
    ]
    assert all(written_mask(code) for code in CODES)


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("review and polish up 6 page grant proposal", set()),
        ("edit, test and polish the app; german", {"german"}),
        ("english to polish translation", {"polish"}),
        ("translate from english into german, polish and czech", {"german", "polish", "czech"}),
        ("polish/ukrainian support", {"polish", "ukrainian"}),
        ("a native polish voice", {"polish"}),
        ("polish copywriter for a shop", {"polish"}),
    ],
)
def test_to_polish_is_no_language(text, spoken):
    assert spoken_of(text) == spoken
