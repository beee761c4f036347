"""Files of rows, whole and broken."""

import gzip
import json
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.postings.reading import BotWall, read_rows, rows_of
from jobs.postings.rejection import Rejection

ROWS = [{"title": "One"}, {"title": "Zwei ü"}]


def read(text, name="jobs.json"):
    return list(rows_of(name, text.encode() if isinstance(text, str) else text))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps({"data": {"jobs": ROWS, "facets": [{"a": 1}] * 3}}),
        "\n".join(map(json.dumps, ROWS)) + "\n",
        "\ufeff" + json.dumps(ROWS),
        json.dumps(ROWS).encode("utf-16"),
        gzip.compress(json.dumps(ROWS).encode(), mtime=0),
        "title\nOne\nZwei ü\n",
        "\ufeffa;title;b\r\n;One;\r\n\r\n;Zwei ü;\r\n",
    ],
)
def test_every_form_gives_the_same_rows(text):
    name = "jobs" if not isinstance(text, bytes) else "jobs.json.gz"
    assert [row["title"] for _, row in read(text, name)] == ["One", "Zwei ü"]


def test_a_huge_list_in_an_object_is_read_bit_by_bit(monkeypatch):
    monkeypatch.setattr("jobs.postings.rows_json._HUGE", 1_000)
    text = json.dumps({"meta": {"tags": ["a"]}, "jobs": [{"title": "x" * 90}] * 20_000})
    tracemalloc.start()
    assert sum(1 for _ in rows_of("a.json", text.encode())) == 20_000
    assert tracemalloc.get_traced_memory()[1] < 4 * len(text)
    tracemalloc.stop()


def test_one_object_is_one_row():
    assert read('{"title": "One", "skills": [{"name": "Go"}]}') == [
        (1, {"title": "One", "skills": [{"name": "Go"}]})
    ]


def test_a_broken_line_costs_that_line_only():
    rows = read('{"title": "One"}\n{"title": "Tw\n\n{"title": "Three"}\n')
    assert rows == [
        (1, {"title": "One"}),
        (2, Rejection("broken JSON", "line 2")),
        (4, {"title": "Three"}),
    ]


def test_a_list_cut_short_keeps_its_beginning():
    assert read('[{"title": "One"}, {"title": "T') == [
        (1, {"title": "One"}),
        (2, Rejection("broken JSON", "element 2")),
    ]


def test_a_broken_csv_record_costs_that_record_only():
    text = 'title,text\nOne,"a\nb"\n"Two",x,y\n"Three,c\nFour,5" pipe\n'
    assert read(text, "jobs.csv") == [
        (2, {"title": "One", "text": "a\nb"}),
        (4, Rejection("more cells than the header", "line 4")),
        (5, Rejection("broken CSV record", "line 5")),
        (6, {"title": "Four", "text": '5" pipe'}),
    ]


@pytest.mark.parametrize("data", [b"", b"  \n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_an_empty_file_has_no_rows(data):
    assert read(data) == []


@pytest.mark.parametrize(
    ("page", "state"),
    [
        ("<!DOCTYPE html><html><head><title>Challenge - Upwork</title></head></html>", "blocked"),
        ("<html><title>Just a moment...</title></html>", "blocked"),
        ("<html><body>Please solve the captcha</body></html>", "blocked"),
        ("<html><head><title>Log In - Upwork</title></head></html>", "logged_out"),
    ],
)
def test_a_page_instead_of_data_is_a_wall(page, state):
    with pytest.raises(BotWall) as wall:
        read(page)
    assert wall.value.state == state


PAGE = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>"
LOG_IN = "<html><head><title>Log In - Upwork</title></head></html>"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (json.dumps({"status": 403, "body": PAGE}), "blocked"),
        (json.dumps([{"url": "https://a.example", "responseBody": PAGE}] * 2), "blocked"),
        (
            json.dumps({"appId": "PX1", "vid": "", "jsClientSrc": "/x", "blockScript": "/y"}),
            "blocked",
        ),
        (json.dumps({"error": {"message": "Access to this page has been denied"}}), "blocked"),
        (json.dumps({"event": "captcha_required", "url": "https://a.example"}), "blocked"),
        (json.dumps({"url": "https://geo.captcha-delivery.com/captcha/"}), "blocked"),
        ("error code: 1020", "blocked"),
        ("Just a moment...\nEnable JavaScript and cookies to continue", "blocked"),
        (json.dumps({"event": "logged_out"}), "logged_out"),
        (json.dumps({"errors": [{"message": "Authentication required"}]}), "logged_out"),
        (json.dumps({"data": None, "html": LOG_IN}), "logged_out"),
        ("Please log in to continue.", "logged_out"),
        (json.dumps("Please sign in"), "logged_out"),
    ],
)
def test_a_wall_in_json_or_text_is_a_wall(text, state):
    for name in ("jobs.json", "jobs.csv"):
        with pytest.raises(BotWall) as wall:
            read(text, name)
        assert wall.value.state == state


def test_jobs_that_speak_of_walls_are_jobs():
    posts = [
        {"title": "Solve a captcha", "description": "Cloudflare says: just a moment"},
        {"title": "Two", "body": PAGE},
    ]
    assert [row for _, row in read(json.dumps(posts))] == posts
    assert len(read("title,text\nAccess denied,Please log in\n", "jobs.csv")) == 1
    assert len(read(json.dumps([*posts, {"error": "captcha required"}]))) == 3


def test_another_page_is_no_wall_and_no_rows():
    assert read("<html><title>Jobs</title></html>") == [
        (1, Rejection("a web page without jobs, neither JSON nor CSV", "file"))
    ]


def test_a_bad_byte_is_no_trouble_and_a_cut_gzip_says_so():
    assert read(b'[{"title": "On\xffe"}]') == [(1, {"title": "On\ufffde"})]
    cut = gzip.compress(b'{"title": "One"}\n' * 2)[:-9]
    assert read(cut)[-1] == (0, Rejection("gzip cut short", "file"))


def test_a_file_is_read(tmp_path):
    (tmp_path / "jobs.jsonl").write_text(json.dumps(ROWS[0]))
    assert list(read_rows(tmp_path / "jobs.jsonl")) == [(1, ROWS[0])]


@pytest.mark.parametrize(
    "bit", ["<a ", "<!--", "<a href='", "<div class=job-tile><p class=mb-0>x", "<script>", "</"]
)
def test_absurd_pages_end(bit):
    started = time.monotonic()
    read("<" + bit * 100_000)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000, "9" * 9_999, '"\n' * 2_000])
def test_absurd_files_end(text):
    for _, row in read(text):
        assert row is not None


@given(st.one_of(st.binary(), st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_any_bytes_are_read_without_trouble(data):
    for name in ("jobs.json", "jobs.csv"):
        for number, _ in rows_of(name, data):
            assert number >= 0


OK = '{"title": "One", "text": "a"}'
DIGITS = "1" * 5000
LONG = f'{{"title": "x", "proposals": {DIGITS}}}'


def titles(text):
    rows = [row for _, row in read(text)]
    return [row if isinstance(row, Rejection) else row["title"] for row in rows]


@pytest.mark.parametrize("around", ["[%s]", '{"jobs": [%s]}', '{"data": {"a": 1, "items":\n[%s]}}'])
def test_absurd_digits_cost_nothing(around):
    assert titles(around % ", ".join([OK, LONG, OK, OK])) == ["One", "x", "One", "One"]


@pytest.mark.parametrize("around", ["[%s]", '{"jobs": [%s]}', '{"data": {"a": 1, "items":\n[%s]}}'])
@pytest.mark.parametrize(
    "broken",
    [
        '{"a":' * 200_000 + "1" + "}" * 200_000,
        "[" * 200_000 + "]" * 200_000,
        '{"title": "x" "text": "b", "skills": [{"name": "Go"}, {"name": "C"}]}',
        '{"title": "x, "text": "b", "skills": [{"name": "Go"}, {"name": "C"}]}',
        '{"title": nope}',
        "nope",
    ],
)
def test_a_broken_element_costs_that_element_only(around, broken):
    expected = ["One", Rejection("broken JSON", "element 2"), "One", "One"]
    assert titles(around % ",\n".join([OK, broken, OK, OK])) == expected


def test_the_first_element_may_be_the_broken_one():
    broken = Rejection("broken JSON", "element 1")
    assert titles(f'{{"jobs": [nope, {OK}, {OK}]}}') == [broken, "One", "One"]


def test_a_missing_comma_and_lists_in_a_row_cost_nothing():
    assert titles(f"[{OK} {OK},{OK}]") == ["One"] * 3
    assert titles(f'{{"jobs": [{OK} {OK}]}}') == ["One"] * 2
    assert titles(f"[{OK}]\n[{OK}]") == ["One"] * 2
    assert titles('{\n"title": "One"\n}\n{\n"title": "Two"\n}') == ["One", "Two"]


@pytest.mark.parametrize("bit", ['{"a":[,', ',{"a":[1', '"x', '{"a" ', "x,", '{"\\",', "[{", "]["])
def test_nothing_is_read_again_and_again(bit):
    started = time.monotonic()
    for text in ("[" + bit * 300_000, '{"jobs": [{' + bit * 300_000):
        read(text)
    assert time.monotonic() - started < 20


def test_rows_beyond_the_limit_are_one_rejection(monkeypatch):
    monkeypatch.setattr("jobs.postings.reading.MOST_ROWS", 2)
    more = Rejection("more than 2 rows", "file")
    for text in (f"[{OK}, {OK}, {OK}, {OK}]", f"{OK}\n" * 4):
        assert titles(text) == ["One", "One", more]
    assert read("a\n" * 5, "jobs.csv") == [(2, {"a": "a"}), (3, {"a": "a"}), (4, more)]


def test_a_great_many_lines_are_read_in_little_memory(monkeypatch):
    monkeypatch.setattr("jobs.postings.reading.MOST_ROWS", 20_000)
    tracemalloc.start()
    for name in ("jobs.csv", "jobs.json"):
        count = sum(1 for _ in rows_of(name, b"a\n" * 1_000_000))
        assert count in (1, 20_001)
    assert tracemalloc.get_traced_memory()[1] < 40_000_000
    tracemalloc.stop()


def test_quotes_that_never_close_do_not_read_all_lines_again_and_again():
    started = time.monotonic()
    rows = read("title,b\n" + 'One,"x\n' + "One,2\n" * 30_000 + 'Two,"x\n' * 30_001, "jobs.csv")
    assert sum(isinstance(row, dict) for _, row in rows) >= 25_000
    assert time.monotonic() - started < 10


def test_columns_and_long_lines_are_bounded():
    assert read("a," * 2_000 + "\n1\n", "jobs.csv") == [
        (1, Rejection("more than 1,000 columns", "line 1"))
    ]


def test_gzip_in_parts_is_read_and_bombs_are_bounded(monkeypatch):
    parts = [gzip.compress(line.encode() * 9_999, mtime=0) for line in (OK + "\n", "\n", OK + "\n")]
    assert len(read(b"".join(parts))) == 2 * 9_999
    empty = gzip.compress(b"", mtime=0)
    assert read(empty * 100_000) == [(0, Rejection("more than 1,000 parts in gzip", "file"))]
    monkeypatch.setattr("jobs.postings.reading.LONGEST", 2 * 1024 * 1024)
    assert read(gzip.compress(b" " * 9_000_000, mtime=0)) == [
        (0, Rejection("more than 2 MiB after decompression", "file"))
    ]
    assert len(read(gzip.compress(b"[" + b" " * 2_000_000 + b"1]", mtime=0))) == 1


def test_deep_objects_in_a_broken_element_are_not_all_read():
    deep = '[1,{"a":' * 400 + "[" + "1," * 400_000 + "1]" + "}]" * 400
    started = time.monotonic()
    assert titles(f"[{OK}, [{deep} nope], {OK}]")[0] == "One"
    assert time.monotonic() - started < 10
