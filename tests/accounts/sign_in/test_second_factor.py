"""The admin's door, and the second factor that opens it."""

import re
import time
from base64 import b64decode
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin

from tests.accounts.signing_in import ask, browser, enter, error_beside, newest_code, sign_in, who
from tests.factories import person
from tests.staff import SECRET, pass_factor, staff, staff_client, totp_code, with_factor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
STAFF = "staff@example.com"


@pytest.fixture
def client():
    return browser()


def led(client, path="/admin/"):
    """Where the admin sends this client, its own login page left out; 200 when it is let in."""
    answer = client.get(path)
    while answer.status_code == 302 and answer["Location"].startswith("/admin/login/"):
        answer = client.get(answer["Location"])
    return answer["Location"] if answer.status_code == 302 else answer.status_code


def anonymous(client):
    pass


def user(client):
    client.force_login(person("ana@example.com"))


def user_with_factor(client):
    ana = person("ana@example.com")
    with_factor(ana)
    client.force_login(ana)
    pass_factor(client, ana)


def staff_without_factor(client):
    client.force_login(staff())


def staff_claiming_to_have_passed(client):
    who = staff()
    client.force_login(who)
    pass_factor(client, who)


def staff_not_passed(client):
    who = staff()
    with_factor(who)
    client.force_login(who)


def staff_with_the_passing_of_another(client):
    who, other = staff(), staff("other@example.com")
    with_factor(who)
    client.force_login(who)
    pass_factor(client, other)


def staff_passed(client):
    who = staff()
    with_factor(who)
    client.force_login(who)
    pass_factor(client, who)
    return who


def staff_passed_a_day_ago(client):
    staff_passed(client)
    session = client.session
    [record] = session["account_authentication_methods"]
    session["account_authentication_methods"] = [{**record, "at": time.time() - 13 * 3600}]
    session.save()


def staff_passed_then_switched_off(client):
    who = staff_passed(client)
    who.is_active = False
    who.save()


def staff_passed_then_no_more_staff(client):
    who = staff_passed(client)
    who.is_staff = False
    who.save()


def staff_passed_then_factor_removed(client):
    staff_passed(client)
    Authenticator.objects.all().delete()


ENROL = "/second-factor/enrol/?next=/admin/"
AGAIN = "/second-factor/again/?next=/admin/"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (anonymous, "/sign-in/?next=/admin/"),
        (user, 403),
        (user_with_factor, 403),
        (staff_without_factor, ENROL),
        (staff_claiming_to_have_passed, ENROL),
        (staff_not_passed, AGAIN),
        (staff_with_the_passing_of_another, AGAIN),
        (staff_passed, 200),
        (staff_passed_a_day_ago, AGAIN),
        (staff_passed_then_switched_off, "/sign-in/?next=/admin/"),
        (staff_passed_then_no_more_staff, 403),
        (staff_passed_then_factor_removed, ENROL),
    ],
)
def test_the_admin_is_open_to_staff_who_passed_a_second_factor(client, given, expected):
    given(client)
    assert led(client) == expected
    page = "/admin/accounts/suppression/add/"
    inside = client.get(page).status_code == 200
    assert inside == (expected == 200)
    answer = client.post(page, {"user": "x"})
    assert (answer.status_code == 200) == (expected == 200)


@pytest.mark.parametrize("path", ["/admin/login/", "/admin/jsi18n/", "/admin/password_change/"])
def test_no_page_of_the_admin_takes_a_password(client, path):
    who = staff()
    who.set_password("correct horse battery")
    who.save()
    answer = client.post(path, {"username": STAFF, "password": "correct horse battery"})
    assert answer.status_code == 302
    assert not client.session.get("_auth_user_id")


def test_the_way_into_the_admin_leads_back_to_its_page_only(client):
    staff_passed(client)
    for asked, expected in [
        ("/admin/accounts/", "/admin/accounts/"),
        ("//evil.example/", "/admin/"),
    ]:
        assert client.get("/admin/login/", {"next": asked})["Location"] == expected


def test_staff_enrol_by_the_code_on_the_page_and_are_in(client, mailoutbox):
    staff()
    assert led(client, "/admin/") == "/sign-in/?next=/admin/"
    assert sign_in(client, mailoutbox, STAFF, next="/admin/")["Location"] == "/admin/"
    there = led(client)
    page = client.get(there)
    content = page.content.decode()
    [source] = re.findall(r'<img src="(data:image/svg\+xml;base64,.*?)"', content)
    assert "<path" in b64decode(unescape(source).partition(",")[2]).decode()
    assert "img-src 'self' data:" in page["Content-Security-Policy"]
    assert "unsafe" not in page["Content-Security-Policy"]
    assert "style=" not in content
    secret = re.search(r"<code>(\w+)</code>", content)[1]
    assert error_beside(client.post(there, {"code": "000000"}), "id_code")
    answer = client.post(there, {"code": totp_code(secret)})
    assert answer["Location"] == "/second-factor/recovery/"
    codes = re.findall(r"\d{8}", client.get(answer["Location"]).content.decode())
    assert len(codes) == 10
    assert led(client) == 200
    # The next sign-in asks for the factor; a recovery code does once.
    for code, works in [(codes[0], True), (codes[0], False), (totp_code(secret), True)]:
        other = browser()
        answer = sign_in(other, mailoutbox, STAFF, next="/admin/")
        assert (answer["Location"], who(other)) == ("/sign-in/second-factor/", None)
        assert led(other) == "/sign-in/?next=/admin/"
        assert client.get("/sign-in/second-factor/").status_code == 302
        answer = other.post("/sign-in/second-factor/", {"code": code})
        assert (answer.status_code == 302) == works
        if works:
            assert answer["Location"] == "/admin/"
            assert led(other) == 200
        else:
            assert error_beside(answer, "id_code")


def test_the_second_factor_has_bounded_tries_and_a_used_code_is_refused(client, mailoutbox):
    with_factor(staff())
    sign_in(client, mailoutbox, STAFF)
    code = totp_code()
    answer = client.post("/sign-in/second-factor/", {"code": code})
    assert (answer.status_code, who(client)) == (302, staff().pk)
    other = browser()
    sign_in(other, mailoutbox, STAFF)
    assert error_beside(other.post("/sign-in/second-factor/", {"code": code}), "id_code")
    for _ in range(4):
        other.post("/sign-in/second-factor/", {"code": "000000"})
    answer = other.post("/sign-in/second-factor/", {"code": totp_code()})
    assert error_beside(answer, "id_code").startswith("Too many tries.")
    assert who(other) is None


def test_odd_requests_to_the_second_step_are_no_errors(client, mailoutbox):
    assert client.get("/sign-in/second-factor/")["Location"] == "/sign-in/"
    with_factor(staff())
    sign_in(client, mailoutbox, STAFF)
    assert client.post("/sign-in/second-factor/", {})["Location"] == "/sign-in/second-factor/"
    assert client.get("/sign-in/second-factor/").status_code == 200
    assert client.get("/sign-in/code/")["Location"] == "/sign-in/"
    assert client.get("/sign-in/").status_code == 200


def test_a_session_older_than_the_factor_must_pass_it(client):
    who = staff()
    client.force_login(who)
    with_factor(who)
    for path in ("", "remove/", "recovery/", "recovery/new/", "recovery/codes.txt"):
        there = f"/second-factor/{path}"
        assert client.get(there)["Location"] == f"/second-factor/again/?next={there}"
        client.post(there)
    assert Authenticator.objects.count() == 1
    answer = client.post(AGAIN, {"code": totp_code()})
    assert answer["Location"] == "/admin/"
    assert led(client) == 200


def test_enrolling_long_after_signing_in_asks_for_a_code_by_mail(client, mailoutbox, monkeypatch):
    staff()
    sign_in(client, mailoutbox, STAFF)
    assert client.get(ENROL).status_code == 200
    later = time.time() + 16 * 60
    monkeypatch.setattr(time, "time", lambda: later)
    asking = client.get(ENROL)["Location"]
    assert asking.startswith("/second-factor/mail/?next=")
    assert STAFF in client.get(asking).content.decode()
    entering = client.post(asking, {"recipient": STAFF})["Location"]
    assert error_beside(client.post(entering, {"code": "0000-0000"}), "id_code")
    answer = client.post(entering, {"code": newest_code(mailoutbox)})
    assert answer["Location"] == ENROL
    assert client.get(ENROL).status_code == 200


def test_a_mail_server_that_is_away_is_said_there_too(client, mailoutbox, monkeypatch, settings):
    staff()
    sign_in(client, mailoutbox, STAFF)
    later = time.time() + 16 * 60
    monkeypatch.setattr(time, "time", lambda: later)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    answer = client.post(client.get(ENROL)["Location"], {"recipient": STAFF})
    assert answer.status_code == 503
    assert "could not be sent" in answer.content.decode()


def test_a_removed_factor_closes_the_admin_in_every_session(client, mailoutbox):
    with_factor(staff())
    sign_in(client, mailoutbox, STAFF)
    client.post("/sign-in/second-factor/", {"code": totp_code()})
    assert client.get("/second-factor/").status_code == 200
    assert client.get("/second-factor/recovery/new/").status_code == 200
    assert client.post("/second-factor/remove/")["Location"] == "/second-factor/"
    assert led(client) == ENROL


def test_ordinary_users_sign_in_without_one(client, mailoutbox):
    person("ana@example.com")
    assert sign_in(client, mailoutbox)["Location"] == "/jobs/"
    assert client.get("/second-factor/").status_code == 200


def test_the_admin_shows_no_secret_and_verifies_no_address():
    client = staff_client()
    row = Authenticator.objects.get()
    page = client.get(f"/admin/mfa/authenticator/{row.pk}/change/").content.decode()
    assert SECRET not in page
    assert "JBSW" not in page
    assert client.get("/admin/mfa/authenticator/add/").status_code == 403
    assert not admin.site.is_registered(EmailAddress)


@pytest.mark.parametrize("path", ["", "enrol/", "recovery/", "recovery/codes.txt", "again/"])
def test_the_pages_need_a_sign_in(client, path):
    assert client.get(f"/second-factor/{path}")["Location"].startswith("/sign-in/?next=")


def test_the_pages_are_not_stored(client, mailoutbox):
    staff()
    sign_in(client, mailoutbox, STAFF)
    for path in ("", "enrol/"):
        assert "no-store" in client.get(f"/second-factor/{path}")["Cache-Control"]
    inside = staff_client()
    for path in ("", "again/"):
        assert "no-store" in inside.get(f"/second-factor/{path}")["Cache-Control"]


def test_both_steps_take_few_queries(client, mailoutbox, django_assert_max_num_queries):
    with_factor(staff())
    ask(client, STAFF)
    with django_assert_max_num_queries(45):  # most of them count the tries and keep the session
        enter(client, newest_code(mailoutbox))
    with django_assert_max_num_queries(12):
        client.get("/sign-in/second-factor/")
