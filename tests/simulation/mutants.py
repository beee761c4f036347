"""The fourteen mistakes of docs/guarantees.md, and a change that is none."""

import threading
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q

from accounts.boundaries import undone
from accounts.person import Person
from deliveries import alerts, digest, ledger, routing, scan
from deliveries.ledger import alerts as claims
from deliveries.ledger import attempts, digests, rows
from deliveries.ledger.finish import _move_rows
from deliveries.sending.post import Post
from deliveries.work import lease
from jobs import verdicts
from tests.simulation.planting import Edit, Mutant, Value

_NOT_DURABLE: Final = Edit(claims._claim, '("alert: claim", durable=True)', '("alert: claim")')


def _send_then_claim(user_id: str, post: Post, *, fresh: timedelta) -> alerts.Sent:
    if not post.ready():
        return alerts.Sent()
    now = post.clock.now()
    with undone():
        looked = ledger.claim(user_id, now=now, fresh=fresh)
    if looked is None or looked.mail is None:
        return alerts.Sent()
    meaning, result = post.send(looked.mail, user_id)
    ledger.claim(user_id, now=now, fresh=fresh)
    end = alerts.ENDS[meaning]
    kept = alerts._mark(looked.mail, end, post, result.provider_id, result.error)
    return alerts.sent_of(end, kept)


def _in_one_transaction(user_id: str, post: Post, *, fresh: timedelta) -> alerts.Sent:
    with transaction.atomic():
        return alerts.send_alert(user_id, post, fresh=fresh)


def _claim_all_then_send(self: Any, users: Sequence[str]) -> None:
    claimed = {
        user: ledger.claim(user, now=self.clock.now(), fresh=self._fresh)
        for user in users
        if self.post.ready()
    }
    for user, one in claimed.items():
        if one is not None and one.mail is not None:
            meaning, result = self.post.send(one.mail, user)
            end = alerts.ENDS[meaning]
            kept = alerts._mark(one.mail, end, self.post, result.provider_id, result.error)
            self._count(alerts.sent_of(end, kept))


class _Won(threading.local):
    """What the process of this thread believes to have inserted in the present visit."""

    ids: frozenset[str] = frozenset()


_WON: Final = _Won()
_LOCKED_ROWS: Final = """
    found = due(now).filter(pk=begun.mail_id).first()
    sealed = Delivery.objects.filter(mail_id=begun.mail_id, status="sealed")
    locked = sealed.order_by("-score", "job_id").select_for_update(skip_locked=True)
    mine = list(locked.values_list("pk", flat=True))
    if found is None or found.body is None or not mine:
"""
_RENDERED_ANEW: Final = """compose.digest(
        person, list(Delivery.objects.filter(mail=found).values_list("pk", flat=True)),
        envelope=found.pk, now=now, day=found.digest_on, more_waiting=0).raw"""

MUTANTS: Final = (
    Mutant(
        name="send before claim",
        edits=(_NOT_DURABLE,),  # so that it can be looked at what a claim would take
        values=(Value(scan, "send_alert", _send_then_claim),),
    ),
    Mutant(
        name="check-then-insert",
        # `settled` looks, the insert trusts it; a row then has an id of its own, not the pair's.
        values=(
            Value(
                rows,
                "_RECORD",
                rows._RECORD.replace("ON CONFLICT DO NOTHING", "").replace(
                    "w.user_id || '_' || w.job_id", "gen_random_uuid()::text"
                ),
            ),
        ),
        dropped=("delivery_once", "delivery_id_is_of_pair"),
        besides="the pair is the id of its row",
    ),
    Mutant(
        name="winners from ignore_conflicts",
        # Whoever inserted a row mails it, whatever became of it; losers believe to have inserted it
        # too: `bulk_create(ignore_conflicts=True)` returns every row it was given.
        values=(
            Value(scan, "won", _WON),
            Value(scan, "Q", Q),
            Value(rows, "won", _WON),
            Value(claims, "won", _WON),
            Value(
                claims,
                "_PICK",
                claims._PICK.replace(
                    "d.status = 'queued'", "(d.status = 'queued' OR d.id = ANY(%(won)s))"
                ),
            ),
        ),
        edits=(
            Edit(scan._Scan._visit, "standing = ", "won.ids = frozenset()\n    standing = "),
            Edit(
                scan._to_mail,
                'user_id__in=users, status="queued"',
                'Q(status="queued") | Q(pk__in=won.ids), user_id__in=users',
            ),
            Edit(
                rows._insert,
                "return frozenset(row[0] for row in cursor.fetchall())",
                'won.ids |= {f"{one.user_id}_{one.job_id}" for one in rows}\n'
                "        return won.ids",
            ),
            Edit(claims._pick, '"user": ', '"won": list(won.ids), "user": '),
            Edit(claims._seal, 'status="queued", mail=None).update(', ").update(sent_at=None, "),
            Edit(claims._seal, "alert_envelope(ids, ", "alert_envelope([*ids, str(now)], "),
        ),
        dropped=("delivery_moves on deliveries_delivery",),
        besides="the same rows make the same envelope, once",
    ),
    Mutant(
        name="claim and send in one transaction",
        edits=(_NOT_DURABLE,),
        values=(Value(scan, "send_alert", _in_one_transaction),),
    ),
    Mutant(
        name="retry on unknown",
        edits=(
            Edit(
                alerts.send_once,
                "ENDS[meaning]",
                '("void" if meaning == Outcome.UNKNOWN else ENDS[meaning])',
            ),
        ),
    ),
    Mutant(
        name="claim everyone's batch at once",
        values=(Value(scan._Scan, "_mail", _claim_all_then_send),),
    ),
    Mutant(
        name="seen-flag instead of ledger",
        edits=(
            Edit(
                verdicts.fresh_jobs,
                "revision__gt=after)",
                'revision__gt=after).extra(where=["NOT seen"])',
            ),
            Edit(
                scan._Scan._jobs_after,
                "self.jobs = (revision, found)",
                "self.jobs = (revision, found)\n"
                '        with commit("jobs: seen"), connection.cursor() as cursor:\n'
                '            seen = "UPDATE jobs_job SET seen = true WHERE id = ANY(%s)"\n'
                "            cursor.execute(seen, [list(found.ids)])",
            ),
        ),
        column="jobs_job: seen boolean NOT NULL DEFAULT false",
    ),
    Mutant(
        name="opt-out checked at the start only",
        # The sweep and the lists at the start of a run look at it; nobody does before a send.
        values=(Value(Person, "may_be_mailed", property(lambda self: self.is_active)),),
    ),
    Mutant(
        name="no date guard",
        edits=(
            Edit(
                routing.came_up, "last is not None and day <= last <= day + _ZONES_APART", "False"
            ),
            Edit(digests._freeze, " or mails.filter(digest_on=day).exists()", ""),
            Edit(digests._seal, "person.user_id, day,", "person.user_id + taken[0], day,"),
        ),
        dropped=("mail_one_digest_a_day",),
        besides="a mail of that day; the envelope is of the day",
    ),
    Mutant(
        name="unfrozen digest",
        edits=(Edit(attempts.hold, "bytes(found.body)", _RENDERED_ANEW),),
    ),
    Mutant(
        name="flip by status instead of by ids",
        edits=(
            Edit(
                _move_rows,
                'mail_id=mail_id, status__in=["sealed", "unconfirmed"]',
                'user__mails=mail_id, status__in=["queued", "sealed"]',
            ),
            Edit(_move_rows, "sent_at=sent_at,", "sent_at=sent_at, mail=mail_id,"),
        ),
        dropped=("delivery_moves on deliveries_delivery",),
    ),
    Mutant(
        name="lease released without its token",
        edits=(
            Edit(
                lease.release,
                "(_RELEASE, [name, token])",
                '("DELETE FROM deliveries_lease WHERE name = %s", [name])',
            ),
        ),
    ),
    Mutant(
        name="no isolation between users",
        edits=tuple(
            Edit(function, "except Exception as error:", "except () as error:")
            for function in (
                scan._Scan._judge,
                scan._Scan._mail,
                digest.due_users,
                digest._Tick._freeze_each,
                digest._Tick._send,
            )
        ),
    ),
    Mutant(
        name="lock on delivery rows instead of the mail row",
        # What is locked is what is mailed, and the mail's rows are marked.
        edits=(
            Edit(
                attempts.hold,
                "\n    found = _due(begun.mail_id, now).first()\n"
                "    if found is None or found.body is None:\n",
                _LOCKED_ROWS,
            ),
            Edit(
                attempts.hold,
                "bytes(found.body)",
                "bytes(found.body) if len(mine) == found.jobs else "
                + _RENDERED_ANEW.replace(
                    'list(Delivery.objects.filter(mail=found).values_list("pk", flat=True))', "mine"
                ),
            ),
        ),
    ),
)
NONE: Final = Mutant(
    name="no change",
    edits=(
        Edit(
            routing.came_up,
            "last is not None and day <= last <= day + _ZONES_APART",
            "not (last is None or last < day or last > day + _ZONES_APART)",
        ),
    ),
)
