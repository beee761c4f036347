"""The database's clock, and one that is moved."""

from datetime import UTC, timedelta

import pytest
from django.db import connection

from deliveries.work.clock import Clock, database_time
from tests.factories import NOON

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def test_it_goes_on_inside_a_transaction():
    with connection.cursor() as cursor:
        cursor.execute("SELECT now(), pg_sleep(0.01)")
        began = cursor.fetchone()[0]
    assert began < database_time() < database_time()
    assert database_time().tzinfo == UTC


def test_a_moved_clock_goes_on_from_where_it_was_set():
    clock = Clock.set_to(NOON)
    first, second = clock.now(), clock.now()
    assert NOON <= first < second < NOON + SECOND


def test_an_unmoved_clock_shows_the_time_of_the_database():
    assert database_time() < Clock().now() < database_time()
