"""The account in real browsers: two of them, another address, and leaving."""

from email import message_from_bytes, policy

import pytest

from accounts.identity import uid_of
from accounts.models import DeletedAddress, User
from tests.browser.conftest import code_in, sign_in
from tests.browser.scanning import inbox, scan
from tests.browser.test_every_page import settled, troubles
from tests.factories import JobFactory, person
from tests.whole_database import says

ANA, NEW = "ana@example.com", "ana@new.example"


def test_signed_in_twice_one_browser_signs_the_other_out(browse, smtp):
    person(ANA)
    desk, phone = browse(), browse(width=390)
    sign_in(desk, smtp, ANA)
    sign_in(phone, smtp, ANA)
    phone.wait_for_url("**/jobs/")
    phone.get_by_role("link", name="Account", exact=True).click()
    phone.get_by_text("Another browser").wait_for()
    phone.get_by_role("button", name="Sign out everywhere else").click()
    phone.get_by_text("You are signed out everywhere else.").wait_for()
    assert phone.get_by_text("Another browser").count() == 0
    desk.goto("/account/")
    assert desk.url.endswith("/sign-in/?next=/account/")


def test_after_a_change_of_address_a_scan_sends_nothing_again(browse, smtp):
    person(ANA, min_score=0)
    JobFactory.create(title="First job")
    assert scan()["mails_sent"] == 1
    page = browse(width=390, javascript=False)
    sign_in(page, smtp, ANA)
    page.goto("/account/")
    page.get_by_role("link", name="Change the address").click()
    page.get_by_label("Your new e-mail address").fill(NEW)
    page.get_by_role("button", name="Mail me a code").click()
    page.get_by_label("Code from the mail").fill(code_for(smtp, NEW))
    page.get_by_role("button", name="Change the address").click()
    page.get_by_text(f"Your address is {NEW} from now on.").wait_for()

    assert scan()["mails_sent"] == 0
    JobFactory.create(title="Second job")
    assert scan()["mails_sent"] == 1
    assert [len(inbox(smtp, address)) for address in (ANA, NEW)] == [1, 1]
    page.goto("/jobs/")
    page.get_by_text("First job").wait_for()


def test_whoever_deletes_the_account_leaves_nothing(browse, smtp):
    person(ANA, min_score=0, headline="Zebra tamer")
    JobFactory.create()
    scan()
    page, other = browse(), browse()
    sign_in(page, smtp, ANA)
    page.wait_for_url("**/jobs/")
    other.goto("/")
    other.get_by_label("Your e-mail address").fill(ANA)
    other.get_by_role("button", name="Mail me a code").click()
    other.wait_for_url("**/sign-in/code/")
    page.goto("/account/")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my data").click()
    assert "Zebra tamer" in download.value.path().read_text()
    page.get_by_role("link", name="Delete my account").click()
    page.get_by_label("Your address").fill("ana@example")
    page.get_by_role("button", name="Delete my account for good").click()
    page.get_by_text("This is not your address. Nothing was deleted.").wait_for()
    page.get_by_label("Your address").fill(ANA)
    page.get_by_role("button", name="Delete my account for good").click()
    page.get_by_text("Your account is deleted").wait_for()

    assert says(ANA, uid_of(ANA), "Zebra tamer") == set()
    assert (User.objects.count(), DeletedAddress.objects.count()) == (0, 1)
    other.reload()
    assert other.url.endswith("/sign-in/")


@pytest.mark.parametrize(("width", "dark"), [(320, False), (1280, True)])
def test_every_step_is_accessible_and_whole_on_a_narrow_phone(browse, smtp, width, dark):
    person(ANA)
    page, found = browse(width=width, dark=dark), []
    sign_in(page, smtp, ANA)
    page.wait_for_url("**/jobs/")
    for path in ("/account/", "/account/delete/", "/account/address/"):
        settled(page, path)
        if path != "/account/":  # a wrong address to leave by, a new one to go to
            page.get_by_label("address").first.fill(NEW)
            page.get_by_label("address").first.press("Enter")
            page.wait_for_load_state("networkidle")
        found += troubles(page)
        found += [path] * (page.evaluate("document.documentElement.scrollWidth") > width)
    assert page.url.endswith("/account/address/code/")
    assert found == []


def code_for(smtp, address: str) -> str:
    mails = [one.raw for one in smtp.accepted]
    theirs = [
        raw for raw in mails if message_from_bytes(raw, policy=policy.default)["To"] == address
    ]
    return code_in(theirs[-1])
