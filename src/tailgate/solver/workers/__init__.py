"""Independent tasks: done here, by processes of this machine, or on a Ray cluster.

Whoever has tasks gives them to ``Workers.run`` and takes the outcomes as they come. A worker that
is killed costs only its task, which is given to another one.
"""

from tailgate.solver.workers.local_processes import LocalProcesses
from tailgate.solver.workers.ray_cluster import RayCluster
from tailgate.solver.workers.task import ATTEMPTS, Done, Lost, Outcome, Task, ThisProcess, Workers


def choose_workers(jobs: int, ray_address: str | None = None) -> Workers:
    """Return the cluster if an address is given, else so many processes of this machine."""
    return LocalProcesses(jobs) if ray_address is None else RayCluster(ray_address)


__all__ = [
    "ATTEMPTS",
    "Done",
    "LocalProcesses",
    "Lost",
    "Outcome",
    "RayCluster",
    "Task",
    "ThisProcess",
    "Workers",
    "choose_workers",
]
