"""Pieces of database constraints, each one line in a model, and what is checked before them."""

from collections.abc import Sequence
from typing import Final
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import CharField, CheckConstraint, F, Func, IntegerField, Q, TextField, Value
from django.db.models.lookups import Exact, LessThanOrEqual, Regex

from accounts.identity import normalise_email

_MOST_BYTES: Final = 254  # RFC 5321 section 4.5.3.1.3, less the angle brackets


class UidOf(Func):
    """SQL for `identity.uid_of` of a normalised address."""

    template = (
        "rtrim(translate(encode(convert_to(%(expressions)s, 'UTF8'), 'base64'), "
        "E'+/\\n', '-_'), '=')"
    )
    output_field = TextField()


class ValuesAt(Func):
    """How many values of a JSON column a path finds."""

    template = "jsonb_array_length(jsonb_path_query_array(%(expressions)s::jsonpath))"
    output_field = IntegerField()

    def __init__(self, column: str, path: str) -> None:
        """Of a column, by a path of our own."""
        super().__init__(F(column), Value(path))


class _Joined(Func):
    function = "array_to_string"
    output_field = CharField()


def between(name: str, column: str, low: int, high: int | None = None) -> CheckConstraint:
    """A column is null or lies in [low, high]; no upper bound when high is None."""
    within = Q(**{f"{column}__gte": low})
    if high is not None:
        within &= Q(**{f"{column}__lte": high})
    return CheckConstraint(name=name, condition=within)


def subset(name: str, column: str, allowed: Sequence[str]) -> CheckConstraint:
    """An array column holds allowed values only."""
    return CheckConstraint(name=name, condition=Q(**{f"{column}__contained_by": list(allowed)}))


def codes(name: str, column: str, pattern: str) -> CheckConstraint:
    """Each value of an array column matches the pattern whole; none is null."""
    joined = _Joined(F(column), Value(","), Value("null"))
    matches = Regex(joined, Value(rf"^({pattern}(,{pattern})*)?$"))
    return CheckConstraint(name=name, condition=matches)


def few_values(name: str, column: str, most: int) -> CheckConstraint:
    """A JSON object holds at most so many values."""
    return CheckConstraint(name=name, condition=LessThanOrEqual(ValuesAt(column, "$.*"), most))


def values_between(name: str, column: str, low: float, high: float) -> CheckConstraint:
    """A JSON object holds numbers in [low, high] only."""
    within = ValuesAt(column, f"$.* ? (@ >= {low:g} && @ <= {high:g})")
    return CheckConstraint(name=name, condition=Exact(within, ValuesAt(column, "$.*")))


def checked_email(raw: str) -> str:
    """The normalised address; raises ValidationError for one that no account can have."""
    email = normalise_email(raw)
    validate_email(email)
    if not email.isprintable():
        raise ValidationError("An address holds no spaces and no invisible characters.")
    if len(email.encode()) > _MOST_BYTES:
        raise ValidationError(f"An address has at most {_MOST_BYTES} bytes.")
    return email


def known_timezone(name: str) -> None:
    """Raise ValidationError unless the tz database knows the zone."""
    if name not in available_timezones():
        raise ValidationError(f"{name!r} is not a time zone; write one such as Europe/Berlin.")
