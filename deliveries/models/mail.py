"""One message to one person; its id is the envelope."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from deliveries.statuses import KINDS, MAIL_STATUSES, OPEN_MAIL


class Mail(models.Model):
    """One mail about jobs, as the very bytes that leave.  Only `deliveries.ledger` writes here."""

    id = models.CharField(primary_key=True, max_length=32)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=8, choices=[(k, k) for k in KINDS])
    recipient = models.EmailField(max_length=254)
    subject = models.CharField(max_length=1000)
    jobs = models.PositiveSmallIntegerField()
    # The whole message; blanked as soon as the mail is finished.
    body = models.BinaryField(null=True)
    status = models.CharField(max_length=12, choices=[(s, s) for s in MAIL_STATUSES])
    digest_on = models.DateField(null=True)
    # The Monday of the local week that a weekly note is of.
    week_on = models.DateField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # Whether an attempt may have left: true while one is under way (a kill leaves it so), and once
    # one ended without anybody knowing.
    doubtful = models.BooleanField(default=False)
    # How often a send was begun: who finds another number than their own is not the only one.
    begun = models.PositiveIntegerField(default=0, db_default=0)
    next_attempt_at = models.DateTimeField(null=True)
    provider = models.CharField(max_length=100, blank=True, default="")
    provider_id = models.CharField(max_length=300, blank=True, default="")
    error = models.CharField(max_length=500, blank=True, default="")
    events = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.CheckConstraint(name="mail_id_shape", condition=Q(id__regex=r"^[0-9a-f]{32}$")),
            models.CheckConstraint(name="mail_kind_known", condition=Q(kind__in=KINDS)),
            models.CheckConstraint(
                name="mail_status_fits_kind",
                condition=Q(
                    kind__in=["alert", "sample", "weekly"],
                    status__in=[s for s in MAIL_STATUSES if s != "sealed"],
                )
                | Q(kind="digest", status__in=[s for s in MAIL_STATUSES if s != "sending"]),
            ),
            models.CheckConstraint(
                name="mail_day_iff_digest",
                condition=Q(kind="digest", digest_on__isnull=False)
                | (~Q(kind="digest") & Q(digest_on__isnull=True)),
            ),
            models.CheckConstraint(
                name="mail_week_iff_weekly",
                condition=Q(kind="weekly", week_on__isnull=False)
                | (~Q(kind="weekly") & Q(week_on__isnull=True)),
            ),
            models.CheckConstraint(
                name="mail_week_begins_on_monday",
                condition=Q(week_on__isnull=True) | Q(week_on__iso_week_day=1),
            ),
            models.CheckConstraint(
                name="mail_body_iff_open",
                condition=Q(status__in=OPEN_MAIL, body__isnull=False, finished_at__isnull=True)
                | (~Q(status__in=OPEN_MAIL) & Q(body__isnull=True, finished_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="mail_sent_at_iff_sent",
                condition=Q(status="sent", sent_at__isnull=False)
                | (~Q(status="sent") & Q(sent_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="mail_next_attempt_iff_sealed",
                condition=Q(status="sealed", next_attempt_at__isnull=False)
                | (~Q(status="sealed") & Q(next_attempt_at__isnull=True)),
            ),
            models.UniqueConstraint(
                name="mail_one_digest_a_day",
                fields=["user", "digest_on"],
                condition=Q(kind="digest"),
            ),
            # One that certainly did not leave stands in no other's way.
            models.UniqueConstraint(
                name="mail_one_weekly_a_week",
                fields=["user", "week_on"],
                condition=Q(kind="weekly") & ~Q(status="void"),
            ),
            models.UniqueConstraint(
                name="mail_one_open_digest", fields=["user"], condition=Q(status="sealed")
            ),
        )
        indexes = (
            models.Index(
                fields=["next_attempt_at"], name="mail_digest_to_send", condition=Q(status="sealed")
            ),
            models.Index(
                fields=["created_at"], name="mail_maybe_leaving", condition=Q(status="sending")
            ),
            models.Index(
                fields=["user", "created_at"], name="mail_samples", condition=Q(kind="sample")
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind}, {self.status}"
