"""What a post shows about itself, whoever reads it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.text.tongues import language_of, named_languages

NO_TEXT, SHORT_TEXT, MANY_TAGS = 40, 200, 8

SURVEY: Final = re.compile(
    r"\bsurvey\b|share your thoughts|participants? (?:needed|wanted)|questionnaire|focus group|"
    r"paid interview"
)
PLACE: Final = re.compile(
    r"\bon ?site\b|\bin person\b|\bbased in (?:\w+ ?){1,2}|\blocated in (?:\w+ ?){1,2}|"
    r"\bmust (?:be|live|reside) (?:located |based )?in (?:\w+ ?){1,2}|\bresidents? of \w+|"
    r"\b(?:us|usa|uk|eu|canada) (?:only|based)\b|\blocal to \w+|\blocals? only\b|"
    r"\bbased (?:lawyer|attorney|developer|freelancer|candidate)|"
    r"\bwork from (?:our|the) office\b"
)

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Signs:
    """Signs of J posts, from their folded texts; lengths in characters.

    `survey` looks at titles only: a post that mentions a survey may well be work.
    """

    survey: Bools
    place: Bools
    languages: tuple[str, ...]
    title_names: tuple[frozenset[str], ...]
    text_names: tuple[frozenset[str], ...]
    text_length: Floats
    tag_count: Floats

    @classmethod
    def of(cls, titles: Sequence[str], tags: Sequence[str], bodies: Sequence[str]) -> "Signs":
        """The signs of posts given by folded title, tags (one a line) and description."""
        texts = list(map("\n".join, zip(titles, tags, bodies, strict=True)))
        heads = [f"{title} {body}" for title, body in zip(titles, bodies, strict=True)]
        return cls(
            survey=np.array([bool(SURVEY.search(title)) for title in titles], dtype=np.bool_),
            place=np.array([bool(PLACE.search(head)) for head in heads], dtype=np.bool_),
            languages=tuple(map(language_of, heads)),
            title_names=tuple(map(named_languages, titles)),
            text_names=tuple(map(named_languages, texts)),
            text_length=np.array([len(body) for body in bodies], dtype=np.float64),
            tag_count=np.array([t.count("\n") + 1 if t else 0 for t in tags], dtype=np.float64),
        )
