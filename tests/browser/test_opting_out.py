"""Stopping the mail by the link in it, and having it back, in a browser that is not signed in."""

from tests.browser.scanning import inbox, scan, unsubscribe_link
from tests.factories import JobFactory, person

ANA = "ana@example.com"


def test_after_the_link_in_a_mail_nothing_arrives_until_it_is_asked_for_again(browse, smtp):
    person(ANA, min_score=0)
    JobFactory.create(title="First job")
    assert scan()["mails_sent"] == 1
    page = browse(width=390)
    page.goto(unsubscribe_link(smtp))
    assert page.get_by_role("heading", level=1).inner_text() == "Stop the job mail?"
    page.get_by_role("button", name="Stop the mail").click()
    page.get_by_role("heading", name="No more job mail").wait_for()

    JobFactory.create(title="Second job")
    assert scan()["mails_sent"] == 0
    assert len(inbox(smtp, ANA)) == 1

    page.get_by_role("button", name="Send me jobs again").click()
    page.get_by_role("heading", name="Job mail is on").wait_for()
    scan()  # what came meanwhile is fresh still
    assert [subject.split(" · ")[0] for subject in inbox(smtp, ANA)] == ["First job", "Second job"]


def test_it_works_without_javascript_and_opening_the_page_stops_nothing(browse, smtp):
    person(ANA, min_score=0)
    JobFactory.create()
    scan()
    page = browse(javascript=False)
    page.goto(unsubscribe_link(smtp))
    page.reload()
    JobFactory.create()
    assert scan()["mails_sent"] == 1
    page.get_by_role("button", name="Stop the mail").click()
    JobFactory.create()
    assert scan()["mails_sent"] == 0
