"""Signing in by a mailed code."""

import re
import time
from email import message_from_bytes, policy

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.deleted_addresses import address_hash
from accounts.identity import uid_of
from accounts.models import DeletedAddress, OptOutToken, Preferences, Search, User
from tests.accounts.instruments import tables
from tests.accounts.signing_in import (
    CODE,
    ask,
    browser,
    enter,
    error_beside,
    newest_code,
    sign_in,
    who,
)
from tests.factories import person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
ANA = "ana@example.com"


@pytest.fixture
def client():
    return browser()


def counts():
    return [m.objects.count() for m in (User, EmailAddress, Preferences, Search, OptOutToken)]


def test_a_new_address_gets_an_account_once_its_code_was_entered(client, mailoutbox):
    asked = ask(client)
    assert (asked.status_code, asked["Location"]) == (302, "/sign-in/code/")
    assert counts() == [0, 0, 0, 0, 0]
    entered = enter(client, newest_code(mailoutbox))
    assert (entered.status_code, entered["Location"]) == (302, "/welcome/")
    assert counts() == [1, 1, 1, 1, 1]
    assert EmailAddress.objects.get().verified
    assert who(client) == uid_of(ANA)
    assert len(mailoutbox) == 1


def test_a_user_made_by_add_user_signs_in_and_stays_the_same(client, mailoutbox):
    person(ANA, skills=["Django"], mode="daily")
    before = tables()
    assert sign_in(client, mailoutbox)["Location"] == "/jobs/"
    user, preferences, searches, tokens = tables()
    assert [preferences, searches, tokens] == before[1:]
    assert [row[0] for row in user] == [row[0] for row in before[0]]
    assert list(EmailAddress.objects.values_list("user", "email", "verified", "primary")) == [
        (uid_of(ANA), ANA, True, True)
    ]
    browser_2 = browser()
    sign_in(browser_2, mailoutbox)
    assert counts() == [1, 1, 1, 1, 1]


def answers(email):
    """All that can be seen before a right code is entered, and the statements run for it."""
    cache.clear()
    client = browser()
    with CaptureQueriesContext(connection) as queries:
        seen = [
            ask(client, email),
            client.get("/sign-in/code/"),
            enter(client, "0000-0000"),
            client.get("/sign-in/"),
        ]
    pages = [re.sub(r'value="\w{64}"', "", answer.content.decode()) for answer in seen]
    neutral = [
        (answer.status_code, {**answer.headers, "Expires": ""}, page.replace(email, "X"))
        for answer, page in zip(seen, pages, strict=True)
    ]
    return neutral, [query["sql"] for query in queries]


def test_nobody_can_tell_a_new_address_from_a_known_one(mailoutbox):
    person("bob@example.com")
    (new, statements), (known, others) = answers(ANA), answers("bob@example.com")
    assert new == known
    assert not any("accounts_" in sql or "account_" in sql for sql in (*statements, *others))
    verbs = [[sql.split(" ")[0] for sql in each] for each in (statements, others)]
    assert verbs[0] == verbs[1]
    first, second = mailoutbox
    assert CODE.sub("", first.body) == CODE.sub("", second.body)


@pytest.mark.parametrize(
    "email", [" ana@example.com ", "ANA@Example.COM", "\tAna@example.com\n", "ana@example.com\xa0"]
)
def test_upper_case_and_spaces_are_one_account(client, mailoutbox, email):
    person(ANA)
    sign_in(client, mailoutbox, email)
    assert (who(client), counts()[0], mailoutbox[0].to) == (uid_of(ANA), 1, [ANA])


BAD = "Write one e-mail address, such as ana@example.com."


@pytest.mark.parametrize(
    ("email", "message"),
    [
        ("", BAD),
        ("   ", BAD),
        ("ana", BAD),
        ("ana@example.com, bob@example.com", BAD),
        ("ana@example.com\nBcc: bob@example.com", BAD),
        ("ana b@example.com", BAD),
        ("ana\x00@example.com", "Null characters are not allowed."),
        ("ana\u200b@example.com", BAD),
        ("änne@example.com", BAD),
        (f"{'a' * 300}@example.com", BAD),
        ("a" * 500, BAD),
        ("ana@stra\u00dfe.de", "No mail can be sent to this domain; write another address."),
    ],
)
def test_what_is_no_address_is_said_beside_the_field(client, mailoutbox, email, message):
    answer = ask(client, email)
    assert (answer.status_code, error_beside(answer, "id_email")) == (200, message)
    assert mailoutbox == []


def test_a_wrong_code_is_said_beside_the_field_and_the_right_one_still_works(client, mailoutbox):
    ask(client)
    for wrong in ("0000-0000", "", "٠٠٠٠٠٠٠٠", "x" * 101):
        answer = enter(client, wrong)
        assert answer.status_code == 200
        assert error_beside(answer, "id_code")
    assert who(client) is None
    assert enter(client, newest_code(mailoutbox)).status_code == 302
    assert who(client) == uid_of(ANA)


@pytest.mark.parametrize(
    "written",
    [
        lambda code: code.replace("-", ""),
        lambda code: f"  {code.replace('-', ' ')} ",
        lambda code: code.translate({ord("0") + n: 0x660 + n for n in range(10)}),
        lambda code: code.translate({ord("0") + n: 0xFF10 + n for n in range(10)}),
    ],
)
def test_the_code_may_be_written_in_any_digits(client, mailoutbox, written):
    ask(client)
    enter(client, written(newest_code(mailoutbox)))
    assert who(client) == uid_of(ANA)


def test_a_code_has_five_tries(client, mailoutbox):
    ask(client)
    for _ in range(4):
        assert enter(client, "0000-0000").status_code == 200
    answer = enter(client, "0000-0000")
    assert (answer.status_code, answer["Location"]) == (302, "/sign-in/?code=tries")
    assert "too many wrong codes" in client.get(answer["Location"]).content.decode()
    assert enter(client, newest_code(mailoutbox))["Location"] == "/sign-in/?code=old"
    assert (who(client), User.objects.count()) == (None, 0)
    sign_in(client, mailoutbox)
    assert who(client) == uid_of(ANA)


def test_asking_again_gives_no_further_tries(client, mailoutbox):
    ask(client)
    for _ in range(4):
        enter(client, "0000-0000")
    ask(client)  # the same code, as it was asked for again at once
    assert newest_code(mailoutbox[:1]) == newest_code(mailoutbox)
    assert enter(client, "0000-0000")["Location"] == "/sign-in/?code=tries"
    ask(client)
    assert newest_code(mailoutbox[:1]) != newest_code(mailoutbox)


def test_a_code_expires(client, mailoutbox, monkeypatch):
    ask(client)
    later = time.time() + 15 * 60 + 1
    monkeypatch.setattr(time, "time", lambda: later)
    answer = enter(client, newest_code(mailoutbox))
    assert answer["Location"] == "/sign-in/?code=old"
    assert "no longer valid" in client.get(answer["Location"]).content.decode()
    assert who(client) is None


def test_a_code_works_only_where_it_was_asked_for(client, mailoutbox):
    ask(client)
    elsewhere = browser()
    assert enter(elsewhere, newest_code(mailoutbox))["Location"] == "/sign-in/?code=old"
    ask(elsewhere, "bob@example.com")
    code_of_ana = newest_code(mailoutbox[:1])
    assert enter(elsewhere, code_of_ana).status_code == 200
    assert User.objects.count() == 0


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_signs_nobody_in_and_mails_nothing(client, mailoutbox, method):
    look = getattr(client, method)
    look("/sign-in/", {"email": ANA})
    assert mailoutbox == []
    ask(client)
    for path in ("/sign-in/", "/sign-in/code/"):
        look(path, {"code": newest_code(mailoutbox), "email": ANA})
    assert (who(client), User.objects.count(), len(mailoutbox)) == (None, 0, 1)
    sign_in(client, mailoutbox)
    assert look("/sign-out/").status_code == 200
    assert who(client) == uid_of(ANA)


@pytest.mark.parametrize("path", ["/sign-in/", "/sign-in/code/", "/sign-out/"])
def test_other_methods_are_refused(client, path):
    for method in ("put", "patch", "delete"):
        assert getattr(client, method)(path).status_code == 405


def test_the_first_form_sent_twice_brings_the_same_code_twice(client, mailoutbox):
    ask(client)
    ask(client, " ANA@example.com")
    assert len({newest_code([m]) for m in mailoutbox}) == 1
    sign_in(client, mailoutbox)
    assert counts() == [1, 1, 1, 1, 1]


def test_asked_for_again_later_the_code_is_another_one(client, mailoutbox, monkeypatch):
    ask(client)
    later = time.time() + 6 * 60
    monkeypatch.setattr(time, "time", lambda: later)
    ask(client)
    assert len({newest_code([m]) for m in mailoutbox}) == 2
    assert enter(client, newest_code(mailoutbox[:1])).status_code == 200
    assert enter(client, newest_code(mailoutbox)).status_code == 302


def test_of_two_tabs_the_later_address_counts(client, mailoutbox):
    ask(client)
    ask(client, "bob@example.com")
    assert "bob@example.com" in client.get("/sign-in/code/").content.decode()
    assert enter(client, newest_code(mailoutbox[:1])).status_code == 200
    enter(client, newest_code(mailoutbox))
    assert who(client) == uid_of("bob@example.com")
    # What the first tab still has open leads on, without an error.
    for answer in (ask(client), enter(client, "0000-0000"), client.get("/sign-in/code/")):
        assert (answer.status_code, answer["Location"]) == (302, "/jobs/")


def test_the_second_form_sent_twice_does_not_sign_out_again(client, mailoutbox):
    ask(client)
    code, before = newest_code(mailoutbox), client.cookies["sessionid"].value
    enter(client, code)
    after = client.cookies["sessionid"].value
    assert after != before
    again = browser()
    again.cookies["sessionid"] = before
    answer = enter(again, code)
    assert (answer.status_code, answer["Location"]) == (302, "/sign-in/?code=old")
    assert "sessionid" not in answer.cookies  # the browser keeps the cookie of the first answer
    assert client.get(answer["Location"])["Location"] == "/jobs/"


@pytest.mark.parametrize("path", ["/sign-in/", "/sign-in/code/", "/sign-out/"])
def test_a_form_from_before_another_tab_signed_in_shows_the_page_anew(path):
    client = browser(enforce_csrf_checks=True)
    answer = client.post(f"{path}?next=/mail/", {"email": ANA, "csrfmiddlewaretoken": "x" * 64})
    assert (answer.status_code, answer["Location"]) == (302, f"{path}?next=/mail/")


def test_the_session_is_in_the_database_and_its_cookie_is_safe(client, mailoutbox):
    ask(client)
    before = client.cookies["sessionid"].value
    sign_in(client, mailoutbox)
    cookie = client.cookies["sessionid"]
    assert cookie.value != before
    assert [s.pk for s in Session.objects.all()] == [cookie.value]
    assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Lax")
    client.get("/sign-out/")
    assert client.cookies["csrftoken"]["secure"] is True


def test_signing_out_is_a_post(client, mailoutbox):
    sign_in(client, mailoutbox)
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert (who(client), Session.objects.filter(session_data__contains=uid_of(ANA)).count()) == (
        None,
        0,
    )
    assert client.get("/preferences/")["Location"] == "/sign-in/?next=/preferences/"


@pytest.mark.parametrize(
    ("asked", "led"),
    [
        ("/mail/", "/mail/"),
        ("/admin/?a=1&b=2", "/admin/?a=1&b=2"),
        ("", "/jobs/"),
        ("https://evil.example/", "/jobs/"),
        ("https://testserver/mail/", "/jobs/"),
        ("//evil.example/", "/jobs/"),
        ("/\\evil.example/", "/jobs/"),
        ("///evil.example/", "/jobs/"),
        ("\t//evil.example", "/jobs/"),
        ("javascript:alert(1)", "/jobs/"),
        ("mail/", "/jobs/"),
    ],
)
def test_the_way_on_is_a_path_of_this_site(client, mailoutbox, asked, led):
    person(ANA)
    page = client.get("/sign-in/", {"next": asked}).content.decode()
    assert ('name="next"' in page) == (led != "/jobs/")
    assert sign_in(client, mailoutbox, next=asked)["Location"] == led
    assert client.get("/sign-in/", {"next": asked})["Location"] == led


def test_the_way_on_survives_the_address_bar(client, mailoutbox):
    person(ANA)
    there = ask(client, next="/admin/?a=1&b=ü")["Location"]
    page = client.get(there).content.decode()
    assert 'name="next" value="/admin/?a=1&amp;b=ü"' in page


def test_a_switched_off_account_is_told_to_its_owner_only(client, mailoutbox):
    user = person(ANA)
    User.objects.filter(pk=user.pk).update(is_active=False)
    answer = sign_in(client, mailoutbox)
    assert (answer["Location"], who(client)) == ("/sign-in/inactive/", None)
    page = client.get(answer["Location"])
    assert (page.status_code, "switched off" in page.content.decode()) == (403, True)


def test_an_address_that_was_deleted_is_remembered(client, mailoutbox):
    deleted = DeletedAddress.objects.create(address_hash=address_hash(ANA))
    sign_in(client, mailoutbox)
    assert User.objects.get().jobs_from == deleted.deleted_at


def test_the_front_page_asks_for_the_address_and_leads_on_who_is_signed_in(client, mailoutbox):
    page = client.get("/").content.decode()
    assert 'action="/sign-in/"' in page
    assert 'type="email"' in page
    sign_in(client, mailoutbox)
    assert client.get("/")["Location"] == "/jobs/"


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/sign-in/code/", "/sign-out/"])
def test_pages_take_few_queries(client, mailoutbox, path, django_assert_max_num_queries):
    ask(client)
    with django_assert_max_num_queries(4):
        assert client.get(path).status_code == 200
    assert "no-store" in client.get(path)["Cache-Control"]


def test_the_mail_holds_the_code_and_no_link(client, smtp):
    ask(client)
    [accepted] = smtp.accepted
    message = message_from_bytes(accepted.raw, policy=policy.default)
    code = CODE.search(message["Subject"])[0]
    assert message["Subject"] == f"{code} is your code for Upwork Scout"
    assert (message["To"], accepted.recipients) == (ANA, (ANA,))
    assert message["From"] == "Upwork Scout <scout@scout.test>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["List-Unsubscribe"] is None
    for kind in ("plain", "html"):
        part = message.get_body((kind,)).get_content()
        assert code in part
        assert "http" not in part
        assert "15 minutes" in part
    assert enter(client, code).status_code == 302
    assert mail.outbox == []
