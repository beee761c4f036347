"""How mail reaches a user."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from accounts import vocabulary
from accounts.checks_sql import between, known_timezone
from accounts.models.users import User
from accounts.terms import DeliveryTerms


class Preferences(models.Model):
    """How mail reaches one user, and the book-keeping of it."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True)
    mode = models.CharField(
        max_length=10, choices=[(m, m) for m in vocabulary.MODES], default="instant"
    )
    digest_hour = models.PositiveSmallIntegerField(default=8, validators=[MaxValueValidator(23)])
    timezone = models.CharField(max_length=64, default="UTC", validators=[known_timezone])
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    max_jobs_per_day = models.PositiveSmallIntegerField(
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(vocabulary.MAX_JOBS_A_DAY)],
    )
    paused_until = models.DateTimeField(null=True, blank=True)
    ai_allowed = models.BooleanField(default=True)
    # Whether to say so once a week when nothing matched.
    weekly_note = models.BooleanField(default=False, db_default=False)
    last_digest_on = models.DateField(null=True, blank=True, editable=False)
    # When a scan last took this user in a block, by the database's clock.
    visited_at = models.DateTimeField(null=True, blank=True, editable=False)
    saved_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        """Table-wide rules."""

        verbose_name_plural = "preferences"
        constraints = (
            models.CheckConstraint(
                name="preferences_mode_known", condition=Q(mode__in=vocabulary.MODES)
            ),
            between("preferences_digest_hour", "digest_hour", 0, 23),
            between(
                "preferences_max_jobs_per_day", "max_jobs_per_day", 1, vocabulary.MAX_JOBS_A_DAY
            ),
            models.CheckConstraint(
                name="preferences_quiet_both_or_neither",
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | (
                    Q(quiet_from__isnull=False, quiet_until__isnull=False)
                    & ~Q(quiet_from=F("quiet_until"))
                ),
            ),
        )
        indexes = (
            models.Index(
                F("visited_at").asc(nulls_first=True), "user", name="preferences_longest_waiting"
            ),
            models.Index(
                fields=["user"], name="preferences_weekly_note", condition=Q(weekly_note=True)
            ),
        )

    def __str__(self) -> str:
        return f"{self.mode}, {self.timezone}"

    def terms(self) -> DeliveryTerms:
        """The plain values that decisions take."""
        return DeliveryTerms(**{n: getattr(self, n) for n in DeliveryTerms.__dataclass_fields__})
