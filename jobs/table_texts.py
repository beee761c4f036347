"""The texts of a table's postings, and what is made of them when it is first asked for."""

from functools import cached_property
from typing import Final

import numpy as np

from jobs.columns import PAIRS, Bools, Codes, country_code, language_place
from jobs.postings.posting import Posting
from jobs.text.detecting import written_in
from jobs.text.lexical import Lexical
from jobs.text.places import worker_places
from jobs.text.prepared import Prepared, is_current, prepare_post
from jobs.text.runs import Hashes, RunIndex, runs_of
from jobs.text.signs import LanguageMasks, Signs
from jobs.text.tongues import written_mask
from jobs.text.words import WordIndex, fold

# What is worked out of each posting by itself, when first asked for.
OF_EACH: Final = ("titles", "tags", "bodies", "texts", "runs", "languages")


class Texts:
    """What follows from the words of `postings`; `ready` as for JobTable."""

    postings: tuple[Posting, ...]
    ready: tuple[bytes | None, ...]

    def __len__(self) -> int:
        return len(self.postings)

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The folded titles."""
        return tuple(fold(p.title) for p in self.postings)

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The folded skills of each posting, one a line: no phrase crosses two of them."""
        return tuple("\n".join(map(fold, p.skills)) for p in self.postings)

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """The folded descriptions."""
        return tuple(fold(p.description) for p in self.postings)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Title, skills and description together, folded, one a line."""
        return tuple(map("\n".join, zip(self.titles, self.tags, self.bodies, strict=True)))

    @cached_property
    def runs(self) -> tuple[tuple[Hashes, ...], ...]:
        """The runs of letters and digits of each title, tags and description."""
        parts = (self.titles, self.tags, self.bodies)
        return tuple(zip(*(map(runs_of, texts) for texts in parts), strict=True))

    @cached_property
    def _run_indexes(self) -> tuple[RunIndex, ...]:
        parts = (self.titles, self.tags, self.bodies)
        runs = zip(*self.runs, strict=True) if self.runs else ((), (), ())
        return tuple(RunIndex(texts, each) for texts, each in zip(parts, runs, strict=True))

    def hits(self, index: WordIndex) -> tuple[Bools, ...]:
        """Which words (rows) the titles, tags and descriptions (columns) name, a matrix each.

        The first time costs about as much as reading all texts for a few words; then little.
        """
        return tuple(each.hits(index) for each in self._run_indexes)

    @cached_property
    def prepared(self) -> Prepared:
        """What scoring needs of the words."""
        texts = zip(self.titles, self.tags, self.bodies, strict=True)
        rows = zip(self.ready, texts, strict=True)
        return Prepared.of([row if is_current(row) else prepare_post(*text) for row, text in rows])

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The language each post is written in, ISO 639-1; "" where it cannot be told."""
        return tuple(
            written_in(p.title, p.description) if p.language is None else p.language
            for p in self.postings
        )

    @cached_property
    def language(self) -> Codes:
        """The languages as `language_place`s; UNKNOWN where one cannot be told."""
        return np.array([language_place(code) for code in self.languages], dtype=np.int16)

    @cached_property
    def written(self) -> LanguageMasks:
        """The languages as LANGUAGE_MASKS, nothing for English and where it cannot be told."""
        return np.array([written_mask(code) for code in self.languages], dtype=np.uint64)

    @cached_property
    def workers(self) -> Bools:
        """J by country (`country_code`): where alone the worker may be; all False: not stated.

        What the source has a field for counts before what the text says.
        """
        allowed = np.zeros((len(self), PAIRS), dtype=np.bool_)
        for j, p in enumerate(self.postings):
            stated = p.worker_countries or worker_places(p.title, p.description)
            allowed[j, [country_code(country) for country in stated]] = True
        return allowed

    @cached_property
    def lexical(self) -> Lexical:
        """The stems of the texts, weighted."""
        return Lexical.of(self.prepared)

    @cached_property
    def signs(self) -> Signs:
        """What the texts show about themselves."""
        return Signs.of(self.prepared.headers)
