"""All jobs in one SQLite file, which one server at a time may use."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tailgate import validation
from tailgate.errors import InputError, TailgateError
from tailgate.serve.job import HistoryPoint, Job, JobOptions, JobStatus

FILE_NAME = "jobs.sqlite"
VERSION = 1
MAX_HISTORY = 2_000
"""Points of a job; where there would be more, every second one goes."""
_SECONDS_TO_WAIT_FOR_LOCK = 0.5
_MOST_NUMBER = 2**63 - 1

_SCHEMA = """
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    created REAL NOT NULL,
    instance_text TEXT NOT NULL,
    time_limit REAL NOT NULL,
    gap REAL NOT NULL,
    status TEXT NOT NULL,
    starts INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    lower_bound REAL,
    objective REAL,
    nodes INTEGER NOT NULL DEFAULT 0,
    doing TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '',
    result_status TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    solution_text TEXT
);
CREATE TABLE history (
    job INTEGER NOT NULL REFERENCES jobs (number) ON DELETE CASCADE,
    seconds REAL NOT NULL,
    lower_bound REAL NOT NULL,
    objective REAL
);
CREATE INDEX history_of_job ON history (job, seconds);
"""

_COLUMNS = (
    "number, name, created, instance_text, time_limit, gap, status, starts, seconds, lower_bound, "
    "objective, nodes, doing, message, result_status, reason, solution_text"
)
# Texts of megabytes, which a list of jobs does not show.
_LIST_COLUMNS = _COLUMNS.replace("instance_text", "''").replace(
    "solution_text", "CASE WHEN solution_text IS NULL THEN NULL ELSE '' END"
)


class StoreError(TailgateError):
    """The disk is full, or the file cannot be written for another reason."""


class JobStore:
    """The jobs on disk. Safe to share between threads: calls wait for each other."""

    def __init__(self, folder: Path) -> None:
        """Open the file, or make it; refuse one that another server has open."""
        self.folder = folder
        self._lock = threading.Lock()
        self.trouble = ""
        """Why the last attempt to write failed; empty if it did not."""
        path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=_SECONDS_TO_WAIT_FOR_LOCK, check_same_thread=False
            )
            self._open()
        except OSError as error:
            raise InputError(f"cannot be made: {error.strerror}", source=str(folder)) from error
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise InputError(
                    "another tailgate serve uses these jobs; open its page, end it first, or give "
                    "another folder with --data",
                    source=str(folder),
                ) from error
            raise InputError(f"cannot be used: {error}", source=str(path)) from error
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"is damaged or no list of jobs ({error}); move it away, or give another folder "
                "with --data",
                source=str(path),
            ) from error

    def _open(self) -> None:
        connection = self._connection
        # Held from the first write to the end, and let go by the system if the server dies.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        # Enough for a crash of the program; a power cut may cost the last moments, never the file.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("BEGIN EXCLUSIVE")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.commit()
        if version == 0:
            connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version != VERSION:
            raise InputError(
                f"was written by another version of Tailgate (its format is {version}, this one "
                f"reads {VERSION}); give another folder with --data",
                source=str(self.folder / FILE_NAME),
            )

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    # Reading.

    def job(self, number: int) -> Job | None:
        """Return one job with all that is known of it."""
        if number > _MOST_NUMBER:
            return None
        found = self._jobs(f"SELECT {_COLUMNS} FROM jobs WHERE number = ?", (number,))
        return found[0] if found else None

    def jobs(self, *statuses: JobStatus) -> list[Job]:
        """Return all jobs, or those of some statuses, oldest first, without their long texts."""
        marks = ", ".join("?" * len(statuses))
        where = f"WHERE status IN ({marks})" if statuses else ""
        return self._jobs(f"SELECT {_LIST_COLUMNS} FROM jobs {where} ORDER BY number", statuses)

    def _jobs(self, query: str, parameters: Iterable[object]) -> list[Job]:
        with self._lock:
            rows = self._connection.execute(query, tuple(parameters)).fetchall()
        return [_job(row) for row in rows]

    def count(self, *statuses: JobStatus) -> int:
        """Return how many jobs there are."""
        return len(self.jobs(*statuses))

    def history(self, number: int) -> list[HistoryPoint]:
        """Return how bound and best plan have changed, in the order of time."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT seconds, lower_bound, objective FROM history WHERE job = ? "
                "ORDER BY seconds, rowid",
                (number,),
            ).fetchall()
        return [(seconds, bound, objective) for seconds, bound, objective in rows]

    # Writing.

    def add(self, name: str, instance_text: str, options: JobOptions) -> int:
        """Store a new job, which waits, and return its number."""
        with self._writing() as connection:
            cursor = connection.execute(
                "INSERT INTO jobs (name, created, instance_text, time_limit, gap, status) "
                "VALUES (?, ?, ?, ?, ?, 'waiting')",
                (name, time.time(), instance_text, options.time_limit, options.gap),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def update(self, number: int, **values: object) -> None:
        """Change some columns of a job."""
        # The names are those of our own code, never of a request.
        changes = ", ".join(f"{column} = ?" for column in values)
        with self._writing() as connection:
            connection.execute(
                f"UPDATE jobs SET {changes} WHERE number = ?", (*values.values(), number)
            )

    def add_history(self, number: int, point: HistoryPoint) -> None:
        """Add a point of time."""
        with self._writing() as connection:
            connection.execute("INSERT INTO history VALUES (?, ?, ?, ?)", (number, *point))
            (count,) = connection.execute(
                "SELECT COUNT(*) FROM history WHERE job = ?", (number,)
            ).fetchone()
            if count > MAX_HISTORY:
                connection.execute("DELETE FROM history WHERE job = ? AND rowid % 2 = 0", (number,))

    def cut_history(self, number: int, seconds: float) -> None:
        """Forget what came later: the search goes on from an earlier state."""
        with self._writing() as connection:
            connection.execute(
                "DELETE FROM history WHERE job = ? AND seconds > ?", (number, seconds)
            )

    def delete(self, number: int) -> None:
        """Forget a job."""
        with self._writing() as connection:
            connection.execute("DELETE FROM jobs WHERE number = ?", (number,))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write all of it or nothing, and remember what went wrong."""
        with self._lock:
            try:
                with self._connection as connection:
                    yield connection
            except sqlite3.Error as error:
                self.trouble = f"runs cannot be stored in {self.folder}: {error}"
                raise StoreError(self.trouble) from error
            self.trouble = ""


def _job(row: tuple[Any, ...]) -> Job:
    # The columns are the members of the class, in the types of the schema.
    values: dict[str, Any] = dict(zip(_COLUMNS.split(", "), row, strict=True))
    options = JobOptions(values.pop("time_limit"), gap=values.pop("gap"))
    for name in ("lower_bound", "objective"):
        # The file knows real numbers only, and whole costs are integers everywhere else.
        if values[name] is not None:
            values[name] = validation.finite_or_not(values[name], name)
    return Job(options=options, **values)
