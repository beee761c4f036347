"""Who must not be mailed, and the links that say so."""

import secrets

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models.users import User


def new_token() -> str:
    """An unguessable token for a link, 256 bits as 43 URL-safe characters."""
    return secrets.token_urlsafe(32)


class OptOutToken(models.Model):
    """The random value in an unsubscribe link: one a user and purpose, kept for ever.

    It survives a change of address, so that links in old mails go on working.
    """

    class Purpose(models.TextChoices):
        """Which mail the link stops."""

        JOBS = "jobs", "alerts and digests"

    token = models.CharField(primary_key=True, max_length=64, default=new_token)
    user = models.ForeignKey(User, models.CASCADE, related_name="opt_out_tokens")
    purpose = models.CharField(max_length=20, choices=Purpose.choices, default=Purpose.JOBS)

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.UniqueConstraint(name="opt_out_token_once", fields=["user", "purpose"]),
            models.CheckConstraint(name="opt_out_purpose_known", condition=Q(purpose__in=["jobs"])),
            models.CheckConstraint(
                name="opt_out_token_long",
                condition=Q(token__regex=r"^[A-Za-z0-9_-]{43,}$"),  # noqa: S106 -- no password
            ),
        )

    def __str__(self) -> str:
        return self.purpose


class Suppression(models.Model):
    """No job mail to this user, and why; deleting the row lifts it."""

    class Reason(models.TextChoices):
        """Who stopped the mail."""

        OPTED_OUT = "opted_out", "the user opted out"
        BOUNCED = "bounced", "the address does not exist"
        COMPLAINED = "complained", "the user called it spam"
        STAFF = "staff", "stopped by staff"

    user = models.OneToOneField(User, models.CASCADE, primary_key=True)
    reason = models.CharField(max_length=20, choices=Reason.choices)
    since = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.CheckConstraint(
                name="suppression_reason_known",
                condition=Q(reason__in=["opted_out", "bounced", "complained", "staff"]),
            ),
        )

    def __str__(self) -> str:
        return self.reason


class DeletedAddress(models.Model):
    """That an address, known here only by a keyed hash, deleted its account, and when.

    Kept 48 hours, so that signing up again does not bring jobs that were seen before.
    """

    address_hash = models.CharField(primary_key=True, max_length=64)
    deleted_at = models.DateTimeField(db_default=Now())

    class Meta:
        """Table-wide rules."""

        verbose_name_plural = "deleted addresses"

    def __str__(self) -> str:
        return self.address_hash[:8]
