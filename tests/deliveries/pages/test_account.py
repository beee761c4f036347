"""The account page: where somebody is signed in, and signing out elsewhere."""

import re

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Session, Suppression
from tests.accounts.signing_in import ask, browser, enter, newest_code, sign_in, who
from tests.factories import person
from tests.threads import together

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
ANA, BOB = "ana@example.com", "bob@example.com"
PAGE, OUT = "/account/", "/account/sign-out/"


@pytest.fixture
def client(mailoutbox):
    """Ana's browser."""
    person(ANA, timezone="Europe/Berlin")
    client = browser()
    sign_in(client, mailoutbox)
    return client


def text(response):
    return " ".join(re.sub("<.*?>", " ", response.content.decode()).split())


@pytest.mark.parametrize("path", [PAGE, "/account/address/", "/account/delete/"])
def test_the_pages_are_for_who_is_signed_in_and_are_not_kept(client, path):
    assert browser().get(path)["Location"] == f"/sign-in/?next={path}"
    assert browser().post(path, {"email": ANA}).status_code in (302, 405)
    answer = client.get(path)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert 'aria-current="page">Account' in answer.content.decode()
    assert client.delete(path).status_code == 405


def test_the_page_tells_the_address_and_the_browsers(client, mailoutbox):
    sign_in(browser(), mailoutbox, BOB)
    page = text(client.get(PAGE))
    assert ANA in page
    assert (page.count("This browser since"), page.count("Another browser")) == (1, 0)
    sign_in(browser(), mailoutbox)
    assert text(client.get(PAGE)).count("Another browser since") == 1
    assert "Europe/Berlin" in page
    assert BOB not in page


def test_a_browser_that_only_waits_for_a_code_is_not_signed_in(client):
    ask(browser())
    assert "Another browser" not in text(client.get(PAGE))


def test_many_browsers_are_counted(client, mailoutbox, settings):
    for _ in range(11):
        other = browser()
        other.force_login(person(ANA))
    page = text(client.get(PAGE))
    assert (page.count("Another browser since"), "and 2 more" in page) == (9, True)


def test_no_key_and_no_uid_stands_in_the_page(client):
    page = client.get(PAGE).content.decode()
    for row in Session.objects.all():
        assert row.session_key not in page
    assert who(client) not in page


def test_the_page_says_whether_mail_comes(client):
    assert "on: see how it comes, or stop it" in text(client.get(PAGE))
    Suppression.objects.create(user_id=who(client), reason="opted_out")
    assert "stopped: see how it comes, or start it" in text(client.get(PAGE))


def test_staff_are_led_to_their_second_factor(client):
    assert "Second factor" not in text(client.get(PAGE))
    person(ANA).__class__.objects.update(is_staff=True)
    assert 'href="/second-factor/"' in client.get(PAGE).content.decode()


def test_the_page_asks_the_database_little(client, mailoutbox):
    sign_in(browser(), mailoutbox)
    with CaptureQueriesContext(connection) as queries:
        client.get(PAGE)
    assert len(queries) <= 12


def test_signing_out_elsewhere_ends_the_other_browser_and_keeps_this_one(client, mailoutbox):
    other, bob = browser(), browser()
    sign_in(other, mailoutbox)
    sign_in(bob, mailoutbox, BOB)
    answer = client.post(OUT, follow=True)
    assert "You are signed out everywhere else." in text(answer)
    assert answer.redirect_chain == [(PAGE, 302)]
    assert client.get(PAGE).status_code == 200
    assert other.get(PAGE)["Location"] == f"/sign-in/?next={PAGE}"
    assert bob.get(PAGE).status_code == 200
    assert Session.objects.count() == 2


def test_a_code_that_waits_elsewhere_is_of_no_use_any_more(client, mailoutbox):
    other = browser()
    ask(other)
    code = newest_code(mailoutbox)
    client.post(OUT)
    assert enter(other, code)["Location"].startswith("/sign-in/?code=old")
    assert who(other) is None


def test_looking_signs_nobody_out(client, mailoutbox):
    sign_in(browser(), mailoutbox)
    assert client.get(OUT).status_code == 405
    client.get(PAGE)
    assert Session.objects.count() == 2


def test_a_request_under_way_cannot_bring_an_ended_session_back(client, mailoutbox):
    other = browser()
    sign_in(other, mailoutbox)
    session = other.session
    session["late"] = True
    client.post(OUT)
    with pytest.raises(UpdateError):
        session.save()
    assert Session.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_browsers_that_end_each_other_at_once_one_or_none_is_left(mailoutbox):
    one, two = browser(), browser()
    sign_in(one, mailoutbox)
    sign_in(two, mailoutbox)
    answers = together(lambda: one.post(OUT).status_code, lambda: two.post(OUT).status_code)
    assert set(answers) <= {302, 400}
    assert Session.objects.count() <= 1


def test_a_form_sent_twice_keeps_this_browser_signed_in(client):
    before = client.cookies["sessionid"].value
    for _ in range(2):
        answer = client.post(OUT)
        assert answer.status_code == 302
    assert client.cookies["sessionid"].value == before
    assert client.get(PAGE).status_code == 200
