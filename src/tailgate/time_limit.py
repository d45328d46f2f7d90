"""A time limit that is passed down and looked at everywhere."""

from __future__ import annotations

import math
import time


class TimeLimit:
    """Counts from its making; without a number of seconds it never expires."""

    def __init__(self, seconds: float | None = None) -> None:
        self._started = time.monotonic()
        self._seconds = math.inf if seconds is None else seconds

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._started

    @property
    def remaining(self) -> float | None:
        """Seconds that are left, never negative; ``None`` for no limit."""
        if math.isinf(self._seconds):
            return None
        return max(0.0, self._seconds - self.elapsed)

    @property
    def expired(self) -> bool:
        """Whether the time is over."""
        return self.elapsed >= self._seconds
