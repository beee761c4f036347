"""What staff may narrow the lists of jobs and verdicts down to, and what they search for."""

import re
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from jobs.models import Job, SourceState, Verdict
from jobs.postings.identifiers import job_id_from

NOT_STATED: Final = "not stated"
_NATIVE: Final = re.compile(r"~?0[12][0-9a-f]{10,24}|\d{15,24}")


def job_id_in(term: str) -> str | None:
    """The job id that a search term is, or holds as an address; None when it is neither."""
    words = term.strip()
    if "@" in words or not (":" in words or _NATIVE.fullmatch(words)):
        return None
    return job_id_from(words, url=words)


class KindFilter(admin.SimpleListFilter):
    """Hourly, fixed price, or not stated."""

    title = "type"
    parameter_name = "type"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        return [("hourly", "hourly"), ("fixed", "fixed price"), ("none", NOT_STATED)]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Job]") -> "QuerySet[Job]":
        """The rows of the chosen one."""
        wanted = {"hourly": "hourly", "fixed": "fixed", "none": None}
        return queryset.filter(job_type=wanted[v]) if (v := self.value()) in wanted else queryset


class FreshnessFilter(admin.SimpleListFilter):
    """Whether a job may still be matched."""

    title = "freshness"
    parameter_name = "fresh"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        hours = settings.SCOUT_FRESH_HOURS
        return [
            ("yes", f"fresh: the last {hours} hours"),
            ("no", "older"),
            ("dropped", "text no longer kept"),
        ]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Job]") -> "QuerySet[Job]":
        """The rows of the chosen one."""
        begin = timezone.now() - timedelta(hours=settings.SCOUT_FRESH_HOURS)
        chosen = {
            "yes": Q(dated_at__gte=begin, text_dropped_at=None),
            "no": Q(dated_at__lt=begin),
            "dropped": Q(text_dropped_at__isnull=False),
        }
        return queryset.filter(chosen[v]) if (v := self.value()) in chosen else queryset


class SourceFilter(admin.SimpleListFilter):
    """The source whose text is kept; the names are those of the known sources."""

    title = "source"
    parameter_name = "source"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        names = {*SourceState.objects.values_list("name", flat=True), "import"}
        return [(name, name) for name in sorted(names)]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Job]") -> "QuerySet[Job]":
        """The rows of the chosen one."""
        return queryset.filter(source=v) if (v := self.value()) else queryset


class ScorerFilter(admin.SimpleListFilter):
    """Who gave a verdict."""

    title = "given by"
    parameter_name = "by"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        return [("local", "the local scorer"), ("model", "a language model")]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Verdict]") -> "QuerySet[Verdict]":
        """The rows of the chosen one."""
        local = Q(scorer__startswith="local:")
        chosen = {"local": local, "model": ~local}
        return queryset.filter(chosen[v]) if (v := self.value()) in chosen else queryset


class ScoreFilter(admin.SimpleListFilter):
    """Scores in bands."""

    title = "score"
    parameter_name = "score"
    bands: Final = {"90": (90, 100), "70": (70, 89), "50": (50, 69), "0": (0, 49)}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        return [(key, f"{low} to {high}") for key, (low, high) in self.bands.items()]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Verdict]") -> "QuerySet[Verdict]":
        """The rows of the chosen one."""
        band = self.bands.get(self.value() or "")
        return queryset.filter(score__range=band) if band else queryset
