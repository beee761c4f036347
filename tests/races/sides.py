"""The sides of the races: what people and processes do, all at one time of the day."""

from datetime import timedelta
from typing import Any, Final

from accounts.identity import uid_of
from accounts.models import OptOutToken
from accounts.opting_out import opt_out
from accounts.profiles import read_profile
from deliveries import ledger
from deliveries.digest import digest
from deliveries.leaving import delete_account
from deliveries.models import Mail
from deliveries.moving import change_address
from deliveries.people import save_profile
from deliveries.pruning import prune
from deliveries.restoring import after_restore
from deliveries.running.schedules import sync
from deliveries.scan import scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests.factories import NOON

ANA, BO, CY, NEW = "ana@example.com", "bo@example.com", "cy@example.com", "new@example.com"
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
NOW: Final = NOON + 30 * MINUTE  # digests are due at noon


def run_scan() -> Any:
    """A scan that fetches."""
    return scan(Clock.set_to(NOW), Wall(60))


def run_digest() -> Any:
    """A digest tick."""
    return digest(Clock.set_to(NOW), Wall(60))


def run_prune() -> Any:
    """Pruning."""
    return prune(NOW, Wall(60))


def sweep_later() -> Any:
    """A sweep by whose clock every sender of an alert is gone."""
    return ledger.sweep(now=NOW + 10 * MINUTE, fresh=DAY)


def sweep_next_day() -> Any:
    """A sweep by whose clock every digest has been tried for a day."""
    return ledger.sweep(now=NOW + 25 * HOUR, fresh=DAY)


def slow_sender_ends() -> Any:
    """The last step of a process whose alert was accepted, and which is still alive."""
    [envelope] = Mail.objects.values_list("pk", flat=True)
    return ledger.finish(envelope, "sent", now=NOW, expected=("sending", "unconfirmed"))


def ana_opts_out() -> Any:
    """By the link in a mail."""
    return opt_out(OptOutToken.objects.get(user__email=ANA).pk)


def ana_moves() -> Any:
    """Every row of hers gets another key."""
    return change_address(uid_of(ANA), NEW, now=NOW)


def ana_leaves() -> Any:
    """Her account is deleted."""
    return delete_account(uid_of(ANA), now=NOW)


def start_afresh() -> Any:
    """As after a backup was restored."""
    return after_restore(Clock.set_to(NOW))


def sync_schedules() -> Any:
    """As every deployment does."""
    return sync()


def sign_up(email: str, **profile: Any) -> Any:
    """A new user whom every job fits, or a changed one."""
    wishes = {"words_any": ["django"], "min_score": 0, "digest_hour": 12, **profile}
    return save_profile(email, read_profile(wishes), now=NOW)


def cy_signs_up() -> Any:
    """For alerts."""
    return sign_up(CY)


def cy_signs_up_elsewhere() -> Any:
    """For digests, and with the address written as telephones do."""
    return sign_up(f" {CY.upper()}", mode="daily")
