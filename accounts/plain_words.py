"""Words as people write them, without what only changes their looks."""

import re
import unicodedata
from typing import Final

# What the comparison of words (jobs.text.words) takes for a space, or passes over.
_NO_SIGNS: Final = re.compile("[-_\u00ad\u0640\u2010-\u2015\u2212\\s]+")


def plain_words(written: str) -> str:
    """A word or phrase without case, dashes and further spaces; empty when nothing is left."""
    return _NO_SIGNS.sub(" ", unicodedata.normalize("NFKC", written).casefold()).strip()
