"""What was decided, what left, and who is at work."""

from deliveries.models.delivery import Delivery
from deliveries.models.mail import Mail
from deliveries.models.queued import QueuedDigest
from deliveries.models.work import Lease, MailProvider, Run, Visit, WantedRun

__all__ = ["Delivery", "Lease", "Mail", "MailProvider", "QueuedDigest", "Run", "Visit", "WantedRun"]
