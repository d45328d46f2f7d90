"""Runs the jobs that wait, a few at a time, and stores what they find as they find it."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tailgate.apps.serve.job import Job, JobOptions
from tailgate.apps.serve.job_run import JobRun
from tailgate.apps.serve.job_store import JobStore, StoreError
from tailgate.apps.serve.limits import Limits

MAX_STARTS = 3
"""A job that the server's end has interrupted so often is not started again unasked."""
SECONDS_TO_END = 15.0
"""For a search that was asked to stop, before its process is ended."""


class JobRunner:
    """The processes of the jobs. Safe to call from any thread."""

    def __init__(self, store: JobStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._lock = threading.RLock()
        self._runs: dict[int, JobRun] = {}
        self._is_closing = False
        self._cut_short: set[int] = set()
        """Jobs that nobody has stopped but the end of the server."""

    def start(self) -> None:
        """Go on with the jobs that the last server left."""
        for job in self._store.jobs("running", "interrupted"):
            if job.starts < MAX_STARTS:
                self._store.update(job.number, status="waiting")
            else:
                self._store.update(
                    job.number,
                    status="interrupted",
                    message=f"interrupted {job.starts} times by the end of the server; continue it",
                )
        self.start_waiting()

    def start_waiting(self) -> None:
        """Start jobs as long as there is room."""
        with self._lock:
            if self._is_closing:
                return
            for job in self._store.jobs("waiting"):
                if len(self._runs) >= self._limits.running_jobs:
                    return
                if job.number not in self._runs:
                    self._start(job.number)

    def stop(self, number: int) -> None:
        """End a search early; what it has found stays."""
        with self._lock:
            run = self._runs.get(number)
            if run is not None:
                run.stop()
                return
            job = self._store.job(number)
            if job is not None and job.status == "waiting":
                self._store.update(
                    number,
                    status="done",
                    result_status="bound_only" if job.solution_text is None else "feasible",
                    reason="interrupted",
                    message="stopped while it was waiting",
                )

    def go_on(self, job: Job, options: JobOptions) -> None:
        """Have a job that has ended search on, for so many seconds more."""
        seconds = job.seconds + options.time_limit
        # What may be left out makes it another search, which the checkpoint would not fit.
        wanted = replace(job.options, time_limit=seconds, gap=options.gap)
        self._store.ask_again(job.number, wanted)
        self.start_waiting()

    def elapsed(self, number: int) -> float | None:
        """Return the seconds of a job that runs now: a search may be silent for a while."""
        with self._lock:
            run = self._runs.get(number)
            return None if run is None else run.elapsed

    def forget(self, number: int) -> None:
        """Delete a job that does not run, with its checkpoint."""
        self._store.delete(number)
        self._checkpoint(number).unlink(missing_ok=True)

    def close(self) -> None:
        """End all searches so that the next server can go on with them."""
        with self._lock:
            self._is_closing = True
            runs = list(self._runs.values())
            self._cut_short = {number for number, run in self._runs.items() if run.is_searching}
        for run in runs:
            run.stop()
        for run in runs:
            run.end(SECONDS_TO_END)

    def _checkpoint(self, number: int) -> Path:
        return self._store.folder / f"run-{number}.checkpoint"

    def _start(self, number: int) -> None:
        job = self._store.job(number)
        assert job is not None
        self._store.update(
            number, status="running", starts=job.starts + 1, result_status="", reason="", message=""
        )
        run = JobRun(job, self._checkpoint(number), self._store, self._is_over)
        self._runs[number] = run
        run.begin()

    def _is_over(self, number: int) -> None:
        # Where the disk is full, the store shows its trouble; the next server tries again.
        with self._lock, suppress(StoreError):
            self._runs.pop(number, None)
            job = self._store.job(number)
            is_whole = job is None or (job.status == "done" and job.reason != "interrupted")
            if number in self._cut_short and not is_whole:
                self._store.update(
                    number, status="interrupted", starts=0, result_status="", reason=""
                )
            self.start_waiting()
