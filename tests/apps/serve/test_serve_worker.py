"""The process that searches, by itself: what it hears and what it tells."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from builders import small_instance
from serve_setting import SLOW
from tailgate.apps.serve.worker import Reporter, Task
from tailgate.io.json_instance import json_instance_text
from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.solver.loading import read
from tailgate.solver.search.result import SolveProgress


def task_of(instance: Instance, folder: Path, **changes: Any) -> Task:
    """Return a task of a few seconds."""
    arguments: dict[str, Any] = {
        "instance_text": json_instance_text(instance),
        "seconds": 20.0,
        "gap": 0.0,
        "checkpoint": str(folder / "checkpoint"),
        "solution_text": None,
    }
    return Task(**(arguments | changes))


def told_by_worker(task: Task, *more_input: str) -> list[dict[str, Any]]:
    """Run a worker to its end; return its lines."""
    finished = subprocess.run(
        [sys.executable, "-P", "-m", "tailgate.apps.serve.worker"],
        input="\n".join([json.dumps(asdict(task)), *more_input, ""]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert finished.stderr == ""
    return [json.loads(line) for line in finished.stdout.splitlines()]


def progress(lower_bound: float, objective: float | None) -> SolveProgress:
    """Return what a search tells."""
    return SolveProgress(1.0, 0, 1, lower_bound, objective, 5, 5, "searching", "node")


def test_a_search_ends_when_nobody_listens_any_more(tmp_path: Path) -> None:
    """The end of its input says so; the plan is kept for whoever comes next."""
    lines = told_by_worker(task_of(read(SLOW), tmp_path, seconds=600.0))
    assert lines[-1]["kind"] == "result"
    assert lines[-1]["reason"] == "interrupted"
    assert (tmp_path / "checkpoint").exists()


def test_a_checkpoint_that_cannot_be_written_does_not_end_the_search(tmp_path: Path) -> None:
    """The server has the plans; a full disk at the first checkpoint must not cost the search."""
    stopped = told_by_worker(task_of(read(SLOW), tmp_path / "gone"))[-1]
    assert (stopped["kind"], stopped["reason"]) == ("result", "interrupted")
    assert "its state could not be kept" in stopped["message"]


def test_every_plan_comes_whole_and_valid(tmp_path: Path) -> None:
    """Before its cost is told: the server must never know a cost without a plan."""
    instance = small_instance()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tailgate.apps.serve.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(asdict(task_of(instance, tmp_path))) + "\n")
        process.stdin.flush()
        lines = [json.loads(line) for line in process.stdout]
    known = None
    for line in lines:
        if line["kind"] == "plan":
            solution = Solution.from_dict(line["solution"])
            assert verify(instance, solution) == []
            known = solution.objective
        elif line["kind"] == "progress" and line["objective"] is not None:
            assert line["objective"] == known
    assert lines[-1]["status"] == "optimal"
    assert verify(instance, Solution.from_dict(lines[-1]["solution"])) == []


def test_a_broken_pipe_ends_the_search_in_good_order() -> None:
    """An error in the middle of the search would cost its checkpoint."""

    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(text[:0])

    cancel = threading.Event()
    reporter = Reporter(Broken(), cancel)
    reporter.progress(progress(1.0, 100))
    assert cancel.is_set()
    reporter.progress(progress(2.0, 100))
