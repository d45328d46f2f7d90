"""The roads of a format 2 file: measured, as matrices in the file, or in a file beside it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import NoReturn, cast, get_args

from tailgate.io.draft import ONE, ZERO, DraftTravel, DraftUnits
from tailgate.io.matrix_file import FIELDS, UNIT_FIELDS, Matrices, file_beside, read_matrix_file
from tailgate.io.matrix_rows import UNIT_NAMES, MatrixField, PlaceNames, matrix_of_rows, step_of
from tailgate.model import validation
from tailgate.model.conventions import ConventionOverrides, DistanceConvention
from tailgate.model.errors import InputError
from tailgate.model.json_document import JsonValue
from tailgate.model.matrix import Matrix
from tailgate.model.travel import MAX_DECIMALS, Coordinates, Metric

_MEASURED = ("metric", "detour", "rounding", "decimals")
_METRICS: dict[Coordinates, Metric] = {"x/y": "euclidean", "lat/lon": "great-circle"}
_AXES: dict[Coordinates, tuple[str, str]] = {"x/y": ("x", "y"), "lat/lon": ("lon", "lat")}

COORDINATE_FIELDS = tuple(field for axes in _AXES.values() for field in axes)


class CoordinateReader:
    """Coordinates of one file: x and y, latitude and longitude, or none; the same for all."""

    def __init__(self) -> None:
        """Begin without a habit; the first place sets it."""
        self._first: JsonValue | None = None
        self.kind: Coordinates = "none"

    def read(self, place: JsonValue, members: dict[str, JsonValue]) -> tuple[Decimal, Decimal]:
        """Return the coordinates of the depot or of a customer; zeros if it has none."""
        kinds = [kind for kind, axes in _AXES.items() if any(axis in members for axis in axes)]
        if len(kinds) > 1:
            place.fail("has x or y beside lat or lon; give the one or the other")
        kind: Coordinates = kinds[0] if kinds else "none"
        if self._first is None:
            self._first, self.kind = place, kind
        elif kind != self.kind:
            has, others = (
                "no coordinates" if one == "none" else one.replace("/", " and ")
                for one in (kind, self.kind)
            )
            first = "the depot" if self._first.path == ("depot",) else "the first place"
            place.fail(f"has {has}, but {first} has {others}; all places are given alike")
        if kind == "none":
            return ZERO, ZERO
        for axis in _AXES[kind]:
            if axis not in members:
                place.fail(f'lacks the field "{axis}"')
        x, y = (members[axis].decimal() for axis in _AXES[kind])
        return x, y

    def require(self) -> None:
        """Complain if there are none."""
        if self.kind == "none" and self._first is not None:
            self._first.fail(
                "lacks its coordinates x and y, or lat and lon; only a matrix needs none"
            )


@dataclass(frozen=True, slots=True)
class TravelReader:
    """Reads the object ``travel``, which may be missing."""

    coordinates: CoordinateReader
    names: PlaceNames
    units: DraftUnits
    folder: Path | None
    """The folder of the instance, if it is a file."""

    def read(
        self, value: JsonValue | None, overrides: ConventionOverrides
    ) -> tuple[DraftTravel, DistanceConvention]:
        """Return the roads, and how measured distances are rounded."""
        if value is None:
            return self._measured({})
        members = value.members(
            optional=(*_MEASURED, "speed", *FIELDS, *UNIT_FIELDS.values(), "file")
        )
        matrices = self._matrices(members)
        if matrices == Matrices():
            return self._measured(members)
        for name in _MEASURED:
            if name in members:
                members[name].fail("is for measured distances, not for a matrix; leave it out")
        if "distance" in overrides:
            value.fail(
                "is a matrix, and the convention distance (--distance) rounds measured distances; "
                "leave it out"
            )
        travel = DraftTravel(
            "matrix",
            self.coordinates.kind,
            speed=_speed(members),
            distances=matrices.distances,
            durations=matrices.durations,
        )
        return travel, "exact"

    def _measured(self, members: dict[str, JsonValue]) -> tuple[DraftTravel, DistanceConvention]:
        self.coordinates.require()
        kind = self.coordinates.kind
        metric = _METRICS[kind]
        if "metric" in members:
            named = _choice(members["metric"], tuple(_METRICS.values()))
            if named != metric:
                members["metric"].fail(
                    f'must be "{metric}", for the places have {kind.replace("/", " and ")}, got '
                    f'"{named}"'
                )
        rounding = "exact"
        if "rounding" in members:
            rounding = _choice(members["rounding"], get_args(DistanceConvention))
        travel = DraftTravel(
            metric,
            kind,
            detour=members["detour"].decimal() if "detour" in members else ONE,
            decimals=(
                members["decimals"].integer(low=0, high=MAX_DECIMALS)
                if "decimals" in members
                else 0
            ),
            speed=_speed(members),
        )
        return travel, cast(DistanceConvention, rounding)

    def _matrices(self, members: dict[str, JsonValue]) -> Matrices:
        inline = [field for field in FIELDS if field in members]
        for field in FIELDS:
            if UNIT_FIELDS[field] in members and field not in members:
                members[UNIT_FIELDS[field]].fail(f"goes with {field}, which are not here")
        if "file" in members:
            if inline:
                members[inline[0]].fail("is given beside a file of matrices; leave out one of them")
            return self._in_file(members["file"])
        return Matrices(**{field: self._inline(field, members) for field in inline})

    def _in_file(self, value: JsonValue) -> Matrices:
        name = value.string()
        if self.folder is None:
            value.fail(
                "names a file beside the instance, which is no file itself here; write the "
                "matrices into the instance, as distances and durations"
            )
        with value.placing_errors():
            path = file_beside(self.folder, name)
        return read_matrix_file(path, self.names, self.units)

    def _inline(self, field: MatrixField, members: dict[str, JsonValue]) -> Matrix:
        value = members[field]

        def complain(problem: str, *path: int) -> NoReturn:
            value.fail(problem, *path)

        instance_unit = self.units.distance if field == "distances" else self.units.time
        unit = instance_unit
        if UNIT_FIELDS[field] in members:
            unit = _choice(members[UNIT_FIELDS[field]], UNIT_NAMES[field])
        try:
            step = step_of(field, unit, instance_unit)
        except InputError as error:
            complain(error.problem)
        return matrix_of_rows(value.value, field, names=self.names, step=step, complain=complain)


def _speed(members: dict[str, JsonValue]) -> Decimal | None:
    return members["speed"].decimal() if "speed" in members else None


def _choice(value: JsonValue, choices: tuple[str, ...]) -> str:
    with value.placing_errors():
        return validation.choice(value.string(), "", choices)
