"""Job ids and links: the same job is one job, through whatever source it came."""

import hashlib
import re
from typing import Final
from urllib.parse import quote

from jobs.postings.links import (
    AROUND,
    BY_NAME,
    LONGEST_URL,
    is_link,
    market_named,
    market_of_host,
    market_of_url,
    split_link,
    tidy,
    unquoted,
)

# Names with ids of their own; behind any other unknown one, bare 19 digits are Upwork's.
_OWN_IDS: Final = frozenset(("sample",))

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

# An Upwork job's link handed on in the query of another link.
_PASSED_ON: Final = re.compile(r"[?&#].*upwork\.com/[^?&#]*(~0[12][0-9a-f]+)", re.IGNORECASE)


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
    native = tidy(native)
    last = native.rpartition(":")[2].strip(AROUND)
    if market not in BY_NAME and _is_surely_upwork(market, last):
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
    links = [link for link in (tidy(url), *texts) if is_link(link)]
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
    parts = split_link(given)
    if parts is None or market_of_host(parts[0]) != market:
        return ""
    url = f"https://{parts[0]}{quote(parts[1], safe='/%~:@!$&+,;=')}"
    return url if len(url) <= LONGEST_URL else ""


def digest(text: str) -> str:
    """32 hex digits that stand for the text; any str, lone surrogates too."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _id_text(raw: object) -> str:
    """A raw id as text; "" for what cannot be one (an imprecise float, a truth value)."""
    if isinstance(raw, str):
        return tidy(raw)
    if isinstance(raw, float) and raw.is_integer() and 0 < raw < 2**53:
        return str(int(raw))
    if isinstance(raw, int) and not isinstance(raw, bool) and 0 < raw < 10**30:
        return str(raw)
    return ""


def _is_surely_upwork(market: str, native: str) -> bool:
    """Whether an id behind a name of no known marketplace has a form that is Upwork's alone."""
    if re.fullmatch(r"\d{19}", native, re.ASCII):
        return market not in _OWN_IDS
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
    parts = split_link(url, strict=False)
    market = BY_NAME.get(market_of_host(parts[0]) or "") if parts else None
    if parts is None or market is None:
        found = _PASSED_ON.search(unquoted(url))
        native = _upwork_native(found[1]) if found else None
        return f"upwork:{native}" if native else None
    path = re.sub(r";[^/]*", "", unquoted(parts[1]))
    found = market.id_in_path.search(path)
    if market.name == "upwork":
        native = _upwork_native(f"~{found[1]}") or _upwork_native(found[1]) if found else None
        native = native or _upwork_native(unquoted(url))
        return f"upwork:{native}" if native else None
    if found and _LEGAL.fullmatch(found[1]):
        return f"{market.name}:{found[1]}"
    path = parts[1].rstrip("/")
    return f"{market.name}:u-{digest(path)}" if path else None
