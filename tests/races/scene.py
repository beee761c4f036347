"""Where the sides start from, and the provider that takes their mails."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from pathlib import Path
from typing import Final

from django.conf import settings
from django_q.models import Schedule

from accounts.identity import uid_of
from deliveries import ledger
from deliveries.messages.stored_mail import StoredMail
from deliveries.models import Delivery, Mail
from deliveries.scan import scan
from deliveries.sending.post import Post
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests.processes import post, write_posts
from tests.races.sides import ANA, BO, DAY, HOUR, MINUTE, NOW, sign_up
from tests.simulation import tables
from tests.simulation.provider import About, Provider, Taken, in_place

FIRST: Final = 1_990_000_000_000_000_000
LONG_AGO: Final = NOW - 40 * DAY
OLD: Final = 9  # the number of a job that was mailed long ago

_JOB: Final = re.compile(rb"https://www\.upwork\.com/jobs/~02(\d+)")


@dataclass
class Scene:
    """A provider, and a file of posts."""

    folder: Path
    provider: Provider

    def publish(self, *numbers: int, at: datetime = NOW) -> None:
        """The source shows these posts, dated ten minutes before."""
        dated = (at - 10 * MINUTE).isoformat()
        posts = [post(number, posted_at=dated) for number in numbers]
        settings.SCOUT_SOURCES = [write_posts(self.folder / "posts.json", posts)]

    def two_posts(self) -> None:
        """And nobody yet who reads them."""
        self.publish(1, 2)

    def to_scan(self) -> None:
        """Two posts that nobody has fetched; ana wants alerts, bo digests."""
        sign_up(ANA)
        sign_up(BO, mode="daily")
        self.publish(1, 2)

    def to_digest(self) -> None:
        """Two jobs wait for the digests of both."""
        sign_up(ANA, mode="daily")
        sign_up(BO, mode="daily")
        self.publish(1, 2)
        scan(Clock.set_to(NOW - HOUR), Wall(60))

    def to_digest_for_ana(self) -> None:
        """Two jobs wait for her digest; bo has got them as an alert."""
        sign_up(ANA, mode="daily")
        sign_up(BO)
        self.publish(1, 2)
        scan(Clock.set_to(NOW - HOUR), Wall(60))

    def to_scan_and_digest(self) -> None:
        """Ana has got one job as an alert, it waits for bo's digest, and there is one more."""
        sign_up(ANA)
        sign_up(BO, mode="daily")
        self.publish(1)
        scan(Clock.set_to(NOW - HOUR), Wall(60))
        self.publish(1, 2)

    def to_prune(self) -> None:
        """A job that came to both long ago and shows up again, dated anew, with two others."""
        sign_up(ANA)
        sign_up(BO)
        self.publish(OLD, at=LONG_AGO)
        scan(Clock.set_to(LONG_AGO), Wall(60))
        sign_up(BO, mode="daily")
        self.publish(1, 2, OLD)
        assert Delivery.objects.filter(status="sent").count() == len(self.provider.taken) == 2
        self.provider.taken.clear()

    def to_end(self) -> None:
        """Ana's alert was accepted, and its sender has not said so yet."""
        self.to_scan()
        too_short_for_a_send = Wall(5)
        scan(Clock.set_to(NOW), too_short_for_a_send)
        claimed = ledger.claim(uid_of(ANA), now=NOW, fresh=DAY)
        assert claimed is not None
        assert claimed.mail is not None
        with Post(Wall(60), Clock.set_to(NOW)) as way_out:
            way_out.send(claimed.mail, uid_of(ANA))

    def schedules_amiss(self) -> None:
        """The one that is looked at last is wrong and there twice; the others are missing."""
        for _ in range(2):
            Schedule.objects.create(name="scout prune", func="no.where", schedule_type="H")


class Postbox(Provider):
    """Remembers what it accepted, and reads mails quickly."""

    def take(self, mail: StoredMail, about: About) -> None:
        """Keep an accepted mail."""
        numbers = {int(found) - FIRST for found in _JOB.findall(_text(mail.raw))}
        kind = Mail.objects.filter(pk=mail.envelope).values_list("kind", flat=True).first()
        about = About(kind or "alert", None, 0)  # a digest is held while it is sent
        jobs = tuple(sorted(numbers))
        self.taken.append(
            Taken(len(self.taken), mail.envelope, mail.recipient, about, jobs, mail.raw)
        )


def _text(raw: bytes) -> bytes:
    for part in message_from_bytes(raw).walk():
        if part.get_content_type() == "text/plain":
            return bytes(part.get_payload(decode=True))
    raise AssertionError("a mail without text")


@contextmanager
def scene(folder: Path) -> Iterator[Scene]:
    """Nothing and nobody; inside, every run sends through the scene's provider."""
    postbox = Postbox()
    tables.wipe()
    with in_place(postbox):
        yield Scene(folder, postbox)
