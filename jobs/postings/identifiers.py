"""Job ids and links: the same job is one job, through whatever source it came."""

import hashlib
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote, urlsplit


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
    Market("guru", ("guru.com",), re.compile(r"/(\d{5,12})(?:/|&|$)")),
)
_MARKETS: Final = {market.name: market for market in MARKETS}
_ALIASES: Final = {"freelancer": "freelancercom"}

_PREFIXED: Final = re.compile(
    r"(?=[\w.-]*[A-Za-z])(\w[\w.-]{0,29}):(?!//)(.+)", re.DOTALL | re.ASCII
)
_LEGAL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.~-]{0,99}", re.ASCII)
_UPWORK_NEW: Final = re.compile(r"(?:~?02)?(\d{19})|~02(\d{15,20})", re.ASCII)
_UPWORK_OLD: Final = re.compile(r"~?(01[0-9a-f]{12,20})", re.ASCII)
_ROW_NUMBER: Final = re.compile(r"\d{1,5}", re.ASCII)
_LONGEST_URL: Final = 500


def canonical_id(marketplace: str, native: str) -> str:
    """The job id `<marketplace>:<native id>`; never holds `_` or blanks, at most 131 characters.

    Upwork's `~02` + digits, `02` + 19 digits and the bare 19 digits give one id, its older
    `~01<hex>` is kept without `~`.  A native id with other characters than ASCII letters,
    digits, `.`, `~` and `-`, or above 100 of them, is replaced by a digest of it.
    Applied to its own result it changes nothing.  Never raises.
    """
    market = market_named(marketplace) or "import"
    native = native.strip()
    if market == "upwork":
        native = _upwork_native(native) or native
    if not _LEGAL.fullmatch(native):
        native = f"x-{digest(native)}"
    return f"{market}:{native}"


def job_id_from(raw: object, url: str = "", marketplace: str | None = None) -> str | None:
    """The job id told by a raw id (or a tuple of them, best first) and the job's URL, or None.

    An id that names its marketplace wins, then an Upwork id in any form, then the URL's, then
    the first id as it is, in `marketplace` or else the URL's.  Row numbers lose to a URL.
    """
    raws = raw if isinstance(raw, tuple) else (raw,)
    texts = [text for one in raws if (text := _id_text(one))]
    link = next((text for text in (url, *texts) if "://" in text), url)
    market = market_named(marketplace or "") or market_of_url(link)
    texts = [text for text in texts if "://" not in text and not text.startswith("/")]
    for text in texts:
        if named := _PREFIXED.fullmatch(text):
            return canonical_id(named[1], named[2])
    for text in texts:
        if market in (None, "upwork") and (native := _upwork_native(text)):
            return f"upwork:{native}"
    of_link = _id_in_url(link)
    own = next((text for text in texts if not text.startswith("~")), None)
    if of_link and (own is None or market == "upwork" or _ROW_NUMBER.fullmatch(own)):
        return of_link
    return canonical_id(market or "import", own) if own else None


def job_url(job_id: str, given: str = "") -> str:
    """The https link to a job, or "" where none is known.

    Upwork's is built from the id.  Elsewhere `given` is kept, without query, when it leads to
    the marketplace of the id; other schemes, hosts, ports and credentials give "".
    """
    market, _, native = job_id.partition(":")
    if market == "upwork" and re.fullmatch(r"\d{15,20}", native, re.ASCII):
        return f"https://www.upwork.com/jobs/~02{native}"
    if market == "upwork" and _UPWORK_OLD.fullmatch(native):
        return f"https://www.upwork.com/jobs/~{native}"
    parts = _split(given)
    if parts is None or _market_of_host(parts[0]) != market:
        return ""
    url = f"https://{parts[0]}{quote(parts[1], safe='/%~:@!$&+,;=')}"
    return url if len(url) <= _LONGEST_URL else ""


def title_in_url(url: str) -> str:
    """The words of an Upwork job's URL, `/jobs/Some-words_~02…`, or ""; highlights taken out."""
    parts = _split(url)
    found = re.fullmatch(r"/jobs/([^/]{1,200})_~0[12]\w+/?", unquote(parts[1])) if parts else None
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


def market_of_url(url: str) -> str | None:
    """The marketplace a URL leads to, None when it is none of MARKETS."""
    parts = _split(url)
    return _market_of_host(parts[0]) if parts else None


def is_market(name: str) -> bool:
    """Whether this is the name of one of MARKETS, as `market_named` writes it."""
    return name in _MARKETS


def digest(text: str) -> str:
    """32 hex digits that stand for the text; any str, lone surrogates too."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _id_text(raw: object) -> str:
    """A raw id as text; "" for what cannot be one (an imprecise float, a truth value)."""
    if isinstance(raw, str):
        return raw.strip()
    if isinstance(raw, float) and raw.is_integer() and 0 < raw < 2**53:
        return str(int(raw))
    if isinstance(raw, int) and not isinstance(raw, bool) and 0 < raw < 10**30:
        return str(raw)
    return ""


def _upwork_native(text: str) -> str | None:
    """The native id in any of Upwork's forms; None for what is no (whole) Upwork id."""
    text = text.replace("%7E", "~").replace("%7e", "~")
    if found := _UPWORK_NEW.fullmatch(text):
        return found[1] or found[2]
    found = _UPWORK_OLD.fullmatch(text.lower())
    return found[1] if found else None


def _id_in_url(url: str) -> str | None:
    """The job id a URL holds, or one derived from its path on a known marketplace."""
    parts = _split(url) or _split(f"https://www.upwork.com{url}" if url.startswith("/") else "")
    market = _MARKETS.get(_market_of_host(parts[0]) or "") if parts else None
    if parts is None or market is None:
        return None
    found = market.id_in_path.search(unquote(parts[1]))
    if market.name == "upwork":
        native = _upwork_native(f"~{found[1]}") or _upwork_native(found[1]) if found else None
        return f"upwork:{native}" if native else None
    if found and _LEGAL.fullmatch(found[1]):
        return f"{market.name}:{found[1]}"
    path = parts[1].rstrip("/")
    return f"{market.name}:u-{digest(path)}" if path else None


def _market_of_host(host: str) -> str | None:
    for market in MARKETS:
        if any(host == domain or host.endswith("." + domain) for domain in market.domains):
            return market.name
    return None


def _split(url: str) -> tuple[str, str] | None:
    """Host and path of an absolute http(s) URL; None for anything else, or anything odd."""
    url = url.strip()
    if len(url) > 4 * _LONGEST_URL or not url.isprintable() or "\\" in url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or port not in (None, 80, 443) or "@" in parts.netloc:
        return None
    host = parts.hostname or ""
    return (host, parts.path) if re.fullmatch(r"[a-z0-9.-]+", host, re.ASCII) else None
