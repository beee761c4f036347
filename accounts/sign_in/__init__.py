"""Sign-in by a mailed code, and the second factor of staff."""
