"""What ends a search before its time, wherever it is."""

from __future__ import annotations

import time

from tailgate.solver.search.memory import MemoryLimit
from tailgate.solver.time_limit import Cancel

SECONDS_BETWEEN_LOOKS = 0.1


class StopSignal:
    """Looks like an event that someone sets; the compiled core asks it, too."""

    def __init__(self, cancel: Cancel | None, memory: MemoryLimit) -> None:
        self._cancel = cancel
        self._memory = memory
        self._next_look = 0.0
        self._memory_is_exceeded = False
        self.gap_is_reached = False
        """Whether the best plan is as good as was asked for."""

    @property
    def is_interrupted(self) -> bool:
        """Whether someone wants the search to end."""
        return self._cancel is not None and self._cancel.is_set()

    @property
    def is_out_of_memory(self) -> bool:
        """Whether the search has ever taken more memory than it may; looked at now and then."""
        now = time.monotonic()
        if not self._memory_is_exceeded and now >= self._next_look:
            self._memory_is_exceeded = self._memory.is_exceeded
            self._next_look = now + SECONDS_BETWEEN_LOOKS
        return self._memory_is_exceeded

    def is_set(self) -> bool:
        """Whether the search must end."""
        return self.gap_is_reached or self.is_interrupted or self.is_out_of_memory
