"""The tables that jobs are stored in, and how a job gets into and out of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from tailgate.apps.serve.job import HistoryPoint, Job, JobOptions
from tailgate.model import validation
from tailgate.model.errors import InputError

VERSION = 2
"""Version 1 had no column leave_out."""

_SCHEMA = """
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    created REAL NOT NULL,
    instance_text TEXT NOT NULL,
    time_limit REAL NOT NULL,
    gap REAL NOT NULL,
    leave_out TEXT,
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

# The members of the class; its options are columns of their own.
_COLUMNS = ", ".join(one.name for one in fields(Job)).replace(
    "options", "time_limit, gap, leave_out"
)
_HISTORY_COLUMNS = "seconds, lower_bound, objective"
# Texts of megabytes, which a list of jobs does not show.
_LIST_COLUMNS = _COLUMNS.replace("instance_text", "''").replace(
    "solution_text", "CASE WHEN solution_text IS NULL THEN NULL ELSE '' END"
)


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables, empty."""
    connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")


def bring_up_to_date(connection: sqlite3.Connection, version: int) -> None:
    """Give tables of an older version what they lack."""
    if version == 1:
        connection.executescript(
            "BEGIN; ALTER TABLE jobs ADD COLUMN leave_out TEXT; "
            f"PRAGMA user_version = {VERSION}; COMMIT;"
        )


def problem_of_tables(connection: sqlite3.Connection) -> str:
    """Return what is wrong with the tables of a file, or nothing."""
    try:
        connection.execute(f"SELECT {_COLUMNS} FROM jobs LIMIT 0")
        connection.execute(f"SELECT job, {_HISTORY_COLUMNS} FROM history LIMIT 0")
        connection.execute("SELECT seq FROM sqlite_sequence LIMIT 0")
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if verdict == "ok" else str(verdict)


def job_in(connection: sqlite3.Connection, number: int) -> Job | None:
    """Return one job with all that is known of it."""
    query = f"SELECT {_COLUMNS} FROM jobs WHERE number = ?"
    row = connection.execute(query, (number,)).fetchone()
    return None if row is None else _job(row)


def jobs_in(connection: sqlite3.Connection, statuses: Iterable[str]) -> list[Job]:
    """Return all jobs, or those of some statuses, oldest first, without their long texts."""
    wanted = tuple(statuses)
    where = f"WHERE status IN ({', '.join('?' * len(wanted))})" if wanted else ""
    query = f"SELECT {_LIST_COLUMNS} FROM jobs {where} ORDER BY number"
    return [_job(row) for row in connection.execute(query, wanted).fetchall()]


def history_in(connection: sqlite3.Connection, number: int) -> list[HistoryPoint]:
    """Return how bound and best plan of a job have changed, in the order of time."""
    query = f"SELECT {_HISTORY_COLUMNS} FROM history WHERE job = ? ORDER BY seconds, rowid"
    rows = connection.execute(query, (number,)).fetchall()
    return [(seconds, bound, objective) for seconds, bound, objective in rows]


def next_number(connection: sqlite3.Connection) -> int:
    """Return a number that no job has had, deleted ones included."""
    query = "SELECT seq FROM sqlite_sequence WHERE name = 'jobs'"
    row = connection.execute(query).fetchone()
    return 1 if row is None else int(row[0]) + 1


def leave_out_numbers(connection: sqlite3.Connection, last: int) -> None:
    """Have the next job get a number beyond this one."""
    if next_number(connection) <= last:
        with connection:
            connection.execute("DELETE FROM sqlite_sequence WHERE name = 'jobs'")
            connection.execute("INSERT INTO sqlite_sequence VALUES ('jobs', ?)", (last,))


def copy_job(source: sqlite3.Connection, target: sqlite3.Connection, number: int) -> None:
    """Write a job with its history as it is in another place; also where it has been deleted."""
    query = f"SELECT {_COLUMNS} FROM jobs WHERE number = ?"
    row = source.execute(query, (number,)).fetchone()
    target.execute("DELETE FROM jobs WHERE number = ?", (number,))
    if row is None:
        return
    _job(row)
    marks = ", ".join("?" * len(row))
    target.execute(f"INSERT INTO jobs ({_COLUMNS}) VALUES ({marks})", row)
    target.executemany(
        "INSERT INTO history VALUES (?, ?, ?, ?)",
        [(number, *point) for point in history_in(source, number)],
    )


def copy_readable_jobs(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Take from a damaged file what can be read."""
    numbers: set[int] = set()
    for order in ("ASC", "DESC"):
        # From both ends up to the damage.
        try:
            for (number,) in source.execute(f"SELECT number FROM jobs ORDER BY number {order}"):
                numbers.add(number)
        except sqlite3.DatabaseError:
            continue
    for number in sorted(numbers):
        try:
            with target:
                copy_job(source, target, number)
        except (sqlite3.DatabaseError, InputError):
            # It stays in the file, which is kept.
            continue


def _job(row: tuple[Any, ...]) -> Job:
    values: dict[str, Any] = dict(zip(_COLUMNS.split(", "), row, strict=True))
    names = ("time_limit", "gap", "leave_out")
    options = JobOptions(**{name: values.pop(name) for name in names})
    for name in ("lower_bound", "objective"):
        # The file knows real numbers only, and integer costs are integers everywhere else.
        if values[name] is not None:
            values[name] = validation.finite_or_not(values[name], name)
    return Job(options=options, **values)
