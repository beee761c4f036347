"""The ledger: the only code that writes deliveries and mails.

Every function is safe to run twice and from several processes at once; every UPDATE names the
status it expects and reports what came back.
"""

from deliveries.ledger.alerts import Claimed, claim
from deliveries.ledger.digests import Held, freeze, hold, pass_over, put_off, skip_day
from deliveries.ledger.finish import finish
from deliveries.ledger.rows import NewRow, expire, record, reroute
from deliveries.ledger.sweep import Swept, sweep

__all__ = [
    "Claimed",
    "Held",
    "NewRow",
    "Swept",
    "claim",
    "expire",
    "finish",
    "freeze",
    "hold",
    "pass_over",
    "put_off",
    "record",
    "reroute",
    "skip_day",
    "sweep",
]
