from jobs.text.tongues import CODES, LANGUAGE_MASKS, named_languages, written_mask


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
