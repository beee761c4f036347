import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command, execute_from_command_line

from accounts.models import Preferences, Search, User
from tests.accounts.instruments import tables

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    """Write a profile file, text or bytes; its path."""

    def write(content):
        path = tmp_path / "profile.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def add(email, *options):
    out = StringIO()
    call_command("add_user", email, *options, stdout=out)
    return out.getvalue()


def test_the_same_call_again_changes_nothing(file):
    path = file('{"mode": "daily", "searches": [{"name": "A", "min_hourly": 40}]}')
    assert add("Ana@Example.com", "--preferences", path) == "Added ana@example.com.\n"
    before = tables()
    assert add("ana@example.com ", "--preferences", path) == "Unchanged: ana@example.com.\n"
    assert add("ana@example.com") == "Unchanged: ana@example.com.\n"
    assert tables() == before


def test_a_second_file_changes_only_its_keys(file):
    add("ana@example.com", "--preferences", file('{"mode": "daily", "skills": ["Go"]}'))
    again = add("ana@example.com", "--preferences", file('{"min_score": 80, "ai_allowed": false}'))
    assert again == "Changed ana@example.com.\n"
    assert Preferences.objects.values_list("mode", "ai_allowed").get() == ("daily", False)
    assert Search.objects.values_list("skills", "min_score").get() == (["Go"], 80)


def test_staff_may_enter_the_admin():
    assert add("root@example.com", "--staff") == "Added root@example.com.\n"
    assert add("root@example.com", "--staff") == "Unchanged: root@example.com.\n"
    assert add("root@example.com") == "Unchanged: root@example.com.\n"
    user = User.objects.get()
    assert (user.is_staff, user.is_superuser, user.has_usable_password()) == (True, True, False)


@pytest.mark.parametrize(
    ("email", "reason"),
    [
        ("ana", "Enter a valid email address."),
        ("", "Enter a valid email address."),
        ("ana\udcff@example.com", "Enter a valid email address."),
        ("änne@example.com", "Enter a valid email address."),
        ("ana@faß.de", "The part after the @ is not a domain: 'ana@faß.de'."),
    ],
)
def test_a_bad_address_is_told(email, reason):
    remedy = "Give an address such as ana@example.com."
    with pytest.raises(CommandError) as caught:
        add(email)
    assert str(caught.value) == f"{email!r} cannot be added: {reason} {remedy}"
    assert tables() == [[], [], [], []]


NO_JSON = "cannot be read as JSON in UTF-8: "
DEEP = "is nested too deeply: give one flat object."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '{"skills": ["Go"], "mode": "daily", "skills": ["C"]}',
            "'skills' is given twice: give it",
        ),
        ("", NO_JSON + "Expecting value"),
        ("{'mode': 'daily'}", NO_JSON + "Expecting property name"),
        (b'{"headline": "\xff"}', NO_JSON + "'utf-8' codec can't decode"),
        ("{}".encode("utf-16"), NO_JSON),
        (b"PK\x03\x04\x00\x00", NO_JSON),
        ('{"min_hourly": ' + "9" * 5000 + "}", NO_JSON + "Exceeds the limit"),
        ('{"min_hourly": ' + "9" * 4000 + "}", "min_hourly: 99999"),
        ('{"min_hourly": NaN}', "min_hourly: nan is not a number"),
        ('{"min_hourly": 1e999}', "min_hourly: inf is not a number"),
        ("[" * 100_000, DEEP),
        ('{"skills": ' + "[" * 900 + "]" * 900 + "}", ""),
        ('{"x":' * 50_000, DEEP),
        ("[]", "A profile is one JSON object, not list."),
        ('{"my_country": "\\ud800"}', "my_country: '\\ud800' is not a country"),
        ('{"\\ud800": 1}', "Unknown key '\\ud800'"),
        ('{"quiet_from": 22}', "quiet_from and quiet_until go together"),
        ('{"searches": [{"min_score": 101}]}', "searches[1].min_score: 101 is not"),
    ],
)
def test_a_bad_file_is_told_without_a_traceback(file, content, said):
    path = file(content)
    with pytest.raises(CommandError) as caught:
        add("ana@example.com", "--preferences", path)
    assert str(caught.value).startswith(path)
    assert said in str(caught.value)
    assert tables() == [[], [], [], []]


@pytest.mark.parametrize(
    ("name", "reason"), [("none.json", "No such file or directory"), (".", "Is a directory")]
)
def test_a_file_that_cannot_be_read_is_told(tmp_path, name, reason):
    path = str(tmp_path / name)
    with pytest.raises(CommandError) as caught:
        add("ana@example.com", "--preferences", path)
    assert str(caught.value) == f"Cannot read {path}: {reason}. Give a readable file."


def test_a_byte_order_mark_and_odd_characters_are_no_harm(file):
    data = {"headline": "Wel\0der\ud800 \u202etxt", "about": "a\r\nb\0", "skills": ["TIG\0"]}
    text = b"\xef\xbb\xbf" + json.dumps(data).encode()
    add("ana@example.com", "--preferences", file(text))
    stored = Search.objects.values_list("headline", "about", "skills").get()
    assert stored == ("Welder txt", "a\nb", ["TIG"])


def test_the_shell_sees_exit_1_and_one_line(capsys):
    with pytest.raises(SystemExit) as caught:
        execute_from_command_line(["manage.py", "add_user", "ana", "--no-color"])
    out, err = capsys.readouterr()
    assert (caught.value.code, out) == (1, "")
    assert err == (
        "CommandError: 'ana' cannot be added: Enter a valid email address."
        " Give an address such as ana@example.com.\n"
    )
