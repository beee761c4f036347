"""Staff pages about the ledger, the mails, the runs, and the users they are about."""

from deliveries.admin import ledger, mails, queued_digests, users, work

__all__ = ["ledger", "mails", "queued_digests", "users", "work"]
