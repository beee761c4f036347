"""The example alert of the front page is a real mail about an invented job."""

import re

from deliveries.pages.example import example_mail
from tests.accounts.signing_in import browser


def test_it_is_scored_and_worded_as_any_job_is():
    mail = example_mail()
    assert mail.subject == "Django developer for a booking system · $45–70/h"
    assert b"Names 3 of your 3 skills" in mail.raw


def test_anybody_may_frame_it_on_this_site_only_and_its_links_lead_nowhere():
    answer = browser().get("/example/")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert re.findall(r"href=|<script|<form", page) == []
    assert answer["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in answer["Content-Security-Policy"]
    assert "More like this" in page
