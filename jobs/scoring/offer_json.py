"""An offer as a JSON object and back, and the words that it is made of."""

import json
from base64 import b64decode, b64encode
from dataclasses import asdict
from hashlib import sha256
from typing import Any, Final

import numpy as np

from accounts.terms import SearchTerms
from jobs.scoring.offer import Offer, Skill
from jobs.text.latent import Floats
from jobs.text.prepared import VERSION

_DIRECTIONS: Final = ("latent", "latent_headline", "latent_unwanted")


def made_of(search: SearchTerms) -> bytes:
    """Equal for searches that come to the same offer; changes with the rules for words, too."""
    words = (search.headline, search.about, search.wants, search.skills, search.words_any)
    return sha256(json.dumps([VERSION, *words, search.languages]).encode()).digest()


def offer_as_json(offer: Offer) -> str:
    """One JSON object; directions as base64 of their floats, so that nothing is rounded."""
    values = {
        "skills": [asdict(skill) for skill in offer.skills],
        "query": dict(offer.query),
        "core": dict(offer.core),
        "headline": dict(offer.headline),
        "unwanted": {phrase: dict(bag) for phrase, bag in offer.unwanted.items()},
        "languages": int(offer.languages),
        "crafts": int(offer.crafts),
        **{name: b64encode(getattr(offer, name).tobytes()).decode() for name in _DIRECTIONS},
    }
    return json.dumps(values, ensure_ascii=False)


def offer_from_json(text: str) -> Offer:
    """The offer of which `offer_as_json` made this object."""
    data: dict[str, Any] = json.loads(text)
    return Offer(
        skills=tuple(
            Skill(row["label"], tuple(row["names"]), tuple(row["parts"]), row["weight"])
            for row in data["skills"]
        ),
        query=data["query"],
        core=data["core"],
        headline=data["headline"],
        unwanted=data["unwanted"],
        languages=np.uint64(data["languages"]),
        crafts=np.uint16(data["crafts"]),
        **{name: _direction(data[name]) for name in _DIRECTIONS},
    )


def _direction(text: str) -> Floats:
    return np.frombuffer(b64decode(text), dtype=np.float64)
