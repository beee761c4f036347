"""What a score is made of: a start, and by how many points each part moves it.

The start is what an average post scores, all features at their middle.  The model adds up
log-odds and then bends the sum into points; every log-odd of a pair is taken to be worth the same
number of points, that of the straight line from the start to what the model says of the pair.  So
a part's points have the sign of its log-odds, and all of them add up to the model's points.
The deductions set by hand follow.  Whole points are differences of rounded running totals: they
add up to the score exactly, and none has another sign than what it stands for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.scoring.features import NAMES
from jobs.scoring.weights import Weights

Floats = NDArray[np.float64]

# Below so many log-odds in all, the line is taken from a step of this size.
_STEP: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score: its name in the database, in words, and what it looks at."""

    slug: str
    label: str
    about: str
    features: tuple[str, ...] = ()


START: Final = Part("start", "Starting point", "what an average post scores; the rest moves it")
# What the features have learned; together they hold each feature once.
LEARNED: Final = (
    Part(
        "skills",
        "Skills and tags",
        "how far it names your skills, and how many tags it lists",
        ("tags_likeness", "tags_covered", "skills_in_tags", "skills_named", "many_tags"),
    ),
    Part(
        "title",
        "Title and headline",
        "how near its title comes to your words, above all your headline",
        ("title_likeness", "title_covered", "headline_in_title", "latent_headline"),
    ),
    Part(
        "description",
        "Description",
        "how near its text comes to what you offer and want",
        ("text_likeness", "text_covered", "latent_likeness"),
    ),
    Part(
        "pay",
        "Pay",
        "the rate against your floor, and whether pay is stated",
        ("rate_over_floor", "money_not_stated"),
    ),
    Part(
        "language",
        "Language and place",
        "whether it names languages you do not mention, or a place to be at",
        ("other_languages_named", "other_language_in_title", "tied_to_a_place"),
    ),
    Part(
        "other_work",
        "Other kind of work",
        "whether it is another craft, or near to what you rule out",
        ("other_crafts_in_title", "latent_unwanted"),
    ),
    Part(
        "objections",
        "Plain objections",
        "whether it is on site, homework, in another language or ruled out by name",
        ("spoken_against",),
    ),
    Part(
        "says",
        "How much it says",
        "whether its text says much, little or nothing",
        ("no_text", "short_text"),
    ),
)
# What is set by hand, in the order in which it is taken off.
DEDUCTIONS: Final = (
    Part("crowded", "Many proposals", "it has many proposals already"),
    Part("unverified", "Client unverified", "the client's way to pay is not verified"),
    Part("kept_low", "Kept low", "it is a survey, or only its list of tags speaks for it"),
)
PARTS: Final = (START, *LEARNED, *DEDUCTIONS)
SLUGS: Final = tuple(part.slug for part in PARTS)
# What a person's thumbs, and a language model's verdict, add to these parts or take from them.
TASTE: Final = Part("taste", "Your thumbs", "what you liked and disliked of jobs mailed before")
MODEL: Final = Part("model", "Language model", "how far the model's word moved the local score")

# Features in the order of their parts, and where each part's begin: one sum a part.
_ORDER: Final = np.array([NAMES.index(name) for part in LEARNED for name in part.features])
_BEGINS: Final = np.cumsum([0, *(len(part.features) for part in LEARNED[:-1])])


def learned_points(rows: Floats, modelled: Floats, weights: Weights) -> Floats:
    """By how many points each of LEARNED (columns) moves the model's points of each of N pairs."""
    weighted = ((rows - weights.middle) * weights.weight)[:, _ORDER]
    odds: Floats = np.add.reduceat(weighted, _BEGINS, axis=1)
    total = odds.sum(axis=1)
    start, near = weights.points(np.array([weights.bias, weights.bias + _STEP]))
    flat = np.abs(total) < _STEP
    slope = np.where(flat, (near - start) / _STEP, modelled - start)
    slope /= np.where(flat, 1.0, total)
    moved: Floats = odds * slope[:, None]
    return moved


def whole_parts(rows: Floats, totals: Floats, weights: Weights) -> list[dict[str, int]]:
    """Of each of N pairs the parts that are not 0, by slug, in the order of PARTS.

    `totals` are the points by the model, then those after each of the deductions (1 + D by N).
    """
    start = weights.points(np.array([weights.bias]))[0]
    running = np.empty((len(rows), len(PARTS) + 1))
    running[:, 0], running[:, 1] = 0.0, start
    learned = running[:, 2 : 2 + len(LEARNED)]
    np.cumsum(learned_points(rows, totals[0], weights), axis=1, out=learned)
    learned += start
    running[:, 1 + len(LEARNED) :] = totals.T  # the last sum is what the model says, to the bit
    whole = np.diff(np.round(running), axis=1).astype(np.int64)
    pairs = (zip(SLUGS, row, strict=True) for row in whole.tolist())
    return [{slug: points for slug, points in pair if points} for pair in pairs]


def with_part(parts: Mapping[str, int], part: Part, points: int) -> dict[str, int]:
    """The parts and one more, unless it moves nothing."""
    return {**parts, part.slug: points} if points else dict(parts)


def in_words(parts: Mapping[str, int]) -> list[tuple[Part, int]]:
    """Stored parts with their words, in order; one that only an older version knew comes last."""
    ours = (*PARTS, TASTE, MODEL)
    known = [(part, parts[part.slug]) for part in ours if part.slug in parts]
    older = sorted(parts.keys() - {part.slug for part in ours})
    return known + [(Part(slug, slug, "an earlier version's part"), parts[slug]) for slug in older]
