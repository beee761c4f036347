"""The id of a mail follows from what it carries."""

import re
from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from deliveries.envelopes import alert_envelope, digest_envelope

IDS = st.sets(st.integers(0, 99), min_size=1).map(lambda found: [f"dQ_upwork:{n}" for n in found])
ATTEMPTS = st.integers(1, 9)
KEYS = st.text("abcdefgh", min_size=1)
JOINED = st.datetimes(timezones=st.just(UTC))
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
USERS = st.from_regex(r"[A-Za-z0-9_-]{2,20}", fullmatch=True)


@given(IDS, ATTEMPTS, KEYS, st.randoms())
def test_the_order_of_the_rows_does_not_matter(ids, attempt, key, random):
    shuffled = random.sample(ids, len(ids))
    assert alert_envelope(shuffled, attempt, key=key) == alert_envelope(ids, attempt, key=key)


@given(st.lists(st.tuples(IDS.map(sorted).map(tuple), ATTEMPTS, KEYS), unique=True))
def test_other_rows_attempts_or_keys_make_other_alerts(alerts):
    made = {alert_envelope(ids, attempt, key=key) for ids, attempt, key in alerts}
    assert len(made) == len(alerts)


@given(st.lists(st.tuples(USERS, st.dates(), JOINED, KEYS), unique=True))
def test_other_users_dates_accounts_or_keys_make_other_digests(digests):
    made = {
        digest_envelope(user, day, joined_at=joined, key=key) for user, day, joined, key in digests
    }
    assert len(made) == len(digests)


@given(IDS, USERS, st.dates(), JOINED, KEYS)
def test_an_envelope_is_32_hex_digits_and_says_nothing(ids, user, day, joined, key):
    alert = alert_envelope(ids, 1, key=key)
    digest = digest_envelope(user, day, joined_at=joined, key=key)
    assert alert != digest
    assert all(re.fullmatch("[0-9a-f]{32}", made) for made in (alert, digest))


def test_the_ids_are_fixed():
    day = date(2026, 11, 25)
    assert alert_envelope(["a_x:1", "a_x:2"], 1, key="k") == FIXED_ALERT
    assert digest_envelope("a", day, joined_at=NOON, key="k") == FIXED_DIGEST


def test_the_zone_a_time_is_written_in_does_not_matter():
    day, there = date(2026, 11, 25), timezone(timedelta(hours=5, minutes=30))
    made = {
        digest_envelope("a", day, joined_at=joined, key="k")
        for joined in (NOON, NOON.astimezone(there))
    }
    assert made == {FIXED_DIGEST}


FIXED_ALERT = "1c21ab7983ed5dfb7b3b0d030e3d3dd2"
FIXED_DIGEST = "795c0d52241ed77c63e4cbdec90278c7"
