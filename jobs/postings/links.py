"""Links to jobs: which marketplace they lead to, however they were copied."""

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True, slots=True)
class Market:
    """A marketplace: its name in ids, its domains, and where its URLs hold a job's id."""

    name: str
    domains: tuple[str, ...]
    id_in_path: re.Pattern[str]


# From these sites' public job pages; the last path segment of Workana is the job's name.
MARKETS: Final = (
    Market(
        "upwork", ("upwork.com",), re.compile(r"[/_~](0[12][0-9a-f]+|\d{19})(?:/|$)", re.IGNORECASE)
    ),
    Market("freelancercom", ("freelancer.com",), re.compile(r"^/projects/.*?-(\d{7,12})(?:/|$)")),
    Market("workana", ("workana.com",), re.compile(r"^(?:/\w\w)?/job/([\w.-]+)/?$", re.ASCII)),
    Market("mostaql", ("mostaql.com",), re.compile(r"^/projects?/(\d+)\b")),
    Market("peopleperhour", ("peopleperhour.com",), re.compile(r"-(\d{5,12})/?$")),
    Market("kwork", ("kwork.ru", "kwork.com"), re.compile(r"^/projects/(\d+)\b")),
    Market("flru", ("fl.ru",), re.compile(r"^/projects/(\d+)\b")),
    Market("freelancehunt", ("freelancehunt.com",), re.compile(r"/(\d+)(?:\.html)?/?$")),
    Market("habr", ("freelance.habr.com",), re.compile(r"^/tasks/(\d+)\b")),
    Market("weblancer", ("weblancer.net",), re.compile(r"-(\d+)/?$")),
    Market("99freelas", ("99freelas.com.br",), re.compile(r"-(\d+)/?$")),
    Market("truelancer", ("truelancer.com",), re.compile(r"-(\d+)/?$")),
    Market("freelancermap", ("freelancermap.de", "freelancermap.com"), re.compile(r"-(\d+)/?$")),
    Market("freelancede", ("freelance.de",), re.compile(r"-(\d+)/?$")),
    Market("codeur", ("codeur.com",), re.compile(r"^/projects/(\d+)\b")),
    Market("malt", ("malt.com", "malt.fr", "malt.de"), re.compile(r"/([0-9a-f-]{24,36})(?:/|$)")),
    Market("freework", ("free-work.com",), re.compile(r"/job-mission/([\w-]+)/?$", re.ASCII)),
    Market("useme", ("useme.com",), re.compile(r",(\d+)/?$")),
    Market("hubstaff", ("talent.hubstaff.com",), re.compile(r"/jobs/([\w-]+)/?$", re.ASCII)),
    Market("contra", ("contra.com",), re.compile(r"/opportunity/([\w-]+)/?$", re.ASCII)),
    Market("guru", ("guru.com",), re.compile(r"/(\d{5,12})(?:/|&|$)")),
)
BY_NAME: Final = {market.name: market for market in MARKETS}
_ALIASES: Final = {"freelancer": "freelancercom"}
LONGEST_URL: Final = 500
_LONGEST_ID: Final = 10_000

_TILDE: Final = re.compile(r"%(?:25){0,9}7e", re.IGNORECASE)
_TILDES: Final = str.maketrans("\u223c\u02dc", "~~")
_MARKDOWN: Final = re.compile(r"\]\(\s*([^\s()]+)")
_ANCHOR: Final = re.compile(r"<a\s[^<>]*?href\s*=\s*[\"']?\s*([^\"'<>\s]+)", re.IGNORECASE)
_SLASHES: Final = re.compile(r"^(https?):/*(?=[^/])", re.IGNORECASE)
AROUND: Final = " '\"`<>()[]{},;\u00ab\u00bb\u2018\u2019\u201c\u201d"
_BARE_HOST: Final = re.compile(r"(?:[^/?#@\s]*@)?([a-z0-9.-]+)(?::\d+)?[/?#]", re.IGNORECASE)


def title_in_url(url: str) -> str:
    """The words of an Upwork job's URL, `/jobs/Some-words_~02…`, or ""; highlights taken out."""
    parts = split_link(tidy(url), strict=False)
    path = unquoted(parts[1]) if parts else ""
    found = re.fullmatch(r"/jobs/([^/]{1,200})_~0[12]\w+/?", path)
    if found is None:
        return ""
    slug = re.sub(r"\bspan-class-highlight-(.*?)-?\bspan\b", r"\1", found[1])
    return " ".join(slug.replace("-", " ").split())


def market_named(name: str) -> str | None:
    """A marketplace's name as ids write it: lower-case ASCII letters and digits, or None.

    At most 30 of them, with a letter among them.
    """
    plain = re.sub(r"[^a-z0-9]", "", name.lower())[:30]
    return _ALIASES.get(plain, plain) if re.search(r"[a-z]", plain) else None


@lru_cache(maxsize=256)
def market_of_url(url: str) -> str | None:
    """The marketplace a URL leads to, None when it is none of MARKETS."""
    parts = split_link(tidy(url), strict=False)
    return market_of_host(parts[0]) if parts else None


def is_link(text: str) -> bool:
    """Whether a text is a URL: with a scheme, a path from the root, or at a known host."""
    text = tidy(text)
    return "://" in text or text.startswith("/") or _with_scheme(text) != text


def is_market(name: str) -> bool:
    """Whether this is the name of one of MARKETS, as `market_named` writes it."""
    return name in BY_NAME


def tidy(text: str) -> str:
    """An id or URL without what copying and escaping put into and around it.

    Invisible characters, entities, other forms of `~`, quotes, brackets, Markdown's link.
    """
    text = text.strip()
    if len(text) > _LONGEST_ID or (text.isalnum() and text.isascii()):
        return text
    for _ in range(2):
        text = html.unescape(text) if "&" in text and ";" in text else text
    if not (text.isascii() and text.isprintable()):
        text = "".join(c for c in text if unicodedata.category(c)[0] != "C")
        text = unicodedata.normalize("NFKC", text.translate(_TILDES))
    text = _TILDE.sub("~", text) if "%" in text else text
    found = _MARKDOWN.search(text) if "](" in text else None
    found = found or (_ANCHOR.search(text) if "<" in text else None)
    text = found[1] if found else text
    text = text.strip(AROUND)
    return _SLASHES.sub(r"\1://", text) if text[:4].lower() == "http" else text


def unquoted(text: str) -> str:
    """A URL's text without percent signs, escaped twice or not."""
    return unquote(unquote(text))


def _with_scheme(url: str) -> str:
    """A URL of a known marketplace that lacks its scheme, with it; others as they are."""
    bare = url.removeprefix("//")
    found = _BARE_HOST.match(bare)
    if found and market_of_host(found[1].lower().rstrip(".")):
        return f"https://{bare}"
    return url


def market_of_host(host: str) -> str | None:
    """The marketplace a host name belongs to, None when it is none of MARKETS."""
    for market in MARKETS:
        if any(host == domain or host.endswith("." + domain) for domain in market.domains):
            return market.name
    return None


def split_link(url: str, *, strict: bool = True) -> tuple[str, str] | None:
    """Host and path of an http(s) URL; None for anything else, or anything odd.

    Ports and credentials are odd only where `strict`: a link with them is not followed.
    """
    url = _with_scheme(url.strip())
    if len(url) > 4 * LONGEST_URL or not url.isprintable() or "\\" in url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port if strict else None
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or port not in (None, 80, 443):
        return None
    if strict and "@" in parts.netloc:
        return None
    host = (parts.hostname or "").removesuffix(".")
    return (host, parts.path) if re.fullmatch(r"[a-z0-9.-]+", host, re.ASCII) else None
