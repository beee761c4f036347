"""The ledger: the only code that writes deliveries and mails.

Every function is safe to run twice and from several processes at once; every UPDATE names the
status it expects and reports what came back.
"""

from deliveries.ledger.alerts import Claimed, claim
from deliveries.ledger.attempts import Begun, Held, begin, due, hold, pass_over, put_off
from deliveries.ledger.digests import choose, freeze, freeze_early, skip_day
from deliveries.ledger.erase import erase, seen_until
from deliveries.ledger.finish import finish, settle
from deliveries.ledger.give_up import GivenUp, give_up_all
from deliveries.ledger.notices import (
    Notice,
    Week,
    claim_sample,
    claim_weekly,
    envelope_of_press,
    samples_left,
    without_note,
)
from deliveries.ledger.prune import prune_deliveries, prune_mails
from deliveries.ledger.refilter import filtered_out, unwanted
from deliveries.ledger.rekey import rekey
from deliveries.ledger.rows import NewRow, expire, record, requeue, reroute
from deliveries.ledger.sweep import Swept, sweep

__all__ = [
    "Begun",
    "Claimed",
    "GivenUp",
    "Held",
    "NewRow",
    "Notice",
    "Swept",
    "Week",
    "begin",
    "choose",
    "claim",
    "claim_sample",
    "claim_weekly",
    "due",
    "envelope_of_press",
    "erase",
    "expire",
    "filtered_out",
    "finish",
    "freeze",
    "freeze_early",
    "give_up_all",
    "hold",
    "pass_over",
    "prune_deliveries",
    "prune_mails",
    "put_off",
    "record",
    "rekey",
    "requeue",
    "reroute",
    "samples_left",
    "seen_until",
    "settle",
    "skip_day",
    "sweep",
    "unwanted",
    "without_note",
]
