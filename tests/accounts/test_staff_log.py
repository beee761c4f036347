"""The admin's history follows a user, or forgets who it was."""

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType

from accounts import staff_log
from tests.factories import person

pytestmark = pytest.mark.django_db
JOB = "upwork:1990000000000000001"
# One uid may be the beginning of another: base64url has the letter that parts user and job.
LINES = ("YW5h", f"YW5h_{JOB}", "YW5hX", "YW5h_xyz", f"YW5h_xyz_{JOB}", "7", None)


@pytest.fixture(autouse=True)
def _lines():
    boss, kind = person("boss@example.com"), ContentType.objects.first()
    for object_id in LINES:
        LogEntry.objects.create(
            user=boss,
            content_type=kind,
            object_id=object_id,
            object_repr="ana@example.com",
            action_flag=CHANGE,
            change_message="x",
        )


def ids():
    return tuple(LogEntry.objects.order_by("pk").values_list("object_id", flat=True))


def test_lines_follow_to_the_new_key():
    assert staff_log.rekey("YW5h", "Ym9i") == 2
    assert ids() == ("Ym9i", f"Ym9i_{JOB}", *LINES[2:])


def test_lines_forget_whom_they_were_about():
    assert staff_log.forget("YW5h") == 2
    assert ids() == ("", "", *LINES[2:])
    told = LogEntry.objects.filter(object_id="").values_list("object_repr", "change_message")
    assert set(told) == {("a deleted account", "")}
