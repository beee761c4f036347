"""How each source is doing."""

from datetime import datetime

from django.db import models
from django.db.models import Q

from jobs.source_health import FOR_THE_OPERATOR, STATES, Health


class SourceState(models.Model):
    """The last outcome of one configured source, and how far it was read."""

    name = models.CharField(primary_key=True, max_length=60)
    state = models.CharField(max_length=20, choices=[(s, s) for s in STATES])
    detail = models.CharField(max_length=500, blank=True)
    # A digest of what is configured: under another one everything here is about another place.
    place = models.CharField(max_length=64, blank=True, default="", db_default="")
    since = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField()
    succeeded_at = models.DateTimeField(null=True, blank=True)
    new_job_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    next_look_at = models.DateTimeField(null=True, blank=True)
    # What the source understands as "read up to here"; moved only with the jobs it stands for.
    watermark = models.CharField(max_length=500, blank=True)

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.CheckConstraint(name="source_state_known", condition=Q(state__in=STATES)),
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"

    @property
    def needs_operator(self) -> bool:
        """Whether somebody has to act before it can be well again."""
        return self.state in FOR_THE_OPERATOR

    def health(self, *, now: datetime) -> Health:
        """The plain value that decisions take; `now` counts as the first look of an older row."""
        names = [name for name in Health.__dataclass_fields__ if name != "since"]
        return Health(since=self.since or now, **{name: getattr(self, name) for name in names})
