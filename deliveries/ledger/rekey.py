"""Moving what the ledger holds of one user to a new key, when the address changes."""

from typing import Final

from django.db import connection

from accounts.boundaries import commit

# Mails first, as wherever both are locked.
_MAILS: Final = "UPDATE deliveries_mail SET user_id = %(new)s WHERE user_id = %(old)s"
_DELIVERIES: Final = """
UPDATE deliveries_delivery SET id = %(new)s || '_' || job_id, user_id = %(new)s
WHERE user_id = %(old)s
"""


def rekey(user_id: str, new_id: str) -> int:
    """Give a user's mails and rows another owner's key, nothing else; how many rows were.

    Call it in the transaction that gives the user this key, with the account locked and no mail of
    theirs open: a mail that is being sent is found under the key it was sealed for.
    """
    with commit("ledger: rekey"), connection.cursor() as cursor:
        cursor.execute(_MAILS, {"old": user_id, "new": new_id})
        cursor.execute(_DELIVERIES, {"old": user_id, "new": new_id})
        rows: int = cursor.rowcount
    return rows
