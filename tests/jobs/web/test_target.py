"""Web addresses taken apart."""

import pytest

from jobs.web.target import TargetError, target_of


def test_an_address_is_taken_apart_with_its_credentials():
    target = target_of("HTTPS://ana:se%40cret@Feeds.Example.:8443/a b?q=ü#top", allow_http=False)
    assert (target.scheme, target.host, target.port) == ("https", "feeds.example", 8443)
    assert (target.auth, target.path) == ("ana:se%40cret", "/a%20b?q=%C3%BC")
    assert target.url == "https://feeds.example:8443/a%20b?q=%C3%BC"


def test_an_ip_address_of_version_six_keeps_its_brackets_for_the_server_alone():
    target = target_of("https://[2606:4700::1111]/x", allow_http=False)
    assert (target.host, target.host_header) == ("2606:4700::1111", "[2606:4700::1111]")


@pytest.mark.parametrize(
    "url",
    [
        *("", "x", "//host/x", "ftp://h/x", "file:///etc/passwd", "https://", "https:///x"),
        *("http://[", "https://h:99999/", "gopher://h/", "javascript:alert(1)", "http://h/"),
    ],
)
def test_what_is_not_asked(url):
    with pytest.raises(TargetError) as raised:
        target_of(url, allow_http=False)
    assert not url or url not in str(raised.value)
