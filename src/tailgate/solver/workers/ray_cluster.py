"""Tasks done on many machines, by a Ray cluster that somebody has started."""

from __future__ import annotations

import importlib
import re
import socket
from collections import deque
from collections.abc import Generator, Iterable
from typing import Any

from tailgate.model.errors import TailgateError
from tailgate.solver.workers.task import ATTEMPTS, Done, Lost, Outcome, Task

CONNECT_SECONDS = 10.0
TASKS_PER_PROCESSOR = 2
"""Handed to the cluster at a time, so that no processor waits and memory does not fill."""

_PLACE = re.compile(r"(?:ray://)?(?P<host>[^/]+):(?P<port>\d{1,5})")


class RayCluster:
    """A cluster at an address; Tailgate is installed on all its machines."""

    def __init__(self, address: str) -> None:
        self._address = address

    def run(self, tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        """Yield outcomes as they come; a machine that dies costs what it was working on."""
        ray = _import_ray()
        is_ours = not ray.is_initialized()
        if is_ours:
            self._connect(ray)
        # Repeated by us and not by Ray, so that it is counted as on one machine.
        remote = ray.remote(num_cpus=1, max_retries=0)(_run)
        waiting = deque((task, 1) for task in tasks)
        begun: dict[Any, tuple[Task, int]] = {}
        try:
            while waiting or begun:
                most = TASKS_PER_PROCESSOR * max(1, int(ray.cluster_resources().get("CPU", 1)))
                while waiting and len(begun) < most:
                    task, attempt = waiting.popleft()
                    begun[remote.remote(task)] = (task, attempt)
                finished, _ = ray.wait(list(begun), num_returns=1)
                for reference in finished:
                    task, attempt = begun.pop(reference)
                    try:
                        value = ray.get(reference)
                    except ray.exceptions.RayTaskError as error:
                        # The task's own exception, without Ray's report around it.
                        raise error.cause from error
                    except ray.exceptions.RayError:
                        # Its worker, its machine or its result is gone.
                        if attempt < ATTEMPTS:
                            waiting.appendleft((task, attempt + 1))
                        else:
                            yield Lost(task.key, attempt)
                        continue
                    yield Done(task.key, value, attempt)
        finally:
            for reference in begun:
                ray.cancel(reference, force=True)
            if is_ours:
                ray.shutdown()

    def _connect(self, ray: Any) -> None:
        try:
            place = _PLACE.fullmatch(self._address)
            if place is not None:
                # Asked first, for Ray itself would go on trying for minutes.
                address = (place["host"], int(place["port"]))
                socket.create_connection(address, timeout=CONNECT_SECONDS).close()
            ray.init(address=self._address, log_to_driver=False, configure_logging=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise TailgateError(
                f"there is no Ray cluster at {self._address}: {error}; start one with: "
                "ray start --head"
            ) from error


def _run(task: Task) -> Any:
    return task.run()


def _import_ray() -> Any:
    """Load Ray, which is optional, or say how to get it."""
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise TailgateError(
            "work on many machines needs Ray; install it on all of them with: "
            "pip install 'tailgate[ray]'"
        ) from error
