"""Where the time of column generation goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tailgate.solver.screening import FleetScreen


class Stopwatch:
    """Counts the seconds of each part, without those of the network and the loading checks."""

    def __init__(self, screen: FleetScreen) -> None:
        self._screen = screen
        self.seconds = dict.fromkeys(("heuristic", "master", "pricing"), 0.0)

    @contextmanager
    def timing(self, part: str) -> Iterator[None]:
        """Count the time of a block."""
        started, checking = time.monotonic(), self._screen.checking_seconds
        try:
            yield
        finally:
            spent = time.monotonic() - started
            self.seconds[part] += max(0.0, spent - (self._screen.checking_seconds - checking))
