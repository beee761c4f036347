"""Asking over real HTTP on loopback: bounded in every way, and only where it may."""

import base64
import gzip
import os
import socket
import ssl
import threading
import time
import zlib
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pytest_httpserver import HTTPServer

from jobs.web import asking
from jobs.web.addresses import is_public
from jobs.web.asking import AskError, Rules, ask

HERE = Rules(allow_http=True, allow_private=True, seconds=5, most=1024 * 1024)


def get(url, rules=HERE, **headers):
    return ask(url, headers=headers, rules=rules)


def told_by(url):
    """What the error says; it must not carry another one, whose words may hold the address."""
    with pytest.raises(AskError) as raised:
        get(url)
    assert raised.value.__cause__ is None
    return str(raised.value)


def serve(httpserver, body=b"hello", status=200, path="/x", **headers):
    httpserver.expect_request(path).respond_with_data(body, status, headers)
    return httpserver.url_for(path)


@contextmanager
def raw_server(answer):
    """A server that calls `answer(socket)` for every connection."""
    listening = socket.create_server(("127.0.0.1", 0))

    def run():
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                try:
                    connection.recv(65_536)
                    answer(connection)
                except OSError:
                    pass

    threading.Thread(target=run, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/x"
    finally:
        listening.close()


def test_an_answer_comes_whole_with_lower_case_headers(httpserver: HTTPServer):
    answer = get(serve(httpserver, b"hello", 418, ETag='"1"'), Accept="text/x")
    assert (answer.status, answer.body, answer.headers["etag"]) == (418, b"hello", '"1"')
    assert httpserver.log[0][0].headers["Accept"] == "text/x"


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
def test_packed_answers_are_unpacked(httpserver: HTTPServer, packing):
    plain = b"hello" * 1000
    packed = gzip.compress(plain) if packing == "gzip" else zlib.compress(plain)
    url = serve(httpserver, packed, **{"Content-Encoding": packing})
    assert get(url).body == b"hello" * 1000


@pytest.mark.parametrize(
    ("body", "packing", "said"),
    [
        (gzip.compress(bytes(10**7), mtime=0), "gzip", "larger than 1 MiB"),
        (bytes(1024 * 1024 + 1), "identity", "larger than 1 MiB"),
        (gzip.compress(b"hello" * 9999, mtime=0)[:-20], "gzip", "cut short"),
        (b"no gzip", "gzip", "cannot be unpacked"),
        (b"x", "br", "packed in a way"),
    ],
    ids=["bomb", "too large", "cut short", "no gzip", "unknown"],
)
def test_what_is_too_large_or_packed_wrongly_is_no_answer(httpserver, body, packing, said):
    with pytest.raises(AskError, match=said):
        get(serve(httpserver, body, **{"Content-Encoding": packing}))


def test_redirects_are_followed_but_not_for_ever(httpserver: HTTPServer):
    serve(httpserver, b"", 302, "/a", Location="/x")
    serve(httpserver, b"there")
    assert get(httpserver.url_for("/a")).body == b"there"
    serve(httpserver, b"", 307, "/loop", Location="/loop")
    with pytest.raises(AskError, match="redirects more than 5 times"):
        get(httpserver.url_for("/loop"))
    assert len(httpserver.log) == 2 + 6


@pytest.mark.parametrize("leads_to", ["file:///etc/passwd", "ftp://x/", "https://", "http://["])
def test_a_redirect_to_what_is_no_web_address_is_not_followed(leads_to):
    raw = f"HTTP/1.1 302 Found\r\nLocation: {leads_to}\r\nContent-Length: 0\r\n\r\n".encode()
    with raw_server(lambda connection: connection.sendall(raw)) as url:
        told = told_by(url)
    assert told == "It leads to what is not a web address."


def test_credentials_go_to_their_own_origin_alone(httpserver: HTTPServer):
    with HTTPServer(port=0) as other:
        there = serve(other, b"there", path="/there")
        url = serve(httpserver, b"", 302, Location=there)
        answer = get(url.replace("http://", "http://ana:p%40ss@"))
        assert "Authorization" not in other.log[0][0].headers
    expected = "Basic " + base64.b64encode(b"ana:p@ss").decode()
    assert httpserver.log[0][0].headers["Authorization"] == expected
    assert answer.url == there


def test_production_refuses_addresses_of_its_own_network(httpserver: HTTPServer):
    with pytest.raises(AskError, match="private address"):
        get(serve(httpserver), Rules(allow_http=True))
    assert httpserver.log == []


def names(monkeypatch, **hosts):
    """Let names lead to addresses, each look-up to the next of them; the names looked up."""
    real, asked = socket.getaddrinfo, []

    def look_up(host, port, *args, **kwargs):
        name = str(host).split(".", maxsplit=1)[0]
        if name in hosts:
            asked.append(name)
            host = hosts[name].pop(0)
        return real(host, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return asked


def test_a_redirect_into_its_own_network_is_refused_too(httpserver: HTTPServer, monkeypatch):
    url = serve(httpserver, b"", 302, Location="http://inner.test/x")
    monkeypatch.setattr(asking, "is_public", lambda address: address == "127.0.0.1")
    names(monkeypatch, inner=["127.0.0.2"])
    with pytest.raises(AskError, match="private address"):
        get(url, Rules(allow_http=True))


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]"),
        *("2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "localhost", "[::]"),
        *("169.254.169.254", "[fe80::1%25lo]", "user:word@127.0.0.1"),
    ],
)
def test_no_way_to_write_a_private_address_is_followed(httpserver, monkeypatch, host):
    url = serve(httpserver, b"", 302, Location=f"http://{host}:{httpserver.port}/inner")
    names(monkeypatch, outer=["127.0.0.1"])
    judged = []
    monkeypatch.setattr(asking, "is_public", lambda a: judged.append(a) or len(judged) == 1)
    with pytest.raises(AskError, match="private address"):
        get(url.replace("localhost", "outer.test"), Rules(allow_http=True))
    assert not is_public(judged[-1])
    assert len(httpserver.log) == 1


@pytest.mark.parametrize("host", ["a..test", "a" * 70 + ".test"])
def test_a_name_that_is_none_is_told(host):
    assert told_by(f"https://{host}/") == "Its name is none."


def test_a_name_is_looked_up_once_and_the_checked_address_is_asked(httpserver, monkeypatch):
    serve(httpserver)
    asked = names(monkeypatch, rebinding=["127.0.0.1", "127.0.0.2"])
    monkeypatch.setattr(asking, "is_public", lambda address: address == "127.0.0.1")
    url = f"http://rebinding.test:{httpserver.port}/x"
    assert get(url, Rules(allow_http=True)).body == b"hello"
    assert asked == ["rebinding"]
    assert httpserver.log[0][0].headers["Host"] == f"rebinding.test:{httpserver.port}"


def test_an_unknown_name_is_told(monkeypatch):
    def unknown(*_args, **_kwargs):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(AskError, match="name is not known"):
        get("https://nowhere.test/")


def test_the_environment_is_not_asked(httpserver: HTTPServer, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("default login ana password secret")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert get(serve(httpserver)).body == b"hello"
    assert not {"Authorization", "Cookie"} & set(dict(httpserver.log[0][0].headers))


def drip(head=b"HTTP/1.1 200 OK\r\n", drop=b"a"):
    def answer(connection):
        connection.sendall(head)
        while True:
            connection.sendall(drop)
            time.sleep(0.05)

    return answer


@pytest.mark.parametrize(
    "answer",
    [
        drip(drop=b"X-Drip: 1\r\n"),
        drip(head=b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n"),
        lambda connection: time.sleep(3),
    ],
    ids=["headers", "body", "silence"],
)
def test_the_whole_may_take_so_long_and_no_longer(answer):
    begun = time.monotonic()
    with raw_server(answer) as url, pytest.raises(AskError, match=r"within 0\.5 sec"):
        get(url, Rules(allow_http=True, allow_private=True, seconds=0.5))
    assert time.monotonic() - begun < 1.5


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf", "cut short"),
        (b"", "connection failed"),
        (b"SSH-2.0-OpenSSH\r\n", "connection failed"),
    ],
)
def test_a_broken_answer_is_told_without_the_address(raw, said):
    with raw_server(lambda connection: connection.sendall(raw)) as url:
        told = told_by(f"{url}?token=secret")
    assert said in told
    assert "secret" not in told


def test_a_closed_port_is_told():
    assert told_by("http://127.0.0.1:9/x") == "Nobody answers where it leads to."


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for feed.test and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "feed.test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("feed.test")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "feed.test.pem"
    encoding, none = serialization.Encoding.PEM, serialization.NoEncryption()
    secret = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, none)
    path.write_bytes(secret + made.public_bytes(encoding))
    return path


@pytest.fixture
def safe_server(certificate, monkeypatch):
    monkeypatch.setitem(os.environ, "SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    told = []
    context.sni_callback = lambda _socket, name, _context: told.append(name)
    with HTTPServer(port=0, ssl_context=context) as server:
        yield server, told


def test_a_certificate_is_checked_against_the_name_not_the_address(safe_server, monkeypatch):
    server, told = safe_server
    serve(server)
    names(monkeypatch, feed=["127.0.0.1"], other=["127.0.0.1"])
    assert get(f"https://feed.test:{server.port}/x").body == b"hello"
    assert told == ["feed.test"]
    with pytest.raises(AskError, match="not safe: Hostname mismatch"):
        get(f"https://other.test:{server.port}/x")


def test_a_certificate_nobody_vouches_for_is_refused(safe_server, monkeypatch):
    server, _ = safe_server
    monkeypatch.delitem(os.environ, "SSL_CERT_FILE")
    names(monkeypatch, feed=["127.0.0.1"])
    with pytest.raises(AskError, match="not safe: self-signed certificate"):
        get(f"https://feed.test:{server.port}/x")
