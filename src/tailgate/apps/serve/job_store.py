"""All jobs: in one SQLite file, which one server at a time may use, and in a copy of the server's.

Reading needs the copy only, and the file can be written again from it. So a disk that is full, or a
file that somebody deletes or overwrites, costs neither the jobs nor the page, which says so.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, astuple
from pathlib import Path
from typing import TypeVar

from tailgate.apps.serve.job import HistoryPoint, Job, JobOptions, JobStatus
from tailgate.apps.serve.job_file import JobFile, is_damage, remedy_of
from tailgate.apps.serve.job_tables import (
    VERSION,
    copy_job,
    copy_readable_jobs,
    history_in,
    job_in,
    jobs_in,
    leave_out_numbers,
    make_tables,
    next_number,
)
from tailgate.model.errors import InputError, TailgateError

FILE_NAME = "jobs.sqlite"
MAX_HISTORY = 2_000
"""Points of a job; where there would be more, every second one goes."""
SECONDS_BETWEEN_ATTEMPTS = 2.0
"""To write again what could not be written; a search would try many times a second."""
_MOST_NUMBER = 2**63 - 1
_COPY_KILOBYTES = 64_000

Result = TypeVar("Result")
Action = Callable[[sqlite3.Connection], object]
_log = logging.getLogger(__name__)


class StoreError(TailgateError):
    """The disk is full, or the file cannot be written for another reason."""


class JobStore:
    """The jobs on disk. Safe to share between threads: calls wait for each other."""

    def __init__(self, folder: Path) -> None:
        """Open the file, or make it; refuse one that another server has open."""
        self.folder = folder
        self.trouble = ""
        """Why the last attempt to write failed; empty if it did not."""
        self.notices: list[str] = []
        """What has happened to the file since the start of the server, for people."""
        self._lock = threading.Lock()
        self._unstored: set[int] = set()
        """Jobs of which the copy knows more than the file."""
        self._next_attempt = 0.0
        self._copy = _empty_copy()
        self._file = JobFile(folder / FILE_NAME)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be made: {error.strerror}", source=str(folder)) from error
        self._load()

    def _load(self) -> None:
        problem = self._file.open()
        if not problem:
            self._file.connection.backup(self._copy)
            is_new = next_number(self._copy) == 1
            if self._leave_out_known_numbers() and is_new:
                self._note(
                    f"there is no list of runs in {self.folder}, though checkpoints of runs are "
                    f"there; {FILE_NAME} may have been moved or deleted. A new one was begun."
                )
            return
        copy_readable_jobs(self._file.connection, self._copy)
        self._leave_out_known_numbers()
        try:
            self._replace(f"could not be read ({problem})")
        except (OSError, sqlite3.Error) as error:
            self._file.close()
            raise InputError(
                f"is damaged ({problem}), and no new one can be made: {error}; "
                f"{remedy_of(error)}, or give another folder with --data",
                source=str(self._file.path),
            ) from error

    def _leave_out_known_numbers(self) -> bool:
        """Never take a checkpoint of a job that got lost for one of a new job."""
        names = [path.stem.removeprefix("run-") for path in self.folder.glob("run-*.checkpoint")]
        known = [int(name) for name in names if name.isascii() and name.isdecimal()]
        leave_out_numbers(self._copy, min(max(known, default=0), _MOST_NUMBER - 1))
        return bool(known)

    def close(self) -> None:
        """Store what is left, and let go of the file."""
        with self._lock:
            failure = self._mend(is_urgent=True)
            if failure is not None and self._unstored:
                numbers = ", ".join(map(str, sorted(self._unstored)))
                _log.warning("the last state of run %s is lost: %s", numbers, failure)
            self._file.close()
            self._copy.close()

    def look_after(self) -> None:
        """See whether the file is still there, and write again what could not be written."""
        with self._lock, _as_store_errors():
            self._mend(is_urgent=False)

    # Reading.

    def job(self, number: int) -> Job | None:
        """Return one job with all that is known of it."""
        if number > _MOST_NUMBER:
            return None
        return self._read(lambda copy: job_in(copy, number))

    def jobs(self, *statuses: JobStatus) -> list[Job]:
        """Return all jobs, or those of some statuses, oldest first, without their long texts."""
        return self._read(lambda copy: jobs_in(copy, statuses))

    def count(self, *statuses: JobStatus) -> int:
        """Return how many jobs there are."""
        return len(self.jobs(*statuses))

    def history(self, number: int) -> list[HistoryPoint]:
        """Return how bound and best plan have changed, in the order of time."""
        return self._read(lambda copy: history_in(copy, number))

    def _read(self, action: Callable[[sqlite3.Connection], Result]) -> Result:
        with self._lock, _as_store_errors():
            return action(self._copy)

    # What is refused unless it is stored: somebody has asked for it, and can ask again.

    def add(self, name: str, instance_text: str, options: JobOptions) -> int:
        """Store a new job, which waits, and return its number."""
        created = time.time()

        def insert(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO jobs (number, name, created, instance_text, time_limit, gap, "
                "leave_out, status) VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting')",
                (number, name, created, instance_text, *astuple(options)),
            )

        with self._lock, _as_store_errors():
            number = next_number(self._copy)
            self._write(number, insert, must_be_stored=True)
        return number

    def delete(self, number: int) -> None:
        """Forget a job."""
        self._store(number, _run("DELETE FROM jobs WHERE number = ?", number), must_be_stored=True)

    def ask_again(self, number: int, options: JobOptions) -> None:
        """Have a job wait once more, with other options."""
        change = _update(number, {"status": "waiting", "starts": 0, **asdict(options)})
        self._store(number, change, must_be_stored=True)

    # What a search finds is never refused: the copy has it until the file takes it.

    def update(self, number: int, **values: object) -> None:
        """Change some columns of a job."""
        self._store(number, _update(number, values))

    def add_history(self, number: int, point: HistoryPoint) -> None:
        """Add a point of time."""

        def insert(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO history VALUES (?, ?, ?, ?)", (number, *point))
            (count,) = connection.execute(
                "SELECT COUNT(*) FROM history WHERE job = ?", (number,)
            ).fetchone()
            if count > MAX_HISTORY:
                connection.execute("DELETE FROM history WHERE job = ? AND rowid % 2 = 0", (number,))

        self._store(number, insert)

    def cut_history(self, number: int, seconds: float) -> None:
        """Forget what came later: the search goes on from an earlier state."""
        later = "DELETE FROM history WHERE job = ? AND seconds > ?"
        self._store(number, _run(later, number, seconds))

    def _store(self, number: int, action: Action, *, must_be_stored: bool = False) -> None:
        with self._lock, _as_store_errors():
            self._write(number, action, must_be_stored=must_be_stored)

    def _write(self, number: int, action: Action, *, must_be_stored: bool) -> None:
        """Write into copy and file, all of it or nothing, and remember what went wrong."""
        failure = self._mend(is_urgent=must_be_stored)
        if failure is None:
            failure = self._try(action)
            if failure is not None and must_be_stored and self._file.is_changed:
                # Found out just now; once more, into the file that takes its place.
                failure = self._mend(is_urgent=True) or self._try(action)
        if failure is None:
            return
        if must_be_stored:
            raise failure
        with self._copy as copy:
            action(copy)
        self._unstored.add(number)

    def _try(self, action: Action) -> StoreError | None:
        with self._copy as copy:
            action(copy)
            try:
                self._file.write(action)
            except sqlite3.Error as error:
                copy.rollback()
                return self._failure(error)
        return None

    # The file's health.

    def _mend(self, *, is_urgent: bool) -> StoreError | None:
        """Bring the file up to the copy; return why it cannot be done."""
        if self.trouble and not is_urgent and time.monotonic() < self._next_attempt:
            return StoreError(self.trouble)
        try:
            if self._file.is_changed:
                self._replace("was deleted or changed by another program")
            elif self._unstored:
                self._file.write(self._copy_unstored)
            elif self.trouble:
                self._file.write(lambda file: file.execute(f"PRAGMA user_version = {VERSION}"))
        except (OSError, sqlite3.Error, InputError) as error:
            return self._failure(error)
        self._unstored.clear()
        self.trouble = ""
        return None

    def _copy_unstored(self, file: sqlite3.Connection) -> None:
        for number in self._unstored:
            copy_job(self._copy, file, number)

    def _replace(self, event: str) -> None:
        kept = self._file.replace(self._copy)
        count = len(jobs_in(self._copy, ()))
        runs = "no run" if count == 0 else "one run" if count == 1 else f"{count} runs"
        found = "" if kept is None else f"; what was found there is kept as {kept.name}"
        self._note(f"{self._file.path} {event}. It was written again, with {runs}{found}.")

    def _note(self, notice: str) -> None:
        self.notices.append(notice)
        _log.warning("%s", notice)

    def _failure(self, error: OSError | sqlite3.Error | InputError) -> StoreError:
        self._next_attempt = time.monotonic() + SECONDS_BETWEEN_ATTEMPTS
        if isinstance(error, sqlite3.Error) and is_damage(error):
            self._file.give_up()
            self._next_attempt = 0.0
        reason = str(error) if isinstance(error, InputError) else f"{error}; {remedy_of(error)}"
        self.trouble = (
            f"Runs cannot be stored in {self.folder}: {reason}. Until then no new run is taken; "
            "searches go on, but what they find is lost if the server ends."
        )
        return StoreError(self.trouble)


def _run(command: str, *values: object) -> Action:
    return lambda connection: connection.execute(command, values)


def _update(number: int, values: dict[str, object]) -> Action:
    # The names are those of our own code, never of a request.
    changes = ", ".join(f"{column} = ?" for column in values)
    return _run(f"UPDATE jobs SET {changes} WHERE number = ?", *values.values(), number)


def _empty_copy() -> sqlite3.Connection:
    """Return a database that is in memory, and beyond some size in a file without a name."""
    copy = sqlite3.connect("", check_same_thread=False)
    copy.execute(f"PRAGMA cache_size = -{_COPY_KILOBYTES}")
    copy.execute("PRAGMA foreign_keys = ON")
    make_tables(copy)
    return copy


@contextmanager
def _as_store_errors() -> Iterator[None]:
    """Turn what the copy itself cannot do into an error with a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(
            f"the list of runs cannot be used: {error}; make room in the folder for temporary "
            "files, and start tailgate serve again"
        ) from error
