"""Changing an account's address: a user's key follows from it, so every row gets another key."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, models
from django.db.models import F, ForeignObjectRel, Value
from django.db.models.functions import Concat

from accounts import sessions, staff_log, tries
from accounts.boundaries import commit
from accounts.deleted_addresses import remember, seen_until
from accounts.identity import uid_of
from accounts.locking import lock_account
from accounts.models import Suppression, User
from deliveries import ledger
from deliveries.models import Delivery, Mail
from deliveries.people import mailable
from deliveries.statuses import OPEN_MAIL
from deliveries.work.clock import database_time
from deliveries.work.patience import BusyError, told_when_busy
from jobs.models import Verdict

Column = tuple[type[models.Model], str]


class UnknownUserError(LookupError):
    """There is no such user, or not any more."""


class AddressTakenError(Exception):
    """The address that an account was to get belongs to another one."""


def change_address(
    user_id: str, new_email: str, *, now: datetime, session: SessionBase | None = None
) -> str:
    """Give a user another address, and every row of theirs another key, in one transaction.

    The user's key from now on; the same as before when the address is, however it is written.
    Links in old mails go on working, and nothing sent before is sent again.  Whoever signs up at
    the old address, and this user if the new one had an account before, gets no jobs that were
    seen there.  Sessions end, since they hold the old key, all but the one given: that stays
    signed in.

    Raises ValidationError for an address that no mail can be sent to, UnknownUserError,
    AddressTakenError, and BusyError while a mail to the user is open or others are at work on the
    account for longer than the database's lock_timeout.  Call it outside any transaction.
    """
    began = database_time()
    email = mailable(new_email)
    with told_when_busy("The account"), commit("account: change of address", durable=True):
        user = lock_account(user_id)
        if user is None:
            raise UnknownUserError("There is no such account, or not any more.")
        if user.email == email:
            return user_id
        _refuse_while_mail_is_open(user_id)
        at = now + (database_time() - began)  # the wait for the locks counts
        seen = ledger.seen_until(user_id, now=at)
        _rekey(user, email)
        _follow(user.email, email, seen=seen)
        _leave_out_what_was_seen(email, at=at)
        tries.forget(user_id)
        _sign_out_elsewhere(user_id, email, session)
    return uid_of(email)


def columns_of_users() -> Iterator[Column]:
    """Every column that holds a user's key, those that are their own table's key first.

    First, because changing a search makes a trigger add the user's watermark where none is.
    """
    relations = User._meta.get_fields(include_hidden=True)
    fields = [
        relation.field
        for relation in relations
        if isinstance(relation, ForeignObjectRel) and not relation.many_to_many
    ]
    for field in sorted(fields, key=lambda field: (not field.primary_key, str(field))):
        yield field.model, field.attname


def _refuse_while_mail_is_open(user_id: str) -> None:
    if Mail.objects.filter(user_id=user_id, status__in=OPEN_MAIL).exists():
        raise BusyError(
            "A mail to this account is on its way, and nothing was changed: try again in some"
            " minutes (a digest that is not accepted is given up after a day)."
        )


def _rekey(user: User, email: str) -> None:
    old, new = user.pk, uid_of(email)
    _take(user, email)
    ledger.rekey(old, new)
    staff_log.rekey(old, new)
    for model, column in columns_of_users():
        if model in (Delivery, Mail):
            continue
        values: dict[str, Any] = {column: new}
        if model is Verdict:
            values["id"] = Concat(Value(f"{new}_"), F("job_id"))
        with commit("account: rekey a table"):
            model._base_manager.filter(**{column: old}).update(**values)


def _sign_out_elsewhere(old: str, email: str, session: SessionBase | None) -> None:
    if session is None:
        sessions.end(old)
    else:
        sessions.move(session, User.objects.get(email=email), from_id=old)


def _take(user: User, email: str) -> None:
    others = EmailAddress.objects.filter(email=email).exclude(user_id=user.pk)
    taken = AddressTakenError(f"{email} belongs to another account: delete that one first.")
    if others.exists():
        raise taken
    try:
        with commit("account: take an address"):
            User.objects.filter(pk=user.pk).update(uid=uid_of(email), email=email)
    except IntegrityError as error:  # by its unique key: also of somebody signing up just now
        raise taken from error


def _follow(old_email: str, email: str, *, seen: datetime) -> None:
    """What belongs to the address and not to the person."""
    addresses = EmailAddress.objects.filter(user_id=uid_of(email))
    with commit("account: follow the address"):
        addresses.exclude(email=old_email).delete()
        addresses.update(email=email)
        Suppression.objects.filter(pk=uid_of(email), reason="bounced").delete()
    remember(old_email, at=seen)


def _leave_out_what_was_seen(email: str, *, at: datetime) -> None:
    seen, user_id = seen_until(email), uid_of(email)
    if seen is None:
        return
    with commit("account: begin later"):
        User.objects.filter(pk=user_id).exclude(jobs_from__gte=seen).update(jobs_from=seen)
    rows = Delivery.objects.filter(user_id=user_id, status="queued", job__dated_at__lte=seen)
    ledger.expire(list(rows.values_list("pk", flat=True)), "filtered out now", now=at)
