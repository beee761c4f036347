"""Ids and links of jobs."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.postings.identifiers import canonical_id, job_id_from, job_url
from jobs.postings.links import title_in_url

NEW = "upwork:1990000000000000123"
OLD = "upwork:01abcdef0123456789"


@pytest.mark.parametrize(
    ("raw", "job_id"),
    [
        ("~021990000000000000123", NEW),
        ("021990000000000000123", NEW),
        ("1990000000000000123", NEW),
        (1990000000000000123, NEW),
        ("%7E021990000000000000123", NEW),
        ("upwork:021990000000000000123", NEW),
        ("UpWork:~021990000000000000123", NEW),
        ("~01ABCDEF0123456789", OLD),
        ("upwork:h362cb4b2133f66", "upwork:h362cb4b2133f66"),
        ("freelancer.com:36736173", "freelancercom:36736173"),
        ("abc-1", "import:abc-1"),
        ("~011", None),
        (1.99e18, None),
        (True, None),
        (None, None),
    ],
)
def test_every_form_of_an_id_is_one_id(raw, job_id):
    assert job_id_from(raw) == job_id


@pytest.mark.parametrize(
    ("url", "job_id"),
    [
        ("https://www.upwork.com/jobs/Some-job_~021990000000000000123/?source=rss", NEW),
        ("https://www.upwork.com/jobs/Some-job_%7E01abcdef0123456789", OLD),
        ("/jobs/span-class-highlight_~021990000000000000123/?referrer=x", NEW),
        ("https://www.upwork.com/freelance-jobs/apply/~021990000000000000123/", NEW),
        ("https://www.upwork.com/nx/search/jobs/", None),
        ("https://www.freelancer.com/projects/php/Some-site-36736173", "freelancercom:36736173"),
        ("https://www.workana.com/job/some-site?ref=1", "workana:some-site"),
        ("https://mostaql.com/project/123456-x", "mostaql:123456"),
        ("https://evil.example/jobs/~021990000000000000123", None),
        ("https://[::1", None),
    ],
)
def test_an_id_is_found_in_a_url(url, job_id):
    assert job_id_from(None, url) == job_id
    assert job_id_from("7", url) == (job_id or job_id_from("7", url))


@pytest.mark.parametrize(
    "spelling",
    [
        "www.upwork.com/jobs/~021990000000000000123",
        "upwork.com/jobs/Some-job_~021990000000000000123?a=b",
        "//www.upwork.com/jobs/~021990000000000000123",
        "HTTPS://WWW.UPWORK.COM/jobs/~021990000000000000123",
        "https://www.upwork.com/jobs/?a=1&amp;job=~021990000000000000123&amp;b=2",
        "https://www.upwork.com/jobs/~021990000000000000123&amp;amp;source=rss",
        "\ufeffhttps://www.upwork.com/jobs/~021990000000000000123\u200b",
        "https://www.upwork.com/jobs/\t~0219900000\u200b00000000123",
        '"https://www.upwork.com/jobs/~021990000000000000123"',
        '<a class="x" href="https://www.upwork.com/jobs/~021990000000000000123">Some job</a>',
        "<a href=/jobs/~021990000000000000123>Some job</a>",
        "https:/www.upwork.com/jobs/~021990000000000000123",
        "https:www.upwork.com/jobs/~021990000000000000123",
        "https:///www.upwork.com/jobs/~021990000000000000123",
        "<https://www.upwork.com/jobs/~021990000000000000123>",
        "[Some job](https://www.upwork.com/jobs/~021990000000000000123)",
        "https://www.upwork.com./jobs/~021990000000000000123",
        "https://www.upwork.com:443/jobs/~021990000000000000123",
        "https://www.upwork.com:8080/jobs/~021990000000000000123",
        "https://me@www.upwork.com/jobs/~021990000000000000123",
        "upwork.com:443/jobs/~021990000000000000123",
        "https://www.upwork.com/jobs/~021990000000000000123;jsessionid=1",
        "https://www.upwork.com/jobs/%257E021990000000000000123",
        "https://www.upwork.com/jobs/%25257e021990000000000000123",
        "https://www.upwork.com/nx/find-work/#~021990000000000000123",
        "https://www.upwork.com/nx/find-work/?job=~021990000000000000123",
        "https://www.upwork.com/login?redir=%252Fjobs%252F%257E021990000000000000123%252F",
        "https://www.upwork.com/jobs/\uff5e021990000000000000123",
        "https://www.upwork.com/jobs/~\uff10\uff1221990000000000000123".replace("21990", "1990"),
    ],
)
def test_every_spelling_of_a_url_gives_one_id(spelling):
    assert job_id_from(None, spelling) == job_id_from(spelling) == NEW
    assert job_id_from("7", spelling) == NEW


@pytest.mark.parametrize(
    "spelling",
    [
        "\ufeff~021990000000000000123",
        "~0219900000\u200b00000000123\x00",
        "'1990000000000000123'",
        '"~021990000000000000123"',
        "<~021990000000000000123>",
        "%257E021990000000000000123",
        "\uff5e021990000000000000123",
        "\u223c021990000000000000123",
        "&#126;021990000000000000123",
        "#~021990000000000000123",
        "?job=~021990000000000000123",
        "Some-job_~021990000000000000123",
        "apify:~021990000000000000123",
        "apify:1990000000000000123",
        "mycrawler:1990000000000000123",
        "some.tool-2:1990000000000000123",
        "job:1990000000000000123",
        "mycrawler:~021990000000000000123",
        "urn:job:~021990000000000000123",
        "job:upwork:1990000000000000123",
        "upwork_job:1990000000000000123",
        "upwork: '~021990000000000000123'",
    ],
)
def test_every_spelling_of_an_id_gives_one_id(spelling):
    assert job_id_from(spelling) == NEW


def test_what_only_resembles_upwork_is_left_where_it_is():
    assert job_id_from("workana:1990000000000000123") == "workana:1990000000000000123"
    assert job_id_from("sample:1990000000000000123") == "sample:1990000000000000123"
    assert job_id_from(None, "evil.example/jobs/~021990000000000000123") is None
    assert job_id_from("upwork.com.evil.example/jobs/~01") != NEW


def test_a_telling_id_wins_over_a_row_number_whatever_the_order():
    assert job_id_from(("7", "~021990000000000000123")) == NEW


def test_two_odd_ids_stay_two_and_hold_no_underscore():
    ids = {
        canonical_id("import", native) for native in ("a_b", "a-b", "a b", "a__b", "é", "a" * 200)
    }
    assert len(ids) == 6
    assert not any("_" in one for one in ids)


@given(st.text(), st.text())
def test_any_id_is_legal_and_its_own_answer(market, native):
    job_id = canonical_id(market, native)
    assert re.fullmatch(r"[a-z0-9]{1,30}:[A-Za-z0-9.~-]{1,100}", job_id)
    assert canonical_id(*job_id.split(":", 1)) == job_id_from(job_id) == job_id


@given(st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.none()), st.text())
def test_nothing_raises(raw, url):
    job_id = job_id_from(raw, url)
    assert job_id is None or "_" not in job_id
    assert job_url(job_id or "import:x", url).startswith(("https://", ""))


@pytest.mark.parametrize(
    ("job_id", "given_url", "url"),
    [
        (NEW, "javascript:alert(1)", "https://www.upwork.com/jobs/~021990000000000000123"),
        (OLD, "", "https://www.upwork.com/jobs/~01abcdef0123456789"),
        ("workana:x", "http://www.workana.com/job/x?ref=1", "https://www.workana.com/job/x"),
        ("workana:x", "https://www.workana.com.evil.example/job/x", ""),
        ("workana:x", "https://me:pw@www.workana.com/job/x", ""),
        ("workana:x", "https://www.workana.com:8443/job/x", ""),
        ("workana:x", "data:text/html,x", ""),
        (
            "workana:x",
            'https://www.workana.com/job/é"><b>',
            "https://www.workana.com/job/%C3%A9%22%3E%3Cb%3E",
        ),
        ("workana:x", "https://www.workana.com/job/x\n", "https://www.workana.com/job/x"),
        ("workana:x", "https://www.workana.com/job/x\ny", ""),
        ("sample:1", "https://www.upwork.com/jobs/~021990000000000000123", ""),
        ("import:1", "https://example.org/1", ""),
    ],
)
def test_links_are_built_or_checked(job_id, given_url, url):
    assert job_url(job_id, given_url) == url


def test_a_url_tells_a_lost_title():
    slug = "span-class-highlight-Neural-span-nets-for-span-class-highlight-birds-span"
    url = f"https://www.upwork.com/jobs/{slug}_~021990000000000000123/"
    assert title_in_url(url) == "Neural nets for birds"
