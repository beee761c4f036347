"""The raw shapes of the cases, where they are present: each field, as read from the sample.

Of titles and descriptions only the first and the last word are told here, of skills the number.
"""

import re
from datetime import UTC, datetime

import pytest

from jobs.postings.normalise import normalise
from jobs.postings.posting import Posting
from jobs.postings.posting_json import KEYS, as_json
from jobs.postings.reading import read_rows

FETCHED = datetime(2026, 11, 25, 12, tzinfo=UTC)
YESTERDAY = "2026-11-24T12:00:00Z"


def upwork(native, title, description, skills, **stated):
    """A job of Upwork's, whose address follows from its id."""
    tilde = native if native.startswith("01") else f"02{native}"
    url = f"https://www.upwork.com/jobs/~{tilde}"
    return elsewhere(f"upwork:{native}", title, description, skills, url=url, **stated)


def elsewhere(job_id, title, description, skills, **stated):
    """What is stated of a job, and that all else is not."""
    texts = {"id": job_id, "title": title, "description": description, "skills": skills}
    return dict.fromkeys(KEYS) | {"url": ""} | texts | stated


def hourly(low=None, high=None, currency="USD"):
    stated = {"hourly_min": low, "hourly_max": high}
    return {"job_type": "hourly", "currency": currency if low or high else None, **stated}


def fixed(budget=None, currency="USD"):
    stated = {"fixed_budget": budget, "currency": currency if budget else None}
    return {"job_type": "fixed", **stated}


VERIFIED = {"client_payment_verified": True}
EXPECTED = {
    "S01": [
        upwork(
            "1924716709640673757", "Looking only.", "We …[cut]", 2, **hourly(20, 50), **VERIFIED,
            experience_level="expert", duration="ongoing", client_country="US",
            client_spent=1377864.3, client_rating=4.89, proposals=11,
            posted_at="2025-05-20T06:39:58.986000Z",
        ),
        upwork(
            "1924705551238294762", "Blueprint 5", "**Job …[cut]", 2, **fixed(1000), **VERIFIED,
            experience_level="intermediate", duration="month", client_country="US",
            client_spent=100, client_rating=5, proposals=8,
            posted_at="2025-05-20T05:55:38.707000Z",
        ),
    ],
    "S02": [
        upwork(
            "1924842301230638048", "Expert Optimization", "We're …[cut]", 2, **hourly(), **VERIFIED,
            experience_level="expert", duration="semester", client_spent=5825.2,
            client_rating=4.85, posted_at="2025-05-20T14:59:01.593000Z",
        ),
        upwork(
            "1924842145263840014", "High-Ticket (Remote)", "We’re …[cut]", 2, **hourly(),
            **VERIFIED, experience_level="expert", duration="ongoing", client_spent=271100.4,
            client_rating=4.87, posted_at="2025-05-20T14:58:24.440000Z",
        ),
    ],
    "S04": [
        upwork(
            "2079475775172360955", "AI Expert", "We …[cut]", 2, **fixed(5), **VERIFIED,
            experience_level="expert", duration="quarter", client_country="US",
            client_spent=1665.38, client_rating=5, proposals=4,
            posted_at="2026-07-21T07:58:35.121000Z",
        ),
    ],
    "S05": [
        upwork(
            "2079475775172360955", "AI Expert", "We …[cut]", 2, **fixed(5), **VERIFIED,
            experience_level="expert", duration="quarter", client_country="US",
            client_spent=1665.38, client_hires=208, client_hire_rate=88.84, client_rating=5,
            proposals=0, posted_at="2026-07-21T07:58:35.121000Z",
        ),
    ],
    "S06": [
        upwork(
            "1962475876330803682", "n8n Plateform", "We’re …[cut]", 3, **fixed(150),
            experience_level="intermediate", duration="month",
            posted_at="2025-09-01T11:21:26.507000Z",
        ),
    ],
    "S07": [
        upwork(
            "2034938107133436107", "n8n System", "We …[cut]", 2, **fixed(5), **VERIFIED,
            experience_level="expert", duration="month", client_country="US",
            client_spent=157.1, client_hires=27, client_hire_rate=96.43, client_rating=5,
            proposals=22, posted_at="2026-03-20T10:21:46.090000Z",
        ),
    ],
    "S08": [
        upwork(
            "01a00fe65578faf70d", "Make bookmaker", "Make bookmaker", 12,
            posted_at="2024-07-05T09:43:21Z",
        ),
        upwork(
            "01004f55729bdacad5", "Power Developer", "Role …[cut]", 0,
            posted_at="2024-07-05T08:54:40Z",
        ),
    ],
    "S09": [
        upwork(
            "01bcd1a198c301aebc", "Serverless project", "Serverless get", 3, **fixed(120),
            client_country="US", posted_at="2024-06-06T04:58:00Z",
        ),
        upwork(
            "017ce2709598e08e03", "Custom Developer", "We main", 5, **fixed(75),
            client_country="US", posted_at="2024-06-06T04:55:00Z",
        ),
    ],
    "S10": [
        upwork(
            "01ec8934d454ff0ef3", "Professional MicroStrategy", "Hi Charu", 14, **fixed(),
            client_country="GB", posted_at="2024-05-13T09:46:00Z",
        ),
        upwork(
            "01c839d932d942a650", "Power Developer", "We dashbo", 7, **hourly(25, 60),
            client_country="PH", posted_at="2024-05-13T09:44:00Z",
        ),
    ],
    "S11": [
        upwork(
            "1898276468104576122", "AI Project!", "We of", 8, **hourly(),
            experience_level="entry", duration="month", client_country="IN", proposals=4,
        ),
        upwork(
            "1898261460603845754", "Ai developer", "I de", 6, **fixed(50),
            experience_level="expert", client_country="US", client_spent=15000, client_hires=96,
            proposals=4,
        ),
    ],
    "S13": [
        elsewhere(
            None, "Dashboard Analyst)", "RightCustomer.com …[cut]", 2, **hourly(10, 40),
            experience_level="intermediate", duration="ongoing",
        ),
        elsewhere(
            None, "Data Dashboards", "*** …[cut]", 2, **hourly(35, 65),
            experience_level="expert", duration="semester",
        ),
    ],
    "S14": [
        upwork(
            "1916617367621477989", "Automation System", "I’m (Twit", 3, **hourly(75, 100),
            **VERIFIED, experience_level="expert", duration="quarter", client_country="US",
            client_spent=100_000, client_rating=5, proposals=20, posted_at=YESTERDAY,
        ),
        upwork(
            "1916578064377009036", "SQL research", "Thirty-Thousand.org, and", 2, **hourly(),
            **VERIFIED, experience_level="expert", duration="quarter", client_country="US",
            client_spent=4000, client_rating=5, proposals=20, posted_at=YESTERDAY,
        ),
    ],
    "S22": [
        upwork(
            "1996300558000140463", "Social n8n", "We …[cut]", 0, **fixed(10),
            client_payment_verified=False, posted_at="2026-11-25T11:49:00Z",
        ),
    ],
    "S23a": [
        upwork(
            "2024696422907076268", "Digital etc…)", "Overview co", 0, **fixed(250), **VERIFIED,
            experience_level="expert", client_country="PY", client_spent=200, client_rating=5,
            posted_at=YESTERDAY,
        ),
    ],
    "S23b": [
        upwork(
            "1851966568981554815", "Blockchain-Based Developer", "", 0, **hourly(30, 50),
            **VERIFIED, experience_level="expert", duration="ongoing", client_country="US",
            client_spent=0, posted_at="2026-11-25T11:51:00Z",
        ),
    ],
    "S26": [
        upwork(
            "1610243660018262016", "Norwegian posts", "", 0, **hourly(30),
            experience_level="expert", duration="semester", client_country="LT",
            client_spent=46168.57, client_rating=5, proposals=4,
            posted_at="2023-01-03T11:56:21Z",
        ),
        upwork(
            "1610243822983974912", "Market Market", "", 0, **fixed(150),
            experience_level="expert", duration="month", client_country="SG",
            client_spent=7754, proposals=4, posted_at="2023-01-03T11:57:00Z",
        ),
    ],
    "S29": [
        upwork(
            "1978704153911649005", "Website SEO", "We designer...", 1, **hourly(5, 15),
            **VERIFIED, experience_level="intermediate", duration="week", client_country="CA",
            client_spent=72.11, client_hires=2, client_hire_rate=40, proposals=12,
            posted_at="2025-10-16T06:06:48Z",
        ),
    ],
    "S30": [
        upwork(
            "2047620102105297516", "…", "…", 2, **hourly(30, 60), **VERIFIED,
            experience_level="expert", duration="semester", client_country="US",
            client_spent=125_000, client_rating=4.98, proposals=3,
            posted_at="2026-09-22T10:15:12Z",
        ),
    ],
    "S33": [
        elsewhere("freelancercom:", "Sports coin", "Hello, more", 2, **fixed(1_000_000, "INR")),
        elsewhere("freelancercom:", "Web Behoove", "An AWS.", 2, **fixed(500_000, "INR")),
    ],
    "S34": [
        elsewhere(
            None, "Splunk Troubleshooting", "In improvemen", 1, **fixed(750, "INR"),
            client_country="IN", proposals=0,
        ),
        elsewhere(
            None, "Universal Generation", "I networks.", 1, **fixed(30, "EUR"),
            client_country="PT", proposals=6,
        ),
    ],
    "S35": [
        elsewhere(None, "Escritor web", "Tengo criptomoned", 0),
        elsewhere(None, "Se JS", "Soy afiliación", 0),
    ],
    "S36": [
        elsewhere(None, "كتابة ولينكدان", "مطلوب منشور", 0, **fixed(100), duration="month"),
        elsewhere(None, "كتابة شخصية", "خطة عملية:", 0, **fixed(250), duration="quarter"),
    ],
    "S37": [
        elsewhere("workana:", "Desenvolvimento (Mspy/S...", "Estamos detalhes", 0, **fixed(3000)),
        elsewhere("workana:", "Criação co...", "Buscamos detalhes", 0, **fixed(250)),
    ],
}  # fmt: skip


def ends(text):
    """The first and the last word of a text."""
    words = text.split()
    return f"{words[0]} {words[-1]}" if len(words) > 1 else text


def short(found, expected):
    """A posting's JSON as told here; an id from content or path only by its marketplace."""
    row = as_json(found)
    row["title"], row["description"] = ends(found.title), ends(found.description)
    row["skills"] = len(found.skills)
    market = expected["id"] or ""
    if market.endswith(":") or re.fullmatch(r"(import|upwork):[0-9a-f]{32}", found.id):
        row["id"] = expected["id"] if found.id.startswith(market) else found.id
        row["url"] = ""
    return row


@pytest.mark.parametrize("shape", EXPECTED)
def test_every_field_of_a_case_shape(cases, shape):
    (path,) = (cases / "shapes").glob(f"{shape}_*")
    found = [normalise(row, FETCHED) for _, row in read_rows(path)]
    assert all(isinstance(one, Posting) for one in found)
    told = [short(*pair) for pair in zip(found, EXPECTED[shape], strict=True)]
    assert told == EXPECTED[shape]
