import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.categories import category_label, category_slug
from accounts.vocabulary import CATEGORIES


@pytest.mark.parametrize(
    ("said", "slug"),
    [
        ("Web, Mobile & Software Dev", "web_mobile_software_dev"),
        ("web_mobile_software_dev", "web_mobile_software_dev"),
        ("WEB DEVELOPMENT", "web_mobile_software_dev"),
        ("3D Animation", "design_creative"),
        ("Engineering & Architecture > Interior Design", "engineering_architecture"),
        ("Accounting & Bookkeeping", "accounting_consulting"),
        ("AI & Machine Learning", "data_science_analytics"),
        ("Something else > Legal", "legal"),
        ("Fishing", None),
        ("", None),
        ("x" * 500, None),
    ],
)
def test_a_category_by_any_name(said, slug):
    assert category_slug(said) == slug


@pytest.mark.parametrize("slug", CATEGORIES)
def test_a_slug_and_its_label_mean_themselves(slug):
    assert category_slug(slug) == category_slug(category_label(slug)) == slug


@given(st.text())
def test_it_never_raises(text):
    assert category_slug(text) in {None, *CATEGORIES}
