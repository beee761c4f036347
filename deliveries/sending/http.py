"""Anymail's HTTP backends, made safe to judge, and what their errors mean.

Anymail follows redirects (a 302 turned a send into a GET that counted as sent), limits only each
read, and forgets the status when a body cannot be read: `http_line` sees to that.

Resend (https://resend.com/docs/dashboard/emails/idempotency-keys, .../docs/api-reference/errors):
the key is the request's header Idempotency-Key; for 24 hours the same request gets the same answer
again and sends nothing.  409 `invalid_idempotent_request`: the key was used for another payload;
409 `concurrent_idempotent_requests`: the first request is still under way.  In both cases the mail
may have left, and a new key would send it twice.
Brevo (https://developers.brevo.com/docs/heterogenous-versions-batch-emails): the key is a UUID,
`idempotencyKey` among the mail's headers; within 30 minutes it is answered `duplicate_parameter`
and not processed again.
"""

from collections.abc import Iterator
from email.errors import MessageError
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import requests
import urllib3.exceptions
from anymail import exceptions as anymail
from anymail.backends.base import AnymailBaseBackend
from anymail.backends.base_requests import AnymailRequestsBackend
from django.core.exceptions import ImproperlyConfigured

from accounts.deadline import within
from accounts.retry_after import http_date, seconds_asked
from deliveries.messages.stored_mail import StoredEmail
from deliveries.sending.failures import Evidence, Kind, Phase
from deliveries.sending.http_line import Line, use

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
_IN_OTHER_WORDS: Final = {
    # Answers 4xx whose status says less than their words: provider, field, words.
    ("Brevo", "code", "duplicate_parameter"): Kind.DUPLICATE,
    ("Resend", "message", "API key is invalid"): Kind.CONFIGURATION,
}


def is_anymail(backend: type[Any]) -> bool:
    """Whether errors of this backend are anymail's."""
    return issubclass(backend, AnymailBaseBackend)


def make_backend(backend: type[Any], limit: float) -> Any:
    """A new backend for one send of at most `limit` seconds, where it talks through requests."""
    if not issubclass(backend, AnymailRequestsBackend):
        return backend()

    class Bounded(backend):  # type: ignore[misc]  # the class is only known at run time
        asked = False  # whether the message was ready to be sent
        line: Line | None = None

        def create_session(self) -> requests.Session:
            session: requests.Session = super().create_session()
            self.line = Line()
            use(self.line, session)
            return session

        def build_message_payload(self, message: StoredEmail, defaults: Any) -> Any:
            payload = super().build_message_payload(message, defaults)
            if self.esp_name == "Resend":  # a header of the request, not of the mail; 24 hours
                payload.headers["Idempotency-Key"] = message.stored.envelope
            return payload

        def post_to_esp(self, payload: Any, message: StoredEmail) -> Any:
            self.asked = True
            post = super().post_to_esp
            try:
                return within(limit, lambda: post(payload, message))
            except TimeoutError:
                if self.line is not None:
                    self.line.give_up()
                raise

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
    line: Line | None = getattr(backend, "line", None)
    answer = getattr(error, "response", None)
    if answer is None and line is not None:
        answer = line.answer
    if answer is not None:
        return Evidence(
            phase=Phase.HTTP,
            kind=_in_other_words(answer, backend.esp_name),
            http_status=answer.status_code,
            timed_out=isinstance(error, TimeoutError),
            retry_after=_retry_after(answer),
            text=text,
        )
    return _without_an_answer(error, getattr(backend, "asked", True), line, text)


def _in_other_words(answer: requests.Response, esp: str) -> Kind:
    if answer.status_code // 100 != 4:
        return Kind.REPLY
    try:
        said = answer.json()
    except (ValueError, RecursionError):
        return Kind.REPLY
    told = _IN_OTHER_WORDS.items() if isinstance(said, dict) else ()
    return next((kind for (who, k, v), kind in told if (esp, said.get(k)) == (who, v)), Kind.REPLY)


def _kind_of(statuses: set[str | None]) -> Kind:
    if statuses <= _REFUSED:
        return Kind.RECIPIENT_REFUSED
    return Kind.OTHER if statuses <= _REFUSED | {"failed"} else Kind.TAKEN


def _without_an_answer(
    error: Exception | None, asked: bool, line: Line | None, text: str
) -> Evidence:
    causes = list(_causes(error))
    if any(isinstance(cause, _MISCONFIGURED) for cause in causes):
        # no text: such errors quote the header, and with it the provider's key
        return Evidence(phase=Phase.BEFORE, kind=Kind.CONFIGURATION, text=type(error).__name__)
    unsendable = (anymail.AnymailInvalidAddress, anymail.AnymailUnsupportedFeature)
    if isinstance(error, (*unsendable, anymail.AnymailSerializationError)) or (
        not asked and isinstance(error, _UNFIT)
    ):
        return Evidence(phase=Phase.BEFORE, kind=Kind.UNFIT, text=text)
    timed_out = any(
        isinstance(cause, TimeoutError | urllib3.exceptions.TimeoutError) for cause in causes
    )
    trouble = any(isinstance(cause, OSError | urllib3.exceptions.HTTPError) for cause in causes)
    apart = line is not None and not line.connected and trouble
    kind = Kind.NO_CONNECTION if apart else Kind.BROKEN
    return Evidence(phase=Phase.HTTP, kind=kind, timed_out=timed_out, text=text)


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
    """Seconds, at most a day; a date counts from the answer's own Date."""
    since = http_date(answer.headers.get("Date", ""))
    asked = seconds_asked(answer.headers.get("Retry-After", ""), since=since)
    return None if asked is None else min(asked, MAX_RETRY_AFTER)


def _text(error: Exception | None) -> str:
    """What an error says; a provider's answer in its own words."""
    if error is None:
        return ""
    try:
        return f"{type(error).__name__}: {error}"
    except RecursionError:  # anymail unpacks JSON to say it, however deep it is
        return type(error).__name__
