"""What a post shows about itself, whoever reads it."""

import re
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jobs.text.tongues import LANGUAGES

NO_TEXT, SHORT_TEXT, MANY_TAGS = 40, 200, 8

# Posts that want answers, not work; writing, translating or evaluating a survey is work.
SURVEY: Final = re.compile(
    r"^\W*(?:(?:paid|short|quick|online|research|simple)\W+)*survey\b(?! (?:\w+ )?{work})|"
    r"share your thoughts|participants? (?:needed|wanted)|focus group|paid interview|"
    r"\b(?:evaluation|feedback|opinion|product) survey\b(?! (?:\w+ )?{work})|"
    r"\b(?:take|answer|complete|fill (?:out|in)) (?:our|a|an|this|my|the|some) "
    r"(?:\w+ )?(?:survey|questionnaire)|freelancers to give their feedback|"
    r"share your (?:experiences?|opinions?|feedback|views?)\b|"
    r"\b(?:participate|take part) in (?:our|a|an|this|my|the) (?:\w+ ){0,2}"
    r"(?:study|research|survey|questionnaire|interview|poll)|"
    r"\b(?:in|for) (?:our|a|an|this|my) (?:\w+ ){0,2}(?:questionnaire|research interview)|"
    r"^\W*(?:\w+ )?opinion poll\b(?! (?:\w+ )?{work})|^\W*paid study\b|^\W*user interviews? with\b|"
    r"^\W*(?:\w+ )?(?:encuesta|umfrage|sondage|опрос)\b(?!.*(?:an[aá]l|dise[nñ]|auswert|erstell))|"
    r"\bfor (?:\w+ )?(?:user|market|academic) research interviews?\b".replace(
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

_FLAGS: Final = {"survey": 1, "study": 2, "place": 4, "on_site": 8}


def flags_of(title: str, head: str) -> int:
    """The flags (of `Signs`) of a post, from its folded title, and title and description."""
    shown = {
        "survey": SURVEY.search(title),
        "study": STUDY.search(title),
        "place": PLACE.search(head),
        "on_site": ON_SITE.search(head),
    }
    return sum(bit for name, bit in _FLAGS.items() if shown[name])


def demanded_languages(head: str) -> frozenset[str]:
    """The languages, English apart, that whoever does the work must speak."""
    return frozenset(_DEMANDED.findall(head))


Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
LanguageMasks = NDArray[np.uint64]


@dataclass(frozen=True)
class Signs:
    """What J posts show about themselves; lengths in characters, languages as LANGUAGE_MASKS.

    `survey` and `study` (homework, tutoring, help with interviews) look at titles only: a post
    that mentions one may well be work.  `demanded` are the languages, English apart, that whoever
    does the work must speak.
    """

    survey: Bools
    study: Bools
    place: Bools
    on_site: Bools
    title_languages: LanguageMasks
    text_languages: LanguageMasks
    demanded: LanguageMasks
    title_crafts: NDArray[np.uint16]
    text_length: Floats
    tag_count: Floats

    @classmethod
    def of(cls, headers: NDArray[Any]) -> "Signs":
        """From the headers of prepared posts (jobs/text/prepared.py)."""
        flags = {name: (headers["flags"] & bit) > 0 for name, bit in _FLAGS.items()}
        return cls(
            survey=flags["survey"],
            study=flags["study"],
            place=flags["place"],
            on_site=flags["on_site"],
            title_languages=headers["title_languages"],
            text_languages=headers["text_languages"],
            demanded=headers["demanded"],
            title_crafts=headers["title_crafts"],
            text_length=headers["text_length"].astype(np.float64),
            tag_count=headers["tag_count"].astype(np.float64),
        )

    def take(self, jobs: NDArray[np.intp]) -> "Signs":
        """Only the jobs at these places, in this order."""
        return Signs(*(getattr(self, each.name)[jobs] for each in fields(self)))
