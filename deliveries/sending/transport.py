"""The one way out: hands stored mails to what EMAIL_BACKEND names, and says what came of it.

No database here.  A transport is used by one thread.
"""

from typing import Any, Final

from django.conf import settings
from django.utils.module_loading import import_string

from deliveries.messages.stored_mail import StoredEmail, StoredMail
from deliveries.sending import http
from deliveries.sending.failures import Evidence, Kind, Phase
from deliveries.sending.send_result import SendResult, Transport, result_of
from deliveries.sending.smtp_transport import SmtpTransport

__all__ = ["SendResult", "StoredMail", "Transport", "transport_from_settings"]

DJANGO_SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"
DEFAULT_LIMIT: Final = 15.0


def transport_from_settings() -> Transport:
    """The transport EMAIL_BACKEND names.  Django's own SMTP backend is replaced by ours, with its
    settings; EMAIL_TIMEOUT is the limit in seconds for one whole `open` or `send`."""
    limit = float(settings.EMAIL_TIMEOUT or DEFAULT_LIMIT)
    if settings.EMAIL_BACKEND == DJANGO_SMTP:
        return SmtpTransport(limit)
    return BackendTransport(limit, settings.EMAIL_BACKEND)


class BackendTransport(Transport):
    """Any other Django backend: anymail's providers over HTTP, the outbox, the console, memory.

    A new backend for each mail.  The limit holds for anymail's backends that use requests; others
    take what time they take.
    """

    def __init__(self, send_limit: float, path: str) -> None:
        """Contact nobody; `path` is the backend's dotted name."""
        super().__init__(send_limit)
        self.path = path

    def open(self) -> SendResult | None:
        """See that the backend can be made; nobody is contacted."""
        try:
            self._make()
        except Exception as error:  # noqa: BLE001  # whatever a backend misses is configuration
            return _misconfigured(error)
        return None

    def send(self, mail: StoredMail) -> SendResult:
        """Send through a new backend."""
        try:
            backend, over_http = self._make()
        except Exception as error:  # noqa: BLE001  # as in `open`
            return _misconfigured(error)
        try:
            message = StoredEmail(mail)
        except Exception as error:  # noqa: BLE001  # the parser fails in many ways; nothing left
            text = f"{type(error).__name__}: {error}"
            evidence = Evidence(phase=Phase.BEFORE, kind=Kind.UNFIT, text=text)
            return result_of(evidence, hide=mail.recipient)
        if over_http:
            http.add_idempotency(message, backend)
        raised = None
        sent: Any = None
        try:
            sent = backend.send_messages([message])
        except Exception as error:  # noqa: BLE001  # every failure becomes an outcome, here alone
            raised = error
        if over_http and sent != 0:
            evidence = http.evidence_of(message, backend, raised)
        else:
            evidence = _counted(sent, raised)
        return result_of(evidence, hide=mail.recipient, provider_id=_provider_id(message))

    def _make(self) -> tuple[Any, bool]:
        backend = import_string(self.path)
        if http.is_anymail(backend):
            return http.make_backend(backend, self.send_limit), True
        return backend(), False


def _misconfigured(error: Exception) -> SendResult:
    text = f"{type(error).__name__}: {error}"
    return result_of(Evidence(phase=Phase.BEFORE, kind=Kind.CONFIGURATION, text=text))


def _counted(sent: Any, error: Exception | None) -> Evidence:
    """What a backend's own count says; any other answer, or an error, says nothing."""
    if error is not None:
        text = f"{type(error).__name__}: {error}"
        return Evidence(phase=Phase.LOCAL, kind=Kind.OTHER, text=text)
    kind = {1: Kind.TAKEN, 0: Kind.CANCELLED}.get(sent, Kind.OTHER)
    return Evidence(phase=Phase.LOCAL, kind=kind, text=f"the backend counted {sent}")


def _provider_id(message: StoredEmail) -> str:
    status = getattr(message, "anymail_status", None)
    found = getattr(status, "message_id", None)
    said = str(found) if isinstance(found, str | int) else ""
    # NUL and lone surrogates, which JSON can carry, never reach the database.
    return "".join(letter for letter in said if letter.isprintable())[:200]
