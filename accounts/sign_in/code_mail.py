"""The mail that carries a sign-in code."""

from typing import Final

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
    minutes = settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT // 60
    context = {"code": code, "minutes": minutes, "site": settings.SITE_HOST}
    mail = EmailMultiAlternatives(
        subject=f"{code} is your code for Upwork Scout",
        body=render_to_string("mail/code.txt", context),
        to=[email],
        headers={"Auto-Submitted": "auto-generated"},
    )
    mail.attach_alternative(
        _INLINER.inline(render_to_string("mail/code.html", context)), "text/html"
    )
    try:
        with effect("sign-in: mail a code"):
            accepted = mail.send()
    except (OSError, AnymailError, ValueError) as error:  # SMTP's errors are OSErrors
        raise MailDownError from error
    if not accepted:
        raise MailDownError
