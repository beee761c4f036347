"""The weekly note: once a week to who wants it and got no job, what was looked at and why not."""

from collections.abc import Callable, Iterator
from datetime import datetime

from accounts.models import Preferences
from accounts.person import Person
from deliveries import compose_notices, ledger, routing
from deliveries.alerts import Sent, send_once, sent_of
from deliveries.messages import Rendered
from deliveries.recent_fits import recent_fits
from deliveries.sending.post import Post
from deliveries.source_week import source_troubles

Trouble = Callable[[str, Exception], None]


def send_notes(post: Post, trouble: Trouble) -> tuple[Sent, int]:
    """Send every note that is due; what it came to, and how many users were not reached."""
    weeks, sent = due_notes(post.clock.now(), trouble), Sent()
    for done, week in enumerate(weeks):
        if not post.ready():
            return sent, len(weeks) - done
        try:
            sent += send_note(week, post)
        except Exception as error:  # noqa: BLE001 -- the boundary between users
            trouble("a weekly note could not be sent", error)
    return sent, 0


def due_notes(now: datetime, trouble: Trouble) -> list[ledger.Week]:
    """Whose note of this week may be sent now; of whom it cannot be told goes to `trouble`.

    One query on an index while nobody wants notes, or it is nobody's hour.
    """
    weeks = {week.user_id: week for week in _weeks(now, trouble)}
    without = ledger.without_note(weeks, now=now) if weeks else frozenset()
    return [week for user, week in sorted(weeks.items()) if user not in without]


def _weeks(now: datetime, trouble: Trouble) -> Iterator[ledger.Week]:
    wanted = Preferences.objects.filter(weekly_note=True).select_related("user")
    for row in wanted.filter(user__is_active=True, user__suppression=None).order_by("pk"):
        try:
            terms, joined = row.terms(), row.user.date_joined
            since = max(joined, row.user.jobs_from or joined)
            monday = routing.week_of_note(terms, now, since=since)
            if monday is not None:
                yield ledger.Week(row.pk, monday, routing.note_begins(terms, monday))
        except Exception as error:  # noqa: BLE001 -- the boundary between users
            trouble("the week of a note could not be told", error)


def send_note(week: ledger.Week, post: Post) -> Sent:
    """Mail one user the note of this week, if it is still due when it is claimed.

    What it says is worked out before the claim, so that no lock waits for it.
    """
    now = post.clock.now()
    found = recent_fits(week.user_id, now=now)
    causes = source_troubles(begin=week.begins, now=now)

    def write(person: Person, envelope: str) -> Rendered:
        return compose_notices.weekly_note(person, found, causes, envelope=envelope, now=now)

    if not post.ready():
        return Sent()
    claimed = ledger.claim_weekly(week.user_id, write, now=post.clock.now())
    if claimed is None or claimed.mail is None:
        return Sent()
    end, _ = send_once(claimed.mail, week.user_id, post)
    return sent_of(end, 0)
