"""Shapes nobody has shown us: each field of each, against what a reader of it would say."""

from datetime import UTC, datetime

import pytest

from jobs.postings.normalise import normalise
from jobs.postings.posting import Posting
from jobs.postings.posting_json import KEYS, as_json
from jobs.postings.reading import rows_of
from tests.jobs.postings import (  # noqa: F401 -- they add their shapes
    unseen_flat,
    unseen_last,
    unseen_markets,
    unseen_more,
    unseen_tiles,
)
from tests.jobs.postings.unseen import SHAPES

FETCHED = datetime(2026, 11, 25, 12, tzinfo=UTC)
NOTHING = dict.fromkeys(KEYS) | {"url": "", "description": "", "skills": []}


def understood(name, text):
    """The postings of a file's text as JSON objects, rejections as they are."""
    found = [normalise(row, FETCHED) for _, row in rows_of(name, text.encode())]
    return [as_json(one) if isinstance(one, Posting) else {"rejected": str(one)} for one in found]


def differences(got, expected):
    """The fields that are not as expected; an id nobody wrote may be any from the content."""
    expected = NOTHING | expected
    if expected["id"] is None and str(got.get("id")).startswith("import:"):
        expected["id"] = got["id"]
    return {key: (got.get(key), value) for key, value in expected.items() if got.get(key) != value}


@pytest.mark.parametrize("name", SHAPES)
def test_every_field_of_an_unseen_shape(name):
    file_name, text, expected = SHAPES[name]
    got = understood(file_name, text)
    wrong = [differences(*pair) for pair in zip(got, expected, strict=False)]
    assert (wrong, len(got)) == ([{}] * len(expected), len(expected))


def test_there_are_many():
    assert len(SHAPES) >= 45
