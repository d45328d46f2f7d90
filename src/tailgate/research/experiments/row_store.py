"""What has been measured so far: a file that only grows, one line per task.

A run that is killed leaves whole lines and perhaps half of one, which is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tailgate.io.text_file import cannot_be_written
from tailgate.model.errors import InputError

Row = dict[str, Any]


class RowStore:
    """Rows by the key of their task; the last one of a key counts."""

    def __init__(self, path: Path) -> None:
        """Read what is there."""
        self._path = path
        self.rows: dict[str, Row] = {}
        if path.exists():
            self._read()

    def add(self, key: str, row: Mapping[str, Any]) -> None:
        """Store a row so that neither a kill nor a power cut takes it away."""
        self.rows[key] = dict(row)
        line = json.dumps({"key": key, "row": row}, allow_nan=False) + "\n"
        try:
            with self._path.open("ab") as file:
                file.write(line.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise cannot_be_written(self._path, error) from error

    def _read(self) -> None:
        content = self._path.read_bytes()
        whole, _, half = content.rpartition(b"\n")
        if half:
            os.truncate(self._path, len(content) - len(half))
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                entry = json.loads(line)
                self.rows[entry["key"]] = dict(entry["row"])
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    "is not a row of an experiment; delete the line to have it measured again",
                    source=str(self._path),
                    line=number,
                ) from error
