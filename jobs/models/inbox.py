"""Who may send jobs to `/inbox/jobs`, and what they sent until a scan has read it."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jobs.source_health import STATES


class InboxSender(models.Model):
    """One sender, told by a token of which only a hash is kept; `state` is what it last told."""

    name = models.CharField(max_length=60, unique=True)
    token_hash = models.CharField(max_length=64)
    made_at = models.DateTimeField(db_default=Now())
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(
        max_length=20, choices=[(s, s) for s in STATES], default="off", db_default="off"
    )
    state_at = models.DateTimeField(null=True, blank=True)
    # The minute that is being counted, and the requests in it.
    counted_from = models.DateTimeField(null=True, blank=True)
    counted = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        """Table-wide rules."""

        verbose_name = "inbox sender"
        constraints = (
            models.CheckConstraint(name="inbox_sender_state_known", condition=Q(state__in=STATES)),
            models.CheckConstraint(
                name="inbox_sender_token_is_a_hash",
                condition=Q(token_hash__regex=r"^[0-9a-f]{64}$"),  # noqa: S106
            ),
        )

    def __str__(self) -> str:
        return self.name


class InboxMessage(models.Model):
    """One body as it was received; its id grows in the order of commits (`jobs.inbox.receiving`).

    Deleted once the scan's source `inbox` has read past it.
    """

    sender = models.ForeignKey(InboxSender, models.CASCADE, related_name="messages")
    received_at = models.DateTimeField(db_default=Now())
    body = models.BinaryField()

    def __str__(self) -> str:
        return f"message {self.pk}"
