"""What a scan may skip: only jobs that have their outcome for the searches as they are now."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction

from accounts.models import Search
from jobs.models import Job, Watermark
from jobs.postings.posting import Posting
from jobs.store import store
from jobs.watermarks import Standing, newest_revision, note_judged, standings
from tests.factories import JobFactory, person

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


def standing(user):
    return standings([user.pk], now=NOW)[user.pk]


def judge(user, revision, now=NOW):
    note_judged(standings([user.pk], now=now), revision, now=now)


@pytest.mark.django_db
def test_a_mark_counts_for_the_searches_that_were_judged():
    user = person()
    assert standing(user).judged_to == 0
    judge(user, 7)
    assert standing(user).judged_to == 7


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        lambda user: user.searches.update(min_score=50),
        lambda user: Search.objects.create(user=user, position=2, name="Second"),
        lambda user: user.searches.all().delete(),
    ],
)
def test_any_change_of_a_search_opens_the_whole_window_again(change):
    user, other = person(), person("ben@example.com")
    for one in (user, other):
        judge(one, 7)
    change(user)
    assert (standing(user).judged_to, standing(other).judged_to) == (0, 7)


@pytest.mark.django_db
def test_a_change_while_judging_is_not_lost():
    user = person()
    begun = standings([user.pk], now=NOW)
    user.searches.update(min_score=50)
    note_judged(begun, 7, now=NOW)
    assert standing(user).judged_to == 0


@pytest.mark.django_db
def test_the_same_mark_again_writes_nothing_and_nobody_is_made():
    user = person()
    judge(user, 7)
    with connection.cursor() as cursor:
        cursor.execute("SELECT xmin FROM jobs_watermark")
        before = cursor.fetchall()
        judge(user, 7)
        note_judged({"nobody": Standing(1, 0)}, 7, now=NOW)
        cursor.execute("SELECT xmin FROM jobs_watermark")
        assert cursor.fetchall() == before


@pytest.mark.django_db
def test_a_mark_made_by_a_clock_that_was_ahead_does_not_count_and_is_made_anew():
    user = person()
    judge(user, 7, now=NOW + timedelta(hours=26))
    assert standing(user).judged_to == 0
    judge(user, 7)
    assert standing(user).judged_to == 7


@pytest.mark.django_db
def test_the_mark_goes_with_the_user():
    user = person()
    judge(user, 7)
    user.delete()
    assert Watermark.objects.count() == 0


@pytest.mark.django_db
def test_each_new_or_changed_job_gets_a_higher_revision_and_an_unchanged_one_keeps_its_own():
    first, second = JobFactory(), JobFactory()
    seen = newest_revision()
    assert seen == Job.objects.get(pk=second.pk).revision
    same = Job.objects.get(pk=first.pk).posting()
    store([same], source="file", trust=20, now=NOW)
    assert newest_revision() == seen
    store([Posting(id=first.pk, title="Changed")], source="file", trust=20, now=NOW)
    assert Job.objects.get(pk=first.pk).revision == newest_revision() > seen


@pytest.mark.django_db(transaction=True)
def test_revisions_become_visible_in_their_order():
    """A second store waits for the first's commit, so no lower revision appears later."""
    began = threading.Event()

    def second():
        began.set()
        store([Posting(id="a:2", title="Second")], source="file", trust=20, now=NOW)
        connection.close()

    thread = threading.Thread(target=second)
    with transaction.atomic():
        store([Posting(id="a:1", title="First")], source="file", trust=20, now=NOW)
        thread.start()
        began.wait(5)
        thread.join(0.3)
        assert thread.is_alive()
    thread.join(5)
    revisions = dict(Job.objects.values_list("pk", "revision"))
    assert revisions["a:1"] < revisions["a:2"]
