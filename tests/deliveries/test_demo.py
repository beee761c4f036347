"""The demo: sample users and posts through the real scan and digest, and again."""

import pytest
from django.core.management import CommandError, call_command

from deliveries.models import Delivery

pytestmark = pytest.mark.django_db(transaction=True)


def mails(folder):
    return sorted(path.name for path in folder.glob("*.eml"))


@pytest.fixture
def outbox(settings, tmp_path):
    settings.DEBUG = True
    settings.EMAIL_BACKEND = "deliveries.outbox.EmailBackend"
    settings.OUTBOX_DIR = tmp_path / "outbox"
    return settings.OUTBOX_DIR


def test_each_sample_user_gets_what_they_asked_for_once(outbox, capsys):
    call_command("demo")
    first, said = mails(outbox), capsys.readouterr().out
    mailed = Delivery.objects.filter(status="sent").values_list("user__email", "mail__kind")
    assert set(mailed) == {
        ("ana@example.com", "alert"),
        ("ben@example.com", "alert"),
        ("chen@example.com", "digest"),
    }
    assert len(first) == 3
    assert "2 alerts mailed" in said
    call_command("demo")
    assert mails(outbox) == first
    assert "0 alerts mailed" in capsys.readouterr().out


def test_it_refuses_outside_development(settings):
    with pytest.raises(CommandError, match="unset DATABASE_URL and SITE_URL"):
        call_command("demo")
