"""A time limit that is passed down and looked at everywhere."""

from __future__ import annotations

import math
import time
from typing import Protocol


class Cancel(Protocol):
    """What ends a search early, such as an event of another thread."""

    def is_set(self) -> bool:
        """Whether it must end."""


class TimeLimit:
    """Counts from its making; without a number of seconds it never expires."""

    def __init__(self, seconds: float | None = None, *, cancel: Cancel | None = None) -> None:
        """Expire after so many seconds, or when someone sets the event."""
        self._started = time.monotonic()
        self._seconds = math.inf if seconds is None else seconds
        self.cancel = cancel
        """What else ends it."""

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._started

    @property
    def remaining(self) -> float | None:
        """Seconds that are left, never negative; ``None`` for no limit."""
        if self.is_cancelled:
            return 0.0
        if math.isinf(self._seconds):
            return None
        return max(0.0, self._seconds - self.elapsed)

    @property
    def expired(self) -> bool:
        """Whether the time is over."""
        return self.is_cancelled or self.elapsed >= self._seconds

    @property
    def is_cancelled(self) -> bool:
        """Whether someone has set the event."""
        return self.cancel is not None and self.cancel.is_set()

    def completed(self, claim: bool) -> bool:
        """Whether work that ran under this limit is complete, where it claims to be.

        This is the one place that decides whether work counts as a proof. Work that is cut off may
        claim anything: HiGHS, for one, need not call a limit that strikes in presolve a time limit.
        So a claim counts only where the limit had not struck when the work returned.
        """
        return claim and not self.expired

    def at_most(self, seconds: float) -> TimeLimit:
        """Return a limit of so many seconds from now, and never beyond this one."""
        remaining = self.remaining
        nearer = seconds if remaining is None else min(seconds, remaining)
        return TimeLimit(nearer, cancel=self.cancel)
