"""Job ids and links: the same job is one job, through whatever source it came."""


def job_url(job_id: str, given: str = "") -> str:
    """The https link to a job, or "" where none is known."""
    raise NotImplementedError
