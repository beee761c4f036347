"""Country names and codes, as sources write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.countries import country_code, country_name


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("United States", "US"),
        ("UNITED KINGDOM", "GB"),
        ("uk", "GB"),
        ("USA", "US"),
        ("PRI", "PR"),
        ("MKD", "MK"),
        ("Macedonia", "MK"),
        ("Palestinian Territories", "PS"),
        ("Congo, the Democratic Republic of the", "CD"),
        ("Cote d'Ivoire", "CI"),
        ("Côte d’Ivoire", "CI"),
        ("Czech Republic", "CZ"),
        ("Turkey", "TR"),
        ("Korea, Republic of", "KR"),
        ("Iran, Islamic Republic of", "IR"),
        ("The Netherlands", "NL"),
        ("St. Lucia", "LC"),
        ("Estados Unidos", "US"),
        ("Україна", "UA"),
        ("مصر", "EG"),
        ("Union City, United States", "US"),
        ("United States, Dillon", "US"),
        ("Doha, Qatar", "QA"),
        ("Bengaluru,  India", "IN"),
        ("India\nMumbai 3:40 pm", "IN"),
        ("Location Paraguay", "PY"),
        ("Paris, FR", "FR"),
        ("NA", "NA"),
    ],
)
def test_a_country_is_known_in_any_form(raw, code):
    assert country_code(raw) == code


@pytest.mark.parametrize(
    "raw",
    ["", " ", "Worldwide", "STUB", "N/A", "na", "Denver, CO", "Europe", "🙂", "\ud800", "x" * 999],
)
def test_what_names_no_country_is_none(raw):
    assert country_code(raw) is None


@given(st.text(max_size=150))
def test_any_text_gives_a_code_that_is_its_own_answer(raw):
    code = country_code(raw)
    assert code is None or (len(code) == 2 and country_code(code) == code)


@pytest.mark.parametrize("code", ["US", "NA", "CI", "GE", "MM", "XK", "TR", "HK"])
def test_a_country_is_found_by_its_own_name(code):
    assert country_code(country_name(code)) == code


def test_an_unknown_code_has_itself_for_a_name():
    assert country_name("QQ") == "QQ"
