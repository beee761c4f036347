"""Anymail's HTTP backends, made safe to judge, and what their errors mean.

Anymail follows redirects (a 302 turned a send into a GET that counted as sent), limits only each
read, and forgets the status when a body cannot be read.
"""

import ssl
from collections.abc import Iterator
from email.errors import MessageError
from email.utils import parsedate_to_datetime
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import requests
import urllib3.exceptions
from anymail import exceptions as anymail
from anymail.backends.base import AnymailBaseBackend
from anymail.backends.base_requests import AnymailRequestsBackend
from django.core.exceptions import ImproperlyConfigured

from deliveries.messages.stored_mail import StoredEmail
from deliveries.sending.deadline import within
from deliveries.sending.failures import Evidence, Kind, Phase

MAX_RETRY_AFTER: Final = 86_400.0
_REFUSED: Final = frozenset({"invalid", "rejected"})
_UNFIT: Final = (ValueError, LookupError, MessageError)
_MISCONFIGURED: Final = (
    ImproperlyConfigured,
    requests.exceptions.InvalidHeader,
    requests.exceptions.InvalidSchema,
    requests.exceptions.InvalidURL,
    requests.exceptions.MissingSchema,
)
_NOT_CONNECTED: Final = (
    urllib3.exceptions.ConnectTimeoutError,
    urllib3.exceptions.NewConnectionError,
    ssl.SSLCertVerificationError,
)


def is_anymail(backend: type[Any]) -> bool:
    """Whether errors of this backend are anymail's."""
    return issubclass(backend, AnymailBaseBackend)


def make_backend(backend: type[Any], limit: float) -> Any:
    """A new backend for one send of at most `limit` seconds, where it talks through requests."""
    if not issubclass(backend, AnymailRequestsBackend):
        return backend()

    class Bounded(backend):  # type: ignore[misc]  # the class is only known at run time
        asked = False  # whether the request may have begun
        answer: requests.Response | None = None  # its status is known before its body is

        def create_session(self) -> requests.Session:
            session: requests.Session = super().create_session()
            session.max_redirects = 0
            session.hooks["response"].append(self._note)
            return session

        def _note(self, response: requests.Response, **_: Any) -> None:
            self.answer = response

        def build_message_payload(self, message: StoredEmail, defaults: Any) -> Any:
            payload = super().build_message_payload(message, defaults)
            if self.esp_name == "Resend":  # a header of the request, not of the mail; 24 hours
                payload.headers["Idempotency-Key"] = message.stored.envelope
            return payload

        def post_to_esp(self, payload: Any, message: StoredEmail) -> Any:
            self.asked = True
            post = super().post_to_esp
            return within(limit, lambda: post(payload, message))

    return Bounded(timeout=(limit / 2, limit))


def add_idempotency(message: StoredEmail, backend: Any) -> None:
    """Brevo reads its key among the mail's headers: a UUID, remembered for 30 minutes."""
    if backend.esp_name == "Brevo":
        key = uuid5(NAMESPACE_URL, f"mail:{message.stored.envelope}")
        message.extra_headers["idempotencyKey"] = str(key)


def evidence_of(message: StoredEmail, backend: Any, error: Exception | None) -> Evidence:
    """The facts of a send that returned, or raised `error`."""
    text = _text(error)
    if isinstance(error, anymail.AnymailRecipientsRefused):
        return Evidence(phase=Phase.HTTP, kind=Kind.RECIPIENT_REFUSED, text=text)
    statuses = message.anymail_status.status if hasattr(message, "anymail_status") else None
    if statuses:  # the answer was read; what was raised since is not the provider's
        return Evidence(phase=Phase.HTTP, kind=_kind_of(statuses), text=text or str(statuses))
    answer = getattr(error, "response", None)
    if answer is None:
        answer = getattr(backend, "answer", None)
    if answer is not None:
        return Evidence(
            phase=Phase.HTTP,
            kind=Kind.REPLY,
            http_status=answer.status_code,
            timed_out=isinstance(error, TimeoutError),
            retry_after=_retry_after(answer),
            text=text,
        )
    return _without_an_answer(error, getattr(backend, "asked", True), text)


def _kind_of(statuses: set[str | None]) -> Kind:
    if statuses <= _REFUSED:
        return Kind.RECIPIENT_REFUSED
    return Kind.OTHER if statuses <= _REFUSED | {"failed"} else Kind.TAKEN


def _without_an_answer(error: Exception | None, asked: bool, text: str) -> Evidence:
    causes = list(_causes(error))
    if any(isinstance(cause, _MISCONFIGURED) for cause in causes):
        # no text: such errors quote the header, and with it the provider's key
        return Evidence(phase=Phase.BEFORE, kind=Kind.CONFIGURATION, text=type(error).__name__)
    unsendable = (anymail.AnymailInvalidAddress, anymail.AnymailUnsupportedFeature)
    if isinstance(error, (*unsendable, anymail.AnymailSerializationError)) or (
        not asked and isinstance(error, _UNFIT)
    ):
        return Evidence(phase=Phase.BEFORE, kind=Kind.UNFIT, text=text)
    if any(isinstance(cause, _NOT_CONNECTED) for cause in causes):
        return Evidence(phase=Phase.HTTP, kind=Kind.NO_CONNECTION, text=text)
    timed_out = any(
        isinstance(cause, TimeoutError | urllib3.exceptions.TimeoutError) for cause in causes
    )
    return Evidence(phase=Phase.HTTP, kind=Kind.BROKEN, timed_out=timed_out, text=text)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and all it came from: requests keeps urllib3's as an argument, that a `reason`."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, BaseException) or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        inner = [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]
        waiting.extend(cause for cause in inner if isinstance(cause, BaseException))


def _retry_after(answer: requests.Response) -> float | None:
    """Retry-After in seconds (RFC 9110 section 10.2.3), a date against the answer's own Date."""
    value = answer.headers.get("Retry-After", "").strip()
    try:
        if value.isascii() and value.isdigit():
            seconds = float(value)
        else:
            until = parsedate_to_datetime(value)
            seconds = (until - parsedate_to_datetime(answer.headers["Date"])).total_seconds()
    except (ValueError, TypeError, KeyError, OverflowError):
        return None
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)


def _text(error: Exception | None) -> str:
    """What an error says; a provider's answer in its own words."""
    if error is None:
        return ""
    return f"{type(error).__name__}: {error}"
