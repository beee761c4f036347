"""SMTP with Django's settings: one connection, kept between mails, and what its failures mean."""

import smtplib
from contextlib import suppress
from typing import Final

from django.core.exceptions import ImproperlyConfigured
from django.core.mail.backends.smtp import EmailBackend as DjangoSmtp

from accounts.deadline import Deadline
from deliveries.messages.stored_mail import StoredMail
from deliveries.sending.failures import OPENING_PHASES, Evidence, Kind, Outcome, Phase
from deliveries.sending.send_result import SendResult, Transport, result_of
from deliveries.sending.smtp import SmtpConnection
from deliveries.sending.wire_address import UnfitMailError

QUIT_SECONDS: Final = 2.0


class SmtpTransport(Transport):
    """One message after another over one connection; used by one thread."""

    def __init__(self, send_limit: float) -> None:
        """Contact nobody yet."""
        super().__init__(send_limit)
        self._connection: SmtpConnection | None = None

    def open(self) -> SendResult | None:
        """Connect; where a connection is open, see that it answers, or else connect once more."""
        deadline = Deadline(self.send_limit)
        if self._answers("NOOP", self.send_limit / 2):
            return None
        opened = self._open(deadline)
        return opened if isinstance(opened, SendResult) else None

    def send(self, mail: StoredMail) -> SendResult:
        """Send, connecting first where `open` was not called, within one limit for both.

        Call `open` right before: a connection the server has dropped meanwhile costs an unknown.
        """
        deadline = Deadline(self.send_limit)
        connection = self._connection or self._open(deadline)
        if isinstance(connection, SendResult):
            return connection
        connection.deadline, connection.timed_out = deadline, False
        try:
            evidence = connection.deliver(mail)
        except Exception as error:  # noqa: BLE001  # every failure becomes an outcome, here alone
            evidence = _evidence_of(error, connection)
        except BaseException:
            self._drop()  # a kill on its way: nobody may go on talking in the middle
            raise
        result = result_of(evidence, hide=mail.recipient)
        self._tidy(result, deadline)
        return result

    def close(self) -> None:
        """Say QUIT, briefly, and close."""
        self._answers("QUIT", min(QUIT_SECONDS, self.send_limit))
        self._drop()

    def _open(self, deadline: Deadline) -> SendResult | SmtpConnection:
        self._drop()
        try:
            django = DjangoSmtp()
            context = django.ssl_context if django.use_ssl or django.use_tls else None
        except Exception as error:  # noqa: BLE001  # settings that contradict, files not there
            text = f"{type(error).__name__}: {error}"
            kind = Kind.CONFIGURATION
            return result_of(Evidence(phase=Phase.BEFORE, kind=kind, text=text))
        connection = None
        try:
            tls = context if django.use_ssl else None
            connection = SmtpConnection(django.host, tls=tls, deadline=deadline)
            connection.greet(django.port, context if django.use_tls else None)
            if django.username and django.password:
                connection.sign_in(django.username, django.password)
        except BaseException as error:
            _close(connection)
            if not isinstance(error, Exception):
                raise  # as in `send`
            return result_of(_evidence_of(error, connection))
        self._connection = connection
        return connection

    def _answers(self, command: str, seconds: float) -> bool:
        """Whether the server takes a command that sends nothing; else the connection is dropped."""
        connection = self._connection
        if connection is None:
            return False
        connection.deadline = Deadline(seconds)
        try:
            code, _ = connection.docmd(command)
        except BaseException as error:
            self._drop()
            if not isinstance(error, OSError):  # SMTPException is one
                raise
            return False
        if code // 100 != 2:
            self._drop()
        return code // 100 == 2

    def _tidy(self, result: SendResult, deadline: Deadline) -> None:
        """Leave a connection on which the next mail can start, or none."""
        code = result.evidence.smtp_code or 0
        if result.outcome == Outcome.ACCEPTED or result.evidence.kind in (
            Kind.UNFIT,
            Kind.CONFIGURATION,
        ):
            return
        if code // 100 in (4, 5) and code != 421:  # 421: the server is closing (RFC 5321 3.8)
            self._answers("RSET", deadline.left())
        else:
            self._drop()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        _close(connection)


def _close(connection: SmtpConnection | None) -> None:
    if connection is not None:
        with suppress(OSError):
            connection.close()


def _evidence_of(error: Exception, connection: SmtpConnection | None) -> Evidence:
    """The facts of an exception raised while opening `connection` or delivering over it."""
    phase = Phase.OPENING if connection is None else connection.phase
    timed_out = isinstance(error, TimeoutError) or bool(connection and connection.timed_out)
    text = getattr(error, "smtp_error", None) or f"{type(error).__name__}: {error}"
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    code = getattr(error, "smtp_code", None) if phase in OPENING_PHASES else None
    kind = Kind.BROKEN
    if isinstance(error, UnfitMailError):
        kind = Kind.UNFIT
    elif isinstance(error, ImproperlyConfigured):
        kind = Kind.CONFIGURATION
    elif phase == Phase.AUTH and connection is not None:
        code = code or connection.auth_refusal
        kind = _auth_kind(error, code)
    return Evidence(phase=phase, kind=kind, smtp_code=code, timed_out=timed_out, text=text)


def _auth_kind(error: Exception, code: int | None) -> Kind:
    """No common way of signing in, or a password ASCII cannot hold, is for us to repair."""
    if code is not None or isinstance(error, smtplib.SMTPServerDisconnected):
        return Kind.BROKEN
    ours = isinstance(error, smtplib.SMTPException | UnicodeError)
    return Kind.CONFIGURATION if ours else Kind.OTHER
