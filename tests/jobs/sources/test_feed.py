"""Feeds over real HTTP on loopback: every kind, changed or not, in trouble and hostile."""

import logging
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from jobs.fetching import fetch_all
from jobs.models import Job, SourceState
from jobs.sources.feed import FeedSource
from jobs.web.asking import Rules

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
POSTED = datetime(2026, 11, 25, 10, 30, tzinfo=UTC)
LINK = "https://www.upwork.com/jobs/A-shop_%7E021990000000000000001?source=rss"
FACTS = "&lt;br /&gt;&lt;b&gt;Budget&lt;/b&gt;: $500&lt;br /&gt;&lt;b&gt;Country&lt;/b&gt;: Spain"
RSS = f"""<?xml version="1.0"?><rss version="2.0"><channel><title>Jobs</title>
<item><title>A shop &amp;amp; more - Upwork</title><link>{LINK}</link><guid>{LINK}</guid>
<description>Build &lt;b&gt;it&lt;/b&gt;.&lt;br /&gt;{FACTS}</description>
<category>Django</category><pubDate>Wed, 25 Nov 2026 10:30:00 +0000</pubDate></item>
<item><description>no title</description></item></channel></rss>"""
ATOM = f"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Jobs</title><entry><id>{LINK}</id>
<title>A shop &amp; more</title><link href="{LINK}"/><category term="Django"/>
<published>2026-11-25T11:30:00+01:00</published><updated>2026-11-25T12:00:00Z</updated>
<content type="html">Build &lt;b&gt;it&lt;/b&gt;.&lt;br /&gt;{FACTS}</content></entry></feed>"""
RDF = f"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="x"><title>Jobs</title></channel><item rdf:about="{LINK}">
<title>A shop &amp;amp; more</title><link>{LINK}</link><dc:subject>Django</dc:subject>
<dc:date>2026-11-25T10:30:00Z</dc:date><description>Build it.&lt;br /&gt;{FACTS}</description>
</item></rdf:RDF>"""
JSON = (
    '{"version": "https://jsonfeed.org/version/1.1", "items": [7, {"id": 5, "url": "LINK",'
    '"title": "A shop & more", "content_html": "Build <b>it</b>.<br /><b>Budget</b>: $500<br />'
    '<b>Country</b>: Spain", "date_published": "2026-11-25T10:30:00Z", "tags": ["Django"]}]}'
).replace("LINK", LINK)
MANY_ATTRIBUTES = "<rss " + " ".join(f"a{n}='x'" for n in range(50_000)) + "/>"
EMPTY = '<rss version="2.0"><channel><title>Jobs</title></channel></rss>'


def feed(url):
    return FeedSource("feed", url, Rules(allow_http=True, allow_private=True, seconds=5))


def fetch(httpserver, body, status=200, **headers):
    httpserver.clear()
    httpserver.expect_request("/feed").respond_with_data(body, status, headers)
    return feed(httpserver.url_for("/feed")).fetch(now=NOW, watermark="")


@pytest.mark.parametrize("body", [RSS, ATOM, RDF, JSON], ids=["rss", "atom", "rdf", "json"])
def test_every_kind_of_feed_gives_the_same_posting(httpserver: HTTPServer, body):
    fetched = fetch(httpserver, body)
    (posting,) = fetched.postings
    assert (fetched.state, posting.id) == ("ok", "upwork:1990000000000000001")
    assert posting.url == "https://www.upwork.com/jobs/~021990000000000000001"
    assert (posting.title, posting.description) == ("A shop & more", "Build it.")
    assert (posting.fixed_budget, posting.client_country) == (Decimal(500), "ES")
    assert (posting.skills, posting.posted_at) == (("Django",), POSTED)


def test_an_item_that_cannot_be_read_is_rejected_alone(httpserver: HTTPServer):
    fetched = fetch(httpserver, RSS)
    assert [str(rejection) for rejection in fetched.rejected] == ["title: no title"]
    fetched = fetch(httpserver, JSON)
    assert [(str(row), row.raw) for row in fetched.rejected] == [("not an object", 7)]


def test_of_very_many_items_the_first_are_read_and_it_says_so(httpserver: HTTPServer, monkeypatch):
    monkeypatch.setattr("jobs.sources.feed_items._MOST_ITEMS", 1)
    for body in (RSS, JSON.replace("[7, ", "[").replace("]}]}", "]}, 7]}")):
        fetched = fetch(httpserver, body)
        assert (len(fetched.postings), "items: the first" in fetched.detail) == (1, True)


@pytest.mark.django_db
def test_a_mark_of_quotes_alone_costs_no_job(httpserver: HTTPServer):
    marks = {"ETag": '"' * 200, "Last-Modified": "\\" * 100}
    httpserver.expect_request("/feed").respond_with_data(RSS, 200, marks)
    assert fetch_all([feed(httpserver.url_for("/feed"))], now=NOW).sources == {"feed": "ok"}


def test_not_modified_counts_only_where_it_was_asked(httpserver: HTTPServer):
    fetched = fetch(httpserver, RSS)  # without any mark
    httpserver.clear()
    httpserver.expect_request("/feed").respond_with_data("", 304)
    again = feed(httpserver.url_for("/feed")).fetch(now=NOW, watermark=fetched.watermark)
    assert again.state == "broken"


def conditional(httpserver, body=RSS):
    """A server that says that nothing has changed to whoever knows its marks."""

    def answer(request):
        if request.headers.get("If-None-Match") == '"v1"':
            assert request.headers["If-Modified-Since"] == "Wed, 25 Nov 2026 11:00:00 GMT"
            return Response(status=304)
        marks = {"ETag": '"v1"', "Last-Modified": "Wed, 25 Nov 2026 11:00:00 GMT"}
        return Response(body, headers=marks)

    httpserver.expect_request("/feed").respond_with_handler(answer)
    return feed(httpserver.url_for("/feed"))


@pytest.mark.parametrize(("body", "state"), [(RSS, "ok"), (EMPTY, "quiet")])
def test_an_unchanged_feed_is_not_sent_again(httpserver: HTTPServer, body, state):
    source = conditional(httpserver, body)
    first = source.fetch(now=NOW, watermark="")
    second = source.fetch(now=NOW, watermark=first.watermark)
    assert (second.state, second.postings, second.detail) == (state, (), "unchanged")
    assert second.watermark == first.watermark
    assert len(first.watermark) <= 500
    assert httpserver.log[1][1].status_code == 304


@pytest.mark.django_db
def test_what_could_not_be_stored_is_asked_for_whole_again(httpserver: HTTPServer, monkeypatch):
    source = conditional(httpserver)
    with monkeypatch.context() as broken:
        broken.setattr("jobs.fetching.store", lambda *_, **__: 1 / 0)
        assert fetch_all([source], now=NOW).sources == {"feed": "broken"}
    assert fetch_all([source], now=NOW, every_one=True).new_jobs == 1
    assert fetch_all([source], now=NOW).sources == {"feed": "ok"}
    assert [response.status_code for _, response in httpserver.log] == [200, 200, 304]
    assert Job.objects.get().trust == 20


@pytest.mark.parametrize("mark", ['"' + "x" * 999 + '"', '"a\tb"', '"é"'])
def test_a_mark_that_is_none_or_cannot_be_sent_is_not_sent(httpserver: HTTPServer, mark):
    fetched = fetch(httpserver, RSS, ETag=mark)
    feed(httpserver.url_for("/feed")).fetch(now=NOW, watermark=fetched.watermark)
    feed(httpserver.url_for("/feed")).fetch(now=NOW, watermark="nonsense")
    assert not any("If-None-Match" in request.headers for request, _ in httpserver.log)


@pytest.mark.parametrize(
    ("body", "status", "state"),
    [
        (EMPTY, 200, "quiet"),
        ('{"version": "https://jsonfeed.org/version/1", "items": []}', 200, "quiet"),
        ("", 200, "broken"),
        ("", 304, "broken"),
        ("hello", 200, "broken"),
        ('{"items": []}', 200, "broken"),
        ("{", 200, "broken"),
        ("[" * 100_000, 200, "broken"),
        ("<rss version='2.0'><channel><item><ti", 200, "broken"),
        ("<rss version='2.0'><channel><item><a>x</a></item></channel></rss>", 200, "broken"),
        ("<sitemap></sitemap>", 200, "broken"),
        ("<a>" * 400_000, 200, "broken"),
        ("<html><title>Just a moment...</title></html>", 200, "blocked"),
        ("<html><title>Log In - Upwork</title></html>", 200, "logged_out"),
        ("<!-- <b> --><!DOCTYPE html><html><title>Sign in</title>", 200, "logged_out"),
        ("<div><form><input type='password'></form></div>", 200, "logged_out"),
        ('{"error": "login_required"}', 200, "logged_out"),
        ("Please log in to continue", 200, "logged_out"),
        ("captcha required", 200, "blocked"),
        ("<rss version='2.0'><item><title>Captcha is blocked", 200, "broken"),
        ('{"version": "https://jsonfeed.org/version/1", "items": [7, 8]}', 200, "broken"),
        (MANY_ATTRIBUTES, 200, "broken"),
        ("<rss>" + "<a>" * 300 + "</a>" * 300 + "</rss>", 200, "broken"),
        ("<rss>" + "<link>x</link>" * 150_000 + "</rss>", 200, "broken"),
        ("<?xml version='1.0' encoding='undefined'?><rss/>", 200, "broken"),
        ("", 401, "unauthorised"),
        ("", 404, "broken"),
        ("", 429, "throttled"),
        ("", 500, "broken"),
    ],
)
def test_no_postings_has_a_reason(httpserver: HTTPServer, body, status, state):
    fetched = fetch(httpserver, body, status)
    assert (fetched.state, fetched.postings) == (state, ())
    assert (fetched.detail != "") == (state != "quiet")


def test_a_wait_it_asks_for_is_handed_on(httpserver: HTTPServer):
    assert fetch(httpserver, "", 429, **{"Retry-After": "7200"}).retry_after == 7200


def test_a_log_in_page_after_a_redirect_is_known(httpserver: HTTPServer):
    page = "<html><title>Log In - Upwork</title></html>"
    with HTTPServer(port=0) as elsewhere:
        elsewhere.expect_request("/login").respond_with_data(page)
        fetched = fetch(httpserver, "", 302, Location=elsewhere.url_for("/login"))
    assert fetched.state == "logged_out"


def test_what_could_be_read_of_a_sloppy_feed_is_kept(httpserver: HTTPServer):
    fetched = fetch(httpserver, RSS.replace("&amp;amp;", "&nbsp;&").replace("</channel></rss>", ""))
    assert (fetched.state, len(fetched.postings)) == ("ok", 1)
    assert fetched.detail == "Not well-formed XML: what could be read was."


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_feeds_come_in_encodings(httpserver: HTTPServer, encoding):
    body = RSS.replace('"1.0"', f'"1.0" encoding="{encoding.removesuffix("-sig")}"')
    fetched = fetch(httpserver, body.replace("A shop", "Ä shöp").encode(encoding))
    assert fetched.postings[0].title == "Ä shöp & more"


@pytest.mark.parametrize("said", ["utf-16", "cp037", "undefined", "nonsense"])
def test_the_server_may_be_wrong_about_the_encoding(httpserver: HTTPServer, said):
    kind = {"Content-Type": f"application/rss+xml; charset={said}"}
    fetched = fetch(httpserver, RSS.replace("A shop", "Ä shop"), **kind)
    assert fetched.postings[0].title == "Ä shop & more"


def test_entities_of_its_own_do_not_grow(httpserver: HTTPServer):
    more = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY l0 "ha">{more}]>'
    fetched = fetch(
        httpserver, RSS.replace('<?xml version="1.0"?>', bomb).replace("A shop", "&l9;")
    )
    assert len(repr(fetched)) < 5_000


@pytest.mark.parametrize("outer", ["file://{path}", "http://localhost:{port}/leak"])
def test_outer_entities_are_not_fetched(httpserver: HTTPServer, tmp_path, outer):
    (tmp_path / "secret").write_text("a secret")
    address = outer.format(path=tmp_path / "secret", port=httpserver.port)
    kinds = f'<!DOCTYPE rss SYSTEM "{address}" [<!ENTITY x SYSTEM "{address}">]>'
    body = RSS.replace('<?xml version="1.0"?>', kinds).replace("A shop", "A shop &x;")
    fetched = fetch(httpserver, body)
    assert "a secret" not in repr(fetched)
    assert [request.path for request, _ in httpserver.log] == ["/feed"]


@pytest.mark.django_db
@pytest.mark.parametrize("status", [200, 401, 500])
def test_the_address_is_told_nowhere(httpserver: HTTPServer, caplog, status):
    caplog.set_level(logging.DEBUG)
    httpserver.expect_request("/feed").respond_with_data(RSS, status)
    address = httpserver.url_for("/feed").replace("http://", "http://ana:s3cr3t@")
    fetch_all([feed(address), feed("http://ana:s3cr3t@127.0.0.1:9/feed")], now=NOW)
    ours = [r.getMessage() for r in caplog.records if r.name != "werkzeug"]
    assert "s3cr3t" not in repr(list(SourceState.objects.values())) + repr(ours)
