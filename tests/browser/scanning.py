"""Running a scan beside a browser, on the posts a test made, and reading what was mailed."""

import json
import re
from email import message_from_bytes, policy
from io import StringIO

from django.core.management import call_command

from tests.smtp_server import RecordingSMTP


def scan() -> dict:
    """One scan of the stored jobs; its summary."""
    out = StringIO()
    call_command("scan", "--work-only", "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue().splitlines()[-1])


def inbox(smtp: RecordingSMTP, recipient: str) -> list[str]:
    """The subjects of the mails this person was sent, but for codes, in order."""
    mails = [message_from_bytes(one.raw, policy=policy.default) for one in smtp.accepted]
    return [str(m["Subject"]) for m in mails if m["To"] == recipient and m["List-Unsubscribe"]]


def unsubscribe_link(smtp: RecordingSMTP) -> str:
    """The visible link in the newest mail, as a reader clicks it."""
    message = message_from_bytes(smtp.accepted[-1].raw, policy=policy.default)
    body = message.get_body(("html",))
    assert body
    found = re.search(r'href="([^"]+/u/[^"]+)"[^>]*>\s*unsubscribe', body.get_content())
    assert found
    return found[1]
