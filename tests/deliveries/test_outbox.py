"""The outbox folder: one whole file a mail, whatever happens beside it."""

import multiprocessing
import os
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from django.core.mail import EmailMessage
from pytest_django.fixtures import Settings

from deliveries import outbox
from deliveries.messages.stored_mail import StoredMail
from deliveries.sending.failures import Evidence, Kind, Outcome, Phase
from deliveries.sending.send_result import SendResult
from deliveries.sending.transport import transport_from_settings

RAW = b"From: scout@scout.test\r\nTo: ann@example.com\r\nSubject: hi\r\n\r\nbody\nwith \xff\r\n"
MAIL = StoredMail(envelope="e-1", sender="scout@scout.test", recipient="ann@example.com", raw=RAW)
NAME = re.compile(r"\d{8}T\d{6}\.\d{6}Z-(.+)-\d+\.eml")


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """An outbox folder that does not exist yet."""
    settings.EMAIL_BACKEND = "deliveries.outbox.EmailBackend"
    settings.OUTBOX_DIR = tmp_path / "var" / "outbox"
    return tmp_path / "var" / "outbox"


def names(folder: Path) -> list[str]:
    """What stands for time and number taken off the names."""
    found = [NAME.fullmatch(path.name) for path in sorted(folder.iterdir())]
    return [match[1] for match in found if match]


def test_two_sends_of_one_mail_are_two_files_of_the_stored_bytes(folder: Path) -> None:
    with transport_from_settings() as transport:
        assert transport.open() is None
        evidence = Evidence(phase=Phase.LOCAL, kind=Kind.TAKEN, text="the backend counted 1")
        expected = SendResult(
            outcome=Outcome.ACCEPTED, provider_id="", error="", retry_after=None, evidence=evidence
        )
        assert [transport.send(MAIL), transport.send(MAIL)] == [expected, expected]
    assert names(folder) == ["e-1", "e-1"]
    assert [path.read_bytes() for path in folder.iterdir()] == [RAW, RAW]


def test_other_mail_is_named_by_its_message_id(folder: Path) -> None:
    headers = {"Message-ID": "<../../a b@scout.test>"}
    email = EmailMessage("code", "123456", to=["ann@example.com"], headers=headers)
    assert outbox.EmailBackend().send_messages([email, EmailMessage("nobody", "x")]) == 1
    assert names(folder) == ["a_b_scout_test"]
    assert "123456" in next(folder.iterdir()).read_text()


def test_a_name_already_taken_is_not_written_over(tmp_path: Path, frozen: object) -> None:
    first = outbox.write_new(tmp_path, "e", b"one")
    (tmp_path / f".{first.name.replace('-1.eml', '-2.eml')}.part").touch()  # left by a crash
    third = outbox.write_new(tmp_path, "e", b"three")
    assert [path.name[-6:] for path in (first, third)] == ["-1.eml", "-3.eml"]
    assert (first.read_bytes(), third.read_bytes()) == (b"one", b"three")


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that stands still, for the file names only."""

    class Still(datetime):
        @classmethod
        def now(cls, _tz: object = None) -> "Still":
            return cls(2026, 11, 2, 8)

    monkeypatch.setattr(outbox, "datetime", Still)


def test_a_reader_never_sees_half_a_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def look(real: Callable[..., object]) -> Callable[..., object]:
        def looking(*args: object) -> object:
            seen.append([path.read_bytes() for path in tmp_path.glob("*.eml")])
            return real(*args)

        return looking

    monkeypatch.setattr(Path, "rename", look(Path.rename))
    outbox.write_new(tmp_path, "e", b"whole")
    assert seen == [[]]
    assert [path.read_bytes() for path in tmp_path.glob("*.eml")] == [b"whole"]


def _write_many(folder: str) -> None:
    for _ in range(50):
        outbox.write_new(Path(folder), "same", str(os.getpid()).encode())


def test_processes_writing_at_once_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write_many, args=(str(tmp_path),)) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(20)
    assert [writer.exitcode for writer in writers] == [0] * 4
    assert len(list(tmp_path.glob("*.eml"))) == len(list(tmp_path.iterdir())) == 200


def test_a_folder_that_cannot_be_written(folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("a file where the folder should be")
    with transport_from_settings() as transport:
        assert transport.send(MAIL).outcome == Outcome.UNKNOWN
