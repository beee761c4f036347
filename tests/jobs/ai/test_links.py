"""What is cut out of a model's sentences, and what is left to stand."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.ai.links import without_links
from jobs.ai.reading import opinions_in

LINKS = """
https://evil.example/x HTTP://EVIL.EXAMPLE hxxp://evil.example hxxps://evil[.]example/x
ftp://evil.example tg://resolve?domain=evil www.evil.example www.evil.org WWW.Evil.Org/x www2.evil
evil@mail.example @a@evil.example evil[at]mail[dot]example evil(at)mail.example
t.me/evil T.ME/evil t.me wa.me/1234evil wa.me Wa.Me bit.ly/evil bit.ly tinyurl.com/evil m.me/evil
evil.com evil.com/pay evil.com?x=1 evil.com:8443 evil.com:8443/x evil.com\\x EVIL.COM Evil.Com
evil.co.uk evil.io evil.xyz/a evil.ninja/pay a.b.evil.top evil-pay.shop pay.evil.click/x?y#z
xn--evil-9ja.com evil.xn--p1ai evil.рф/x evil.рф evil.中国 evil.to evil.in evil.sh/x evil.md/x
evil.ai/x evil.zip evil.example evil.test/x
evil[.]com/x evil(dot)com evil[dot]com/pay evil{.}com evil<dot>com evil(.)com evil[DOT]com
evil．com/x evil。com ｔ．ｍｅ／evil evil․com/x evil﹒com/x evil｡com 𝐞𝐯𝐢𝐥.𝐜𝐨𝐦/x ⓔⓥⓘⓛ.com t.me⁄evil
1.2.3.4/evil 1.2.3.4:80/evil monday.com/evil docs.google.com/evil github.com/evil socket.io/evil?x
forms.monday.com make.com/evil bubble.io/version-evil
evil.asp.net/x amazon.com.evil.ru fast.ai:8000/evil evil.NET/x EVIL.NET
Vue.js/evil.com React/evil.com/pay (evil.com) [pay](https://evil.example) "evil.com/x", <evil.com>
Node.js/Express/t.me/evil socket.io/evil.com e.g.evil.com/x see:evil.com/x evil.com/x/Node.js
""".split()

WORDS = """
Node.js NODE.JS Vue.js/React React/Vue.js Next.js Next.js/Node.js/Express.js three.js/WebGL p5.js
ASP.NET ASP.NET/C# ASP.NET/MVC5, C#/ASP.NET .NET .NET/C# C#.NET VB.Net ADO.NET Json.NET Quartz.Net
dot.net socket.io Socket.IO Socket.io/Redis (socket.io) draw.io fast.ai X.Org
monday.com Monday.com salesforce.com Booking.com Make.com, monday.com?
Make.com/Zapier n8n/Make.com Bubble.io/Webflow/Vue.js Vapi.ai Loom.com
monday.com-based Authorize.Net
e.g. i.e. e.g./i.e. e.g.Python e.g.React/Vue
a.k.a. a.m./p.m. 9.am/pm U.S. U.S./Canada U.S.-based
US. v2.1 v2.1/v3.0 3.5/5 4.9/5.0 $5.00/hr US$5.00/hr 5.00/hr $1.5k/month 1.2M/yr 10.000,00/mo
24/7 5.0 Django-4.2/5.0 Python3.11/3.12 10.0.19045.1 1.2.3.4 S3/EC2 and/or CI/CD UI/UX A/B TCP/IP
B.Sc/M.Sc B.Tech/M.Tech Ph.D/M.Sc Ph.D. B.Com Co.Ltd Pvt.Ltd. Inc./Ltd. No.5/7
work.We remote.In done.It job.This full-time.Remote/hybrid Java.Spring/Hibernate
README.md main.py manage.py/urls.py script.sh index.html/style.css package.json/lock data.csv
m² ½ 50% #1 C++ C# F# “quoted” … well-known 5★ @media $100–$200 ... . / : ?
""".split()


@pytest.mark.parametrize("link", LINKS)
def test_a_link_is_cut(link):
    said = without_links(f"Pay at {link} today.")
    assert "evil" not in said.casefold()
    assert said.startswith("Pay at ")
    assert said.endswith("… today.")


@pytest.mark.parametrize("word", WORDS)
def test_an_honest_word_stands(word):
    assert without_links(f"Wants {word} now") == f"Wants {word} now"
    assert without_links(word) == word


def shown(*lines: str) -> tuple[str, ...]:
    item = {
        "id": "j1",
        "score": 80,
        "reasons": [],
        "concerns": [*lines[:1]],
        "red_flags": [*lines[1:]],
    }
    found = opinions_in({"verdicts": [item]}, ["j1"]).found["j1"]
    return found.concerns + found.red_flags


def test_it_is_cut_from_every_sentence():
    assert shown("Write to t.me/evil now.", "Go to evil.com/x") == ("Write to … now.", "Go to …")


words = st.text(st.characters(blacklist_characters=".@:/。｡．․﹒[(<{", blacklist_categories=["C"]))
unseen = st.sampled_from(["", "\u200b", "\u00ad", "\u2060", "\ufe0f", "\u034f", "\u3164", "\0"])
dots = st.sampled_from([".", "．", "。", "[.]", "(dot)", " [dot] ", "․"])
ends = st.sampled_from(["com", "net", "org", "me", "ly", "io", "ru", "xyz", "example", "co.uk"])


@given(words, words, unseen, dots, ends, st.sampled_from(["/pay", "?a=1", ":80/x", ""]))
def test_no_text_around_it_saves_a_domain(before, after, hidden, dot, end, path):
    line = f"{before[:40]} qq{hidden}evil{dot}{hidden}{end}{path} {after[:40]}"
    assert "qqevil" not in "".join(shown(line))


@given(words)
def test_without_dots_nothing_is_cut(text):
    found = without_links(text)
    assert len(found) == len(text)
    assert all(a == b or b.isascii() for a, b in zip(text, found, strict=True))


@given(st.text(alphabet="aZ9.@:/-_ (dot)[]wme…\\?#", max_size=300))
def test_what_was_cut_once_is_cut(text):
    once = without_links(" ".join(text.split()))
    assert without_links(once) == once


@pytest.mark.parametrize(
    "part",
    [
        *(
            "a",
            "a.",
            ".a",
            "a.b ",
            "a.b/",
            "@",
            "a@",
            "a@b",
            "://",
            "a://",
            "-",
            "_.",
            "/",
            " [",
            "(dot",
        ),
        *(
            "socket.io/",
            "socket.io/a",
            "e.com",
            "e.com/",
            "[.]",
            "(at)",
            "．",
            "é.",
            "/a.",
            "www.",
            "1.",
        ),
    ],
)
def test_it_takes_as_long_as_the_text_is(part):
    began = time.process_time()
    without_links((part * 20_000)[:20_000])
    without_links("x." + (part * 20_000)[:20_000] + "!")
    assert time.process_time() - began < 1
