"""My jobs in a real browser: thumbs, never this again and undo, near misses."""

import re

import pytest

from accounts.models import Search
from jobs import recent
from jobs.models import Job, Thumb
from tests.browser.pages import a_user_with_everything

pytestmark = pytest.mark.process


@pytest.fixture
def ana(smtp):
    recent.forget()
    return a_user_with_everything()


def first(page):
    """The first job that was mailed."""
    return page.locator("#mailed + ol > li").first


@pytest.mark.parametrize("javascript", [True, False])
def test_a_thumb_is_given_and_taken_back_where_one_stands(browse, ana, javascript):
    page = browse(ana, javascript=javascript)
    page.goto("/jobs/")
    more = first(page).get_by_role("button", name="More like this")
    for pressed, given in (("true", [True]), ("false", [])):
        more.focus()
        page.keyboard.press("Enter")
        first(page).locator(f"[aria-pressed={pressed}][id^=up-]").wait_for()
        assert list(Thumb.objects.values_list("up", flat=True)) == given
        assert javascript == bool(more.evaluate("one => one === document.activeElement"))
        assert page.url.endswith("/jobs/") == javascript  # else: the job's own place in the page


@pytest.mark.parametrize("javascript", [True, False])
def test_never_this_country_in_one_click_and_undone_in_another(browse, ana, javascript):
    page = browse(ana, javascript=javascript, width=390)
    page.goto("/jobs/")
    first(page).get_by_role("button", name="Never clients from Germany").click()
    page.get_by_text("From now on no jobs of clients in Germany come.").wait_for()
    assert Search.objects.get().countries_exclude == ["DE"]
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone: jobs of clients in Germany may come again.").wait_for()
    assert Search.objects.get().countries_exclude == []


@pytest.mark.parametrize("javascript", [True, False])
def test_never_this_word_chosen_or_typed(browse, ana, javascript):
    Job.objects.update(title="Django for a zebra")
    page = browse(ana, javascript=javascript)
    page.goto("/jobs/")
    first(page).get_by_text("Never this word").click()
    if not javascript:
        first(page).get_by_role("link", name="Choose the word").click()
    page.get_by_role("button", name="zebra", exact=True).click()
    page.get_by_text("From now on no jobs that name “zebra” come.").wait_for()
    assert page.url.endswith("/jobs/")
    first(page).get_by_text("Never this word").click()
    if not javascript:
        first(page).get_by_role("link", name="Choose the word").click()
    page.get_by_label("A word that no job should name").fill("casino")
    page.keyboard.press("Enter")
    page.get_by_text("From now on no jobs that name “casino” come.").wait_for()
    assert Search.objects.get().words_none == ["zebra", "casino"]


def test_near_misses_come_by_themselves_and_lead_to_why_and_to_the_setting(browse, ana):
    page = browse(ana)
    page.goto("/jobs/")
    missed = page.locator("#near .jobs > li").first
    missed.get_by_role("link", name="Why not?").click()
    page.get_by_text("Your floor is $50/h; the post offers up to $30/h.").wait_for()
    page.go_back()
    missed.get_by_role("link", name=re.compile("Hourly rate")).click()
    page.wait_for_url("**/preferences/?edit=1#id_search-1-min_hourly")
    assert page.locator("#id_search-1-min_hourly").input_value() == "50"


def test_near_misses_without_scripts_are_a_page(browse, ana):
    page = browse(ana, javascript=False)
    page.goto("/jobs/")
    page.get_by_role("link", name="Show what your searches only just kept out").click()
    page.wait_for_url("**/jobs/near/")
    assert page.locator(".jobs > li").count() == 3


def test_nothing_moves_while_near_misses_come(browse, ana):
    page = browse(ana, width=390)
    page.goto("/jobs/")
    page.locator("#near .jobs").wait_for()
    shifted = page.evaluate(
        """() => new Promise(done => {
            let sum = 0;
            new PerformanceObserver(list => list.getEntries().forEach(one => { sum += one.value; }))
                .observe({type: "layout-shift", buffered: true});
            setTimeout(() => done(sum), 200);
        })"""
    )
    assert shifted < 0.1
