"""Solves one instance in a process of its own; what it has to say are lines of JSON.

Started by ``optima_run.py`` with one argument, a job as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tailgate.cli.interrupts import Interrupts
from tailgate.experiments.optima.row import cells_of, row_of
from tailgate.experiments.optima.rules import read_instance
from tailgate.search.result import SolveProgress
from tailgate.search.solver import solve

SECONDS_BETWEEN_REPORTS = 0.5
SECONDS_BETWEEN_LOOKS = 1.0


def main() -> int:
    """Solve and report; Ctrl-C or SIGTERM ends it early with what is known by then."""
    job = json.loads(sys.argv[1])
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    with Interrupts() as interrupts:
        instance = read_instance(Path(job["path"]), job["conventions"])
        checkpoint = None if job["checkpoint"] is None else Path(job["checkpoint"])
        result = solve(
            instance,
            time_limit=job["time_limit"],
            threads=job["threads"],
            memory_limit=job["memory_limit"],
            seed=job["seed"],
            checkpoint=checkpoint,
            resume=checkpoint if checkpoint is not None and checkpoint.exists() else None,
            on_progress=_reporting(interrupts),
            cancel=interrupts.cancel,
        )
        interrupts.search_is_over()
        row = row_of(result, job["name"], instance, job["conventions"], job["commit"])
        print(json.dumps({"row": cells_of(row)}), flush=True)
    return 0


def _leave_with(parent: int) -> None:
    """Do not go on for hours when whoever wants the result was killed."""
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def _reporting(interrupts: Interrupts) -> Callable[[SolveProgress], None]:
    last = 0.0

    def report(progress: SolveProgress) -> None:
        nonlocal last
        if progress.event == "end":
            # A signal that comes while the result is put together must not cost it.
            interrupts.search_is_over()
            return
        now = time.monotonic()
        if now - last < SECONDS_BETWEEN_REPORTS:
            return
        last = now
        content = {
            "lower_bound": progress.lower_bound,
            "objective": progress.objective,
            "gap": progress.gap,
            "nodes": progress.nodes,
            "doing": progress.doing,
        }
        print(json.dumps({"progress": content}), flush=True)

    return report


if __name__ == "__main__":
    sys.exit(main())
