"""Downloading one's data, and deleting the account, on the pages."""

import json
import re
import time
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.identity import uid_of
from accounts.models import DeletedAddress, Session, User
from deliveries.leaving import delete_account
from deliveries.work.patience import BusyError
from tests.accounts.signing_in import ask, browser, enter, error_beside, newest_code, sign_in, who
from tests.deliveries.market import WISHES
from tests.factories import NOON, person
from tests.whole_database import mentions

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
ANA, BOB = "ana@example.com", "bob@example.com"
DELETE, DATA, ACCOUNT = "/account/delete/", "/account/data/", "/account/"
AGAIN = "/second-factor/mail/?next="


@pytest.fixture
def client(mailoutbox):
    """Ana's browser."""
    person(ANA, headline="Zebra tamer")
    client = browser()
    sign_in(client, mailoutbox)
    return client


@pytest.fixture
def old(client, monkeypatch):
    """The same browser, a quarter of an hour later."""
    later = time.time() + 16 * 60
    monkeypatch.setattr(time, "time", lambda: later)
    return client


def delete(client, email=ANA):
    return client.post(DELETE, {"email": email})


def text(response):
    return " ".join(re.sub("<.*?>", " ", response.content.decode()).split())


def prove(client):
    """Ask for another code, and enter it; the answer to that."""
    client.post("/second-factor/mail/", {"recipient": ANA, "next": DELETE})
    return client.post("/second-factor/mail/code/", {"code": newest_code(mail.outbox)})


def test_the_data_are_a_file_to_keep_that_nobody_else_keeps(client):
    person(BOB, headline="Lion tamer")
    answer = client.post(DATA)
    assert answer["Content-Type"] == "application/json"
    assert re.fullmatch(
        r'attachment; filename="upwork-scout-\d{4}-\d\d-\d\d\.json"', answer["Content-Disposition"]
    )
    assert "no-store" in answer["Cache-Control"]
    data = json.loads(b"".join(answer.streaming_content))
    assert data["searches"][0]["headline"] == "Zebra tamer"
    assert len(data["sessions"]) == 1


def test_looking_downloads_nothing(client):
    assert client.get(DATA)["Location"] == ACCOUNT
    assert browser().post(DATA)["Location"].startswith("/sign-in/")


def test_an_old_sign_in_downloads_once_a_code_was_entered(old):
    assert old.post(DATA)["Location"] == f"{AGAIN}{quote(DATA, safe='')}"
    client = old
    client.post("/second-factor/mail/", {"recipient": ANA, "next": DATA})
    code = newest_code(mail.outbox)
    answer = client.post("/second-factor/mail/code/", {"code": code, "next": DATA})
    assert json.loads(b"".join(answer.streaming_content))["account"]["email"] == ANA


def test_the_page_says_what_goes_and_what_stays(client):
    page = text(client.get(DELETE))
    for words in ("What goes", "For 48 hours, a keyed hash of your address", ANA):
        assert words in page
    with CaptureQueriesContext(connection) as queries:
        client.get(DELETE)
    assert len(queries) <= 12


def test_the_address_typed_deletes_the_account_and_signs_out_everywhere(client, mailoutbox):
    other = browser()
    sign_in(other, mailoutbox)
    answer = client.post(DELETE, {"email": " Ana@Example.com "}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "Your account is deleted" in text(answer)
    assert (who(client), who(other)) == (None, None)
    assert other.get(ACCOUNT)["Location"].startswith("/sign-in/")
    assert (User.objects.count(), Session.objects.count()) == (0, 0)
    assert (mentions(ANA), mentions(uid_of(ANA))) == ({}, {})
    assert DeletedAddress.objects.count() == 1


@pytest.mark.parametrize("typed", ["", "ana", BOB, "\x00", "x" * 500])
def test_without_the_address_nothing_is_deleted(client, typed):
    answer = delete(client, typed)
    assert answer.status_code == 200
    assert error_beside(answer, "id_email")
    assert User.objects.count() == 1


def test_looking_deletes_nothing(client):
    client.get(f"{DELETE}?email={ANA}")
    assert User.objects.count() == 1


def test_deleting_twice_is_deleting_once(client):
    twin = browser()
    twin.cookies["sessionid"] = client.cookies["sessionid"].value
    assert delete(client)["Location"] == "/"
    assert delete(twin)["Location"].startswith("/sign-in/")
    assert DeletedAddress.objects.count() == 1


def test_an_old_sign_in_has_to_enter_a_code_before(old):
    assert old.get(DELETE)["Location"] == f"{AGAIN}{quote(DELETE, safe='')}"
    prove(old)
    assert old.get(DELETE).status_code == 200
    assert delete(old)["Location"] == "/"
    assert User.objects.count() == 0


def test_a_code_that_waits_elsewhere_brings_no_account_back(client, mailoutbox):
    other = browser()
    ask(other)
    code = newest_code(mailoutbox)
    delete(client)
    assert enter(other, code)["Location"].startswith("/sign-in/?code=old")
    assert User.objects.count() == 0


def test_when_others_are_at_work_it_is_said_and_nothing_is_deleted(client, monkeypatch):
    def busy(*_, **__):
        raise BusyError("The account is in use.")

    monkeypatch.setattr("deliveries.pages.account_delete.delete_account", busy)
    answer = delete(client)
    assert (answer.status_code, error_beside(answer, "id_email")) == (503, "The account is in use.")
    assert who(client) == uid_of(ANA)


def test_somebody_elses_account_stays(client):
    person(BOB)
    delete(client)
    assert list(User.objects.values_list("email", flat=True)) == [BOB]


@pytest.mark.django_db(transaction=True)
def test_a_session_of_a_user_who_is_gone_is_not_stored(client):
    session = client.session
    session["late"] = True
    delete_account(uid_of(ANA), now=NOON)
    session._session_key = None  # as a sign-in under way would store it anew
    with pytest.raises(Exception) as raised:
        session.save()
    assert type(raised.value).__name__ in {"UpdateError", "CreateError"}
    assert Session.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_who_deletes_on_the_page_and_signs_up_again_gets_only_new_jobs(market, monkeypatch):
    person(ANA, **WISHES)
    market.show(1, 2)
    market.scan()
    assert market.arrived() == [(ANA, (1, 2))]
    monkeypatch.setattr("deliveries.pages.account_delete.Clock", lambda: market.clock)
    client = browser()
    sign_in_by_smtp(client, market)
    assert delete(client)["Location"] == "/"
    market.later(minutes=5)
    sign_in_by_smtp(client, market)
    person(ANA, **WISHES)
    posted = market.clock.now() - timedelta(minutes=30)
    market.show(3, posted_at=posted.isoformat())  # there before the deletion, fetched after it
    market.show(4)
    market.scan()
    assert market.arrived()[-1:] == [(ANA, (4,))]


def sign_in_by_smtp(client, market):
    ask(client, ANA)
    raw = market.smtp.accepted[-1].raw.decode()
    enter(client, re.search(r"\d{4}-\d{4}", raw)[0])
    assert who(client) == uid_of(ANA)
