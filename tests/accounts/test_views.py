import re

import pytest
from django.test import Client

from accounts.models import OptOutToken, Suppression, User
from tests.accounts.instruments import at_once
from tests.factories import person

pytestmark = pytest.mark.django_db
STALE = "s" * 43
ONE_CLICK = "List-Unsubscribe=One-Click"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(autouse=True)
def plain_static_files(settings):
    """No collectstatic before a test."""
    files = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": files}


@pytest.fixture
def reader():
    """A mail reader or a person without cookies, over https as in production."""
    return Client(enforce_csrf_checks=True, headers={"x-forwarded-proto": "https"})


def link(email="ana@example.com", **profile):
    return f"/u/{person(email, **profile).opt_out_tokens.get().token}/"


def stopped():
    return sorted(Suppression.objects.values_list("user__email", "reason"))


def heading(response):
    return re.search("<h1>(.*?)</h1>", response.content.decode())[1]


def press(reader, response, button):
    """Post the form with this button, as a browser would."""
    page = response.content.decode()
    [action] = re.findall(rf'action="(.*?)">\s*<button type="submit"[^>]*>{button}', page)
    return reader.post(f"{response.request['PATH_INFO']}{action}", "", content_type=FORM)


MULTIPART = (
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (ONE_CLICK, FORM),
        (MULTIPART, "multipart/form-data; boundary=b"),
        ("", FORM),
        ("--broken", "multipart/form-data"),
        ("&".join(f"a{n}=b" for n in range(2000)), FORM),
        (b"\xff\x00" * 2_000_000, "application/octet-stream"),
        ("resume=1", FORM),
    ],
)
def test_one_click_stops_the_mail_whatever_the_body(reader, body, kind):
    there = link()
    person("bob@example.com")
    for _ in range(2):
        response = reader.post(there, body, content_type=kind)
        assert (response.status_code, heading(response)) == (200, "No more job mail")
        assert response.cookies == {}
    assert stopped() == [("ana@example.com", "opted_out")]


@pytest.mark.parametrize("token", [STALE, "%00", "%FF", "a b", "x" * 5000])
@pytest.mark.parametrize("query", ["", "?resume"])
def test_a_stale_link_is_answered_kindly(reader, token, query):
    person()
    path = f"/u/{token}/"
    for response in (reader.get(path), reader.post(path + query, ONE_CLICK, content_type=FORM)):
        assert (response.status_code, heading(response)) == (200, "This link is no longer in use")
    assert stopped() == []


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("query", ["", "?resume", "?List-Unsubscribe=One-Click"])
def test_looking_changes_nothing(reader, method, query):
    for there, before in ((link(), []), (link(), [("ana@example.com", "opted_out")])):
        assert getattr(reader, method)(there + query).status_code == 200
        assert stopped() == before
        reader.post(there)
    assert stopped() == [("ana@example.com", "opted_out")]


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_other_methods_are_refused(reader, method):
    response = getattr(reader, method)(link())
    assert (response.status_code, response["Allow"], stopped()) == (405, "GET, HEAD, POST", [])


def test_a_person_stops_and_resumes_by_the_buttons(reader):
    there = link()
    first = reader.get(there)
    second = press(reader, first, "Stop the mail")
    third = press(reader, second, "Send me jobs again")
    fourth = press(reader, third, "Stop the mail")
    headings = ["Stop the job mail?", "No more job mail", "Job mail is on", "No more job mail"]
    assert [heading(page) for page in (first, second, third, fourth)] == headings
    assert stopped() == [("ana@example.com", "opted_out")]


@pytest.mark.parametrize("reason", ["bounced", "complained", "staff"])
def test_a_stop_by_others_cannot_be_lifted_here(reader, reason):
    there = link()
    Suppression.objects.create(user=User.objects.get(), reason=reason)
    for response in (reader.get(there), reader.post(there), reader.post(there + "?resume")):
        assert heading(response) == "No more job mail"
        assert b"<form" not in response.content
    assert stopped() == [("ana@example.com", reason)]


def test_the_page_says_nothing_about_the_person(reader):
    there = link(headline="Welder", skills=["TIG"])
    user = User.objects.get()
    for response in (reader.get(there), reader.post(there), reader.post(there + "?resume")):
        page = response.content.decode()
        for secret in (user.email, "ana", user.pk, there[3:-1], "Welder", "TIG"):
            assert secret not in page


def test_the_link_leaks_by_no_header_cache_or_frame(reader):
    there = link()
    for response in (reader.get(there), reader.post(there)):
        assert response["Referrer-Policy"] == "no-referrer"
        assert response["X-Robots-Tag"] == "noindex"
        assert response["X-Frame-Options"] == "DENY"
        directives = set(response["Cache-Control"].split(", "))
        assert directives >= {"no-store", "no-cache", "private", "max-age=0"}


def test_the_page_loads_only_from_its_own_site_and_runs_no_script(reader):
    page = reader.get(link()).content.decode()
    assert re.findall(r'(?:src|href)="(.*?)"', page) == [
        "/static/scout.svg",
        "/static/pico.min.css",
        "/static/scout.css",
        "#main",
        "/",
        "/static/scout.svg",
        "/privacy/",
        "/terms/",
    ]
    assert "<script" not in page


def test_production_redirects_plain_http_but_never_the_https_one_click(reader, settings):
    settings.SECURE_SSL_REDIRECT = True
    there = link()
    assert reader.post(there, ONE_CLICK, content_type=FORM, secure=True).status_code == 200
    assert stopped() == [("ana@example.com", "opted_out")]
    plain = Client().get(there)
    assert (plain.status_code, plain["Location"]) == (301, f"https://testserver{there}")


def test_a_link_works_however_old_and_whoever_is_signed_in(reader):
    there = link()
    other = person("bob@example.com")
    reader.force_login(other)
    assert heading(reader.post(there, ONE_CLICK, content_type=FORM)) == "No more job mail"
    assert stopped() == [("ana@example.com", "opted_out")]
    assert OptOutToken.objects.filter(token=there[3:-1]).exists()


@pytest.mark.django_db(transaction=True)
def test_clicks_at_once_are_one_click():
    there = link()
    headers = {"x-forwarded-proto": "https"}
    codes = at_once(6, lambda _: Client(headers=headers).post(there).status_code)
    assert (codes, stopped()) == ([200] * 6, [("ana@example.com", "opted_out")])
