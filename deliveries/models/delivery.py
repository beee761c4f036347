"""The ledger: one row for each user and job, written once, never twice."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Concat, Now

from accounts.checks_sql import between
from deliveries.models.mail import Mail
from deliveries.statuses import DELIVERY_STATUSES, EXPIRY_REASONS, ROUTES
from jobs.models import Job


class Delivery(models.Model):
    """This job goes to this user.  Only `deliveries.ledger` writes here."""

    id = models.CharField(primary_key=True, max_length=600)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="deliveries")
    job = models.ForeignKey(Job, models.PROTECT, related_name="deliveries")
    status = models.CharField(max_length=12, choices=[(s, s) for s in DELIVERY_STATUSES])
    route = models.CharField(max_length=8, choices=[(r, r) for r in ROUTES])
    mail = models.ForeignKey(Mail, models.RESTRICT, null=True, related_name="deliveries")
    reason = models.CharField(max_length=40, blank=True, default="", db_default="")
    # The job whose text this one's repeats; that one was, or may be, mailed to the user.
    repeats = models.ForeignKey(
        Job, models.PROTECT, null=True, related_name="repeated_by", db_index=False
    )
    score = models.PositiveSmallIntegerField()
    threshold = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=1000)
    # How often the row came back to the queue because a mail certainly had not left.
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    queued_at = models.DateTimeField()
    changed_at = models.DateTimeField(db_default=Now())
    sent_at = models.DateTimeField(null=True)

    class Meta:
        """Table-wide rules."""

        verbose_name_plural = "deliveries"
        constraints = (
            models.UniqueConstraint(name="delivery_once", fields=["user", "job"]),
            models.CheckConstraint(
                name="delivery_id_is_of_pair",
                condition=Q(id=Concat(F("user_id"), Value("_"), F("job_id"))),
            ),
            models.CheckConstraint(name="delivery_route_known", condition=Q(route__in=ROUTES)),
            models.CheckConstraint(
                name="delivery_status_known", condition=Q(status__in=DELIVERY_STATUSES)
            ),
            models.CheckConstraint(
                name="delivery_mail_fits_status",
                condition=Q(status__in=["queued", "expired"], mail__isnull=True)
                | Q(status__in=["sealed", "sent", "unconfirmed", "failed"], mail__isnull=False),
            ),
            models.CheckConstraint(
                name="delivery_reason_iff_expired",
                condition=Q(status="expired", reason__in=EXPIRY_REASONS)
                | (~Q(status="expired") & Q(reason="")),
            ),
            models.CheckConstraint(
                name="delivery_repeats_iff_repost",
                condition=(Q(reason="repost", repeats__isnull=False) & ~Q(repeats=F("job")))
                | (~Q(reason="repost") & Q(repeats__isnull=True)),
            ),
            models.CheckConstraint(
                name="delivery_sent_at_iff_sent",
                condition=Q(status="sent", sent_at__isnull=False)
                | (~Q(status="sent") & Q(sent_at__isnull=True)),
            ),
            between("delivery_score", "score", 0, 100),
            between("delivery_threshold", "threshold", 0, 100),
        )
        indexes = (
            models.Index(
                fields=["user", "-score"],
                name="delivery_queued_instant",
                condition=Q(status="queued", route="instant"),
            ),
            models.Index(
                fields=["user", "-score"],
                name="delivery_queued_daily",
                condition=Q(status="queued", route="daily"),
            ),
            models.Index(
                fields=["mail"], name="delivery_sealed_of_mail", condition=Q(status="sealed")
            ),
        )

    def __str__(self) -> str:
        return f"{self.status}, {self.route}"
