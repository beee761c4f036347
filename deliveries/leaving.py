"""Deleting an account, and everything that was known of its person."""

from datetime import datetime

from accounts import sessions, staff_log, tries
from accounts.boundaries import commit
from accounts.deleted_addresses import remember
from accounts.locking import lock_account
from deliveries import ledger
from deliveries.models import MailProvider
from deliveries.work.clock import database_time
from deliveries.work.patience import told_when_busy


def delete_account(user_id: str, *, now: datetime) -> bool:
    """Delete a user with everything that is theirs, in one transaction; False: no such user.

    What stays is a keyed hash of the address with the time, so that signing up again does not
    bring jobs seen before; what else there is of a person, `deliveries.personal` lists.  Every
    session ends, also one that waits for a code.  A mail that is leaving at this moment is not held
    back; a digest that is being sent is waited for.

    Raises BusyError when others were at work on the account for longer than the database's
    lock_timeout.  Call it outside any transaction.
    """
    began = database_time()
    with told_when_busy("The account"), commit("account: delete", durable=True):
        user = lock_account(user_id)
        if user is None:
            return False
        # The wait for the locks counts: jobs that were mailed meanwhile were seen, too.
        now += database_time() - began
        remember(user.email, at=ledger.seen_until(user_id, now=now))
        ledger.erase(user_id)
        staff_log.forget(user_id)
        sessions.end(user_id)
        tries.forget(user_id)
        _forget_what_servers_said(user.email)
        user.delete()
    return True


def _forget_what_servers_said(email: str) -> None:
    """A mail server's last words may quote the address that it refused."""
    with commit("account: forget a refusal"):
        MailProvider.objects.filter(detail__icontains=email).update(detail="")
