"""What posters change when they post again, and what makes another job of a post."""

import random
import re
from collections.abc import Callable
from typing import Final

Text = tuple[str, str]
Change = Callable[[random.Random, str, str], Text]

STATES: Final = ("Texas", "New York", "Washington, D.C.", "North Carolina or Georgia", "Ohio")
WORDS: Final = "quickly carefully invoices report team every weekly another clear simple".split()
_SENTENCES: Final = re.compile(r"(?<=[.!?\n])\s+")


def _some(rng: random.Random, text: str, share: float) -> str:
    """A share of the words dropped, doubled with another one, or replaced."""
    words: list[str] = []
    for word in re.split(r"(\s+)", text):
        if word.strip() and rng.random() < share:
            other = rng.choice(WORDS)
            words.append(rng.choice(["", other, f"{word} {other}"]))
        else:
            words.append(word)
    return "".join(words)


def few_words(rng: random.Random, title: str, body: str) -> Text:
    """One description word in thirty is another."""
    return title, _some(rng, body, 1 / 30)


def many_words(rng: random.Random, title: str, body: str) -> Text:
    """One description word in twelve is another."""
    return title, _some(rng, body, 1 / 12)


def closing_line(rng: random.Random, title: str, body: str) -> Text:
    """Applicants are told a word to begin with."""
    return title, f"{body}\nPlease start your proposal with the word {rng.choice(WORDS)}."


def looks(rng: random.Random, title: str, body: str) -> Text:
    """Other letters, signs and spaces, the same words."""
    return title.upper() + " !!!", body.replace(". ", ".\n\n\N{BULLET} ").replace(",", " ,")


def reordered(rng: random.Random, title: str, body: str) -> Text:
    """Sentences and the halves of the title change places."""
    sentences = _SENTENCES.split(body)
    rng.shuffle(sentences)
    words = title.split()
    return " ".join([*words[len(words) // 2 :], *words[: len(words) // 2]]), " ".join(sentences)


def urging_title(rng: random.Random, title: str, body: str) -> Text:
    """The title asks in other words."""
    before = rng.choice(["Urgent:", "Looking for", "Need a", "Hiring"])
    return f"{before} {title} {rng.choice(['needed', 'asap', '-- 2', '(reposted)'])}", body


def slip(rng: random.Random, title: str, body: str) -> Text:
    """Two letters of the title's longest word change places."""
    word = max(title.split(), key=len)
    at = rng.randrange(1, len(word) - 2) if len(word) > 5 else 1
    slipped = word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
    return title.replace(word, slipped, 1), body


def _in_state(title: str, body: str, state: str) -> Text:
    return f"{title} - {state}", f"You must live in {state}.\n{body}\nOnly people in {state}."


def per_state(rng: random.Random, title: str, body: str) -> Text:
    """The same, asked of another state: compare with `in_texas`."""
    return _in_state(title, body, rng.choice(STATES[1:]))


def in_texas(title: str, body: str) -> Text:
    """The first of many states."""
    return _in_state(title, body, STATES[0])


def budget(rng: random.Random, title: str, body: str) -> Text:
    """Another sum and another date: compare with `for_500`."""
    low, day = rng.randrange(600, 9000, 100), rng.randrange(2, 28)
    return f"{title} (${low} - ${low + 400})", f"{body}\nBudget: ${low}, within {day} days."


def for_500(title: str, body: str) -> Text:
    """The first offer."""
    return f"{title} ($500)", f"{body}\nBudget: $500, within 1 days."


REPOSTS: Final[dict[str, Change]] = {
    change.__name__: change
    for change in (
        *(looks, closing_line, few_words, many_words, reordered, urging_title, slip),
        *(per_state, budget),
    )
}
BEFORE: Final = {"per_state": in_texas, "budget": for_500}

TOPICS: Final = "Spanish photographers solar dentists Kotlin podcasts WooCommerce Arabic".split()


def another_topic(rng: random.Random, title: str, body: str) -> Text:
    """One template, another audience, language or tool."""
    topic = rng.choice(TOPICS)
    return f"{title} for {topic}", f"{body} This is about {topic}."


def another_part(rng: random.Random, title: str, body: str) -> Text:
    """The next of a series."""
    return f"{title} part {rng.randrange(2, 9)}", body


def another_word(rng: random.Random, title: str, body: str) -> Text:
    """The title's longest word is another: a fundraiser, not a photographer."""
    return title.replace(max(title.split(), key=len), rng.choice(TOPICS), 1), body


def half_another(rng: random.Random, title: str, body: str) -> Text:
    """One title and one company's boilerplate, half of the work is another."""
    words = body.split()
    half = [rng.choice([*WORDS, *TOPICS]) + str(n % 7) for n in range(len(words) // 2)]
    return title, " ".join([*words[: len(words) // 2], *half])


OTHERS: Final[dict[str, Change]] = {
    change.__name__: change for change in (another_topic, another_part, another_word, half_another)
}
