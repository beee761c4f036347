"""Job ids and links: the same job is one job, through whatever source it came."""

import hashlib
import html
import re
import unicodedata
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
# Prefixes that name no marketplace: behind them even bare 19 digits are Upwork's.
_NAMELESS: Final = frozenset("apify guid id import job jobid jobs project rss source uid".split())
_ALIASES: Final = {"freelancer": "freelancercom"}

_PREFIXED: Final = re.compile(
    r"(?=[\w.-]*[A-Za-z])(\w[\w.-]{0,29}):(?!//)(.+)", re.DOTALL | re.ASCII
)
_LEGAL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.~-]{0,99}", re.ASCII)
_UPWORK_NEW: Final = re.compile(r"(?:~?02)?(\d{19})|~02(\d{15,20})", re.ASCII)
_UPWORK_OLD: Final = re.compile(r"~?(01[0-9a-f]{12,20})", re.ASCII)
_ROW_NUMBER: Final = re.compile(r"\d{1,5}", re.ASCII)
_UPWORK_WITHIN: Final = re.compile(
    r"~(?:02(\d{19})|(01[0-9a-f]{12,20}))(?![0-9a-z])", re.ASCII | re.IGNORECASE
)
_LONGEST_URL: Final = 500
_LONGEST_ID: Final = 10_000

_TILDE: Final = re.compile(r"%(?:25){0,9}7e", re.IGNORECASE)
_TILDES: Final = str.maketrans("\u223c\u02dc", "~~")
_MARKDOWN: Final = re.compile(r"\]\(\s*([^\s()]+)")
_AROUND: Final = " '\"`<>()[]{},;\u00ab\u00bb\u2018\u2019\u201c\u201d"
_BARE_HOST: Final = re.compile(r"(?:[^/?#@\s]*@)?([a-z0-9.-]+)(?::\d+)?[/?#]", re.IGNORECASE)


def canonical_id(marketplace: str, native: str) -> str:
    """The job id `<marketplace>:<native id>`; never holds `_` or blanks, at most 131 characters.

    Upwork's `~02` + digits, `02` + 19 digits and the bare 19 digits give one id, its older
    `~01<hex>` is kept without `~`; both are Upwork's behind the name of no known marketplace too.
    Invisible characters and quotes or brackets around an id do not count.  A native id with other
    characters than ASCII letters, digits, `.`, `~` and `-`, or above 100 of them, is replaced by
    a digest of it.
    Applied to its own result it changes nothing.  Never raises.
    """
    market = market_named(marketplace) or "import"
    native = _tidy(native)
    last = native.rpartition(":")[2].strip(_AROUND)
    if market not in _MARKETS and _is_surely_upwork(market, last):
        market = "upwork"
    if market == "upwork":
        native = _upwork_native(last) or native
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
    links = [link for link in (_tidy(url), *texts) if is_link(link)]
    link = next((one for one in links if market_of_url(one)), links[0] if links else "")
    market = market_named(marketplace or "") or market_of_url(link)
    texts = [text for text in texts if not is_link(text)]
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
    parts = _split(_tidy(url), strict=False)
    path = _unquoted(parts[1]) if parts else ""
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


def market_of_url(url: str) -> str | None:
    """The marketplace a URL leads to, None when it is none of MARKETS."""
    parts = _split(_tidy(url), strict=False)
    return _market_of_host(parts[0]) if parts else None


def is_link(text: str) -> bool:
    """Whether a text is a URL: with a scheme, a path from the root, or at a known host."""
    text = _tidy(text)
    return "://" in text or text.startswith("/") or _with_scheme(text) != text


def is_market(name: str) -> bool:
    """Whether this is the name of one of MARKETS, as `market_named` writes it."""
    return name in _MARKETS


def digest(text: str) -> str:
    """32 hex digits that stand for the text; any str, lone surrogates too."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _id_text(raw: object) -> str:
    """A raw id as text; "" for what cannot be one (an imprecise float, a truth value)."""
    if isinstance(raw, str):
        return _tidy(raw)
    if isinstance(raw, float) and raw.is_integer() and 0 < raw < 2**53:
        return str(int(raw))
    if isinstance(raw, int) and not isinstance(raw, bool) and 0 < raw < 10**30:
        return str(raw)
    return ""


def _tidy(text: str) -> str:
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
    if "](" in text and (found := _MARKDOWN.search(text)):
        text = found[1]
    return text.strip(_AROUND)


def _is_surely_upwork(market: str, native: str) -> bool:
    """Whether an id behind a name of no known marketplace has a form that is Upwork's alone."""
    if re.fullmatch(r"\d{19}", native, re.ASCII):
        return market in _NAMELESS or market.startswith("upwork")
    return bool(_UPWORK_WITHIN.fullmatch(native) or re.fullmatch(r"02\d{19}", native, re.ASCII))


def _upwork_native(text: str) -> str | None:
    """The native id in any of Upwork's forms; None for what is no (whole) Upwork id."""
    if found := _UPWORK_NEW.fullmatch(text):
        return found[1] or found[2]
    if found := _UPWORK_OLD.fullmatch(text.lower()):
        return found[1]
    found = _UPWORK_WITHIN.search(text) if "~" in text else None
    return (found[1] or found[2].lower()) if found else None


def _id_in_url(url: str) -> str | None:
    """The job id a URL holds, or one derived from its path on a known marketplace."""
    if url.startswith("/") and not url.startswith("//"):
        url = f"https://www.upwork.com{url}"
    parts = _split(url, strict=False)
    market = _MARKETS.get(_market_of_host(parts[0]) or "") if parts else None
    if parts is None or market is None:
        return None
    path = re.sub(r";[^/]*", "", _unquoted(parts[1]))
    found = market.id_in_path.search(path)
    if market.name == "upwork":
        native = _upwork_native(f"~{found[1]}") or _upwork_native(found[1]) if found else None
        native = native or _upwork_native(_unquoted(url))
        return f"upwork:{native}" if native else None
    if found and _LEGAL.fullmatch(found[1]):
        return f"{market.name}:{found[1]}"
    path = parts[1].rstrip("/")
    return f"{market.name}:u-{digest(path)}" if path else None


def _unquoted(text: str) -> str:
    """A URL's text without percent signs, escaped twice or not."""
    return unquote(unquote(text))


def _with_scheme(url: str) -> str:
    """A URL of a known marketplace that lacks its scheme, with it; others as they are."""
    bare = url.removeprefix("//")
    found = _BARE_HOST.match(bare)
    if found and _market_of_host(found[1].lower().rstrip(".")):
        return f"https://{bare}"
    return url


def _market_of_host(host: str) -> str | None:
    for market in MARKETS:
        if any(host == domain or host.endswith("." + domain) for domain in market.domains):
            return market.name
    return None


def _split(url: str, *, strict: bool = True) -> tuple[str, str] | None:
    """Host and path of an http(s) URL; None for anything else, or anything odd.

    Ports and credentials are odd only where `strict`: a link with them is not followed.
    """
    url = _with_scheme(url.strip())
    if len(url) > 4 * _LONGEST_URL or not url.isprintable() or "\\" in url:
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
