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
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TextIO

from tailgate.apps.wording import PAGE, worded
from tailgate.io.json_instance import draft_json_text
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.solution import Solution
from tailgate.solver.search.checkpoint import Checkpoint
from tailgate.solver.search.result import LeaveOut, SolveProgress, SolveResult
from tailgate.solver.search.solver import solve

SECONDS_BETWEEN_REPORTS = 0.25
SECONDS_BETWEEN_CHECKPOINTS = 5.0


@dataclass(frozen=True, slots=True)
class Task:
    """What the worker is to do."""

    instance_text: str
    seconds: float
    """For this run."""
    gap: float
    checkpoint: str
    """Where the state of the search is kept; goes on from there if the file exists."""
    solution_text: str | None
    """The best plan of earlier runs."""
    leave_out: LeaveOut | None = None
    """Whether as little as possible is left out, by cost or by number."""


def main() -> int:
    """Do one task."""
    # Ctrl-C at the terminal goes to all processes; the server says when it is time.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = _own_output()
    task = Task(**json.loads(sys.stdin.readline()))
    cancel = threading.Event()
    threading.Thread(target=_listen, args=(cancel,), daemon=True).start()
    reporter = Reporter(channel, cancel, is_about_cost=task.leave_out is None)
    try:
        result = run(task, reporter, cancel)
    except TailgateError as error:
        reporter.send("failed", {"message": str(error)})
        return 1
    reporter.send("result", _result_content(worded(result, PAGE)))
    return 0


def run(task: Task, reporter: Reporter, cancel: threading.Event) -> SolveResult:
    """Search, from the beginning or from where an earlier run was."""
    instance = draft_json_text(task.instance_text, "instance", "", {}).to_instance()
    kept = task.solution_text
    checkpoint = Checkpoint(
        task.checkpoint,
        instance,
        seconds_between=SECONDS_BETWEEN_CHECKPOINTS,
        is_needed=False,
    )
    start = partial(
        solve,
        instance,
        time_limit=task.seconds,
        gap=task.gap,
        leave_out=task.leave_out,
        warm_start=None if kept is None else Solution.from_dict(json.loads(kept)),
        checkpoint=checkpoint,
        on_progress=reporter.progress,
        cancel=cancel,
    )
    if not Path(task.checkpoint).exists():
        return start()
    try:
        return start(resume=task.checkpoint)
    except InputError as error:
        reporter.send("note", {"message": f"starting again: {error.problem}"})
        return start()


class Reporter:
    """Reports to the server how far the search is, though not too often, and each better plan."""

    def __init__(
        self, channel: TextIO, cancel: threading.Event, *, is_about_cost: bool = True
    ) -> None:
        """``is_about_cost`` is false for searches whose plans and bounds are not yet the result's.

        Where as little as possible is left out, routes cost nothing at first.
        """
        self._is_about_cost = is_about_cost
        self._channel = channel
        self._cancel = cancel
        self._is_heard = True
        self._last = 0.0

    def send(self, kind: str, content: dict[str, object]) -> None:
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
        """Report what is new."""
        if progress.new_plan is not None and self._is_about_cost:
            self.send("plan", {"solution": progress.new_plan.to_dict()})
        now = time.monotonic()
        is_pause = now - self._last < SECONDS_BETWEEN_REPORTS
        if is_pause and progress.event not in ("incumbent", "checkpoint", "end"):
            return
        self._last = now
        is_bound = self._is_about_cost and math.isfinite(progress.lower_bound)
        bound = progress.lower_bound if is_bound else None
        cost = progress.objective if self._is_about_cost else None
        content = {name: getattr(progress, name) for name in ("seconds", "nodes", "doing")}
        self.send("progress", {**content, "objective": cost, "lower_bound": bound})


def _result_content(result: SolveResult) -> dict[str, object]:
    names = ("status", "reason", "lower_bound", "objective", "seconds", "nodes")
    return {
        **{name: getattr(result, name) for name in names},
        "message": _message(result),
        "solution": None if result.solution is None else result.solution.to_dict(),
    }


def _message(result: SolveResult) -> str:
    """Say how it ended; and, where there is something to continue, from where that will be."""
    if not result.checkpoint_failure or result.status in ("optimal", "infeasible"):
        return result.headline
    return f"{result.headline} (its state could not be kept: {result.checkpoint_failure})"


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
