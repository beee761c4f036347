"""The job that somebody means, as they wrote or pasted it."""

from jobs.models import Job
from jobs.postings.identifiers import job_id_from


def find(written: str) -> Job | None:
    """The stored job of an id or an address; None when no source has named it."""
    wanted = written.strip().replace("\0", "")
    derived = job_id_from(wanted, url=wanted)
    return Job.objects.filter(pk__in=[wanted, *([derived] if derived else [])]).first()


def understood(written: str) -> str | None:
    """The job id that an address or id tells, whether anybody has seen the job; None when none.

    A bare word or number tells one only where its shape is a known marketplace's.
    """
    wanted = written.strip()
    derived = job_id_from(wanted, url=wanted)
    guessed = derived is not None and derived.startswith("import:")
    return None if guessed and not wanted.startswith("import:") else derived
