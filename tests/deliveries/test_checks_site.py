"""Start-up checks of the site: each wrong setting is named with what to do."""

import pytest

from deliveries.checks_site import the_site_can_be_run, the_site_is_run_with_care

SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture(autouse=True)
def _sound(settings, monkeypatch):
    monkeypatch.setenv("EMAIL_HOST", "mail.test")
    settings.EMAIL_BACKEND = SMTP


@pytest.mark.parametrize(
    ("changes", "id_", "says"),
    [
        ({"EMAIL_BACKEND": "deliveries.outbox.EmailBackend"}, "scout.E010", "to everybody"),
        ({"EMAIL_BACKEND": "nonsense.Backend"}, "scout.E011", "nonsense"),
        ({"EMAIL_BACKEND": "anymail.backends.resend.EmailBackend"}, "scout.E011", "API"),
        ({"EMAIL_USE_TLS": True, "EMAIL_USE_SSL": True}, "scout.E011", "exclusive"),
        ({"ALLOWED_HOSTS": ["*"]}, "scout.W013", "any name"),
        ({"ALLOWED_HOSTS": ["other.test"]}, "scout.E014", "scout.test"),
        ({"DATABASE_URL": ""}, "scout.W015", "development database"),
        ({"SITE_URL": "https://scout.test/sub"}, "scout.E016", "/sub"),
        ({"SCOUT_CRON_SECRET_IN_QUERY": True}, "scout.W017", "logs"),
    ],
)
def test_a_wrong_setting_is_named(settings, changes, id_, says):
    for name, value in changes.items():
        setattr(settings, name, value)
    (found,) = told = [*the_site_can_be_run(), *the_site_is_run_with_care()]
    assert the_site_can_be_run() == (told if "E0" in id_ else [])
    assert (found.id, bool(found.hint)) == (id_, True)
    assert says in found.msg


def test_a_sound_site_is_told_nothing():
    assert [*the_site_can_be_run(), *the_site_is_run_with_care()] == []


def test_mail_to_nowhere_in_particular_is_told(monkeypatch):
    monkeypatch.delenv("EMAIL_HOST")
    assert [found.id for found in the_site_is_run_with_care()] == ["scout.W012"]
