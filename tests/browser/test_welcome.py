"""The first run in a real browser: from the front page to a search at work, in few steps."""

import pytest

from accounts.models import Preferences, Search
from deliveries.scan import scan
from deliveries.work.clock import Clock
from jobs import recent
from tests.browser.conftest import code_in
from tests.factories import JobFactory

MOST = 12
PROFILE = "Ten years of Django and PostgreSQL, a little Redis. Ask me about Go."


@pytest.fixture(autouse=True)
def _no_table_kept():
    recent.forget()
    yield
    recent.forget()


class Counted:
    """A visitor whose every fill and click counts."""

    def __init__(self, page):
        self.page, self.count = page, 0

    def fill(self, label, text):
        self.count += 1
        self.page.get_by_label(label).first.fill(text)

    def click(self, name):
        self.count += 1
        self.page.get_by_role("button", name=name, exact=True).last.click()


def signed_up(page, smtp) -> Counted:
    visitor = Counted(page)
    page.goto("/")
    visitor.fill("Your e-mail address", "ana@example.com")
    visitor.click("Mail me a code")
    page.wait_for_url("**/sign-in/code/")
    visitor.fill("Code from the mail", code_in(smtp.accepted[-1].raw))
    visitor.click("Sign in")
    page.wait_for_url("**/welcome/")
    return visitor


@pytest.mark.parametrize("javascript", [True, False])
def test_from_the_front_page_to_the_first_alert_in_twelve_interactions(
    browse, smtp, settings, wall, javascript
):
    settings.SCOUT_SOURCES = []
    JobFactory.create(title="Django shop")
    page = browse(javascript=javascript, width=390)
    visitor = signed_up(page, smtp)
    visitor.fill("Your work in one line", "Django developer")
    visitor.fill("About you", PROFILE)
    visitor.click("Suggest skills from this")
    page.get_by_text("4 skills found").wait_for()
    visitor.click("Next")
    page.wait_for_url("**/welcome/work/")
    visitor.click("Next")
    page.wait_for_url("**/welcome/mail/")
    scan(Clock(), wall)
    assert len(smtp.accepted) == 1  # the code
    visitor.click("Finish")
    page.get_by_text("You are set up.").wait_for()
    assert visitor.count <= MOST - 2
    assert Search.objects.get().skills == ["Django", "PostgreSQL", "Redis", "Go"]
    scan(Clock(), wall)
    assert b"Django shop" in smtp.accepted[-1].raw


def test_the_preview_follows_what_is_typed_and_the_zone_is_the_browsers(chromium, site, smtp):
    JobFactory.create(title="Django shop")
    context = chromium.new_context(base_url=site, timezone_id="Asia/Tokyo")
    page = context.new_page()
    visitor = signed_up(page, smtp)
    beside = page.get_by_role("complementary")
    beside.get_by_text("Say what you do").wait_for()
    visitor.fill("Your work in one line", "Django developer")
    visitor.fill("Skills", "Django")
    beside.get_by_text("All 1 recent jobs would have been sent").wait_for()
    assert page.evaluate("document.activeElement.name") == "search-1-skills"
    visitor.click("Next")
    page.wait_for_url("**/welcome/work/")
    visitor.fill("Hourly rate, at least", "900")
    beside.get_by_text("None of the 1 recent jobs").wait_for()
    beside.get_by_text("Near misses").wait_for()
    visitor.fill("Hourly rate, at least", "plenty")
    beside.get_by_text("'plenty' is not a number").wait_for()
    visitor.fill("Hourly rate, at least", "40")
    beside.get_by_text("All 1 recent jobs").wait_for()
    visitor.click("Next")
    page.wait_for_url("**/welcome/mail/")
    assert page.get_by_label("Time zone").input_value() == "Asia/Tokyo"
    page.get_by_text("Taken from your browser").wait_for()
    visitor.click("Finish")
    page.wait_for_url("**/jobs/")
    assert Preferences.objects.get().timezone == "Asia/Tokyo"
    context.close()


def test_who_goes_away_finds_everything_again(browse, smtp):
    page = browse()
    visitor = signed_up(page, smtp)
    visitor.fill("Your work in one line", "Django developer")
    page.get_by_label("Your work in one line").press("Enter")  # goes on, as the button does
    page.wait_for_url("**/welcome/work/")
    visitor.fill("Fixed price, at least", "a lot")
    visitor.click("Next")
    page.get_by_text("Nothing was saved yet").wait_for()
    assert page.get_by_label("Fixed price, at least").input_value() == "a lot"
    page.goto("/preferences/")
    page.get_by_role("link", name="Go on setting up").click()
    page.wait_for_url("**/welcome/")
    assert page.get_by_label("Your work in one line").input_value() == "Django developer"
    assert not Search.objects.get().active


LAYOUT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(sum), 1500);
})"""


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_when_the_preview_arrives(browse, smtp, width):
    JobFactory.create_batch(8)
    page = browse(width=width)
    visitor = signed_up(page, smtp)
    visitor.fill("Skills", "Django")
    visitor.click("Next")
    for path in ("/welcome/", "/welcome/work/", "/welcome/mail/", "/preferences/"):
        page.goto(path)
        assert page.evaluate(LAYOUT) < 0.1
        assert page.get_by_text("8 recent jobs").first.is_visible()
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0
