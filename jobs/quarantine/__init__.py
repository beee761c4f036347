"""The quarantine: rows of sources that were not, or only half, understood, and their way out."""

from jobs.quarantine.keeping import keep
from jobs.quarantine.rerunning import Rerun, run_again

__all__ = ["Rerun", "keep", "run_again"]
