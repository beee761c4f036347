"""Which words of a title are compared."""

import pytest

from jobs.fingerprints.wording import title_core


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AI Chatbot", "AI chatbot -- 2"),
        ("AI Chatbot", "AI Chatbot (reposted)!"),
        ("Food delivery app - WordPress / WooCommerce", "WORDPRESS/WooCommerce food delivery app"),
        ("Python developer", "Urgent: looking for a Python developer"),
        ("Website testing - Texas", "Website testing - Washington, D.C., or North Carolina"),
        ("Notary in Austin, TX", "Notary in Austin, NY"),
        ("Logo ($500)", "Logo ($600 - $900)"),
        ("Logo, budget 500 USD", "Logo, budget 1.5k usd"),
        ("Django developer", "Django devleopers"),
        ("Urgent job", "urgent JOB"),
        ("مطور ووردبريس", "مطور  ووردبريس"),
    ],
)
def test_titles_of_one_job(one, other):
    assert title_core(one) == title_core(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("English voice over", "French voice over"),
        ("Business analyst", "Spanish business analyst"),
        ("Survey for a photographer", "Survey for a fundraiser"),
        ("Episode 12", "Episode 13"),
        ("Male voice", "Female voice"),
        ("C developer", "C++ developer"),
        ("Urgent job", "Simple task"),
        ("Kotlin and Filament 3D", "Kotlin and SceneView"),
        ("Translator in Germany", "Translator in France"),
    ],
)
def test_titles_of_two_jobs(one, other):
    assert title_core(one) != title_core(other)
