"""A feed that others serve: RSS, Atom or JSON Feed, asked for only when it has changed."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from accounts.deadline import within
from jobs.licence import UPWORK_KEEPS
from jobs.postings.botwall import wall_instead
from jobs.rows import sort_rows
from jobs.sources.base import TRUST, Fetched, SourceError
from jobs.sources.feed_items import Feed, NoFeedError, read_feed
from jobs.web.answers import Answer, trouble_in
from jobs.web.asking import AskError, Rules, ask
from jobs.web.target import TargetError, target_of

_ACCEPT: Final = "application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5"
_AGENT: Final = "UpworkScout/1 (a feed reader)"
_LONGEST_MARK: Final = 200  # of an ETag; a longer one is not kept
_LONGEST_WATERMARK: Final = 500
_READING_SECONDS: Final = 30.0


@dataclass(frozen=True)
class FeedSource:
    """One feed.  The watermark holds what the server marks its present content with.

    Its text goes after a day: most feeds pass Upwork's posts on, and no way round the API makes
    them free; of other markets' terms we know nothing, so the strictest that we know hold.
    """

    name: str
    url: str = field(repr=False)
    rules: Rules
    trust: int = TRUST["feed"]
    keeps: timedelta | None = UPWORK_KEEPS
    backs_off: bool = True

    def __post_init__(self) -> None:
        """Raises SourceError for an address that would never be asked."""
        try:
            target_of(self.url, allow_http=self.rules.allow_http)
        except TargetError as error:
            remedy = "write feed:https://…, or set SCOUT_FEED_HTTP=1 where http will do"
            raise SourceError(
                f"SCOUT_SOURCES names 'feed:…' with an address that is {error}: {remedy}."
            ) from None

    @property
    def place(self) -> str:
        """A digest of the address."""
        return hashlib.sha256(self.url.encode("utf-8", "replace")).hexdigest()

    def fetch(self, *, now: datetime, watermark: str) -> Fetched:
        """The feed's items, or none when it holds what it held at the watermark."""
        mark = _Mark.read(watermark)
        try:
            answer = ask(self.url, headers=mark.headers(), rules=self.rules)
        except AskError as error:
            return Fetched(state="broken", detail=str(error))
        if answer.status == 304 and mark.conditions:
            return Fetched(
                state="quiet" if mark.empty else "ok", detail="unchanged", watermark=watermark
            )
        if trouble := trouble_in(answer, now=now):
            return Fetched(
                state=trouble.state, detail=trouble.detail, retry_after=trouble.retry_after
            )
        return _read(answer, now)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    etag: str = ""
    modified: str = ""
    empty: bool = False

    @classmethod
    def read(cls, watermark: str) -> "_Mark":
        try:
            return cls(**json.loads(watermark or "{}"))
        except (ValueError, TypeError):
            return cls()

    @classmethod
    def of(cls, answer: Answer, *, empty: bool) -> "_Mark":
        etag, modified = (answer.headers.get(name, "") for name in ("etag", "last-modified"))
        both = etag + modified
        if not (both.isascii() and both.isprintable()):  # could not be sent back
            return cls(empty=empty)
        mark = cls(
            etag=etag if len(etag) <= _LONGEST_MARK else "",
            modified=modified if len(modified) <= _LONGEST_MARK // 2 else "",
            empty=empty,
        )
        # Quotes and backslashes are written twice as long.
        return mark if len(mark.write()) <= _LONGEST_WATERMARK else cls(empty=empty)

    def write(self) -> str:
        return json.dumps({name: getattr(self, name) for name in self.__slots__})

    @property
    def conditions(self) -> dict[str, str]:
        stated = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in stated.items() if value}

    def headers(self) -> dict[str, str]:
        return {"Accept": _ACCEPT, "User-Agent": _AGENT, **self.conditions}


def _read(answer: Answer, now: datetime) -> Fetched:
    content_type = answer.headers.get("content-type", "")
    try:
        feed: Feed = within(
            _READING_SECONDS,
            lambda: read_feed(answer.body, url=answer.url, content_type=content_type),
        )
    except NoFeedError as error:
        if wall := wall_instead(answer.body.decode("utf-8", "replace")):
            return Fetched(state=wall.state, detail=f"It answers {answer.status} with {wall}.")
        return Fetched(state="broken", detail=f"What it holds is {error}.")
    except TimeoutError:
        return Fetched(state="broken", detail="It takes too long to read.")
    read = sort_rows(feed.rows, now)
    if feed.rows and not read.postings:
        none = f"None of its {len(feed.rows)} items can be read."
        return Fetched(state="broken", detail=none, rejected=read.rejected)
    return Fetched(
        state="ok" if read.postings else "quiet",
        detail=feed.oddity,
        postings=read.postings,
        rejected=read.rejected,
        half_understood=read.half_understood,
        watermark=_Mark.of(answer, empty=not read.postings).write(),
    )
