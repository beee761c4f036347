"""What work a user wants."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from accounts import vocabulary
from accounts.checks_sql import between, codes, subset
from accounts.models.users import User
from accounts.terms import SEARCH_FIELDS, SearchTerms, terms_of


def _words(**kwargs: Any) -> "ArrayField[Any, Any]":
    return ArrayField(
        models.CharField(max_length=vocabulary.MAX_WORD),
        default=list,
        blank=True,
        size=vocabulary.MAX_LIST,
        **kwargs,
    )


def _floor(digits: int, places: int) -> "models.DecimalField[Any, Any]":
    return models.DecimalField(
        max_digits=digits,
        decimal_places=places,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )


def _all_job_types() -> list[str]:
    return list(vocabulary.JOB_TYPES)


class Search(models.Model):
    """One description of wanted work and its filters; a user has one to ten."""

    user = models.ForeignKey(User, models.CASCADE, related_name="searches")
    position = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(vocabulary.MAX_SEARCHES)]
    )
    name = models.CharField(max_length=80, default="My search")
    active = models.BooleanField(default=True)
    headline = models.CharField(max_length=300, blank=True)
    about = models.TextField(max_length=20_000, blank=True)
    wants = models.TextField(max_length=20_000, blank=True)
    skills = _words()
    words_any = _words()
    words_all = _words()
    words_none = _words()
    job_types = ArrayField(models.CharField(max_length=10), default=_all_job_types, blank=True)
    min_hourly = _floor(10, 2)
    min_fixed = _floor(12, 2)
    experience_levels = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    categories = _words()
    countries_include = ArrayField(models.CharField(max_length=2), default=list, blank=True)
    countries_exclude = ArrayField(models.CharField(max_length=2), default=list, blank=True)
    my_country = models.CharField(max_length=2, blank=True)
    languages = ArrayField(models.CharField(max_length=2), default=list, blank=True)
    min_client_spent = _floor(14, 2)
    min_client_hires = models.PositiveIntegerField(null=True, blank=True)
    min_client_hire_rate = _floor(5, 2)
    min_client_rating = _floor(3, 2)
    payment_verified_only = models.BooleanField(default=False)
    max_proposals = models.PositiveIntegerField(null=True, blank=True)
    durations = ArrayField(models.CharField(max_length=10), default=list, blank=True)
    posted_within_hours = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)]
    )
    strict = ArrayField(models.CharField(max_length=30), default=list, blank=True)
    min_score = models.PositiveSmallIntegerField(
        default=vocabulary.DEFAULT_MIN_SCORE, validators=[MaxValueValidator(100)]
    )

    class Meta:
        """Table-wide rules."""

        verbose_name_plural = "searches"
        ordering = ("user", "position")
        constraints = (
            models.UniqueConstraint(
                name="search_position_once",
                fields=["user", "position"],
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.UniqueConstraint(
                name="search_name_once",
                fields=["user", "name"],
                deferrable=models.Deferrable.DEFERRED,
            ),
            between("search_at_most_ten", "position", 1, vocabulary.MAX_SEARCHES),
            between("search_min_score", "min_score", 0, 100),
            between("search_min_hourly", "min_hourly", 0),
            between("search_min_fixed", "min_fixed", 0),
            between("search_min_client_spent", "min_client_spent", 0),
            between("search_min_client_hires", "min_client_hires", 0, 1_000_000),
            between("search_min_client_hire_rate", "min_client_hire_rate", 0, 100),
            between("search_min_client_rating", "min_client_rating", 0, 5),
            between("search_max_proposals", "max_proposals", 0, 1_000_000),
            between("search_posted_within_hours", "posted_within_hours", 1, 720),
            subset("search_job_types_known", "job_types", vocabulary.JOB_TYPES),
            subset("search_levels_known", "experience_levels", vocabulary.LEVELS),
            subset("search_durations_known", "durations", vocabulary.DURATIONS),
            subset("search_categories_known", "categories", tuple(vocabulary.CATEGORIES)),
            subset("search_strict_known", "strict", vocabulary.STRICTABLE),
            codes("search_countries_include", "countries_include", "[A-Z]{2}"),
            codes("search_countries_exclude", "countries_exclude", "[A-Z]{2}"),
            codes("search_languages", "languages", "[a-z]{2}"),
            models.CheckConstraint(
                name="search_my_country", condition=Q(my_country__regex=r"^([A-Z]{2})?$")
            ),
        )

    def __str__(self) -> str:
        return self.name

    def terms(self) -> SearchTerms:
        """The plain values that decisions take."""
        return terms_of({name: getattr(self, name) for name in SEARCH_FIELDS})
