"""A search on disk: killed at any moment, it goes on from there."""

from __future__ import annotations

import time

from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.search import checkpoint_codec
from tailgate.solver.search.state import SearchState

SECONDS_BETWEEN_WRITES = 10.0
SHARE_OF_TIME = 0.02
"""Of the total time, for writing: where that takes long, it is done less often."""


class Checkpoint:
    """The file of one search, and when it is time to write it again."""

    def __init__(
        self,
        path: PathLike,
        instance: Instance,
        *,
        seconds_between: float = SECONDS_BETWEEN_WRITES,
        is_needed: bool = True,
    ) -> None:
        self.path = path
        self._instance = instance
        self.failure = ""
        """Why the last attempt to write failed; empty if it did not."""
        # Where the plans are kept elsewhere, not even the first failure is an error.
        self._is_worth_an_error = is_needed
        self._wait = self._seconds_between = seconds_between
        self._last_end = time.monotonic()

    def of(self, instance: Instance) -> Checkpoint:
        """Return this file as that of an instance which is solved in place of its own."""
        if instance is self._instance:
            return self
        return Checkpoint(
            self.path,
            instance,
            seconds_between=self._seconds_between,
            is_needed=self._is_worth_an_error,
        )

    @property
    def is_due(self) -> bool:
        """Whether the last one is old."""
        return time.monotonic() - self._last_end >= self._wait

    def write(self, state: SearchState) -> None:
        """Replace the file.

        A path that cannot be written is an error the first time, if it is needed. Later it is
        noted only: a search of hours is worth more than its checkpoint, and the disk may have room
        again.
        """
        started = time.monotonic()
        try:
            checkpoint_codec.write(self.path, self._instance, state)
            self._is_worth_an_error, self.failure = False, ""
        except InputError as error:
            if self._is_worth_an_error:
                raise
            self.failure = str(error)
        self._last_end = time.monotonic()
        self._wait = max(self._seconds_between, (self._last_end - started) / SHARE_OF_TIME)
