"""The page about delivery in a real browser: pause, sample, weekly note."""

import re
from email import message_from_bytes, policy

import pytest
from playwright.sync_api import expect

from accounts.models import Preferences
from jobs import recent
from tests.factories import JobFactory, person


@pytest.fixture(autouse=True)
def _nothing_kept():
    recent.forget()
    yield
    recent.forget()


@pytest.mark.parametrize("javascript", [True, False])
def test_mail_is_paused_and_goes_on(browse, javascript):
    page = browse(person(timezone="Europe/Lisbon"), javascript=javascript)
    page.goto("/mail/")
    page.get_by_role("button", name="Until tomorrow").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Job mail is paused")
    assert Preferences.objects.get().paused_until is not None
    page.get_by_role("button", name="End the pause now").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Job mail is on")
    assert Preferences.objects.get().paused_until is None


def test_a_pause_until_a_moment_of_ones_own(browse):
    page = browse(person(timezone="Europe/Lisbon"), width=390)
    page.goto("/mail/")
    page.get_by_label("Or until").fill("2035-06-01T09:00")
    page.get_by_role("button", name="Pause until then").click()
    expect(
        page.get_by_text("It starts again on Fri 1 Jun 2035, 09:00 (Europe/Lisbon)")
    ).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
def test_a_sample_arrives_once_even_by_a_double_click(browse, smtp, javascript):
    JobFactory(title="Django API for parcels")
    page = browse(person(min_score=0), javascript=javascript)
    page.goto("/mail/")
    page.get_by_role("button", name="Send me a sample").dblclick()
    told = re.compile("it is (on its way to you|being sent)")  # by the first click, or the second
    expect(page.get_by_role("status").first).to_contain_text(told, timeout=20_000)
    page.reload()
    expect(page.locator(".mails li").first).to_contain_text("· sent")
    [mail] = smtp.accepted
    message = message_from_bytes(mail.raw, policy=policy.default)
    assert message["Subject"] == "Sample: 1 job your searches would have sent"
    expect(page.locator(".mails li").first).to_contain_text(message["Subject"])


def test_the_weekly_note_is_switched_on_and_off(browse):
    page = browse(person(), dark=True)
    page.goto("/mail/")
    for wanted in (True, False):
        page.get_by_label("Tell me once a week when nothing matched").set_checked(wanted)
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("Saved.")).to_be_visible()
        assert Preferences.objects.get().weekly_note is wanted


def test_what_is_wrong_can_be_mended_from_the_list(browse):
    page = browse(person(), width=390)
    page.goto("/mail/")
    page.get_by_label("Time zone").fill("Mars/Base")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("alert").get_by_role("link", name="Time zone").click()
    expect(page).to_have_url(re.compile("#id_mail-timezone$"))
    page.get_by_label("Time zone").fill("Asia/Tokyo")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert Preferences.objects.get().timezone == "Asia/Tokyo"
