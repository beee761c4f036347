"""How long the server takes for each page of a user, with many recent jobs."""

import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.test import Client

from accounts.models import User
from deliveries import digest, scan
from deliveries.bench.market import add_jobs, add_users
from deliveries.models import Delivery
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall

JOBS: Final = 10_000
_USERS: Final = 5
_TIMES: Final = 9
_BARE: Final = "/privacy/"
_PAGES: Final = (
    *("/", _BARE, "/example/", "/jobs/", "/jobs/near/", "/jobs/taste/", "/preferences/"),
    *("/welcome/", "/welcome/work/", "/welcome/mail/", "/mail/", "/why/", "/account/"),
)
_PREVIEW: Final = "/welcome/preview/who/"
_TYPED: Final = {
    "search-1-headline": "Senior Django developer",
    "search-1-skills": "Django\nPython\nPostgreSQL\nReact",
}


class PageError(Exception):
    """A page did not answer as it should; the message names it."""


def page_times(count: int, *, wall: Wall) -> dict[str, dict[str, float]]:
    """Milliseconds for each page: the `first` time in this process, and the `median` afterwards.

    `ratio` is the median against that of a page that asks the database for nothing but who is
    signed in.  The present database must be a scratch one.  Raises PageError.
    """
    user, job = _market(count, wall)
    client = Client(headers={"x-forwarded-proto": "https", "host": settings.SITE_HOST})
    client.force_login(user, settings.AUTHENTICATION_BACKENDS[0])
    with warnings.catch_warnings():  # about static files that nobody collected
        warnings.simplefilter("ignore", UserWarning)
        client.get(_BARE)
    asked: dict[str, Callable[[], Any]] = {
        **{path: _get(client, path) for path in _PAGES},
        "/why/?job=": _get(client, f"/why/?job={job}"),
        f"POST {_PREVIEW}": lambda: client.post(_PREVIEW, _TYPED),
    }
    found = {name: _timed(name, ask) for name, ask in asked.items()}
    bare = found[_BARE]["median"]
    return {
        name: {**times, "ratio": round(times["median"] / bare, 1)} for name, times in found.items()
    }


def _market(count: int, wall: Wall) -> tuple[User, str]:
    """The user for whom most jobs were found, some of them mailed, and one of the jobs."""
    clock = Clock()
    add_users(_USERS)
    add_jobs(count, now=clock.now())
    scan.scan(clock, wall, scan.ScanOptions(work_only=True, local_only=True))
    digest.digest(clock, wall)
    rows = list(Delivery.objects.values_list("user_id", "job_id"))
    if not rows:
        raise PageError("No job fits any invented user: measure with more jobs.")
    users = [user for user, _ in rows]
    user = max(set(users), key=users.count)
    return User.objects.get(pk=user), next(job for owner, job in rows if owner == user)


def _get(client: Client, path: str) -> Callable[[], Any]:
    return lambda: client.get(path)


def _timed(name: str, ask: Callable[[], Any]) -> dict[str, float]:
    times = []
    for _ in range(_TIMES + 1):
        begun = time.perf_counter()
        answer = ask()
        times.append((time.perf_counter() - begun) * 1000)
        if answer.status_code not in (200, 302):
            raise PageError(f"{name} answered {answer.status_code}.")
    return {"first": round(times[0], 1), "median": round(statistics.median(times[1:]), 1)}
