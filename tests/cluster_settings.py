"""The project's settings with a cluster that looks at its schedules at once, not after 30 s."""

from scout_project.settings import *  # noqa: F403
from scout_project.settings import Q_CLUSTER

Q_CLUSTER = {**Q_CLUSTER, "guard_cycle": 30}
