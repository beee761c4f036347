"""The exchange rates in use: the shipped table, and what was fetched since."""

from datetime import datetime
from pathlib import Path
from typing import Final

from accounts.boundaries import commit
from jobs.ecb import DayOfRates, RatesError, check_plausible, read_ecb
from jobs.models import ExchangeRates
from jobs.rates import RateTable, shipped
from jobs.web.asking import AskError, Rules, ask

_MOST: Final = 1024 * 1024
_HEADERS: Final = {"User-Agent": "upwork-scout", "Accept": "application/xml, text/xml"}


def current_rates() -> RateTable:
    """The shipped rates, and those of the newest day fetched where these are newer."""
    row = ExchangeRates.objects.order_by("-day").values_list("usd", "day").first()
    return shipped().with_newer(RateTable.of(*row)) if row else shipped()


def refresh(place: str, *, now: datetime, rules: Rules) -> DayOfRates:
    """Take the rates at an address, or in a file, into use.

    Raises RatesError with the reason when they cannot be had or are not believed; then everything
    stays as it is.  Two at once take the same day once.
    """
    day = read_ecb(_body(place, rules))
    check_plausible(day, current_rates(), today=now.date())
    usd = {code: f"{rate.normalize():f}" for code, rate in day.usd.items()}
    source = place.partition("?")[0].rpartition("@")[2][:200]
    with commit("rates: refresh"):
        ExchangeRates.objects.bulk_create(
            [ExchangeRates(day=day.on, usd=usd, source=source, fetched_at=now)],
            ignore_conflicts=True,
        )
    return day


def _body(place: str, rules: Rules) -> bytes:
    if "://" not in place:
        return _file(Path(place))
    try:
        answer = ask(place, headers=_HEADERS, rules=rules)
    except AskError as error:
        raise RatesError(str(error)) from None
    if answer.status != 200:
        raise RatesError(f"The answer's status is {answer.status}.")
    return answer.body


def _file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            body = file.read(_MOST + 1)
    except OSError as error:
        raise RatesError(f"It cannot be read: {error.strerror}.") from None
    if len(body) > _MOST:
        raise RatesError("It is larger than 1 MiB.")
    return body
