"""The analysis itself, on small pieces of code."""

import pytest

from tests.effects import findings

IMPORTS = """
import os, shutil, smtplib, socket, subprocess, tempfile
from functools import partial
from typing import Final
import requests
from django.core.cache import cache, caches
from django.core.mail import send_mail
from django.core.management import call_command
from django.db import connection, transaction
from django_q.tasks import async_task
from accounts import boundaries
from accounts.boundaries import commit, effect, undone
READ: Final = "SELECT 1"
WRITE: Final = "DELETE FROM t"
_PART: Final = "id, text"
TWICE = "SELECT 1"
TWICE = "SELECT 2"
"""
LINES = IMPORTS.count("\n")


def found(code: str, **others: str) -> list[str]:
    """The findings in jobs/here.py, as "line: what", lines counted from the code's first."""
    sources = {"jobs/here.py": IMPORTS + code}
    sources |= {f"jobs/{name}.py": text for name, text in others.items()}
    here = [one for one in findings(sources) if one.path == "jobs/here.py"]
    return [f"{one.line - LINES}: {one.what}" for one in here]


def needs(change: str) -> str | None:
    """Which boundary a change needs: it is found without one, and in the wrong one."""
    for kind, around in (("effect", "effect('a: b')"), ("commit", "commit('a: b')")):
        if found(f"with {around}:\n    {change}\n") == []:
            assert len(found(change)) in {0, 1}, found(change)
            return kind if found(change) else None
    return "nowhere"


WRITES = (
    *("row.save()", "row.asave(update_fields=['a'])", "super().save(*args)", "super().delete()"),
    *("rows.delete()", "rows.delete(using='x')", "M.objects.create(a=1)", "M.objects.acreate(a=1)"),
    *("rows.bulk_create(new)", "rows.get_or_create(a=1)", "rows.update_or_create(a=1)"),
    *("User.objects.create_user('a')", "rows.update(a=1)", "rows.update(**changes)"),
    *("cursor.execute(WRITE, [1])", "cursor.execute('SELECT 1 FOR UPDATE; UPDATE t SET a = 1')"),
    *("cursor.execute('insert into t select 1')", "cursor.executemany(f'UPDATE t SET {a} = 1', p)"),
    *("cursor.execute('TRUNCATE %s' % t)", "cursor.copy('COPY t FROM STDIN')"),
    *("cursor.execute('SELECT pg_advisory_lock(1)')", "cursor.execute('DROP TABLE ' + name)"),
    *("cursor.execute(statement)", "cursor.execute(TWICE)", "cursor.execute(f'{verb} FROM t')"),
    *("cursor.execute(self.sql)", "cursor.execute('%s FROM t' % verb)", "run = row.save"),
    *("getattr(row, 'save')()", "partial(rows.delete)", "super().save_model(a, b, c, d)"),
)
EFFECTS = (
    *("requests.get(url)", "requests.Session()", "socket.create_connection(a)", "socket.socket()"),
    *("socket.getaddrinfo(a, 1)", "smtplib.SMTP_SSL(host)", "send_mail('a', 'b')", "mail.send()"),
    *("backend.send_messages([mail])", "smtp.sendmail(a, b, c)", "self.transport.send(mail)"),
    *("self.transport.open()", "open(path, 'w')", "open(path, mode='ab')", "open(path, mode)"),
    *("path.open('x')", "os.open(path, flags)", "os.fdopen(handle, 'wb')", "path.write_text('a')"),
    *("path.mkdir()", "path.unlink()", "path.rename(b)", "path.replace(b)", "os.replace(a, b)"),
    *("shutil.rmtree(a)", "tempfile.TemporaryDirectory()", "tempfile.mkdtemp()", "os._exit(1)"),
    *("async_task('a')", "subprocess.run(['a'])", "os.kill(1, 9)", "os.execv(a, b)"),
    *("cache.set('a', 1)", "cache.add('a', 1)", "caches['x'].delete('a')", "call_command('a')"),
    *("make = smtplib.SMTP", "partial(requests.post, url)", "partial(open, path)"),
)
NOTHING = (
    *("values.update({'a': 1}, b=2)", "values.update(more)", "digest.update(b'a')", "d.copy()"),
    *("rows.filter(a=1).first()", "cursor.execute(READ)", "cursor.execute('SELECT 1')"),
    *("cursor.execute(f'SELECT {_PART} FROM updates')", "cursor.execute('SET LOCAL a = 0')"),
    *("open(path)", "open(path, 'rb')", "path.open()", "path.open('r')", "text.replace('a', 'b')"),
    *("moment.replace(tzinfo=None)", "cache.get('a')", "shutil.which('a')", "subprocess.PIPE"),
    *("isinstance(a, socket.socket)", "made: socket.socket = given", "values.delete('a')"),
    *("rows.select_for_update(skip_locked=True)", "cursor.execute('SELECT 1 FOR NO KEY UPDATE')"),
    *("cursor.execute(f'SELECT {_PART} FROM t FOR UPDATE')", "cursor.execute('LOCK TABLE t')"),
    *("cursor.execute('SELECT pg_advisory_xact_lock(1)')", "cursor.execute('SELECT 1 FOR SHARE')"),
    *("other.open()", "getattr(row, 'name')", "getattr(row, name)", "smtplib.SMTPException"),
)
BY_HAND = (
    *("transaction.atomic()", "transaction.on_commit(go)", "transaction.commit()"),
    *("transaction.rollback()", "transaction.set_autocommit(False)", "connection.commit()"),
    *("cursor.execute('COMMIT')", "cursor.execute('rollback to savepoint a')"),
)


@pytest.mark.parametrize("change", WRITES)
def test_database_writes_need_a_commit(change):
    assert needs(change) == "commit"


@pytest.mark.parametrize("change", EFFECTS)
def test_other_changes_need_an_effect(change):
    assert needs(change) == "effect"


@pytest.mark.parametrize("line", NOTHING)
def test_what_changes_nothing_needs_nothing(line):
    assert found(line) == []


@pytest.mark.parametrize("change", BY_HAND)
def test_transactions_are_made_by_boundaries_alone(change):
    assert needs(change) == "nowhere"


def test_a_finding_says_where_and_what():
    assert found("rows.filter(a=1).delete()\nshutil.rmtree(a)") == [
        "1: rows.filter(a=1).delete: outside a boundary (a commit)",
        "2: shutil.rmtree: outside a boundary (an effect)",
    ]


INSIDE = {
    "undone": "with undone():\n    row.save()",
    "named by its module": "with boundaries.commit('a: b', durable=True):\n    row.save()",
    "after it in the same with": "with effect('a: b'), open(p, 'w') as file:\n    pass",
    "an effect in a commit": (
        "with commit('a: b'):\n    row.save()\n    with effect('a: c'):\n        mail.send()"
    ),
    "a commit in an effect": (
        "with effect('a: b'):\n    mail.send()\n    with commit('a: c'):\n        row.save()"
    ),
    "a closure": "with effect('a: b'):\n    within(5, lambda: requests.get(url))",
    "a function made there": "with commit('a: b'):\n    def go():\n        row.save()\n    go()",
    "a private function": "def _f():\n    row.save()\nwith commit('a: b'):\n    _f()",
    "a private method": (
        "class A:\n    def f(self):\n        with commit('a: b'):\n            self._f()\n"
        "    def _f(self):\n        row.save()"
    ),
    "by way of another": (
        "def _f():\n    row.save()\ndef _g():\n    _f()\nwith commit('a: b'):\n    _g()"
    ),
    "a closure of a private function": (
        "def _f():\n    return lambda: row.save()\nwith commit('a: b'):\n    _f()()"
    ),
    "recursion": "def _f():\n    row.save()\n    _f()\nwith commit('a: b'):\n    _f()",
    "mutual recursion": (
        "def _f():\n    row.save()\n    _g()\ndef _g():\n    _f()\nwith commit('a: b'):\n    _f()"
    ),
    "handed on inside": "def _f():\n    row.save()\nwith commit('a: b'):\n    run(partial(_f, 1))",
    "two boundaries in two calls": (
        "def _f():\n    row.save()\nwith commit('a: b'):\n    _f()\nwith commit('a: c'):\n    _f()"
    ),
    "a property": (
        "class A:\n    @property\n    def _f(self):\n        return row.save()\n"
        "    def f(self):\n        with commit('a: b'):\n            return self._f"
    ),
}
OUTSIDE = {
    "before it in the same with": "with open(p, 'w') as file, effect('a: b'):\n    pass",
    "after the with": "with commit('a: b'):\n    pass\nrow.save()",
    "beside it": "with commit('a: b') as x:\n    pass\nelse_ = row.save()",
    "a write in an effect": "with effect('a: b'):\n    row.save()",
    "an effect in a commit": "with commit('a: b'):\n    mail.send()",
    "a public function": "def f():\n    row.save()\nwith commit('a: b'):\n    f()",
    "a dunder": "def __f():\n    row.save()\nwith commit('a: b'):\n    __f()",
    "called outside once": "def _f():\n    row.save()\nwith commit('a: b'):\n    _f()\n_f()",
    "handed on outside": (
        "def _f():\n    row.save()\ng = partial(_f, 1)\nwith commit('a: b'):\n    _f()"
    ),
    "a method called outside once": (
        "class A:\n    def f(self):\n        with commit('a: b'):\n            self._f()\n"
        "        self._f()\n    def _f(self):\n        row.save()"
    ),
    "by its name in a text": (
        "def _f():\n    row.save()\nwith commit('a: b'):\n    _f()\ngetattr(x, '_f')()"
    ),
    "never called": "def _f():\n    row.save()",
    "called by itself only": "def _f():\n    row.save()\n    _f()",
    "by way of one called outside": (
        "def _f():\n    row.save()\ndef _g():\n    _f()\nwith commit('a: b'):\n    _g()\n_g()"
    ),
    "called in the wrong boundary once": (
        "def _f():\n    row.save()\nwith commit('a: b'):\n    _f()\nwith effect('a: c'):\n    _f()"
    ),
    "registered by a decorator": (
        "@receiver(signal)\ndef _f():\n    row.save()\nwith commit('a: b'):\n    _f()"
    ),
    "a default": "def f(x=requests.get(url)):\n    pass",
    "a class body": "class A:\n    row.save()",
    "a function made outside": (
        "def f():\n    def go():\n        row.save()\n    with commit('a: b'):\n        go()"
    ),
}


@pytest.mark.parametrize("code", INSIDE.values(), ids=INSIDE)
def test_inside(code):
    assert found(code) == []


@pytest.mark.parametrize("code", OUTSIDE.values(), ids=OUTSIDE)
def test_outside(code):
    [one] = found(code)
    assert "outside a boundary" in one


MISUSES = {
    "another commit": "with session.commit():\n    pass",
    "shadowed": "def f(commit):\n    with commit('a: b'):\n        pass",
    "not as a with": "commit('a: b').__enter__()",
    "as a decorator": "@commit('a: b')\ndef f():\n    pass",
    "handed on": "stack.enter_context(effect('a: b'))",
    "a name that is none": "with commit('Save it'):\n    pass",
    "a name made up": "with commit(f'a: {b}'):\n    pass",
    "no name": "with effect():\n    pass",
    "watching": "with boundaries.watched(w):\n    pass",
    "the watchers": "boundaries._watchers.clear()",
    "the watchers, imported": "from accounts.boundaries import _watchers",
    "hidden names": "from os import *",
    "a name twice": "with commit('a: b'):\n    pass\nwith effect('a: b'):\n    pass",
}


@pytest.mark.parametrize("code", MISUSES.values(), ids=MISUSES)
def test_misuse(code):
    assert len(found(code)) == 1


def test_a_name_is_taken_in_every_file():
    there = "from accounts.boundaries import commit\nwith commit('a: b'):\n    pass"
    assert found("with commit('a: b'):\n    pass", zzz=there) == []
    sources = {"jobs/a.py": there, "jobs/b.py": there}
    assert [str(one) for one in findings(sources)] == [
        'jobs/b.py:2: "a: b": is the name of jobs/a.py:2 already'
    ]


def test_a_private_function_that_another_file_knows_is_outside():
    code = "def _f():\n    row.save()\nwith commit('a: b'):\n    _f()"
    assert found(code, other="from jobs.there import _f\ndef _f():\n    pass") == []
    assert len(found(code, other="from jobs.here import _f")) == 1
    assert len(found(code, other="from jobs import here\nhere._f()")) == 1
    assert found(code, other="class B:\n    def _f(self):\n        self._f()") == []


def test_constants_are_found_where_they_come_from():
    there = "SAVE = 'DELETE FROM t'\nLOAD = 'SELECT 1'"
    code = "from jobs.there import {0}\nfrom jobs import there\n"
    code += "cursor.execute({0})\ncursor.execute(there.{0})"
    assert len(found(code.format("SAVE"), there=there)) == 2
    assert found(code.format("LOAD"), there=there) == []
    assert len(found(code.format("LOAD"))) == 2, "not to be seen: it counts as a write"


def test_a_local_name_is_no_constant():
    assert len(found("def f(READ):\n    cursor.execute(READ)")) == 1
    assert len(found("def f():\n    READ = g()\n    cursor.execute(READ)")) == 1
    assert len(found("def f():\n    global READ\n    READ = g()\ncursor.execute(READ)")) == 1


def test_names_are_followed_through_other_files():
    assert found("from jobs.net import fetch\nfetch(url)", net="from requests import get as fetch")
    through = "from accounts.boundaries import commit"
    assert (
        found("from jobs.net import commit\nwith commit('a: b'):\n    a.save()", net=through) == []
    )
    assert found("from jobs.ledger import save\nsave()", ledger="def save():\n    pass") == []
    assert found("from . import ledger\nledger.save()", ledger="def save():\n    pass") == []


def test_the_home_of_the_boundaries_is_left_alone():
    code = "from django.db import transaction\nwith transaction.atomic():\n    pass"
    assert findings({"accounts/boundaries.py": code}) == []
    assert len(findings({"accounts/other.py": code})) == 1
