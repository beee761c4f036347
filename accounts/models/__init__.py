"""Who there is, what they want, and how mail reaches them."""

from accounts.models.opting_out import DeletedAddress, OptOutToken, Suppression
from accounts.models.preferences import Preferences
from accounts.models.searches import Search
from accounts.models.sessions import Session
from accounts.models.users import User

__all__ = [
    "DeletedAddress",
    "OptOutToken",
    "Preferences",
    "Search",
    "Session",
    "Suppression",
    "User",
]
