"""Matrices in a file of their own: two matrices, a table, or the answer of a map service.

What it is is recognised by its content. docs/howto/road-matrices.md has the calls whose answers are
taken: OSRM ``table``, openrouteservice ``matrix``, Valhalla ``sources_to_targets``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NoReturn

from tailgate.io.draft import DraftUnits, Place
from tailgate.io.matrix_rows import UNIT_NAMES, MatrixField, PlaceNames, matrix_of_rows, step_of
from tailgate.io.matrix_square import MatrixSquare
from tailgate.io.text_file import MAX_FILE_BYTES, read_bytes, source_text, text_of
from tailgate.model.errors import InputError
from tailgate.model.json_document import JsonDocument, kind_of, path_text
from tailgate.model.matrix import Matrix
from tailgate.model.validation import shown

MAX_MATRIX_MEGABYTES = 256
FIELDS: tuple[MatrixField, MatrixField] = ("distances", "durations")
UNIT_FIELDS: dict[MatrixField, str] = {
    "distances": "distances_unit",
    "durations": "durations_unit",
}
_KNOWN_FILES = (
    'an object with "distances", "durations" or both, the answer of OSRM table, openrouteservice '
    "matrix or Valhalla sources_to_targets, or a CSV square with names"
)
# By the words of the services.
_SERVICE_UNITS = {"kilometers": "km", "miles": "mi", "km": "km", "mi": "mi", "m": "m"}
_VALHALLA = "sources_to_targets"
_ROAD_FIELDS: dict[MatrixField, str] = {"distances": "distance", "durations": "time"}
_Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Matrices:
    """What a file says about the roads, in the units of the instance."""

    distances: Matrix | None = None
    durations: Matrix | None = None


def file_beside(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder or below it; nothing outside can be named."""
    windows = PureWindowsPath(name)
    problem = ""
    if not name.strip() or not name.isprintable():
        problem = "must be the name of a file"
    elif "\\" in name:
        problem = "must have / between its parts"
    elif PurePosixPath(name).is_absolute() or windows.drive or windows.root:
        problem = "must be relative to the folder of the instance"
    elif ".." in PurePosixPath(name).parts:
        problem = "must not leave the folder of the instance; put the file beside it"
    if problem:
        raise InputError(f"{problem}, got {shown(name)}")
    try:
        path = (folder / name).resolve()
        is_inside = path.is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"{shown(name)} cannot be followed: {error}") from error
    if not is_inside:
        raise InputError(
            f"{shown(name)} is a link that leaves the folder of the instance; copy the file there"
        )
    return folder / name


def read_matrix_file(path: Path, names: PlaceNames, units: DraftUnits) -> Matrices:
    """Return the matrices of a file, in the units of the instance."""
    text = _text(path)
    if text.lstrip()[:1] in ("{", "["):
        return _MatrixDocument(text, source_text(path)).matrices(names, units)
    square = MatrixSquare.of_text(text, source_text(path))
    field = square.field or "distances"
    return Matrices(**{field: square.matrix(field, names, units)})


def read_square(path: Path) -> MatrixSquare:
    """Return the table of a CSV file that holds one matrix."""
    return MatrixSquare.of_text(_text(path), source_text(path))


def _text(path: Path) -> str:
    content = read_bytes(path, MAX_MATRIX_MEGABYTES)
    return text_of(content, source_text(path), MAX_MATRIX_MEGABYTES)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The rows of a document, their units, and where in it they are."""

    rows: Mapping[str, object]
    units: Mapping[MatrixField, str]
    outer: _Steps = ()
    is_by_roads: bool = False
    """Whether each cell of one matrix is an object with distance and duration."""

    def path(self, field: MatrixField, inner: _Steps) -> _Steps:
        """Return the path of a matrix, of a row or of a cell."""
        if not self.is_by_roads:
            return (*self.outer, field, *inner)
        return (*self.outer, *inner, *((_ROAD_FIELDS[field],) if len(inner) > 1 else ()))


class _MatrixDocument:
    """A JSON file with matrices.

    It is parsed by the standard library, with floats: a thousand places have a million roads. The
    line of a value is looked for only when something is wrong.
    """

    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source
        try:
            root = json.loads(
                text,
                # Infinity stands for NaN, too: both are refused as not finite.
                parse_constant=lambda _: float("inf"),
                object_pairs_hook=None if '"sources_to_targets"' in text else self._members,
            )
        except InputError:
            raise
        except json.JSONDecodeError as error:
            raise InputError(
                f"is not valid JSON: {error.msg} (column {error.colno})",
                source=source,
                line=error.lineno,
            ) from error
        except (RecursionError, ValueError) as error:
            raise InputError(
                "is not a sensible JSON file: brackets nested too deeply, or a number of "
                "thousands of digits",
                source=source,
            ) from error
        if not isinstance(root, dict):
            self._fail((), f"must be {_KNOWN_FILES}, got {kind_of(root)}")
        self._root: dict[str, object] = root

    def matrices(self, names: PlaceNames, units: DraftUnits) -> Matrices:
        """Return what the file says, whoever has written it."""
        root = self._root
        self._refuse_failure()
        if _VALHALLA in root:
            answer = self._valhalla()
        elif "metadata" in root:
            answer = _Answer(root, self._openrouteservice_units())
        elif "code" in root:
            answer = _Answer(root, {"distances": "m", "durations": "s"})
        else:
            answer = _Answer(root, self._own_units(units))
        found = {
            field: self._matrix(answer, field, names, units)
            for field in FIELDS
            if answer.rows.get(field) is not None
        }
        if not found:
            self._fail((), f"has neither distances nor durations; it must be {_KNOWN_FILES}")
        return Matrices(**found)

    def _matrix(
        self, answer: _Answer, field: MatrixField, names: PlaceNames, units: DraftUnits
    ) -> Matrix:
        def complain(problem: str, *inner: int) -> NoReturn:
            self._fail(answer.path(field, inner), problem)

        try:
            instance_unit = units.distance if field == "distances" else units.time
            step = step_of(field, answer.units[field], instance_unit)
        except InputError as error:
            complain(error.problem)
        return matrix_of_rows(answer.rows[field], field, names=names, step=step, complain=complain)

    def _refuse_failure(self) -> None:
        """Complain about an answer that says why there is none."""
        root = self._root
        if "code" in root and root["code"] != "Ok":
            message = root.get("message", "")
            self._fail(("code",), f"the service answered {shown(root['code'])}: {shown(message)}")
        for field in ("error", "error_code"):
            if field in root:
                self._fail((field,), f"the service answered with an error: {shown(root[field])}")

    def _own_units(self, units: DraftUnits) -> dict[MatrixField, str]:
        """Return the units of our own format, in which a misspelt field must not get lost."""
        known = (*FIELDS, *UNIT_FIELDS.values())
        for field in self._root:
            if field not in known:
                listed = ", ".join(known)
                problem = f"is not a known field (known here: {listed}); the file must be "
                self._fail((field,), problem + _KNOWN_FILES)
        return {
            field: self._stated_unit(field, units.distance if field == "distances" else units.time)
            for field in FIELDS
        }

    def _stated_unit(self, field: MatrixField, default: str) -> str:
        name = UNIT_FIELDS[field]
        stated = self._root.get(name, default)
        if name in self._root and stated not in UNIT_NAMES[field]:
            choices = ", ".join(UNIT_NAMES[field])
            self._fail((name,), f"must be one of {choices}, got {kind_of(stated)}")
        return str(stated)

    def _openrouteservice_units(self) -> dict[MatrixField, str]:
        """Return metres, unless the question asked for another unit."""
        metadata = self._root["metadata"]
        query = metadata.get("query") if isinstance(metadata, dict) else None
        stated = query.get("units") if isinstance(query, dict) else None
        return self._service_units("m" if stated is None else stated, "metadata", "query", "units")

    def _valhalla(self) -> _Answer:
        units = self._service_units(self._root.get("units", "kilometers"), "units")
        answer = self._root[_VALHALLA]
        if isinstance(answer, dict):
            return _Answer(answer, units, outer=(_VALHALLA,))
        if not isinstance(answer, list) or not all(isinstance(row, list) for row in answer):
            self._fail((_VALHALLA,), f"must be an array of rows [...], got {kind_of(answer)}")
        try:
            rows: dict[str, object] = {
                field: [[road[name] for road in row] for row in answer]
                for field, name in _ROAD_FIELDS.items()
            }
        except (KeyError, TypeError, IndexError) as error:
            raise self._first_bad_road(answer) from error
        return _Answer(rows, units, outer=(_VALHALLA,), is_by_roads=True)

    def _first_bad_road(self, answer: list[list[object]]) -> InputError:
        for row, roads in enumerate(answer):
            for column, road in enumerate(roads):
                if not isinstance(road, dict) or not {"distance", "time"} <= road.keys():
                    path = (_VALHALLA, row, column)
                    problem = 'must be an object with "distance" and "time", got ' + kind_of(road)
                    return self._place(path).error(problem)
        raise AssertionError

    def _service_units(self, stated: object, *path: str) -> dict[MatrixField, str]:
        unit = _SERVICE_UNITS.get(stated) if isinstance(stated, str) else None
        if unit is None:
            self._fail(path, f"must be one of {', '.join(_SERVICE_UNITS)}, got {kind_of(stated)}")
        return {"distances": unit, "durations": "s"}

    def _members(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        if len(members) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"the field {shown(twice)} is there twice", source=self._source)
        return members

    def _fail(self, path: _Steps, problem: str) -> NoReturn:
        raise self._place(path).error(problem)

    def _place(self, path: _Steps) -> Place:
        # To look for the line in a file that is larger than any instance would take too long.
        line = None
        if len(self._text) <= MAX_FILE_BYTES:
            line = JsonDocument(self._text, self._source).line_of(path)
        return Place(self._source, line, path_text(path) or None)
