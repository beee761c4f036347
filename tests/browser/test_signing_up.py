"""Signing in and saving preferences in a real browser, with and without JavaScript."""

from email import message_from_bytes, policy

import pytest

from accounts.models import Search, User
from tests.accounts.signing_in import CODE


@pytest.mark.parametrize("javascript", [True, False])
def test_somebody_signs_up_says_what_they_want_and_signs_out(browse, smtp, javascript):
    page = browse(javascript=javascript)
    page.goto("/")
    page.get_by_label("Your e-mail address").fill("Ana@Example.com")
    page.get_by_role("button", name="Mail me a code").dblclick()
    page.wait_for_url("**/sign-in/code/")
    message = message_from_bytes(smtp.accepted[-1].raw, policy=policy.default)
    page.get_by_label("Code from the mail").fill("1234")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("This is not the code").wait_for()
    page.get_by_label("Code from the mail").fill(CODE.search(message["Subject"])[0])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/welcome/")

    page.goto("/preferences/")
    page.get_by_label("Your work in one line").fill("Django developer")
    page.get_by_label("Skills").fill("Django, PostgreSQL")
    page.get_by_text("The work", exact=True).click()
    page.get_by_label("Hourly rate, at least (US dollars)").fill("a lot")
    page.get_by_label("Your work in one line").press("Enter")  # saves, as the first button does
    page.get_by_text("Nothing was saved yet").wait_for()
    rate = page.get_by_label("Hourly rate, at least (US dollars)")
    assert (rate.input_value(), rate.get_attribute("aria-invalid")) == ("a lot", "true")
    rate.fill("40")
    page.get_by_label("Once a day, a digest of the best ones").check()
    page.get_by_role("button", name="Add another search").click()
    page.locator("#id_search-2-name").fill("Writing")
    page.locator("#id_search-2-headline").fill("Copywriter")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.", exact=True).wait_for()

    user = User.objects.get()
    assert user.preferences.mode == "daily"
    assert list(Search.objects.values_list("name", "headline", "skills", "min_hourly")) == [
        ("My search", "Django developer", ["Django", "PostgreSQL"], 40),
        ("Writing", "Copywriter", [], None),
    ]
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in/")
    assert len(smtp.accepted) == 1 if javascript else len(smtp.accepted) <= 2
