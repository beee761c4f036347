"""Searches in a real browser: the preview follows edits; copies, errors, and no JavaScript."""

import pytest

from accounts.models import Search
from jobs import recent
from tests.browser.conftest import session_of
from tests.factories import JobFactory, person


@pytest.fixture(autouse=True)
def _no_table_kept():
    recent.forget()
    yield
    recent.forget()


def test_the_preview_follows_edits_of_the_search_that_is_open(browse):
    JobFactory.create(title="Django shop")
    page = browse(person(searches=[{"name": "A", "skills": ["Go"]}, {"name": "B"}]))
    page.goto("/preferences/")
    first, second = page.locator("#preview-1-words"), page.locator("#preview-2-words")
    first.get_by_text("None of the 1 recent jobs").wait_for()
    page.locator("#id_search-1-skills").fill("Django")
    first.get_by_text("All 1 recent jobs").wait_for()
    page.get_by_role("button", name="Edit B").click()
    second.get_by_text("All 1 recent jobs").wait_for()
    page.locator("#id_search-2-min_score").fill("101")
    second.get_by_text("Mend this").wait_for()
    assert page.evaluate("document.activeElement.id") == "id_search-2-min_score"
    page.locator("#id_search-2-min_score").fill("100")
    second.get_by_text("None of the 1 recent jobs").wait_for()
    assert list(Search.objects.values_list("skills", flat=True)) == [["Go"], ["Django"]]
    page.get_by_role("button", name="Save", exact=True).last.click()
    page.get_by_text("Saved.", exact=True).wait_for()
    assert list(Search.objects.values_list("skills", flat=True)) == [["Django"], ["Django"]]


@pytest.mark.parametrize("javascript", [True, False])
def test_a_search_is_copied_changed_and_deleted(browse, javascript):
    page = browse(person(headline="Django developer"), javascript=javascript)
    page.goto("/preferences/")
    page.get_by_text("Name of this search, switching it off").click()
    page.get_by_role("button", name="Copy this search").click()
    page.locator("#id_search-2-headline").fill("Go developer")
    page.get_by_role("button", name="Save", exact=True).last.click()
    page.get_by_text("Saved.", exact=True).wait_for()
    found = list(Search.objects.values_list("name", "headline"))
    assert found == [("My search", "Django developer"), ("My search copy", "Go developer")]
    page.get_by_label("Delete this search when I save").first.check()
    page.get_by_role("button", name="Save", exact=True).last.click()
    page.get_by_text("Saved.", exact=True).wait_for()
    assert Search.objects.get().headline == "Go developer"


def test_without_javascript_a_button_shows_what_would_have_come(browse):
    JobFactory.create(title="Django shop")
    page = browse(person(), javascript=False)
    page.goto("/preferences/")
    page.get_by_label("Your work in one line").fill("typed")
    page.get_by_role("button", name="Show what this would have sent").click()
    page.get_by_text("All 1 recent jobs would have been sent").wait_for()
    page.get_by_role("link", name="Django shop").wait_for()
    assert page.get_by_label("Your work in one line").input_value() == "typed"
    assert Search.objects.get().headline == ""


def test_an_error_is_reached_from_the_list_of_errors(browse):
    page = browse(person())
    page.goto("/preferences/")
    page.get_by_text("The client", exact=True).click()
    page.get_by_label("Rating, at least").fill("9")
    page.get_by_label("Your work in one line").press("Enter")
    page.get_by_text("Nothing was saved yet").wait_for()
    page.get_by_role("link", name="Rating, at least").click()
    rating = page.get_by_label("Rating, at least")
    assert (rating.input_value(), rating.get_attribute("aria-invalid")) == ("9", "true")
    assert rating.is_visible()


def test_a_preview_that_cannot_be_fetched_says_so(chromium, site):
    JobFactory.create()
    context = chromium.new_context(base_url=site)
    context.add_cookies([{"name": "sessionid", "value": session_of(person()), "url": site}])
    page = context.new_page()
    page.goto("/preferences/")
    page.get_by_text("All 1 recent jobs").wait_for()
    failed = page.get_by_text("cannot be shown just now")
    assert not failed.is_visible()
    context.set_offline(True)
    page.get_by_label("Your work in one line").fill("typed")
    failed.wait_for()
    context.set_offline(False)
    page.get_by_label("Your work in one line").fill("typed again")
    failed.wait_for(state="hidden")
    context.close()
