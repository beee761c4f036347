"""Where a page leads back to, whatever a browser claims."""

import pytest
from django.test import RequestFactory

from deliveries.pages.back import back, came_from, place_of


def request(**headers):
    return RequestFactory().get("/jobs/?a=b", headers=headers)


@pytest.mark.parametrize("place", ["http://[", "//evil.example/jobs/", "https://evil.example/why/"])
def test_what_is_no_page_of_ours_is_passed_over(place):
    scripted = request(**{"hx-request": "true", "hx-current-url": place})
    assert (came_from(scripted), place_of(scripted)) == ("/jobs/", "/jobs/?a=b")
    assert came_from(request(referer=place)) == "/jobs/"
    assert back(RequestFactory().post("/", {"back": place}))["Location"] == "/jobs/"
