"""What stays of a post's text when the text is gone: enough to know it again, not to read it."""

from jobs.fingerprints.sketch import Fingerprint, fingerprint, same_text

__all__ = ["Fingerprint", "fingerprint", "same_text"]
