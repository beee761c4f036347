"""Mails about an account: codes, and the notice that another address was asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from anymail.exceptions import AnymailError
from css_inline import CSSInliner
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

from accounts.boundaries import effect

_INLINER: Final = CSSInliner(load_remote_stylesheets=False)


class MailDownError(Exception):
    """The mail could not be handed over; nobody knows whose fault it was."""


def send_code(email: str, code: str) -> None:
    """Mail the code, now; raises MailDownError.

    It holds no link: what mail scanners open can sign nobody in.
    """
    context = {"code": code, **_surroundings()}
    mail = _mail(email, f"{code} is your code for Upwork Scout", "mail/code", context)
    with _told_when_down(), effect("sign-in: mail a code"):
        _accepted(mail.send())


def send_address_code(email: str, code: str) -> None:
    """Mail the code that proves a new address, now; raises MailDownError."""
    context = {"code": code, **_surroundings()}
    subject = f"{code} is your code to use this address for Upwork Scout"
    mail = _mail(email, subject, "mail/address_code", context)
    with _told_when_down(), effect("new address: mail a code"):
        _accepted(mail.send())


def send_address_notice(email: str) -> None:
    """Tell the present address that another one was asked for, now; raises MailDownError."""
    subject = "Another address was asked for your Upwork Scout account"
    mail = _mail(email, subject, "mail/address_notice", _surroundings())
    with _told_when_down(), effect("new address: mail a notice"):
        _accepted(mail.send())


def _surroundings() -> dict[str, Any]:
    minutes = settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT // 60
    return {"minutes": minutes, "site": settings.SITE_HOST}


def _mail(
    email: str, subject: str, template: str, context: dict[str, Any]
) -> EmailMultiAlternatives:
    mail = EmailMultiAlternatives(
        subject=subject,
        body=render_to_string(f"{template}.txt", context),
        to=[email],
        headers={"Auto-Submitted": "auto-generated"},
    )
    html = _INLINER.inline(render_to_string(f"{template}.html", context))
    mail.attach_alternative(html, "text/html")
    return mail


@contextmanager
def _told_when_down() -> Iterator[None]:
    try:
        yield
    except (OSError, AnymailError, ValueError) as error:  # SMTP's errors are OSErrors
        raise MailDownError from error


def _accepted(count: int) -> None:
    if not count:
        raise MailDownError
