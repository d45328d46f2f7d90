"""Tasks done here, one after the other."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from tailgate.work.task import Done, Outcome, Task


class ThisProcess:
    """Starts nothing: for one job that may take the program down with it."""

    def run(self, tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        """Yield the outcomes in the order of the tasks."""
        for task in tasks:
            yield Done(task.key, task.run())
