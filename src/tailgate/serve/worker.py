"""Searches in a process of its own: a crash costs one job, and the server stays quick.

The first line of the standard input is the job, as JSON. Any further line, or the end of the input
(the server is gone), ends the search early. What it has to say are lines of JSON.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from tailgate.errors import InputError, TailgateError
from tailgate.formats.json_instance import draft_json_text
from tailgate.instance import Instance
from tailgate.search.checkpoint import Checkpoint
from tailgate.search.result import SolveProgress, SolveResult
from tailgate.search.solver import Options, Search
from tailgate.solution import Solution
from tailgate.time_limit import TimeLimit

SECONDS_BETWEEN_REPORTS = 0.25
SECONDS_BETWEEN_CHECKPOINTS = 5.0


@dataclass(frozen=True, slots=True)
class Task:
    """What the worker is told."""

    instance_text: str
    seconds: float
    """For this run."""
    gap: float
    checkpoint: str
    """Where the state of the search is kept; goes on from there if the file exists."""
    solution_text: str | None
    """The best plan of earlier runs."""


def main() -> int:
    """Do one task."""
    # Ctrl-C at the terminal goes to all processes; the server tells us when it is time.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = _own_output()
    task = Task(**json.loads(sys.stdin.readline()))
    cancel = threading.Event()
    threading.Thread(target=_listen, args=(cancel,), daemon=True).start()
    teller = Teller(channel, cancel, gap=task.gap)
    try:
        result = run(task, teller, cancel)
    except TailgateError as error:
        teller.tell("failed", {"message": str(error)})
        return 1
    if teller.is_good_enough and result.reason == "interrupted":
        result = replace(result, reason="gap")
    teller.tell("result", _result_content(result))
    return 0


def run(task: Task, teller: Teller, cancel: threading.Event) -> SolveResult:
    """Search, from the beginning or from where an earlier run was."""
    instance = draft_json_text(task.instance_text, "instance", "", {}).assembled().instance
    try:
        search = _search(instance, task, teller, cancel, resume=Path(task.checkpoint).exists())
    except InputError as error:
        teller.tell("note", {"message": f"starting again: {error.problem}"})
        search = _search(instance, task, teller, cancel, resume=False)
    teller.search = search
    return search.run()


def _search(
    instance: Instance, task: Task, teller: Teller, cancel: threading.Event, *, resume: bool
) -> Search:
    limit = TimeLimit(task.seconds, cancel=cancel)
    search = Search(instance, Options(gap=task.gap), limit, teller.progress)
    if resume:
        search.restore(task.checkpoint)
    if task.solution_text is not None:
        search.incumbent.from_solution(Solution.from_dict(json.loads(task.solution_text)))
    search.checkpoint = Checkpoint(
        task.checkpoint, instance, seconds_between=SECONDS_BETWEEN_CHECKPOINTS
    )
    return search


class Teller:
    """Tells the server how far the search is, though not too often, and each better plan."""

    def __init__(self, channel: TextIO, cancel: threading.Event, *, gap: float) -> None:
        self._channel = channel
        self._cancel = cancel
        self._gap = gap
        self.is_good_enough = False
        """Whether the gap that was asked for has been reached before the search was at its end."""
        self._is_heard = True
        self._last = 0.0
        self._told_cost: float | None = None
        self.search: Search | None = None

    def tell(self, kind: str, content: dict[str, object]) -> None:
        """Write one line; without a listener the search ends, and its state is kept."""
        if not self._is_heard:
            return
        try:
            self._channel.write(json.dumps({"kind": kind, **content}, allow_nan=False) + "\n")
            self._channel.flush()
        except OSError:
            self._is_heard = False
            self._cancel.set()

    def progress(self, progress: SolveProgress) -> None:
        """Tell what is new."""
        self._tell_plan(progress)
        if self._gap and progress.gap is not None and progress.gap <= self._gap:
            # The search itself looks at the gap between two nodes only, which may take hours.
            self.is_good_enough = True
            self._cancel.set()
        now = time.monotonic()
        is_pause = now - self._last < SECONDS_BETWEEN_REPORTS
        if is_pause and progress.event not in ("incumbent", "checkpoint", "end"):
            return
        self._last = now
        self.tell(
            "progress",
            {
                "seconds": progress.seconds,
                "lower_bound": _finite(progress.lower_bound),
                "objective": progress.objective,
                "nodes": progress.nodes,
                "doing": progress.doing,
            },
        )

    def _tell_plan(self, progress: SolveProgress) -> None:
        cost = progress.objective
        if self.search is None or cost is None or cost == self._told_cost:
            return
        self._told_cost = cost
        solution = self.search.incumbent.solution("feasible", progress.lower_bound)
        assert solution is not None
        self.tell("plan", {"solution": solution.to_dict()})


def _result_content(result: SolveResult) -> dict[str, object]:
    return {
        "status": result.status,
        "reason": result.reason,
        "lower_bound": result.lower_bound,
        "objective": result.objective,
        "seconds": result.seconds,
        "nodes": result.nodes,
        "message": result.headline,
        "solution": None if result.solution is None else result.solution.to_dict(),
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _own_output() -> TextIO:
    """Keep the standard output for our lines: whatever else is printed goes to the other one."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return channel


def _listen(cancel: threading.Event) -> None:
    sys.stdin.readline()
    cancel.set()


if __name__ == "__main__":
    sys.exit(main())
