"""One run of a job: its process, and what comes from it, judged before it is stored."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from tailgate.apps.serve.documents import instance_of
from tailgate.apps.serve.job import Job
from tailgate.apps.serve.job_store import JobStore, StoreError
from tailgate.apps.serve.worker import Task
from tailgate.model.errors import TailgateError
from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.solution import Solution

LEAST_SECONDS = 1.0
"""Of a run that goes on: enough to put a result together."""
_MAX_MESSAGE_CHARACTERS = 500
# What is stored of a message as it comes.
_PROGRESS = ("seconds", "lower_bound", "nodes", "doing")
_RESULT = ("reason", "message", "lower_bound", "seconds", "nodes")


class JobRun:
    """A process that searches, and the thread that listens to it."""

    def __init__(
        self, job: Job, checkpoint: Path, store: JobStore, on_end: Callable[[int], None]
    ) -> None:
        self._job = job
        self._checkpoint = checkpoint
        self._store = store
        self._on_end = on_end
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._is_stopped = False
        self._is_ended = False
        self._objective = job.objective
        self._last_point: tuple[float | None, float | None] | None = None
        self._instance: Instance | None = None
        self._started = time.monotonic()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    @property
    def elapsed(self) -> float:
        """Seconds of the job so far, its earlier runs included."""
        return self._job.seconds + time.monotonic() - self._started

    @property
    def is_searching(self) -> bool:
        """Whether it has neither ended nor been stopped."""
        return not (self._is_ended or self._is_stopped)

    def begin(self) -> None:
        """Start it; the rest happens in the background."""
        self._thread.start()

    def stop(self) -> None:
        """Ask the search to end with what it has."""
        with self._lock:
            self._is_stopped = True
            if self._process is not None:
                self._say("stop")

    def end(self, seconds: float) -> None:
        """Wait for the end, but not for ever."""
        self._thread.join(seconds)
        if self._thread.is_alive():
            with self._lock:
                if self._process is not None:
                    self._process.kill()
            self._thread.join()

    def _follow(self) -> None:
        try:
            with tempfile.TemporaryFile() as errors:
                code = self._listen(errors)
                if not self._is_ended:
                    self._fail(_breakdown(code, errors))
        except (TailgateError, OSError) as error:
            # A result is stored by then: a pipe that breaks at the very end takes nothing back.
            if not self._is_ended:
                self._fail(str(error))
        finally:
            self._on_end(self._job.number)

    def _listen(self, errors: IO[bytes]) -> int:
        """Start the process and take in its lines, until it ends."""
        self._instance = instance_of(self._job)
        with subprocess.Popen(
            # -P: nothing is imported from the folder that the server happens to stand in.
            [sys.executable, "-P", "-m", "tailgate.apps.serve.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
        ) as process:
            try:
                with self._lock:
                    self._process = process
                    self._say(json.dumps(asdict(self._task())))
                    if self._is_stopped:
                        self._say("stop")
                assert process.stdout is not None
                for line in process.stdout:
                    self._take(json.loads(line))
            except TailgateError:
                process.kill()
                raise
            return process.wait()

    def _task(self) -> Task:
        job = self._job
        return Task(
            instance_text=job.instance_text,
            seconds=max(LEAST_SECONDS, job.options.time_limit - job.seconds),
            gap=job.options.gap,
            leave_out=job.options.leave_out,
            checkpoint=str(self._checkpoint),
            solution_text=job.solution_text,
        )

    def _say(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            # It has ended already, and its exit code will say why.
            return

    def _take(self, message: Mapping[str, Any]) -> None:
        number = self._job.number
        match message["kind"]:
            case "progress":
                self._take_progress(message)
            case "plan":
                self._take_plan(message["solution"])
            case "note":
                self._store.update(number, message=message["message"])
            case "failed":
                self._fail(message["message"])
            case "result":
                self._take_result(message)

    def _take_progress(self, message: Mapping[str, Any]) -> None:
        number, bound, seconds = self._job.number, message["lower_bound"], message["seconds"]
        self._store.update(number, **{key: message[key] for key in _PROGRESS})
        if self._last_point is None:
            self._store.cut_history(number, seconds)
        if self._last_point != (bound, self._objective):
            self._last_point = (bound, self._objective)
            self._store.add_history(number, (seconds, bound or 0.0, self._objective))

    def _take_plan(self, content: Mapping[str, object]) -> None:
        solution = Solution.from_dict(content)
        assert self._instance is not None
        violations = verify(self._instance, solution)
        if violations:
            raise TailgateError(
                f"the search came up with a plan that the judge refuses ({violations[0]}); this is "
                "a bug in Tailgate, please report it"
            )
        self._objective = solution.objective
        self._store.update(
            self._job.number, objective=solution.objective, solution_text=json.dumps(content)
        )

    def _take_result(self, message: Mapping[str, Any]) -> None:
        if message["solution"] is not None:
            self._take_plan(message["solution"])
        bound, seconds = message["lower_bound"], message["seconds"]
        self._store.add_history(self._job.number, (seconds, bound or 0.0, self._objective))
        values = {key: message[key] for key in _RESULT}
        self._store.update(
            self._job.number, status="done", result_status=message["status"], doing="", **values
        )
        self._is_ended = True

    def _fail(self, message: str) -> None:
        self._is_ended = True
        # Where not even this can be stored, the store shows its trouble, and the job is still
        # there for the next server.
        with suppress(StoreError):
            shortened = message[:_MAX_MESSAGE_CHARACTERS]
            self._store.update(self._job.number, status="failed", doing="", message=shortened)


def _breakdown(code: int, errors: IO[bytes]) -> str:
    """Say why a process has ended without a result."""
    if code < 0:
        name = signal.Signals(-code).name
        return (
            f"the search was ended from outside ({name}), perhaps for want of memory; what it had "
            "found is kept"
        )
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    last = f": {lines[-1]}" if lines else ""
    return f"the search broke down with exit code {code}{last}; what it had found is kept"
