from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.postings.categories import with_category
from jobs.postings.posting import Posting
from jobs.postings.posting_json import KEYS, as_json
from jobs.rows import read_row

NOW = datetime(2026, 11, 29, tzinfo=UTC)
FEED = (
    "A shop.<br /><b>Posted On</b>: July 01, 2024 10:00 UTC<br /><b>Category</b>: Interior Design"
    "<br /><b>Skills</b>:Python<br /><b>Location Requirement</b>: Only freelancers located in the"
    " United States may apply.<br /><b>Country</b>: Canada<br />click to apply"
)


def read(**row: Any) -> Posting:
    posting, _ = read_row({"id": "~021990000000000000001", "title": "A shop", **row}, NOW)
    assert posting is not None
    return posting


@pytest.mark.parametrize(
    ("row", "category"),
    [
        ({"category": "Web Development"}, "web_mobile_software_dev"),
        ({"category": {"name": "Legal", "slug": "legal"}}, "legal"),
        ({"categoryName": "Writing"}, "writing"),
        ({"job": {"category": "web_mobile_software_dev"}}, "web_mobile_software_dev"),
        ({"category": "Odd", "subcategory": "3D Animation"}, "design_creative"),
        ({"subcategory": "Data Mining & Management", "category": None}, "data_science_analytics"),
        ({"categories": ["Odd", {"prefLabel": "Translation"}]}, "translation"),
        ({"description": FEED}, "engineering_architecture"),
        ({"similarJobs": [{"category": "Legal"}]}, None),
        ({"category": 17}, None),
        ({}, None),
    ],
)
def test_a_category_where_the_source_states_one(row, category):
    assert read(**row).category == category


@pytest.mark.parametrize(
    ("row", "countries"),
    [
        ({"preferredFreelancerLocation": ["United States", "CAN"]}, ()),
        (
            {
                "preferredFreelancerLocation": ["United States", "CAN"],
                "preferredFreelancerLocationMandatory": True,
            },
            ("US", "CA"),
        ),
        (
            {
                "preferredFreelancerLocation": ["United States", "Narnia"],
                "preferredFreelancerLocationMandatory": True,
            },
            (),
        ),
        ({"qualifications": {"countries": ["Germany"]}}, ("DE",)),
        ({"qualifications": {"countries": ["Germany"], "locationCheckRequired": False}}, ()),
        ({"locationRequirement": "Only freelancers located in the U.S. may apply."}, ("US",)),
        ({"description": FEED}, ("US",)),
        ({"client": {"location": {"country": "Germany"}}, "country": "Germany"}, ()),
    ],
)
def test_the_worker_s_countries_where_the_source_has_a_field(row, countries):
    assert read(**row).worker_countries == countries


def test_a_dry_run_writes_its_own_keys_only():
    assert tuple(as_json(read(category="Legal", language="de"))) == KEYS
    assert not {"category", "language", "worker_countries"} & set(KEYS)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["category", "qualifications", "countries", "name", "job"]) | st.text(),
            inner,
            max_size=4,
        )
    ),
)


@given(ANY)
def test_any_row_is_read(raw):
    posting = Posting(id="upwork:1", title="A shop")
    assert with_category(posting, raw) == posting  # what it adds is not compared
