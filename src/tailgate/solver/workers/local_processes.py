"""Tasks done by processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import connection
from typing import Any

from tailgate.solver.workers.task import ATTEMPTS, Done, Lost, Outcome, Task


class LocalProcesses:
    """So many processes, each in a pool of its own: if one dies, the others do not notice."""

    def __init__(self, count: int) -> None:
        self._count = count

    def run(self, tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        """Yield outcomes as they come; processes are started as they are needed."""
        waiting = deque((task, 1) for task in tasks)
        idle: list[_Process] = []
        busy: dict[Future[Any], tuple[_Process, Task, int]] = {}
        try:
            while waiting or busy:
                while waiting and len(busy) < self._count:
                    process = idle.pop() if idle else _Process()
                    task, attempt = waiting.popleft()
                    busy[process.begin(task)] = (process, task, attempt)
                finished, _ = wait(busy, return_when=FIRST_COMPLETED)
                for future in finished:
                    process, task, attempt = busy.pop(future)
                    if isinstance(future.exception(), BrokenProcessPool):
                        process.end()
                        if attempt < ATTEMPTS:
                            waiting.appendleft((task, attempt + 1))
                        else:
                            yield Lost(task.key, attempt)
                        continue
                    idle.append(process)
                    yield Done(task.key, future.result(), attempt)
        finally:
            for process in (*idle, *(process for process, _, _ in busy.values())):
                process.end()


class _Process:
    """One worker and its executor."""

    def __init__(self) -> None:
        # Spawned, so that no worker inherits threads of the LP solver.
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(1, mp_context=context, initializer=follow_parent)
        self._pid = self._executor.submit(os.getpid)

    def begin(self, task: Task) -> Future[Any]:
        """Give it a task."""
        return self._executor.submit(task.run)

    def end(self) -> None:
        """End it, whatever it is doing, and see that nothing of it is left."""
        with suppress(BrokenProcessPool, ProcessLookupError):  # it is gone already
            os.kill(self._pid.result(), signal.SIGTERM)
        self._executor.shutdown(cancel_futures=True)


def follow_parent() -> None:
    """Leave Ctrl-C to the process that wants the results, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
