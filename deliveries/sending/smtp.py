"""SMTP that knows how far it came and never takes longer than it was given.

Django's own backend cannot say whether a lost connection was lost before or after the message, and
its time limit starts anew with every byte a slow server sends.
"""

import re
import smtplib
import socket
import ssl
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.core.mail.utils import DNS_NAME

from accounts.deadline import Deadline, within
from deliveries.messages.stored_mail import StoredMail
from deliveries.sending.failures import Evidence, Phase
from deliveries.sending.wire_address import UnfitMailError, wire_address

MAX_REPLY_BYTES: Final = 64 * 1024
WRITE_BYTES: Final = 16 * 1024


class _Reader:
    """The `file` smtplib reads replies from: lines, within the deadline and a size."""

    def __init__(self, connection: "SmtpConnection") -> None:
        self.connection = connection
        self.held = b""
        self.reply_bytes = 0

    def readline(self, limit: int) -> bytes:
        """The next line, at most `limit` bytes; b"" at the end.  Raises OSError."""
        while b"\n" not in self.held and len(self.held) < limit:
            self.connection.arm()
            read = self.connection.open_socket().recv(4096)
            if not read:
                break
            self.held += read
        end = self.held.find(b"\n") + 1 or len(self.held)
        line, self.held = self.held[: min(end, limit)], self.held[min(end, limit) :]
        self.reply_bytes += len(line)
        if self.reply_bytes > MAX_REPLY_BYTES:
            raise OSError("reply too long")
        return line

    def close(self) -> None:
        """smtplib closes its file; the socket is closed beside it."""


class SmtpConnection(smtplib.SMTP):
    """One connection: notes its `phase` and whether it `timed_out`; all within `deadline`."""

    def __init__(self, host: str, *, tls: ssl.SSLContext | None, deadline: Deadline) -> None:
        """Connect nowhere yet; `tls` makes the connection TLS from its first byte."""
        self.phase = Phase.OPENING
        self.timed_out = False
        self.deadline = deadline
        self.tls = tls
        self.auth_refusal: int | None = None
        super().__init__(local_hostname=within(deadline.remaining(), DNS_NAME.get_fqdn))
        self._host = host  # smtplib checks TLS certificates against it

    def open_socket(self) -> socket.socket:
        """The open socket.  Raises SMTPServerDisconnected."""
        if self.sock is None:
            raise smtplib.SMTPServerDisconnected("not connected")
        return self.sock

    def arm(self) -> None:
        """Give the socket the time that is left.  Raises TimeoutError."""
        try:
            self.open_socket().settimeout(self.deadline.remaining())
        except TimeoutError:
            self.timed_out = True
            raise

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        left = self.deadline.remaining
        found = within(left(), lambda: socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM))
        error: OSError = OSError("no address found")
        for position, (*_, address) in enumerate(found):
            try:  # an address that does not answer leaves time for those after it
                share = left() / (len(found) - position)
                where = (str(address[0]), int(address[1]))
                return self._secured(socket.create_connection(where, share))
            except OSError as failure:
                error = failure
        raise error

    def _secured(self, plain: socket.socket) -> socket.socket:
        try:
            plain.settimeout(self.deadline.remaining())
            return self.tls.wrap_socket(plain, server_hostname=self._host) if self.tls else plain
        except BaseException:
            plain.close()
            raise

    def getreply(self) -> tuple[int, bytes]:
        """One reply, however many lines.  Raises SMTPServerDisconnected, SMTPResponseException."""
        reader = self.file if isinstance(self.file, _Reader) else _Reader(self)
        reader.reply_bytes = 0
        self.file = reader  # all that smtplib uses of a file is readline and close
        try:
            reply = super().getreply()
        except smtplib.SMTPResponseException as error:  # smtplib's own 500, for an endless line
            raise smtplib.SMTPServerDisconnected("unreadable reply") from error
        except smtplib.SMTPServerDisconnected as error:
            self.timed_out = self.timed_out or isinstance(error.__context__, TimeoutError)
            raise
        if self.sock is not None:  # a TLS handshake may follow, in the time that is left
            self.sock.settimeout(max(self.deadline.left(), 0.001))
        return reply

    def send(self, s: Any) -> None:
        """Write everything.  Raises SMTPServerDisconnected."""
        left = memoryview(s.encode(self.command_encoding) if isinstance(s, str) else s)
        try:
            while left:
                self.arm()
                left = left[self.open_socket().send(left[:WRITE_BYTES]) :]
        except OSError as error:
            self.timed_out = isinstance(error, TimeoutError)
            self.close()
            raise smtplib.SMTPServerDisconnected(f"while writing: {error}") from error

    def auth(self, mechanism: str, authobject: Any, **options: Any) -> tuple[int, bytes]:
        """Sign in one way; a refusal is kept, for servers that hang up when we try another."""
        try:
            return super().auth(mechanism, authobject, **options)
        except smtplib.SMTPAuthenticationError as error:
            self.auth_refusal = error.smtp_code
            raise

    def greet(self, port: int, starttls: ssl.SSLContext | None) -> None:
        """Connect, say EHLO, and go over to TLS if told.  Raises SMTPException or OSError."""
        code, text = self.connect(self._host, port)
        if code // 100 != 2:
            raise smtplib.SMTPConnectError(code, text)
        self._hello()
        if starttls is not None:
            self.phase = Phase.OPENING
            self.starttls(context=starttls)
            self._hello()

    def _hello(self) -> None:
        """EHLO, or HELO to a server that knows no EHLO.  smtplib also falls back when EHLO is
        refused for the moment, and then finds that the server offers no AUTH."""
        self.phase = Phase.HELLO
        code, text = self.ehlo()
        if code // 100 == 5:
            code, text = self.helo()
        if code // 100 != 2:
            raise smtplib.SMTPHeloError(code, text)

    def sign_in(self, username: str, password: str) -> None:
        """Authenticate.  Raises SMTPException, OSError or, for a password not ASCII, ValueError."""
        self.phase = Phase.AUTH
        self.login(username, password)

    def deliver(self, mail: StoredMail) -> Evidence:
        """Give one message to one recipient; a reply ends it, whatever it says.

        Phases and reply classes: RFC 5321 sections 3.3 and 4.2.1.  No SIZE is announced, so that
        "too big" is said of the message (5xx to the final dot) and not of the sender (at MAIL).
        Raises UnfitMailError (ImproperlyConfigured for the sender's address) before anything is
        written; SMTPException or OSError when the connection breaks, with `phase` telling where.
        """
        self.phase = Phase.BEFORE
        content = mail.with_line_ends(b"\r\n")
        sender, recipient, options = self._envelope(mail, content)
        steps = (
            (Phase.MAIL, f"MAIL FROM:<{sender}>{options}", 2),
            (Phase.RCPT, f"RCPT TO:<{recipient}>", 2),
            (Phase.DATA, "DATA", 3),
        )
        self.command_encoding = "utf-8" if "SMTPUTF8" in options else "ascii"
        for phase, command, wanted in steps:
            self.phase = phase
            code, text = self.docmd(command)
            if code // 100 != wanted:
                return _said(phase, code, text)
        self.phase = Phase.CONTENT
        ending = b".\r\n" if content.endswith(b"\r\n") else b"\r\n.\r\n"
        self.send(re.sub(rb"(?m)^\.", b"..", content) + ending)
        return _said(Phase.CONTENT, *self.getreply())

    def _envelope(self, mail: StoredMail, content: bytes) -> tuple[str, str, str]:
        try:
            sender = wire_address(mail.sender)
        except UnfitMailError as error:
            raise ImproperlyConfigured("the sender's address cannot be used") from error
        recipient = wire_address(mail.recipient)
        options = "" if content.isascii() or not self.has_extn("8bitmime") else " BODY=8BITMIME"
        if sender.isascii() and recipient.isascii():
            return sender, recipient, options
        if not self.has_extn("smtputf8"):
            raise UnfitMailError("the server takes no such letters in addresses (RFC 6531)")
        return sender, recipient, " SMTPUTF8" + options


def _said(phase: Phase, code: int, text: bytes) -> Evidence:
    return Evidence(phase=phase, smtp_code=code, text=text.decode("utf-8", "replace"))
