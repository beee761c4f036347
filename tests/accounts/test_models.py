"""Every named constraint of the accounts tables, violated once."""

import base64

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from accounts.models import OptOutToken, Preferences, Search, Suppression, User
from tests.factories import person

pytestmark = pytest.mark.django_db


def key(text):
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def address(text):
    return {"email": text, "uid": key(text)}


UPDATES = [
    ("user_uid_is_of_email", User, {"email": "bob@example.com"}),
    ("user_uid_is_of_email", User, {"uid": key("bob@example.com")}),
    ("user_email_is_trimmed", User, address("ana@example.com ")),
    ("user_email_is_trimmed", User, address("ana")),
    ("user_email_is_trimmed", User, address("ana @example.com")),
    ("user_email_is_lowercase", User, address("Ana@example.com")),
    ("user_email_is_lowercase", User, address("ana@exÄmple.com")),
    ("opt_out_purpose_known", OptOutToken, {"purpose": "news"}),
    ("opt_out_token_long", OptOutToken, {"token": "x" * 42}),
    ("opt_out_token_long", OptOutToken, {"token": "x" * 43 + "/"}),
    ("preferences_mode_known", Preferences, {"mode": "weekly"}),
    ("preferences_digest_hour", Preferences, {"digest_hour": 24}),
    ("preferences_max_jobs_per_day", Preferences, {"max_jobs_per_day": 0}),
    ("preferences_max_jobs_per_day", Preferences, {"max_jobs_per_day": 201}),
    ("preferences_quiet_both_or_neither", Preferences, {"quiet_from": "22:00"}),
    ("preferences_quiet_both_or_neither", Preferences, {"quiet_until": "22:00"}),
    (
        "preferences_quiet_both_or_neither",
        Preferences,
        {"quiet_from": "22:00", "quiet_until": "22:00"},
    ),
    ("search_at_most_ten", Search, {"position": 0}),
    ("search_at_most_ten", Search, {"position": 11}),
    ("search_min_score", Search, {"min_score": 101}),
    ("search_min_hourly", Search, {"min_hourly": "-0.01"}),
    ("search_min_fixed", Search, {"min_fixed": -1}),
    ("search_min_client_spent", Search, {"min_client_spent": -1}),
    ("search_min_client_hires", Search, {"min_client_hires": 1_000_001}),
    ("search_min_client_hire_rate", Search, {"min_client_hire_rate": -1}),
    ("search_min_client_hire_rate", Search, {"min_client_hire_rate": "100.01"}),
    ("search_min_client_rating", Search, {"min_client_rating": "5.01"}),
    ("search_max_proposals", Search, {"max_proposals": 1_000_001}),
    ("search_posted_within_hours", Search, {"posted_within_hours": 0}),
    ("search_posted_within_hours", Search, {"posted_within_hours": 721}),
    ("search_job_types_known", Search, {"job_types": ["hourly", "weekly"]}),
    ("search_levels_known", Search, {"experience_levels": ["guru"]}),
    ("search_durations_known", Search, {"durations": [None]}),
    ("search_strict_known", Search, {"strict": ["skills"]}),
    ("search_categories_known", Search, {"categories": ["Web"]}),
    ("search_countries_include", Search, {"countries_include": ["DE", "fr"]}),
    ("search_countries_include", Search, {"countries_include": [None]}),
    ("search_countries_exclude", Search, {"countries_exclude": ["D"]}),
    ("search_countries_exclude", Search, {"countries_exclude": ["D\n"]}),
    ("search_languages", Search, {"languages": ["DE"]}),
    ("search_my_country", Search, {"my_country": "de"}),
]


@pytest.mark.parametrize(("name", "model", "values"), UPDATES)
def test_an_update_against_a_constraint_is_refused_by_name(name, model, values):
    person()
    with pytest.raises(IntegrityError, match=f'"{name}"'), transaction.atomic():
        model.objects.update(**values)


INSERTS = [
    ("opt_out_token_once", OptOutToken, {}),
    ("suppression_reason_known", Suppression, {"reason": "bored"}),
    ("search_position_once", Search, {"name": "Another", "position": 1}),
    ("search_name_once", Search, {"name": "My search", "position": 2}),
]


@pytest.mark.parametrize(("name", "model", "values"), INSERTS)
def test_an_insert_against_a_constraint_is_refused_by_name(name, model, values):
    ana = person()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError, match=f'"{name}"'), transaction.atomic():
        model.objects.create(user=ana, **values)


def test_no_named_constraint_is_left_out():
    named = {
        c.name
        for model in apps.get_app_config("accounts").get_models()
        for c in model._meta.constraints
    }
    assert named == {name for name, *_ in UPDATES + INSERTS}


def test_a_token_is_never_handed_to_somebody_else():
    ana, bob = person(), person("bob@example.com")
    token = ana.opt_out_tokens.get().token
    bob.opt_out_tokens.all().delete()
    with pytest.raises(IntegrityError, match="accounts_optouttoken_pkey"), transaction.atomic():
        OptOutToken(token=token, user=bob).save()
    assert OptOutToken.objects.get(pk=token).user == ana
