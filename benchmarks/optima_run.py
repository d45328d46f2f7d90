"""Runs one search in a process of its own: whatever happens to it costs no more than its row."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from tailgate.errors import TailgateError
from tailgate.experiments.optima.row import FAILED, Row, failed_row, problems_of, row_from_cells
from tailgate.experiments.optima.rules import read_instance

WORKER = Path(__file__).resolve().parent / "optima_worker.py"
TICK_SECONDS = 0.5
# A search may be late, at the end of a step that cannot be interrupted; then it is told to stop,
# and at last it is ended.
LATE_SHARE = 0.1
LATE_SECONDS = 120.0
STOP_SECONDS = 60.0
_STDERR_LINES = 15

Progress = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """One instance to solve, and how."""

    name: str
    path: str
    conventions: str
    time_limit: float | None
    threads: int
    commit: str
    memory_limit: float | None = None
    seed: int = 0
    checkpoint: str | None = None
    """Is resumed if it exists."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The row of a job, its last words if it failed, and whether someone interrupted it."""

    row: Row
    complaint: str = ""
    interrupted: bool = False


def run_job(
    job: Job,
    on_tick: Callable[[float, Progress | None], None] = lambda _seconds, _progress: None,
    *,
    command: Sequence[str] = (sys.executable, str(WORKER)),
) -> Outcome:
    """Solve and have the plan judged; Ctrl-C ends it early with what is known by then.

    ``on_tick`` is called twice a second with the seconds so far and the newest progress.
    """
    started = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        # A session of its own: Ctrl-C at the terminal reaches us, and we pass it on, once.
        with subprocess.Popen(
            [*command, json.dumps(asdict(job))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        ) as child:
            watch = _Watch(child, job.time_limit, on_tick)
            try:
                cells = watch.wait()
            finally:
                # A second Ctrl-C, or an error of ours: nothing is left running.
                if child.poll() is None:
                    child.kill()
        seconds = time.monotonic() - started
        last_words = _tail(errors)
    if cells is not None:
        return _judged(job, row_from_cells(cells), interrupted=watch.interrupted)
    reason = watch.failure or _failure(child.returncode, last_words)
    row = failed_row(
        job.name,
        job.conventions,
        reason,
        seconds=seconds,
        commit=job.commit,
        size=_size(job),
    )
    return Outcome(row, last_words, watch.interrupted)


class _Watch:
    """Listens to a child until its end."""

    def __init__(
        self,
        child: subprocess.Popen[str],
        time_limit: float | None,
        on_tick: Callable[[float, Progress | None], None],
    ) -> None:
        self._child = child
        self._on_tick = on_tick
        self._started = time.monotonic()
        self._deadline: float | None = None
        if time_limit is not None:
            late = max(LATE_SECONDS, LATE_SHARE * time_limit)
            self._deadline = self._started + time_limit + late
        self._stopping = False
        self.interrupted = False
        self.failure = ""

    def wait(self) -> list[str] | None:
        """Return the cells of the row, or nothing if there is none."""
        lines: queue.Queue[str | None] = queue.Queue()
        assert self._child.stdout is not None
        reader = threading.Thread(target=_read_lines, args=(self._child.stdout, lines), daemon=True)
        reader.start()
        cells: list[str] | None = None
        progress: Progress | None = None
        while True:
            try:
                line = lines.get(timeout=TICK_SECONDS)
                if line is None:
                    self._child.wait()
                    return cells
                message = json.loads(line)
                cells = message.get("row", cells)
                progress = message.get("progress", progress)
            except queue.Empty:
                self._end_if_late()
            except KeyboardInterrupt:
                if self.interrupted:
                    raise
                self.interrupted = True
                self._stop()
            except ValueError:
                # Half a line of a process that was killed, or a library that talks.
                continue
            self._on_tick(time.monotonic() - self._started, progress)

    def _end_if_late(self) -> None:
        if self._deadline is None or time.monotonic() < self._deadline:
            return
        if self._stopping:
            self.failure = self.failure or "did not stop"
            self._child.kill()
        else:
            self._stop()

    def _stop(self) -> None:
        self._stopping = True
        self._deadline = time.monotonic() + STOP_SECONDS
        # Not SIGINT, which a script that runs us in the background has us and our children ignore.
        self._child.send_signal(signal.SIGTERM)


def _read_lines(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _tail(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode("utf-8", errors="replace").splitlines()
    return "\n".join(lines[-_STDERR_LINES:])


def _failure(returncode: int, last_words: str) -> str:
    """Return what the table says of a crash: no paths, for they are of this machine."""
    if returncode < 0:
        try:
            return f"killed by {signal.Signals(-returncode).name}"
        except ValueError:
            return f"killed by signal {-returncode}"
    lines = last_words.splitlines()
    name = lines[-1].partition(":")[0].rpartition(".")[2] if lines else ""
    return name if name.isidentifier() else f"exit code {returncode}"


def _judged(job: Job, row: Row, *, interrupted: bool) -> Outcome:
    """See that the row alone gives back the plan, and that the judge finds nothing wrong."""
    instance = read_instance(Path(job.path), job.conventions, check_loading=False)
    problems = problems_of(row, instance)
    if not problems:
        return Outcome(row, interrupted=interrupted)
    refused = failed_row(
        job.name,
        job.conventions,
        "refused by the judge",
        seconds=row.seconds,
        commit=job.commit,
        size=(row.n, row.vehicles),
    )
    return Outcome(refused, f"{row.claim}: " + "; ".join(problems), interrupted)


def _size(job: Job) -> tuple[int, int]:
    try:
        instance = read_instance(Path(job.path), job.conventions, check_loading=False)
    except (TailgateError, OSError):  # the worker has said so already
        return 0, 0
    return instance.n, instance.vehicle_count


def is_failure(outcome: Outcome) -> bool:
    """Tell whether there is something to be looked into."""
    return outcome.row.status == FAILED and not outcome.interrupted
