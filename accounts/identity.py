"""The uid: a user's key, derived from the address alone.

Reversible, so it is personal data: it authenticates nothing and stays out of URLs and logs.
"""

import base64
import binascii


def normalise_email(raw: str) -> str:
    """The one spelling of an address: trimmed and lowercased; idempotent."""
    return raw.strip().lower()


def uid_of(email: str) -> str:
    """base64url, without padding, of the normalised address; equal for equal addresses only.

    Raises ValueError for an empty address and for text that has no UTF-8 form.
    """
    address = normalise_email(email)
    if not address:
        raise ValueError("An e-mail address is needed to make a key; got an empty one.")
    return base64.urlsafe_b64encode(address.encode()).rstrip(b"=").decode()


def email_of(uid: str) -> str:
    """The normalised address behind a uid; raises ValueError when it is not one."""
    try:
        address = base64.b64decode(uid + "=" * (-len(uid) % 4), altchars=b"-_", validate=True)
        email = address.decode()
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"Not a uid: {uid!r}.") from error
    if not email or uid_of(email) != uid:
        raise ValueError(f"Not a uid: {uid!r} is not the key of a normalised address.")
    return email
