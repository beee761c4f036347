"""Who lives in the world of an example: people, their posts to read, and the time."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.db import Error, connection

from accounts.identity import uid_of
from accounts.models import OptOutToken, Suppression, User
from accounts.opting_out import opt_in, opt_out
from accounts.profiles import read_profile
from deliveries.leaving import delete_account
from deliveries.moving import AddressTakenError, UnknownUserError, change_address
from deliveries.people import save_profile
from deliveries.work.clock import Clock
from deliveries.work.patience import BusyError
from tests.processes import post, write_posts
from tests.simulation import moment
from tests.simulation.faults import Fault, Faulty, strikes

WISHES: Final[dict[str, Any]] = {"words_any": ["django"], "min_score": 0, "max_jobs_per_day": 100}
MOST_NEW: Final = 18
REFUSED: Final = (AddressTakenError, BusyError, UnknownUserError, Error)


@dataclass
class Inhabited:
    """People and posts, and what must be remembered of them to judge what they get.

    `people` says whose mailbox an address is: a change of address keeps the person, so does
    signing up again.  `stopped` says at which step a person opted out, `anew` how often an address
    left.  What somebody did counts once the database says so, whatever struck meanwhile.
    """

    folder: Path
    posts: dict[int, dict[str, Any]] = field(default_factory=dict)
    people: dict[str, int] = field(default_factory=dict)
    stopped: dict[int, int] = field(default_factory=dict)
    anew: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    struck_at: Counter[str] = field(default_factory=Counter)
    published: list[datetime] = field(default_factory=list)
    journal: list[str] = field(default_factory=list)
    jumped_back: timedelta = timedelta()
    _order: int = 0

    # -- time and posts

    def now(self) -> datetime:
        """What the database's clock shows."""
        return Clock().now()

    def set_moment(self, at: datetime) -> None:
        """Set the database's clock."""
        moment.set_moment(at)
        self.note(f"-- {at:%Y-%m-%d %H:%M}")

    def wait(self, span: timedelta) -> None:
        """Let time pass, or jump back."""
        self.jumped_back += max(-span, timedelta())
        self.set_moment(self.now() + span)

    def publish_another(self, *, age: timedelta | None, title: str = "Django work") -> None:
        """One more post, unless so many are new that an alert or a digest could not hold them."""
        near = [at for at in self.published if abs(at - self.now()) < timedelta(hours=50)]
        if len(near) < MOST_NEW:
            self.publish(len(self.posts) + 1, age=age, title=title)

    def publish(self, number: int, *, age: timedelta | None, title: str = "Django work") -> None:
        """A post appears at the source; without an age it says no date."""
        self.published.append(self.now())
        posted = None if age is None else (self.now() - age).isoformat()
        self.posts[number] = post(number, f"{title} {number}", posted_at=posted)
        write_posts(self.folder / "posts.json", self.posts.values())

    def note(self, line: str) -> None:
        """Keep a line of what happened, for whoever has to understand a violation."""
        self.journal.append(line)

    # -- people

    def sign_up(self, email: str, faults: Sequence[Fault] = (), **profile: Any) -> None:
        """A new user, or a changed one."""
        self.people.setdefault(email, self._next())
        self.note(f"{email} signs up, or edits: {profile}")
        changes = read_profile({**WISHES, **profile})
        self.under(faults, lambda: save_profile(email, changes, now=self.now()))

    def _next(self) -> int:
        self._order += 1
        return self._order

    def edit(self, email: str, **profile: Any) -> None:
        """Somebody saves their preferences, and has an account from then on."""
        self.people.setdefault(email, self._next())
        self.note(f"{email} edits: {profile}")
        save_profile(email, read_profile(profile), now=self.now())

    def stop(self, email: str, faults: Sequence[Fault] = ()) -> None:
        """Somebody follows the link that stops mail; from here on no reading may lead to one."""
        token = self._token(email)
        self.under(faults, lambda: opt_out(token))
        if Suppression.objects.filter(user__email=email).exists():
            self.note(f"{email} has opted out")
            self.stopped.setdefault(self.people[email], self._next())

    def resume(self, email: str, faults: Sequence[Fault] = ()) -> None:
        """Somebody lifts their opt-out."""
        token = self._token(email)
        self.under(faults, lambda: opt_in(token))
        if token and not Suppression.objects.filter(user__email=email).exists():
            self.stopped.pop(self.people[email], None)

    def _token(self, email: str) -> str:
        tokens = OptOutToken.objects.filter(user__email=email)
        return tokens.values_list("pk", flat=True).first() or ""

    def leave(self, email: str, faults: Sequence[Fault] = ()) -> None:
        """Somebody deletes their account; the opt-out goes with it."""
        was_there = User.objects.filter(email=email).exists()
        self.under(faults, lambda: delete_account(uid_of(email), now=self.now()))
        if was_there and not User.objects.filter(email=email).exists():
            self.stopped.pop(self.people[email], None)
            self.anew[email] += 1
            self.note(f"{email} has left")

    def move(self, old: str, new: str, faults: Sequence[Fault] = ()) -> None:
        """Somebody changes their address; who reads it stays the same person."""
        if User.objects.filter(email=new).exists():
            return
        self.under(faults, lambda: change_address(uid_of(old), new, now=self.now()))
        if User.objects.filter(email=new).exists():
            self.people[new] = self.people[old]
            self.people[old] = self._next()  # whoever signs up there next
            self.note(f"{old} has become {new}")

    def under(self, faults: Sequence[Fault], step: Callable[[], Any]) -> None:
        """A step as a process of its own, with faults; it may be refused, or fail."""
        faulty = Faulty(faults)
        with strikes(faulty):
            try:
                step()
            except REFUSED as error:
                self.note(f"  refused: {error!r}")
                connection.close()
        self.count(faulty.struck)

    def count(self, struck: Sequence[Fault]) -> None:
        """Count faults, by kind and by place."""
        self.faults.update(fault.kind for fault in struck)
        self.struck_at.update(f"{fault.moment} {fault.boundary}" for fault in struck)

    def pause(self, email: str, span: timedelta | None) -> None:
        """Somebody wants no mail for a time; with None, mail again."""
        until = None if span is None else (self.now() + span).isoformat()
        self.sign_up(email, paused_until=until)

    def does(self, deed: str, email: str, faults: Sequence[Fault] = ()) -> None:
        """One of the deeds that need no more said."""
        deeds: dict[str, Callable[[], None]] = {
            "stop": lambda: self.stop(email, faults),
            "resume": lambda: self.resume(email, faults),
            "leave": lambda: self.leave(email, faults),
            "move": lambda: self.move(email, f"new.{email}", faults),
            "pause": lambda: self.pause(email, timedelta(hours=1)),
            "pause for long": lambda: self.pause(email, timedelta(hours=30)),
            "go on": lambda: self.pause(email, None),
        }
        deeds[deed]()
