"""What a post shows about itself, whoever reads it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.text.tongues import LANGUAGES, language_of, named_languages

NO_TEXT, SHORT_TEXT, MANY_TAGS = 40, 200, 8

# Posts that want answers, not work; writing, translating or evaluating a survey is work.
SURVEY: Final = re.compile(
    r"^\W*(?:(?:paid|short|quick|online|research|simple)\W+)*survey\b(?! (?:\w+ )?{work})|"
    r"share your thoughts|participants? (?:needed|wanted)|focus group|paid interview|"
    r"\b(?:evaluation|feedback|opinion|product) survey\b(?! (?:\w+ )?{work})|"
    r"\b(?:take|answer|complete|fill (?:out|in)) (?:our|a|an|this|my|the|some) "
    r"(?:\w+ )?(?:survey|questionnaire)|freelancers to give their feedback".replace(
        "{work}",
        r"(?:analy|report|develop|design|tool|software|specialist|expert|writ|creat|translat|"
        r"program|data|platform|app|site|of\b)",
    )
)
PLACE: Final = re.compile(
    r"\bon ?site\b|\bin person\b|\bbased in (?:\w+ ?){1,2}|\blocated in (?:\w+ ?){1,2}|"
    r"\bmust (?:be|live|reside) (?:located |based )?in (?:\w+ ?){1,2}|\bresidents? of \w+|"
    r"\b(?:us|usa|uk|eu|canada) (?:only|based)\b|\blocal to \w+|\blocals? only\b|"
    r"\bbased (?:lawyer|attorney|developer|freelancer|candidate)|"
    r"\bwork from (?:our|the) office\b"
)
ON_SITE: Final = re.compile(
    r"\bon ?site\b|\bin person\b|\bwork from (?:our|the) office\b|\bface to face\b"
)
STUDY: Final = re.compile(
    r"\b(?:homework|assignments?|tutor\w*|lab help|exams?|interview (?:proxy|support|prep\w*)|"
    r"course ?work|thesis|students?)\b"
)
_DEMANDED: Final = re.compile(
    rf"(?:fluent|native|speak\w*|communicat\w+|proficien\w+)[^.]{{0,40}}\b({'|'.join(LANGUAGES)})\b"
)

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Signs:
    """Signs of J posts, from their folded texts; lengths in characters.

    `survey` and `study` (homework, tutoring, help with interviews) look at titles only: a post
    that mentions one may well be work.  `demanded` are the languages, English apart, that
    whoever does the work must speak.
    """

    survey: Bools
    study: Bools
    place: Bools
    on_site: Bools
    demanded: tuple[frozenset[str], ...]
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
            survey=_matching(SURVEY, titles),
            study=_matching(STUDY, titles),
            place=_matching(PLACE, heads),
            on_site=_matching(ON_SITE, heads),
            demanded=tuple(frozenset(_DEMANDED.findall(head)) for head in heads),
            languages=tuple(map(language_of, heads)),
            title_names=tuple(map(named_languages, titles)),
            text_names=tuple(map(named_languages, texts)),
            text_length=np.array([len(body) for body in bodies], dtype=np.float64),
            tag_count=np.array([t.count("\n") + 1 if t else 0 for t in tags], dtype=np.float64),
        )


def _matching(sign: re.Pattern[str], texts: Sequence[str]) -> Bools:
    return np.array([bool(sign.search(text)) for text in texts], dtype=np.bool_)
