"""How often something may be tried, counted for all processes together in the database cache."""

from allauth.core import ratelimit
from allauth.core.internal.ratelimit import get_ip
from django.db import connection
from django.http import HttpRequest

from accounts.boundaries import commit


def allowed(request: HttpRequest, action: str, *, key: str) -> bool:
    """Count one try; False above a limit of ACCOUNT_RATE_LIMITS for this caller or this key.

    Tries at the same moment queue up here: allauth's own lock gives up after a second, and would
    call a form that was sent twice "too many".
    """
    with commit("sign-in: count a try"), connection.cursor() as cursor:
        for name in (f"caller {get_ip(request)}", f"key {key}"):  # the same order everywhere
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{action} {name}"]
            )
        return bool(ratelimit.consume(request, action=action, key=key))
