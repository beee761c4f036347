"""Pages of somebody who leaves, or moves to another address, while they are made."""

import pytest
from django.contrib.auth.middleware import AuthenticationMiddleware

from accounts.models import User
from deliveries.leaving import delete_account
from deliveries.moving import change_address
from tests.accounts.signing_in import browser
from tests.factories import NOON, JobFactory, person

pytestmark = pytest.mark.django_db(transaction=True)
ANA, NEW = "ana@example.com", "ana@new.example"
GONE = "This account is gone, or has a new address; nothing was changed."
DEEDS = ["stop", "resume", "pause", "go on", "save", "sample", ""]
PAGES = ["/jobs/", "/jobs/near/", "/jobs/never/?job={job}", "/why/?job={job}", "/mail/"]
POSTS = [("/mail/", {"do": deed, "until": "week", "press": "p" * 30}) for deed in DEEDS]


@pytest.fixture(params=["deleted", "moved"])
def client(request, monkeypatch):
    """A browser whose user is gone as soon as it is known who asks."""
    user, real = person(ANA), AuthenticationMiddleware.process_request
    client = browser()
    client.force_login(user)

    def gone(middleware, page):
        real(middleware, page)
        assert page.user.is_authenticated
        if request.param == "deleted":
            delete_account(user.pk, now=NOON)
        else:
            change_address(user.pk, NEW, now=NOON)
        monkeypatch.setattr(AuthenticationMiddleware, "process_request", real)

    monkeypatch.setattr(AuthenticationMiddleware, "process_request", gone)
    yield client
    assert not User.objects.filter(email=ANA).exists()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_leads_to_the_sign_in(client, page):
    answer = client.get(page.format(job=JobFactory().pk), follow=True)
    assert answer.redirect_chain[0][0].startswith("/sign-in/?next=/")
    assert GONE in answer.content.decode()


@pytest.mark.parametrize("page", ["/jobs/near/", "/jobs/never/?job={job}"])
def test_a_script_is_told_to_lead_the_whole_page_there(client, page):
    answer = client.get(page.format(job=JobFactory().pk), headers={"hx-request": "true"})
    assert answer["HX-Redirect"] == "/sign-in/?next=/jobs/"


@pytest.mark.parametrize(("page", "posted"), POSTS)
def test_a_form_makes_no_account_anew(client, page, posted):
    assert client.post(page, posted)["Location"].startswith("/sign-in/?next=")
