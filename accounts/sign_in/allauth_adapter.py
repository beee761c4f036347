"""How allauth behaves in this product."""

from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.httpkit import get_client_ip
from django.http import HttpRequest
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.sign_in.code_mail import MailDownError, send_code

_UNSAID: Final = frozenset({"account/messages/logged_in.txt", "account/messages/logged_out.txt"})


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is untyped
    """Our mails, our own paths only, and no words that the page says already."""

    error_messages: Final = DefaultAccountAdapter.error_messages | {
        "incorrect_code": "This is not the code. Check it, and enter it again.",
        "too_many_login_attempts": "Too many tries. Wait some minutes, then try again.",
        "rate_limited": "Too many tries. Wait some minutes, then try again.",
    }

    def is_safe_url(self, url: str | None) -> bool:
        """Whether to go there after signing in: paths of this site only."""
        safe: bool = url_has_allowed_host_and_scheme(url, allowed_hosts=None)
        return safe and (url or "").startswith("/")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Mail a code; no other mail of allauth's is in use here."""
        if "code" not in context:
            raise NotImplementedError(f"{template_prefix} is not a mail of this product.")
        try:
            send_code(email, context["code"])
        except MailDownError as error:
            page = render(self.request, "accounts/mail_down.html", status=503)
            raise ImmediateHttpResponse(page) from error

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Say it on the next page, unless that page says it already."""
        if message_template not in _UNSAID:
            super().add_message(request, level, message_template, *args, **kwargs)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Whom per-address limits count: all callers without an address share one."""
        return get_client_ip(request) or "unknown"
