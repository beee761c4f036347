"""Changing one's address on the page: a code to the new one, entered in the session that asked."""

import re
import time
from urllib.parse import quote

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.identity import uid_of
from accounts.models import Session, User
from accounts.opting_out import opt_out, standing
from deliveries import ledger
from tests.accounts.signing_in import CODE, browser, error_beside, newest_code, sign_in, who
from tests.deliveries.ledger.tables import DAY, queue
from tests.factories import NOON, person
from tests.threads import together
from tests.whole_database import mentions

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
ANA, NEW, BOB = "ana@example.com", "ana@new.example", "bob@example.com"
PAGE, CODES, ACCOUNT = "/account/address/", "/account/address/code/", "/account/"


@pytest.fixture
def client(mailoutbox):
    """Ana's browser; the mails it took to sign in are forgotten."""
    person(ANA)
    client = browser()
    sign_in(client, mailoutbox)
    mailoutbox.clear()
    return client


def ask(client, email=NEW):
    return client.post(PAGE, {"email": email})


def code_for(address=NEW):
    return newest_code([each for each in mail.outbox if each.to == [address]])


def enter(client, code):
    return client.post(CODES, {"code": code})


def text(response):
    return " ".join(re.sub("<.*?>", " ", response.content.decode()).split())


def test_a_code_goes_to_the_new_address_a_notice_to_the_old_and_nothing_changes_yet(client):
    assert ask(client)["Location"] == CODES
    assert [each.to for each in mail.outbox] == [[NEW], [ANA]]
    code, notice = mail.outbox
    assert CODE.search(code.subject)
    assert not CODE.search(f"{notice.subject} {notice.body} {notice.alternatives}")
    assert NEW not in f"{notice.subject} {notice.body}"
    assert all("http" not in each.body for each in mail.outbox)
    assert list(User.objects.values_list("email", flat=True)) == [ANA]
    assert NEW in text(client.get(CODES))


def test_the_code_changes_the_address_and_keeps_this_browser_alone_signed_in(client, mailoutbox):
    other = browser()
    sign_in(other, mailoutbox)
    ask(client)
    key = client.cookies["sessionid"].value
    answer = client.post(CODES, {"code": code_for()}, follow=True)
    assert answer.redirect_chain == [(ACCOUNT, 302)]
    assert f"Your address is {NEW} from now on." in text(answer)
    assert (who(client), client.cookies["sessionid"].value) == (uid_of(NEW), key)
    assert other.get(ACCOUNT)["Location"].startswith("/sign-in/")
    assert list(User.objects.values_list("email", flat=True)) == [NEW]
    assert (Session.objects.count(), mentions(uid_of(ANA))) == (1, {})


@pytest.mark.parametrize("wrong", ["0000-0000", "", "x" * 101, "\x00"])
def test_a_wrong_code_is_said_beside_the_field_and_changes_nothing(client, wrong):
    ask(client)
    answer = enter(client, wrong)
    assert answer.status_code == 200
    assert error_beside(answer, "id_code")
    assert User.objects.get().email == ANA
    assert enter(client, code_for().replace("-", " ")).status_code == 302
    assert User.objects.get().email == NEW


def test_after_five_tries_a_code_is_worth_nothing(client):
    ask(client)
    code = code_for()
    for _ in range(5):
        assert enter(client, "0000-0000").status_code == 200
    answer = client.post(CODES, {"code": code}, follow=True)
    assert "too many wrong codes" in text(answer)
    assert enter(client, code)["Location"] == ACCOUNT
    assert User.objects.get().email == ANA


def test_a_code_lasts_a_quarter_of_an_hour(client, monkeypatch):
    ask(client)
    code, later = code_for(), time.time() + 15 * 60 + 5
    monkeypatch.setattr("accounts.sign_in.new_address.time.time", lambda: later)
    answer = client.post(CODES, {"code": code}, follow=True)
    assert f"its time is over. Your address is {ANA}." in text(answer)
    assert User.objects.get().email == ANA


def test_a_code_is_good_in_the_session_that_asked_alone(client, mailoutbox):
    other = browser()
    sign_in(other, mailoutbox)
    ask(client)
    assert enter(other, code_for())["Location"] == ACCOUNT
    assert User.objects.get().email == ANA


def test_signing_out_elsewhere_ends_what_another_browser_asked_for(client, mailoutbox):
    thief = browser()
    sign_in(thief, mailoutbox)
    ask(thief)
    client.post("/account/sign-out/")
    assert enter(thief, code_for())["Location"].startswith("/sign-in/")
    assert User.objects.get().email == ANA


def test_asked_again_soon_the_same_code_is_mailed_and_the_notice_once(client):
    ask(client)
    ask(client)
    assert [each.to for each in mail.outbox] == [[NEW], [ANA], [NEW]]
    assert mail.outbox[0].subject == mail.outbox[2].subject
    assert "A code was mailed to" in text(client.get(PAGE))


def test_of_two_addresses_asked_for_the_last_one_counts(client):
    ask(client, "one@new.example")
    ask(client)
    assert enter(client, code_for("one@new.example")).status_code == 200
    assert enter(client, code_for()).status_code == 302
    assert User.objects.get().email == NEW


@pytest.mark.parametrize(
    ("email", "message"),
    [
        ("", "Write one e-mail address, such as ana@example.com."),
        ("ana", "Write one e-mail address, such as ana@example.com."),
        (" ANA@example.com ", "This is your address already."),
        ("ana@straße.de", "No mail can be sent to this domain; write another address."),
    ],
)
def test_what_cannot_be_the_new_address_is_said_beside_the_field(client, email, message):
    assert error_beside(ask(client, email), "id_email") == message
    assert mail.outbox == []


def test_asking_tells_nobody_that_an_address_has_an_account(client):
    def seen(email):
        mail.outbox.clear()
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            answers = [ask(client, email), client.get(CODES), enter(client, "0000-0000")]
        pages = [re.sub(r"\w{64}", "", each.content.decode()) for each in answers]
        told = [each.replace(email, "X") for each in pages]
        bodies = [(CODE.sub("", m.subject), CODE.sub("", m.body)) for m in mail.outbox]
        return [each.status_code for each in answers], told, bodies, len(queries)

    person(BOB)
    assert seen("cyd@example.com") == seen(BOB)


def test_who_proved_an_address_that_has_an_account_is_told_so_and_nothing_changes(client):
    person(NEW)
    ask(client)
    answer = client.post(CODES, {"code": code_for()}, follow=True)
    assert f"{NEW} has an account of its own." in text(answer)
    assert sorted(User.objects.values_list("email", flat=True)) == [ANA, NEW]
    assert who(client) == uid_of(ANA)


def test_too_many_codes_are_refused(client):
    for _ in range(5):
        assert ask(client).status_code == 302
    answer = ask(client)
    assert answer.status_code == 429
    assert error_beside(answer, "id_email").startswith("Too many codes were asked for.")
    assert ask(client, "other@new.example").status_code == 302


def test_when_the_mail_is_down_it_is_said_and_no_code_waits(client, monkeypatch):
    monkeypatch.setattr(EmailBackend, "send_messages", lambda *_: 0)
    answer = ask(client)
    assert answer.status_code == 503
    assert error_beside(answer, "id_email").startswith("The mail could not be sent just now.")
    assert client.get(CODES)["Location"] == ACCOUNT


def test_a_notice_that_cannot_be_delivered_keeps_nobody_at_a_dead_mailbox(client, monkeypatch):
    send = EmailBackend.send_messages

    def refuse_the_old(backend, messages):
        if messages[0].to == [ANA]:
            raise ConnectionError
        return send(backend, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", refuse_the_old)
    assert ask(client)["Location"] == CODES
    assert enter(client, code_for())["Location"] == ACCOUNT
    assert User.objects.get().email == NEW


@pytest.mark.django_db(transaction=True)
def test_while_a_mail_is_open_the_code_waits_with_its_owner(client):
    queue(User.objects.get(), 80)
    claimed = ledger.claim(uid_of(ANA), now=NOON, fresh=DAY)
    ask(client)
    answer = enter(client, code_for())
    assert answer.status_code == 503
    assert "try again in some minutes" in error_beside(answer, "id_code")
    ledger.finish(claimed.mail.envelope, "sent", now=NOON)
    assert enter(client, code_for()).status_code == 302
    assert User.objects.get().email == NEW


def test_the_code_sent_twice_one_after_the_other_does_no_harm(client):
    ask(client)
    code = code_for()
    enter(client, code)
    answer = client.post(CODES, {"code": code}, follow=True)
    assert f"That code was used, or its time is over. Your address is {NEW}." in text(answer)
    assert who(client) == uid_of(NEW)


@pytest.mark.django_db(transaction=True)
def test_the_code_sent_twice_at_once_changes_the_address_once(client):
    ask(client)
    code, key = code_for(), client.cookies["sessionid"].value
    twin = browser()
    twin.cookies["sessionid"] = key
    answers = together(lambda: enter(client, code), lambda: enter(twin, code))
    assert {answer.status_code for answer in answers} == {302}
    assert all(
        answer.cookies.get("sessionid", None) is None or answer.cookies["sessionid"].value == key
        for answer in answers
    )
    assert list(User.objects.values_list("email", flat=True)) == [NEW]
    assert (who(client), client.get(ACCOUNT).status_code) == (uid_of(NEW), 200)


def test_links_in_old_mails_go_on_working(client):
    token = User.objects.get().opt_out_tokens.get().token
    ask(client)
    enter(client, code_for())
    assert (standing(token), opt_out(token), standing(token)) == ("on", True, "opted_out")
    assert "stopped" in text(client.get(ACCOUNT))


def test_an_old_sign_in_has_to_enter_a_code_first(client, monkeypatch):
    later = time.time() + 16 * 60
    monkeypatch.setattr(time, "time", lambda: later)
    for answer in (client.get(PAGE), ask(client)):
        assert answer["Location"] == f"/second-factor/mail/?next={quote(PAGE, safe='')}"
    assert mail.outbox == []


def test_looking_changes_nothing_and_asks_the_database_little(client):
    ask(client)
    for path in (PAGE, CODES):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"{path}?code={code_for()}&email={NEW}").status_code == 200
        assert len(queries) <= 12
    assert User.objects.get().email == ANA
