"""Where postings come from: each source is one module behind one small interface."""

from collections.abc import Sequence

from django.conf import settings

from jobs.sources.base import Fetched, Source, SourceError
from jobs.sources.feed import FeedSource
from jobs.sources.file import FileSource
from jobs.sources.inbox import InboxSource
from jobs.sources.sample import SampleSource
from jobs.web.asking import Rules

__all__ = ["Fetched", "Source", "SourceError", "configured"]


def configured(specs: Sequence[str]) -> list[Source]:
    """The sources that SCOUT_SOURCES names, in its order, each under a name of its own.

    Raises SourceError, which names the entry, for one that no source understands.
    """
    sources: list[Source] = []
    for spec in specs:
        kind, _, rest = spec.partition(":")
        taken = sum(source.name.partition(" ")[0] == kind for source in sources)
        name = kind if not taken else f"{kind} {taken + 1}"
        sources.append(_source(spec, kind, rest, name))
    return sources


def _source(spec: str, kind: str, rest: str, name: str) -> Source:
    if kind == "sample" and not rest:
        return SampleSource(name)
    if kind == "file" and rest:
        return FileSource(name, rest)
    if kind == "feed" and rest:
        http = settings.DEBUG or settings.SCOUT_FEED_HTTP
        return FeedSource(name, rest, Rules(allow_http=http, allow_private=settings.DEBUG))
    if spec == name == "inbox":
        return InboxSource()
    shown = f"{kind}:…" if rest else spec  # an address may hold a password
    raise SourceError(
        f"SCOUT_SOURCES names {shown!r}, which is no source: use sample, file:PATH,"
        " feed:URL or (once) inbox."
    )
