from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deliveries.messages.mail_bytes import (
    AddressError,
    MailParts,
    ascii_address,
    ascii_domain,
    mail_bytes,
)
from deliveries.messages.mail_text import one_line

PARTS = MailParts(
    sender="Upwork Scout <scout@example.com>",
    recipient="ada@example.org",
    site_url="https://scout.example.com",
    unsubscribe_url="https://scout.example.com/u/token/",
    envelope="env-1_A",
    sent_date=datetime(2026, 11, 26, 8, 0, tzinfo=UTC),
    subject="A subject",
    text="Text\n",
    html="<p>Text</p>\n",
)
BREAKS = ["\r", "\n", "\r\n", "\x00", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85"]
BREAKS += ["\u2028", "\u2029", "\x7f", "\ud800"]


def parsed(**changes: Any) -> Any:
    return message_from_bytes(mail_bytes(replace(PARTS, **changes)), policy=policy.default)


def test_whole_message():
    assert mail_bytes(PARTS).decode("ascii").split("\r\n") == [
        "From: Upwork Scout <scout@example.com>",
        "To: ada@example.org",
        "Subject: A subject",
        "Date: Thu, 26 Nov 2026 08:00:00 +0000",
        "Message-ID: <env-1_A@scout.example.com>",
        "List-Unsubscribe: <https://scout.example.com/u/token/>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "Auto-Submitted: auto-generated",
        "X-Scout-Envelope: env-1_A",
        "MIME-Version: 1.0",
        'Content-Type: multipart/alternative; boundary="=_env-1_A"',
        "",
        "--=_env-1_A",
        'Content-Type: text/plain; charset="utf-8"',
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Text",
        "",
        "--=_env-1_A",
        'Content-Type: text/html; charset="utf-8"',
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "<p>Text</p>",
        "",
        "--=_env-1_A--",
        "",
    ]


@given(st.text(max_size=200).map(one_line).filter(bool))
def test_any_subject_comes_back(subject):
    raw = mail_bytes(replace(PARTS, subject=subject))
    assert message_from_bytes(raw, policy=policy.default)["Subject"] == subject
    head = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert max(map(len, head)) < 998


@pytest.mark.parametrize(
    "subject",
    ["=?utf-8?q?not_encoded?=", "Größe 🚀 " * 30, "word " * 60 + "end", "=+-@ x", "a" * 300],
)
def test_odd_subjects_come_back(subject):
    assert parsed(subject=subject.strip())["Subject"] == subject.strip()


@given(st.text(max_size=300).map(lambda text: text.replace("\r", "").encode("utf-8", "ignore")))
def test_any_text_comes_back(data):
    text = data.decode() + "\n"
    assert parsed(text=text).get_body(("plain",)).get_content().replace("\r\n", "\n") == text


def test_text_cannot_forge_the_boundary():
    forged = "--=_env-1_A--\nContent-Type: text/html\n\n<b>forged</b>\n"
    contents = [part.get_content() for part in parsed(text=forged, html=forged).iter_parts()]
    assert [content.replace("\r\n", "\n") for content in contents] == [forged, forged]


def test_encoding_is_the_shorter():
    message = parsed(text="日本語のテキスト" * 20, html="<p>Größe von allem</p>")
    encodings = [part["Content-Transfer-Encoding"] for part in message.iter_parts()]
    assert encodings == ["base64", "quoted-printable"]


@pytest.mark.parametrize("broken", BREAKS)
@pytest.mark.parametrize(
    "name", ["sender", "recipient", "site_url", "unsubscribe_url", "envelope", "subject"]
)
def test_no_header_can_be_injected(name, broken):
    hostile = f"{getattr(PARTS, name)}{broken}Bcc: eve@example.net"
    with pytest.raises(ValueError):
        parsed(**{name: hostile})


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", "not an address"),
        ("ada", "not an address"),
        ("größe@example.org", "not ASCII"),
        ("a b@example.org", "before the @ is not valid"),
        ("a,b@example.org", "before the @ is not valid"),
        (".ada@example.org", "before the @ is not valid"),
        ("Ada <ada@example.org>", "before the @ is not valid"),
        ("a" * 65 + "@example.org", "before the @ is not valid"),
        ("ada@example.org\r\nBcc: x@y.z", "before the @ is not valid"),
        ("ada@straße.de", "not a domain"),
        ("ada@", "not a domain"),
        ("ada@a..b", "not a domain"),
        ("ada@example.org\n", "not a domain"),
        ("ada@é" + "\u2028.org", "not a domain"),
    ],
)
def test_hostile_and_impossible_recipients_are_named(address, reason):
    with pytest.raises(AddressError, match=reason):
        ascii_address(address)


@pytest.mark.parametrize(
    ("address", "ascii_form"),
    [
        ("ada+jobs@example.org", "ada+jobs@example.org"),
        ("o'hara@bücher.example", "o'hara@xn--bcher-kva.example"),
        ("ada@xn--strae-oqa.de", "ada@xn--strae-oqa.de"),
    ],
)
def test_addresses_in_ascii(address, ascii_form):
    assert ascii_address(address) == ascii_form


@pytest.mark.parametrize(
    ("sender", "name", "address"),
    [
        ("scout@example.com", "", "scout@example.com"),
        ("Größe & Söhne <scout@example.com>", "Größe & Söhne", "scout@example.com"),
        ('"Scout, Inc." <scout@example.com>', "Scout, Inc.", "scout@example.com"),
    ],
)
def test_senders(sender, name, address):
    [mailbox] = parsed(sender=sender)["From"].addresses
    assert (mailbox.display_name, mailbox.addr_spec) == (name, address)


@pytest.mark.parametrize("sender", ["", "a@b.de, c@d.de", "Scout, Inc. <a@b.de>", "Ö <ö@b.de>"])
def test_a_bad_sender_is_not_the_recipients_fault(sender):
    with pytest.raises(ValueError, match="sender") as caught:
        parsed(sender=sender)
    assert not isinstance(caught.value, AddressError)


@pytest.mark.parametrize(
    "changes",
    [
        {"envelope": ""},
        {"envelope": "a" * 65},
        {"envelope": "a b"},
        {"unsubscribe_url": "mailto:x@y.z"},
        {"unsubscribe_url": "https://x.y/<z>"},
        {"unsubscribe_url": "https://x.y/" + "z" * 1000},
        {"site_url": "scout.example.com"},
        {"sent_date": datetime(2026, 11, 26)},
    ],
)
def test_what_cannot_stand_in_a_header_is_refused(changes):
    with pytest.raises(ValueError):
        parsed(**changes)


def test_ascii_domain():
    assert ascii_domain("localhost") == "localhost"
    with pytest.raises(ValueError):
        ascii_domain("a_b.example")
