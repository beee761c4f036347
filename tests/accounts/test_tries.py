"""What the cache holds of somebody is found, and what is over goes."""

import pytest
from django.core.cache import cache
from django.db import connection

from accounts import tries
from accounts.identity import uid_of
from tests.accounts.signing_in import ask, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
ANA, BOB = "ana@example.com", "bob@example.com"


def keys():
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM django_cache ORDER BY 1")
        return [key for (key,) in cursor.fetchall()]


def test_what_was_counted_of_one_goes_and_of_others_and_callers_stays(mailoutbox):
    ask(browser(), BOB)
    bobs = keys()
    ask(browser(), ANA)
    cache.set(f"allauth:rl:allauth.account:reauthenticate:10/60/user:user:{uid_of(ANA)}", [1.0])
    cache.set(f"used?user={uid_of(ANA)}&code=1", "y")
    cache.set(f"used?user={uid_of(ANA)}X&code=1", "y")
    assert tries.forget(uid_of(ANA)) == 4
    assert [key for key in keys() if key not in bobs] == [f":1:used?user={uid_of(ANA)}X&code=1"]
    assert tries.forget(uid_of(ANA)) == 0


def test_what_counts_no_more_is_pruned():
    cache.set("over", 1, timeout=60)
    cache.set("counts", 1, timeout=60)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_cache SET expires = now() - interval '1 hour'"
                       " WHERE cache_key LIKE '%over'")  # fmt: skip
    assert tries.prune() == 1
    assert keys() == [":1:counts"]
