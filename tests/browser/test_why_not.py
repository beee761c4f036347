"""Why not? in a real browser."""

import pytest

from jobs.models import Job
from tests.factories import JobFactory, person

pytestmark = pytest.mark.process


@pytest.mark.parametrize("javascript", [True, False])
def test_a_pasted_address_tells_the_whole_way(browse, javascript):
    ana = person("ana@example.com", skills=["Django"], min_hourly=90)
    job = JobFactory.create(title="A cheap Django job")
    page = browse(ana, javascript=javascript, width=390)
    page.goto("/why/")
    page.get_by_label("Address of the job").fill("banana")
    page.keyboard.press("Enter")
    page.get_by_text("“banana” is no address of a job.").wait_for()
    address = page.get_by_label("Address of the job")
    assert address.get_attribute("aria-invalid") == "true"
    address.fill(f"{job.url}?source=rss")
    page.get_by_role("button", name="Why?").click()
    page.get_by_role("heading", name="It was not mailed to you").wait_for()
    page.get_by_text("Your floor is $90/h; the post offers up to $60/h.").wait_for()
    address.fill("https://www.upwork.com/jobs/~021990000000000999999")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="We never saw this job").wait_for()
    assert Job.objects.count() == 1
