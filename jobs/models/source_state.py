"""How each source is doing."""

from django.db import models
from django.db.models import Q

STATES = ("ok", "quiet", "blocked", "logged_out", "throttled", "broken", "unauthorised", "off")
HEALTHY = ("ok", "quiet", "off")


class SourceState(models.Model):
    """The last outcome of one configured source, and how far it was read."""

    name = models.CharField(primary_key=True, max_length=60)
    state = models.CharField(max_length=20, choices=[(s, s) for s in STATES])
    detail = models.CharField(max_length=500, blank=True)
    checked_at = models.DateTimeField()
    succeeded_at = models.DateTimeField(null=True, blank=True)
    new_job_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    # What the source understands as "read up to here"; moved only with the jobs it stands for.
    watermark = models.CharField(max_length=500, blank=True)

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.CheckConstraint(name="source_state_known", condition=Q(state__in=STATES)),
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"
