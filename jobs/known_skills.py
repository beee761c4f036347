"""The names of skills that stored posts use."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Final

from jobs.models import Job

_POSTS: Final = 3_000
_SPAN: Final = timedelta(days=30)
_OFTEN: Final = 3


def known_skills(*, now: datetime) -> list[str]:
    """The skills that at least three of the newest posts of a month name, the commonest first."""
    rows = Job.objects.filter(dated_at__gte=now - _SPAN, text_dropped_at=None)
    lists = rows.order_by("-dated_at").values_list("skills", flat=True)[:_POSTS]
    counts = Counter(name for names in lists for name in names)
    return [name for name, count in counts.most_common() if count >= _OFTEN]
