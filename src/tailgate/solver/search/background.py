"""A route search in a thread of its own, for as long as the exact search runs."""

from __future__ import annotations

import threading

from tailgate.model.instance import Instance
from tailgate.solver.column import Column
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.routing import RouteSearch

SLICE_SECONDS = 0.5


class BackgroundSearch:
    """Shares nothing with the exact search but its best routes: it has an oracle of its own."""

    def __init__(self, instance: Instance, *, seed: int) -> None:
        self._search = RouteSearch(instance, LoadingOracle(instance), seed=seed)
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._best: list[Column] | None = None
        self._thread = threading.Thread(target=self._run, name="route search", daemon=True)

    def __enter__(self) -> BackgroundSearch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def take(self) -> list[Column] | None:
        """Return the best solution if it is new since the last time."""
        with self._lock:
            best, self._best = self._best, None
        return best

    def _run(self) -> None:
        cost = float("inf")
        while not self._stop.is_set():
            self._search.run(time_limit=SLICE_SECONDS)
            found, columns = self._search.cost, self._search.routes
            if found is not None and found < cost:
                cost = found
                with self._lock:
                    self._best = columns
