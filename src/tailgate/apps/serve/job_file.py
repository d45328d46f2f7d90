"""The SQLite file that jobs are stored in: whose it is, and whether it is still what was written.

Locked by one server at a time, so nobody else has any business with it. But it is a file: it can be
deleted, overwritten, or put back from a backup while the server runs, and SQLite would not notice.
"""

from __future__ import annotations

import itertools
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from tailgate.apps.serve.job_tables import (
    VERSION,
    bring_up_to_date,
    make_tables,
    problem_of_tables,
)
from tailgate.model.errors import InputError

_SECONDS_TO_WAIT_FOR_LOCK = 0.5
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_PRIMARY_CODE = 0xFF

Mark = tuple[int, int, int, int]
"""Device, number, size and time of change of a file."""
Result = TypeVar("Result")


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error is about what is in the file, and not about the disk."""
    # Errors of the Python module itself have no code.
    return (getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE) in _DAMAGE


class JobFile:
    """The file and its log; not safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._marks: tuple[Mark | None, ...] = ()

    @property
    def _log(self) -> Path:
        """What SQLite has written and not yet moved into the file."""
        return self.path.with_name(f"{self.path.name}-wal")

    def open(self) -> str:
        """Open the file, or make it; return what is wrong with its content, or nothing.

        One that another server has open, or another version has written, raises ``InputError``.
        """
        try:
            if not self.path.exists() and self._log.exists():
                # SQLite would delete it.
                self._keep(self._kept_path())
            self._connection = sqlite3.connect(
                self.path, timeout=_SECONDS_TO_WAIT_FOR_LOCK, check_same_thread=False
            )
            problem = self._prepare(self._connection)
        except (OSError, sqlite3.OperationalError) as error:
            self.close()
            raise self._unusable(error) from error
        except sqlite3.DatabaseError as error:
            problem = str(error)
        except InputError:
            self.close()
            raise
        self._marks = self._current_marks()
        return problem

    def _prepare(self, connection: sqlite3.Connection) -> str:
        # Held from the first write to the end, and let go by the system if the server dies.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        # Looked at first: whatever belongs to another program is not touched.
        connection.execute("BEGIN EXCLUSIVE")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        connection.commit()
        if version == 0 and tables > 0:
            return "it is the database of another program"
        if not 0 <= version <= VERSION:
            raise InputError(
                f"was written by a later version of Tailgate (its format is {version}, this one "
                f"reads up to {VERSION}); give another folder with --data",
                source=str(self.path),
            )
        connection.execute("PRAGMA journal_mode = WAL")
        # Enough for a crash of the program; a power cut may cost the last moments, never the file.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        if version == 0:
            make_tables(connection)
        elif version < VERSION:
            bring_up_to_date(connection, version)
        return problem_of_tables(connection)

    def _unusable(self, error: OSError | sqlite3.OperationalError) -> InputError:
        if "locked" in str(error):
            return InputError(
                "another tailgate serve uses these jobs; open its page, end it first, or give "
                "another folder with --data",
                source=str(self.path.parent),
            )
        return InputError(
            f"cannot be used: {error}; {remedy_of(error)}, or give another folder with --data",
            source=str(self.path),
        )

    @property
    def connection(self) -> sqlite3.Connection:
        """What is open, to read from."""
        assert self._connection is not None
        return self._connection

    @property
    def is_changed(self) -> bool:
        """Whether somebody else has deleted, replaced or written the file, or it was given up."""
        return self._connection is None or self._current_marks() != self._marks

    def _current_marks(self) -> tuple[Mark | None, ...]:
        return tuple(_mark(path) for path in (self.path, self._log))

    def write(self, action: Callable[[sqlite3.Connection], Result]) -> Result:
        """Write all of it or nothing."""
        try:
            with self.connection as connection:
                return action(connection)
        finally:
            self._marks = self._current_marks()

    def give_up(self) -> None:
        """Have the file count as changed, for it was found to be damaged."""
        self._marks = ()

    def replace(self, source: sqlite3.Connection) -> Path | None:
        """Write all anew; return where a copy of what was found in its place is kept, if any."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_name(f"{self.path.name}.new")
        new.unlink(missing_ok=True)
        with closing(sqlite3.connect(new)) as connection:
            source.backup(connection)
        # A copy: closing writes the log into the file, and deletes the log by its name.
        target = self._kept_path()
        kept = self._keep(target)
        try:
            self._refuse_file_of_other_server()
        except InputError:
            for left in (new, target, target.with_suffix(".wal")):
                left.unlink(missing_ok=True)
            raise
        self.close()
        if self.path.exists():
            # Whoever was kept from reading it stays so.
            shutil.copymode(self.path, new)
        for path in (self.path, self._log):
            path.unlink(missing_ok=True)
        new.replace(self.path)
        problem = self.open()
        if problem:
            raise OSError(f"{self.path.name} was changed while it was written: {problem}")
        return kept

    def _refuse_file_of_other_server(self) -> None:
        """Another server may have begun a file of its own where ours was deleted."""
        now, before = _mark(self.path), (self._marks or (None,))[0]
        if now is None or before is None or now[:2] == before[:2]:
            return
        with closing(sqlite3.connect(self.path, timeout=_SECONDS_TO_WAIT_FOR_LOCK)) as other:
            try:
                other.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                raise self._unusable(error) from error
            except sqlite3.DatabaseError:
                # No server can use this.
                return

    def _kept_path(self) -> Path:
        """Return a name beside the file that nobody uses."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        for count in itertools.count(1):
            end = "" if count == 1 else f"-{count}"
            path = self.path.with_stem(f"{self.path.stem}-kept-{stamp}{end}")
            if not (path.exists() or path.with_suffix(".wal").exists()):
                return path
        raise AssertionError

    def _keep(self, target: Path) -> Path | None:
        kept = None
        # Under a name by which SQLite does not take the log for one of the copy.
        for path, copy in ((self._log, target.with_suffix(".wal")), (self.path, target)):
            if path.exists():
                try:
                    shutil.copy(path, copy)
                except OSError:
                    copy.unlink(missing_ok=True)
                    raise
                kept = copy
        return kept

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def remedy_of(error: OSError | sqlite3.Error) -> str:
    """Return what a person can do about a disk that refuses."""
    text = str(error).casefold()
    if "full" in text or "no space" in text:
        return "make room on the disk"
    if "readonly" in text or "read-only" in text or "permission" in text or "unable" in text:
        return "make the folder writable"
    return "see to the disk and to the rights of the folder"


def _mark(path: Path) -> Mark | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
