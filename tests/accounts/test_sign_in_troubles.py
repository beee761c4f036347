"""Signing in when mail is down, when there is too much of it, and by many at once."""

import socket
import sys
from types import ModuleType

import pytest
from allauth.account.models import EmailAddress
from anymail.exceptions import AnymailAPIError
from django.core.mail import EmailMultiAlternatives
from django.urls import path

from accounts.identity import uid_of
from accounts.models import OptOutToken, Preferences, Search, User
from deliveries.pages import outbox as outbox_pages
from scout_project import urls
from tests.accounts.instruments import at_once
from tests.accounts.signing_in import ask, browser, enter, error_beside, newest_code, who
from tests.factories import person
from tests.smtp_faults import Fault
from tests.smtp_server import FaultySMTP

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
ANA = "ana@example.com"
DOWN = "The mail could not be sent just now. Try again in some minutes."
MANY = "Too many codes were asked for. Wait ten minutes, then try again."


@pytest.fixture
def client():
    return browser()


def is_said_to_be_down(answer):
    return (answer.status_code, error_beside(answer, "id_email")) == (503, DOWN)


@pytest.fixture
def closed_port(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings.EMAIL_HOST, settings.EMAIL_PORT = taken.getsockname()
        yield


@pytest.mark.parametrize("known", [False, True])
def test_a_mail_server_that_is_away_is_said(client, closed_port, known):
    if known:
        person(ANA)
    answer = ask(client, ANA)
    assert is_said_to_be_down(answer)
    assert f'value="{ANA}"' in answer.content.decode()  # what was typed stays
    assert client.get("/sign-in/code/")["Location"] == "/sign-in/"


@pytest.mark.parametrize(
    "fault",
    [
        Fault("banner", "554 go away"),
        Fault("mail", "550 no such sender"),
        Fault("rcpt", "550 no such user"),
        Fault("content", "451 later"),
        Fault("content", "reset"),
    ],
)
def test_a_mail_server_that_refuses_is_said_and_the_next_try_works(client, settings, fault):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with FaultySMTP([fault]) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        assert is_said_to_be_down(ask(client))
        assert ask(client)["Location"] == "/sign-in/code/"


def raising(*_args, **_kwargs):
    raise AnymailAPIError("nobody there")


@pytest.mark.parametrize("send", [raising, lambda *_a, **_k: 0])
def test_a_provider_that_fails_is_said(client, monkeypatch, send):
    monkeypatch.setattr(EmailMultiAlternatives, "send", send)
    assert is_said_to_be_down(ask(client))


def test_an_address_gets_five_codes_in_ten_minutes(mailoutbox):
    for _ in range(5):
        assert ask(browser(), " ANA@example.com").status_code == 302
    for known in (False, True):
        if known:
            person(ANA)
        answer = ask(browser(), ANA)
        assert (answer.status_code, error_beside(answer, "id_email")) == (429, MANY)
    assert len(mailoutbox) == 5
    assert ask(browser(), "bob@example.com").status_code == 302


def test_a_caller_gets_twenty_codes_a_minute(mailoutbox, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 0
    statuses = [ask(browser(), f"a{n}@example.com").status_code for n in range(22)]
    assert statuses == [302] * 20 + [429] * 2
    elsewhere = browser(REMOTE_ADDR="203.0.113.9")
    assert ask(elsewhere, "b@example.com").status_code == 302
    assert len(mailoutbox) == 21


def test_behind_a_proxy_the_address_it_adds_counts(mailoutbox, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    def from_there(number, there, forged=""):
        caller = browser(HTTP_X_FORWARDED_FOR=f"{forged}{there}")
        return ask(caller, f"a{number}@example.com").status_code

    assert {from_there(n, "203.0.113.9", f"10.0.0.{n}, ") for n in range(20)} == {302}
    assert from_there(20, "203.0.113.9", "10.9.9.9, ") == 429
    assert from_there(20, "203.0.113.10") == 302
    assert from_there(21, "no address") == 302


def test_limits_hold_in_the_database():
    from django.conf import settings

    [store] = settings.CACHES.values()
    assert store["BACKEND"] == "django.core.cache.backends.db.DatabaseCache"
    assert store["OPTIONS"]["MAX_ENTRIES"] >= 100_000


def one_account():
    return [m.objects.count() for m in (User, EmailAddress, Preferences, Search, OptOutToken)] == [
        1
    ] * 5


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("known", [False, True])
def test_many_browsers_entering_their_codes_at_once_make_one_account(mailoutbox, known):
    if known:
        person(ANA)
    browsers = [browser() for _ in range(4)]
    codes = []
    for each in browsers:
        ask(each, ANA)
        codes.append(newest_code(mailoutbox))
    answers = at_once(4, lambda n: enter(browsers[n], codes[n]))
    assert [answer.status_code for answer in answers] == [302] * 4
    assert {answer["Location"] for answer in answers} <= {"/welcome/", "/jobs/"}
    assert [who(each) for each in browsers] == [uid_of(ANA)] * 4
    assert one_account()


def same_browser(cookies):
    clone = browser()
    for name, morsel in cookies.items():
        clone.cookies[name] = morsel.value
    return clone


@pytest.mark.django_db(transaction=True)
def test_one_form_sent_many_times_at_once_makes_one_account(client, mailoutbox):
    answers = at_once(4, lambda _: ask(browser(), ANA))
    assert {(a.status_code, a["Location"]) for a in answers} == {(302, "/sign-in/code/")}
    ask(client, "ana@example.com ")
    code = newest_code(mailoutbox)
    clones = [same_browser(client.cookies) for _ in range(4)]
    answers = at_once(4, lambda n: enter(clones[n], code))
    assert {a.status_code for a in answers} == {302}
    signed_in = [clone for clone in clones if "sessionid" in clone.cookies and who(clone)]
    assert {who(clone) for clone in signed_in} == {uid_of(ANA)}
    assert one_account()


@pytest.mark.django_db(transaction=True)
def test_guesses_sent_at_once_are_counted_too(client, mailoutbox):
    ask(client, ANA)
    clones = [same_browser(client.cookies) for _ in range(12)]
    answers = at_once(12, lambda n: enter(clones[n], f"0000-00{n:02}"))
    assert sum(a.status_code == 200 for a in answers) <= 5
    assert {a.status_code for a in answers} <= {200, 302, 400}
    enter(same_browser(client.cookies), newest_code(mailoutbox))
    assert User.objects.count() == 0


@pytest.fixture
def outbox_pages_there(settings):
    module = ModuleType("urls_with_outbox")
    module.urlpatterns = [*urls.urlpatterns, path("outbox/", outbox_pages.folder, name="outbox")]
    sys.modules[module.__name__] = module
    settings.ROOT_URLCONF = module.__name__
    yield
    del sys.modules[module.__name__]


def test_in_development_the_page_says_where_the_mail_is(
    client, mailoutbox, outbox_pages_there, settings
):
    ask(client)
    page = client.get("/sign-in/code/").content.decode()
    assert 'href="/outbox/"' in page
    assert str(settings.OUTBOX_DIR) in page


def test_elsewhere_it_speaks_of_no_folder(client, mailoutbox):
    ask(client)
    assert "outbox" not in client.get("/sign-in/code/").content.decode()
