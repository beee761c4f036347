"""Storing what was received, so that nothing is lost and a scan can tell what is new."""

from typing import Final

from django.db import connection
from django.db.models import Count, Sum
from django.db.models.functions import Length, Now

from accounts.boundaries import commit
from jobs.inbox.reading import Reading
from jobs.models import InboxMessage, InboxSender

MOST_WAITING: Final = 2_000
MOST_BYTES_WAITING: Final = 64 * 1024 * 1024


def is_full(sender: InboxSender) -> bool:
    """Whether so much of this sender waits for a scan that it should come later."""
    waits = InboxMessage.objects.filter(sender=sender).aggregate(
        messages=Count("pk"), size=Sum(Length("body"))
    )
    return waits["messages"] >= MOST_WAITING or (waits["size"] or 0) >= MOST_BYTES_WAITING


def receive(sender: InboxSender, body: bytes, reading: Reading) -> None:
    """Keep a body until a scan reads it, and what it tells of its sender.

    Bodies commit in the order of their ids, so that "read up to this id" leaves none behind.
    """
    with commit("inbox: receive"):
        if reading.postings or reading.rejected:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtext('jobs.inbox'))")
            InboxMessage.objects.create(sender=sender, body=body)
        told = {"state": reading.state, "state_at": Now()} if reading.state else {}
        InboxSender.objects.filter(pk=sender.pk).update(last_seen_at=Now(), **told)
