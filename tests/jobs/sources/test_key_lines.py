"""Facts at the end of a feed item's description."""

from jobs.sources.key_lines import split_facts

UPWORK = (
    "Budget: whatever it takes<br />We build a shop.<br /><br /><b>Hourly Range</b>: $20.00-$40.00"
    "\n\n<br /><b>Posted On</b>: July 15, 2024 10:30 UTC<br /><b>Category</b>: Web Development"
    "<br /><b>Skills</b>:PHP,     R&amp;D     \n<br /><b>Skills</b>:     PHP,     \n  R&amp;D   "
    "<br /><b>Country</b>: United States\n"
    '<br /><a href="https://www.upwork.com/jobs/x?source=rss">click to apply</a>\n'
)


def test_upwork_lines_become_facts_and_leave_the_text():
    text, facts = split_facts(UPWORK)
    assert text == "Budget: whatever it takes<br />We build a shop.<br />"
    assert facts == {
        "hourly_range": "$20.00-$40.00",
        "posted_on": "July 15, 2024 10:30 UTC",
        "category": "Web Development",
        "skills": "PHP, R&D",
        "client_country": "United States",
    }


def test_lines_may_be_paragraphs_or_plain():
    for written in (
        "Text<p>Budget: $500</p><p>Country: Spain</p>",
        "Text\nBudget: $500\nCountry: Spain",
    ):
        text, facts = split_facts(written)
        assert (text.startswith("Text"), "Budget" in text) == (True, False)
        assert facts == {"budget": "$500", "client_country": "Spain"}


def test_what_clients_write_is_their_text():
    for written in ("Budget: $500<br />Please apply.", "Note: call me", "", "<br />", "a<br>b"):
        assert split_facts(written) == (written, {})
