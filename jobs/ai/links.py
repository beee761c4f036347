"""Links and addresses in what a model says, found and cut out.

A post may make a model say where to write or to pay.  What is cut and what is not stands in
docs/ai.md.  Nothing here takes longer than its text is long.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

# One character, each way round it: what mail programs and people take for a dot or a slash.
_LOOKS: Final = {"\u3002": ".", "\uff61": ".", "\u2044": "/", "\u2215": "/"}
_WRITTEN: Final = (
    (re.compile(r" ?[\[({<] ?(?:\.|dot) ?[\])}>] ?", re.IGNORECASE), "."),
    (re.compile(r" ?[\[({<] ?(?:@|at) ?[\])}>] ?", re.IGNORECASE), "@"),
    (re.compile(r"[\[({<] ?: ?[\])}>]"), ":"),
)
# Possessive, and begun only where a word begins: each character is looked at once.
_HOST: Final = re.compile(r"(?<![\w-])[\w-]++(?:\.[\w-]++)++")
_SCHEME: Final = re.compile(r"(?<![\w+-])[\w+-]++://")
_MAIL: Final = re.compile(r"(?<![^\s@])[^\s@]++@++[^\s@.]++\.[^\s.]")
_AFTER: Final = re.compile(r"[/\\]\S|[?#]\w|:\d")
_NUMBERS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_WORDS: Final = re.compile(r"(?:/[A-Za-z][\w+#.]{0,20}+){1,5}+[,;:!?)]?(?=\s|\Z)")
_NAMES: Final = re.compile(r"(?:/[A-Z][\w+#.]{0,20}+){1,5}+[,;:!?)]?(?=\s|\Z)")
_CUT: Final = "\u2026"

# Endings of files and of libraries: of the first there are no domains, the second are both.
_ENDINGS: Final = frozenset(
    "js ts jsx tsx mjs css scss html htm json xml csv tsv pdf txt php rb sql yml yaml doc docx xls "
    "xlsx ppt pptx png jpg jpeg gif svg mp3 mp4 psd cpp hpp jar java swift vue svelte exe dll ini "
    "toml".split()
)
_FILES: Final = frozenset({"py", "md", "rs", "sh"})
_GENERIC: Final = frozenset(
    "com net org info biz name mobi tel jobs pro edu gov int mil app dev page web site online "
    "store shop club live link click top xyz icu vip win bid loan work works team group agency "
    "studio design digital media news blog chat email support help tech cloud host hosting space "
    "website world today life fun games bet casino money cash finance financial bank pay market "
    "trade trading capital fund investments wallet exchange tools systems solutions services "
    "network company business center academy education guru expert zone art ink one global social "
    "video stream download software codes code run rest pics photos buzz monster quest cyou sbs "
    "cfd zip mov test example onion".split()
)
_COUNTRIES: Final = frozenset(
    "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs "
    "bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee "
    "eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk "
    "hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la "
    "lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my "
    "mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro "
    "rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk "
    "tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw".split()
)
# After a lost blank ("remote.In two weeks") a capital follows; no word begins these.
_NO_WORDS: Final = frozenset("com net org biz io ly gg gl ru cn xyz".split())
# One letter, a dot and a country are an abbreviation; these are domains however they are written.
_SHORT: Final = frozenset({"t.me", "m.me", "wa.me", "t.co", "g.co", "v.gd"})
_ABBREVIATIONS: Final = frozenset(
    "b.sc m.sc b.tech m.tech b.com m.com b.ed m.ed b.eng m.eng ph.d d.sc".split()
)
# Names of technology that look like a domain; words may follow a slash ("Socket.io/Redis").
_TECHNOLOGY: Final = frozenset(
    "asp.net vb.net ado.net ml.net dot.net socket.io draw.io ethers.io fast.ai x.org d3.js".split()
)
# Tools named beside others; names may follow a slash ("Make.com/Zapier").
_TOOLS: Final = frozenset({"make.com", "bubble.io", "n8n.io", "data.ai"})
# Names of products and places that people are hired for: kept alone, cut with anything behind.
_PRODUCTS: Final = frozenset(
    "monday.com salesforce.com booking.com cal.com customer.io apollo.io builder.io builder.ai "
    "fly.io crates.io chart.io amazon.com ebay.com etsy.com shopify.com walmart.com alibaba.com "
    "wordpress.com wordpress.org drupal.org wix.com hubspot.com github.com gitlab.com "
    "stackoverflow.com npmjs.com pub.dev dev.to schema.org python.org mozilla.org google.com "
    "facebook.com linkedin.com youtube.com tiktok.com twitter.com x.com reddit.com medium.com "
    "airbnb.com expedia.com hotels.com cars.com zillow.com realtor.com craigslist.org indeed.com "
    "glassdoor.com upwork.com fiverr.com freelancer.com crypto.com openai.com anthropic.com "
    "character.ai perplexity.ai copy.ai jasper.ai claude.ai c3.ai h2o.ai otter.ai x.ai "
    "authorize.net archive.org vapi.ai bill.com caspio.com lovable.dev patreon.com loom.com "
    "cursor.com descript.com box.com instantly.ai retell.ai relevance.ai circle.so smith.ai "
    "care.com funnel.io branch.io hunter.io coupler.io automate.io v0.dev modal.com riverside.fm "
    "teespring.com hostinger.com pexels.com forex.com noon.com smile.io yahoo.com "
    "signal.org".split()
)


def without_links(text: str) -> str:
    """A text of one line without links, addresses and bare domains; each is `…` to the next blank.

    Give it nothing that cannot be seen: that may split a link.
    """
    text = "".join(map(_plain, text))
    for written, sign in _WRITTEN:
        text = written.sub(sign, text)
    kept, end = [], 0
    for start in _links(text):
        if start >= end:
            kept += [text[end:start], _CUT]
            blank = text.find(" ", start)
            end = len(text) if blank < 0 else blank
    return "".join([*kept, text[end:]])


def _plain(char: str) -> str:
    """The ASCII letter or sign that another one (full-width, mathematical, circled) stands for."""
    if char.isascii() or unicodedata.category(char) == "No":  # such as the 2 of square metres
        return char
    like = _LOOKS.get(char) or unicodedata.normalize("NFKC", char)
    like = _LOOKS.get(like, like)
    return like if len(like) == 1 and like.isascii() and like.isprintable() else char


def _links(text: str) -> list[int]:
    """Where links begin, in their order."""
    found = [match.start() for pattern in (_SCHEME, _MAIL) for match in pattern.finditer(text)]
    return sorted([*found, *_domains(text)])


def _domains(text: str) -> Iterator[int]:
    for match in _HOST.finditer(text):
        after = _AFTER.match(text, match.end()) is not None
        host = match[0].strip("-_")
        also = _NAMES if host.casefold() in _TOOLS else _WORDS
        words = also.match(text, match.end()) is not None
        if _is_domain(host, more=after, words=words):
            yield match.start()


def _is_domain(host: str, *, more: bool, words: bool) -> bool:
    """Whether this is a server's address; `more` follows it, of that nothing but `words`."""
    name, labels = host.casefold(), host.casefold().split(".")
    if labels[0].rstrip("0123456789") == "www" or name in _SHORT:
        return True
    if _NUMBERS.fullmatch(host):
        return more
    last = labels[-1]
    if name in _ABBREVIATIONS or last in _ENDINGS or not any(map(str.isalpha, labels[-2])):
        return False
    if name in _TECHNOLOGY or name in _TOOLS:
        return more and not words
    if more:
        return _ends(labels, written=host.rsplit(".", 1)[1])
    return name not in _PRODUCTS and _ends_alone(labels, written=host.split("."))


def _ends(labels: list[str], *, written: str) -> bool:
    """Whether a host with something behind it ends as domains do; others may, written small."""
    last = labels[-1]
    if last in _FILES and len(labels) == 2:
        return last != "py"
    if last in _GENERIC or last in _COUNTRIES or last.startswith("xn--"):
        return True
    return last.isalpha() and len(last) > 1 and len(labels[-2]) > 1 and written == last


def _ends_alone(labels: list[str], *, written: list[str]) -> bool:
    """Whether a host with nothing behind it is a domain, and neither a file nor a lost blank."""
    last, ending = labels[-1], written[-1]
    if last.startswith("xn--") or (last.isalpha() and not last.isascii() and ending == last):
        return True
    if last not in _GENERIC | _COUNTRIES or all(len(label) == 1 for label in labels[:-1]):
        return False
    if len(labels) == 2 and (last in _FILES or _is_library(*written)):
        return False
    return last in _NO_WORDS or not ending.istitle()


def _is_library(name: str, ending: str) -> bool:
    """`Json.NET`, `Quartz.Net`: as such libraries are written."""
    return ending in ("NET", "Net") and name[:1].isupper() and not name.isupper()
