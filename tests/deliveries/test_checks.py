"""Start-up checks: each wrong setting is named with what to do."""

import pytest

from deliveries.checks import settings_make_sense


@pytest.mark.parametrize(
    ("name", "value", "id_", "says"),
    [
        ("SCOUT_SOURCES", ["nonsense"], "scout.E001", "'nonsense', which is no source"),
        ("SCOUT_SCORER", "openai:x", "scout.E002", "SCOUT_SCORER is 'openai:x'"),
        ("SCOUT_FRESH_HOURS", 0, "scout.E003", "SCOUT_FRESH_HOURS is 0; the least is 1."),
        ("SCOUT_LEASE_SECONDS", -1, "scout.E003", "SCOUT_LEASE_SECONDS is -1"),
        ("DEFAULT_FROM_EMAIL", "nobody", "scout.E004", "DEFAULT_FROM_EMAIL cannot stand"),
        ("EMAIL_TIMEOUT", 200, "scout.E005", "no send would ever fit"),
        ("SCOUT_RETENTION_DAYS", 3, "scout.W006", "4 days are kept instead"),
        ("SCOUT_FRESH_HOURS", 9_000, "scout.W006", "378 days are kept instead"),
        ("CRON_SECRET", "short", "scout.W007", "CRON_SECRET has 5 characters"),
        ("HEARTBEAT_URL", "http://monitor.example/", "scout.E008", "HEARTBEAT_URL is no https"),
        ("SITE_URL", "http://scout.test", "scout.W009", "nobody can sign in"),
    ],
)
def test_a_wrong_setting_is_named(settings, name, value, id_, says):
    setattr(settings, name, value)
    (found,) = settings_make_sense()
    assert (found.id, bool(found.hint)) == (id_, True)
    assert says in found.msg


def test_the_defaults_make_sense():
    assert settings_make_sense() == []
