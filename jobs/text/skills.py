"""Skills as people write them, and the words by which a post may name them."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from accounts.terms import SearchTerms
from jobs.text.lexicon import is_common
from jobs.text.words import fold

# Names of one thing; each group's members stand for one another.
_SAME: Final = (
    ("javascript", "java script", "js"),
    ("typescript", "ts"),
    ("node.js", "nodejs", "node js", "node"),
    ("react", "react.js", "reactjs"),
    ("vue", "vue.js", "vuejs"),
    ("next.js", "nextjs", "next js"),
    ("angular", "angularjs"),
    (".net", "dotnet", "dot net"),
    ("c#", "c sharp", "csharp"),
    ("c++", "cpp"),
    ("golang", "go language", "go lang"),
    ("postgresql", "postgres"),
    ("kubernetes", "k8s", "eks", "gke", "aks"),
    ("aws", "amazon web services"),
    ("gcp", "google cloud", "google cloud platform"),
    ("ci/cd", "ci cd", "cicd", "continuous integration"),
    ("machine learning", "ml"),
    ("llm", "llms", "large language model", "large language models"),
    ("rag", "retrieval augmented generation"),
    ("nlp", "natural language processing"),
    ("ai agents", "ai agent", "agentic"),
    ("openai api", "openai", "chatgpt api", "gpt"),
    ("vector database", "vector db", "pinecone", "qdrant", "pgvector", "weaviate"),
    ("power bi", "powerbi", "microsoft power bi"),
    ("excel", "microsoft excel", "ms excel"),
    ("vba", "excel vba", "visual basic for applications"),
    ("apps script", "google apps script", "appscript"),
    ("google sheets", "google sheet", "google spreadsheet"),
    ("microsoft access", "ms access"),
    ("etl", "elt", "data pipeline", "data pipelines"),
    ("apache airflow", "airflow"),
    ("apache spark", "spark", "pyspark"),
    ("seo", "search engine optimization", "search engine optimisation", "تحسين محركات البحث"),
    ("wordpress", "wp"),
    ("woocommerce", "woo commerce"),
    ("after effects", "adobe after effects"),
    ("premiere pro", "adobe premiere", "adobe premiere pro", "premiere"),
    ("davinci resolve", "davinci", "da vinci resolve"),
    ("photoshop", "adobe photoshop"),
    ("illustrator", "adobe illustrator"),
    ("indesign", "adobe indesign"),
    ("ui/ux", "ui ux", "ux/ui", "ux ui"),
    ("bluetooth le", "ble", "bluetooth low energy"),
    ("pcb design", "pcb", "pcb layout"),
    ("iot", "internet of things"),
    ("virtual assistant", "virtual assistance", "va", "personal assistant"),
    ("e commerce", "ecommerce"),
    ("e mail", "email"),
    ("nda", "ndas", "non disclosure agreement"),
    ("smart contracts", "smart contract"),
    ("web3", "web 3", "blockchain"),
    ("unity", "unity3d", "unity 3d"),
    ("unreal engine", "unreal", "ue5"),
    ("voice over", "voiceover", "voice acting"),
    ("web scraping", "scraping", "data scraping", "scraper"),
    ("bookkeeping", "bookkeeper"),
    ("quickbooks", "quickbooks online", "qbo"),
    ("copywriting", "copywriter"),
)
_GROUPS: Final = {name: group for group in _SAME for name in group}
# Names of a skill that do not go both ways: whoever writes "golang" does not mean the verb.
_ALSO: Final = {"go": ("golang", "go language", "go lang"), "r": ("rstudio", "tidyverse")}

_JOINING: Final = frozenset(
    "a an and are as at be by for from in into is it of on or the to via with your".split()
)


def _plain(skill: str) -> str:
    """`skill` folded, without a remark in brackets."""
    return fold(skill).partition(" (")[0]


@lru_cache(maxsize=20_000)
def names_of(skill: str) -> tuple[str, ...]:
    """The folded names of a skill: itself, its other names, its plural or singular."""
    plain = _plain(skill)
    names = [plain, *_GROUPS.get(plain, ()), *_ALSO.get(plain, ())]
    if plain.isalpha() and plain.isascii() and len(plain) > 3:
        names.append(plain[:-1] if plain.endswith("s") else plain + "s")
    return tuple(dict.fromkeys(filter(None, names)))


@lru_cache(maxsize=20_000)
def telling_words(skill: str) -> tuple[str, ...]:
    """The words of a longer skill that tell by themselves: `django` of `Django REST Framework`.

    A word tells when fewer than 3 posts in 100 name it (jobs/text/lexicon.py).
    """
    parts = _plain(skill).replace("/", " ").replace(",", " ").split()
    if len(parts) < 2:
        return ()
    return tuple(p for p in parts if len(p) > 2 and p not in _JOINING and not is_common(p))


def gate_words(search: SearchTerms) -> tuple[str, ...]:
    """What a post must name one of to be a candidate for `search`; empty is no gate."""
    return tuple(dict.fromkeys(_gate(search.skills, search.words_any)))


def _gate(skills: Iterable[str], words_any: Iterable[str]) -> Iterable[str]:
    for skill in skills:
        yield from names_of(skill)
        yield from telling_words(skill)
    yield from words_any
