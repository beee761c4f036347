"""`delete_user`, `change_address` and `restored_backup`, as an operator meets them."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.identity import uid_of
from accounts.models import DeletedAddress, User
from deliveries import ledger
from deliveries.work import lease
from deliveries.work.clock import database_time
from deliveries.work.patience import BusyError
from tests.deliveries.ledger.tables import DAY, queue
from tests.factories import NOON, person

pytestmark = pytest.mark.django_db(transaction=True)
ANA = "ana@example.com"


def run(*command):
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def refused(*command):
    with pytest.raises(CommandError) as caught:
        run(*command)
    assert caught.value.returncode == 1
    return str(caught.value)


def emails():
    return sorted(User.objects.values_list("email", flat=True))


@pytest.fixture
def terminal(monkeypatch):
    """Somebody sits there and answers."""

    def answer(text):
        monkeypatch.setattr("sys.stdin", StringIO(f"{text}\n"))
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)

    return answer


def test_a_user_is_deleted_when_it_is_meant():
    queue(person(ANA), 80)
    assert run("delete_user", " Ana@Example.com", "--yes") == f"Deleted {ANA}.\n"
    assert emails() == []
    assert abs(DeletedAddress.objects.get().deleted_at - database_time()) < DAY


def test_without_a_terminal_it_has_to_be_said():
    person(ANA)
    assert refused("delete_user", ANA) == (
        f"Nothing was deleted: give --yes to delete {ANA} for good."
    )
    assert emails() == [ANA]


@pytest.mark.parametrize(("answer", "left"), [("y", []), ("Y", []), ("", [ANA]), ("no", [ANA])])
def test_at_a_terminal_it_is_asked(terminal, answer, left):
    person(ANA)
    terminal(answer)
    if left:
        assert refused("delete_user", ANA) == "Nothing was deleted."
    else:
        run("delete_user", ANA)
    assert emails() == left


def test_nobody_cannot_be_deleted():
    assert refused("delete_user", "nobody@example.com", "--yes") == (
        "No user has the address 'nobody@example.com': nothing was deleted."
    )


def test_a_busy_account_is_told(monkeypatch):
    person(ANA)

    def busy(*_, **__):
        raise BusyError("Busy: try again in some minutes.")

    monkeypatch.setattr("deliveries.management.commands.delete_user.delete_account", busy)
    monkeypatch.setattr("deliveries.management.commands.change_address.change_address", busy)
    assert refused("delete_user", ANA, "--yes") == "Busy: try again in some minutes."
    assert refused("change_address", ANA, "b@example.com") == "Busy: try again in some minutes."


def test_an_address_is_changed():
    person(ANA)
    said = run("change_address", ANA, "Ana@New.example")
    assert (said, emails()) == (f"Changed {ANA} to ana@new.example.\n", ["ana@new.example"])
    assert run("change_address", "ana@new.example", "ANA@new.example ") == (
        "Unchanged: ana@new.example.\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("no@example.com", "b@example.com", "No user has the address 'no@example.com': add one"),
        (ANA, "bob@example.com", "bob@example.com belongs to another account: delete that one"),
        (ANA, "ana", "'ana' cannot be used: Enter a valid email address. Give an address such as"),
    ],
)
def test_what_cannot_be_changed_is_told(old, new, says):
    person(ANA)
    person("bob@example.com")
    assert refused("change_address", old, new).startswith(says)
    assert emails() == [ANA, "bob@example.com"]


def test_while_a_mail_is_open_the_remedy_is_told():
    ana = person(ANA)
    queue(ana, 80, route="daily")
    ledger.freeze(ana.pk, now=NOON)
    assert "try again in some minutes" in refused("change_address", ANA, "b@example.com")


def test_after_a_restore_it_says_what_it_did(settings):
    settings.SCOUT_SOURCES = []
    queue(person(ANA), 80, 81)
    assert run("restored_backup").splitlines()[2] == "Expired what was queued: 2 jobs."
    found = json.loads(run("restored_backup", "--json"))
    assert found.pop("mark") >= f"{User.objects.get(pk=uid_of(ANA)).date_joined:%Y-%m-%d}"
    assert found == {
        "users": 1,
        "expired": 0,
        "unconfirmed": 0,
        "digests_skipped": 0,
        "fetched": 0,
        "new_jobs": 0,
        "sources": {},
    }


def test_while_a_scan_runs_it_exits_1(settings):
    settings.SCOUT_SOURCES = []
    assert lease.take("scan", settings.SCOUT_LEASE_SECONDS)
    assert refused("restored_backup").startswith("A scan is at work, or was when the backup")


def test_a_source_in_trouble_has_to_be_looked_at_again(settings):
    settings.SCOUT_SOURCES = ["file:/nowhere"]
    said = refused("restored_backup")
    assert said.startswith("These sources did not show what they hold: file. ")
    assert DeletedAddress.objects.count() == 1
