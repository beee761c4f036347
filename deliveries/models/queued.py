"""Users seen as the digests that wait for them."""

from accounts.models import Preferences


class QueuedDigest(Preferences):
    """The preferences of a user for whom daily rows are queued: staff see one line a digest."""

    class Meta:
        """No table of its own."""

        proxy = True
        default_permissions = ("view", "change")
        verbose_name = "queued digest"

    def __str__(self) -> str:
        return f"the digest of {self.user.email}"
