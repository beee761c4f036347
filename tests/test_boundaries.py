"""Every side effect of the product goes through one named boundary: see tests/effects."""

from functools import cache
from typing import Final, NamedTuple

import pytest

from tests.effects import Finding, boundary_names, findings, product


class Inside(NamedTuple):
    """Why the effects of a file, or of one function in it, need no boundary there: they happen in
    the boundaries named, or, where Django calls, in a transaction of Django's own."""

    boundaries: tuple[str, ...]
    reason: str


MAIL: Final = ("mail: open", "mail: send")
INSIDE: Final[dict[str, Inside]] = {
    "deliveries/sending/smtp.py": Inside(MAIL, "the connection of one send"),
    "deliveries/sending/transport.py:BackendTransport.send": Inside(
        ("mail: send",), "what Post calls a transport for"
    ),
    "deliveries/outbox.py": Inside(("mail: send",), "a mail backend, called to send"),
    "accounts/models/users.py:UserManager.create_user": Inside(
        ("account: create",), "a call of it counts as a write, where it is called"
    ),
    "accounts/models/users.py:UserManager.create_superuser": Inside(
        (), "only Django's createsuperuser calls it: one INSERT"
    ),
    "accounts/models/users.py:User.save": Inside(
        ("account: create",), "a call of it counts as a write, where it is called"
    ),
    "accounts/models/sessions.py:Session.save": Inside(
        ("session: store",), "the session's store calls it"
    ),
    "jobs/scoring/train.py:main": Inside((), "a tool run by hand on a checkout"),
    "jobs/scoring/judged.py:_lines": Inside((), "reads: the mode is given to whichever opens"),
    "accounts/admin/profile.py:SearchFormSet.save_new": Inside(
        (), "Django's admin calls it, in its transaction; the form's save has a commit"
    ),
    "deliveries/admin/users.py:UserAdmin.save_related": Inside(
        (), "Django's admin calls it, in its transaction; the forms' save has a commit"
    ),
}


@cache
def found() -> list[Finding]:
    """The product's findings, exceptions included."""
    return findings(product())


def is_inside(finding: Finding, entry: str) -> bool:
    """Whether an entry speaks of this finding."""
    path, _, function = entry.partition(":")
    return finding.path == path and function in {"", finding.function}


def test_every_side_effect_goes_through_a_boundary():
    left = [f for f in found() if not any(is_inside(f, entry) for entry in INSIDE)]
    assert not left, "\n".join(["", *map(str, left)])


@pytest.mark.parametrize("entry", INSIDE)
def test_every_exception_is_needed_and_names_boundaries_there_are(entry):
    assert any(is_inside(finding, entry) for finding in found())
    assert set(INSIDE[entry].boundaries) <= boundary_names().keys()


def test_a_name_leads_to_its_place():
    assert len(boundary_names()) > 40
    for name, where in boundary_names().items():
        path, _, line = where.partition(":")
        lines = product()[path].splitlines()[int(line) - 1 :]
        assert any(f'"{name}"' in line for line in lines[:3])
