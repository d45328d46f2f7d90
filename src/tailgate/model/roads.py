"""Distances and durations of an instance, exact wherever its travel can be exact.

A measured distance is the root of an integer times a fraction, so rounding and truncation are
decided in integers. On the globe it is a float: there a value within a millionth of a step of a
whole step counts as that step, here and in the judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tailgate.model.conventions import DistanceConvention
from tailgate.model.distances import (
    Point,
    distance_between,
    distances_between,
    distances_from,
)
from tailgate.model.errors import InputError
from tailgate.model.exact import fraction_of
from tailgate.model.matrix import NO_ROAD, Matrix
from tailgate.model.travel import (
    EARTH_RADIUS_KM,
    KILOMETRES_PER_UNIT,
    SECONDS_PER_UNIT,
    Travel,
)
from tailgate.model.units import Units

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SNAP = 1e-6
"""Of a step: a float closer to a whole step than this counts as that step."""
_SECONDS_PER_HOUR = 3600
# A float further than this from a whole step is on the side of it that it seems to be.
_NEAR = 10 * SNAP
_FLOAT_ERROR = 1e-9

Leg = int | float | None
"""A distance or duration in its steps, or as a float where there are none; ``None``: no road."""


class Roads:
    """What lies between places 0..n.

    Where ``distance_step`` is a fraction, distances are integers times it, otherwise they are
    floats in the instance's unit; likewise durations and ``duration_step``.
    """

    def __init__(
        self,
        travel: Travel,
        points: list[Point],
        units: Units,
        convention: DistanceConvention,
    ) -> None:
        """Prepare; nothing is computed before it is asked for."""
        self._travel = travel
        self._is_plain = travel.is_plain
        self._points = points
        self._scale = units.coordinate_scale
        self._convention = convention
        self._check_units(units)
        self._factor = fraction_of(travel.detour) / self._scale
        if travel.metric == "great-circle":
            self._radius = EARTH_RADIUS_KM / float(KILOMETRES_PER_UNIT[units.distance_unit])
        self.distance_step = self._find_distance_step()
        seconds = SECONDS_PER_UNIT.get(units.time_unit, 1)
        self.duration_step = (
            Fraction(1, seconds)
            if travel.speed is not None
            else travel.durations.step
            if travel.durations is not None
            else self.distance_step
        )

    def _check_units(self, units: Units) -> None:
        travel = self._travel
        if travel.speed is not None and units.time_unit not in SECONDS_PER_UNIT:
            raise InputError(
                f"must be s, min or h, for there is a speed; got {units.time_unit!r}",
                field="units.time_unit",
            )
        if travel.metric == "great-circle" and units.distance_unit not in KILOMETRES_PER_UNIT:
            raise InputError(
                f"must be km, m or mi on great circles, got {units.distance_unit!r}",
                field="units.distance_unit",
            )

    def _find_distance_step(self) -> Fraction | None:
        travel = self._travel
        if travel.metric == "matrix":
            return None if travel.distances is None else travel.distances.step
        return None if self._convention == "exact" else Fraction(1, 10**travel.decimals)

    @property
    def is_measured(self) -> bool:
        """Whether distances and durations are measured, so that they are the same both ways."""
        return self._travel.metric != "matrix"

    @property
    def has_distances(self) -> bool:
        """Whether distances are known: a matrix may have durations only."""
        return self._travel.metric != "matrix" or self._travel.distances is not None

    def distance(self, start: int, end: int) -> Leg:
        """Return one distance."""
        if self._is_plain:
            points = self._points
            return distance_between(points[start], points[end], self._scale, self._convention)
        travel = self._travel
        if travel.metric == "matrix":
            return 0 if travel.distances is None else _leg(travel.distances, start, end)
        measured = self._measured(start, end)
        if self._convention == "exact":
            return measured.value
        power = 10**travel.decimals
        if self._convention == "truncated":
            return measured.floor_of(Fraction(power))
        return (measured.floor_of(Fraction(2 * power)) + 1) // 2

    def duration(self, start: int, end: int) -> Leg:
        """Return one duration."""
        travel = self._travel
        if travel.durations is not None:
            return _leg(travel.durations, start, end)
        if travel.speed is None:
            return self.distance(start, end)
        pace = _SECONDS_PER_HOUR / fraction_of(travel.speed)
        if self.distance_step is None:
            return self._measured(start, end).ceiling_of(pace)
        distance = self.distance(start, end)
        return None if distance is None else math.ceil(distance * self.distance_step * pace)

    def _measured(self, start: int, end: int) -> _Measured:
        (start_x, start_y), (end_x, end_y) = self._points[start], self._points[end]
        if self._travel.metric == "great-circle":
            circle = haversine(start_y, start_x, end_y, end_x, scale=self._scale)
            return _Float(self._radius * circle * self._travel.detour)
        return _Root((start_x - end_x) ** 2 + (start_y - end_y) ** 2, self._factor)

    def distances(self) -> npt.NDArray[Any]:
        """Return all distances, -1 (or infinity, of floats) where there is no road."""
        travel = self._travel
        if travel.distances is not None:
            return travel.distances.stored
        if self._is_plain:
            return distances_between(self._points, self._scale, self._convention)
        return self._table(self.distance, self.distance_step)

    def durations(self) -> npt.NDArray[Any]:
        """Return all durations, -1 (or infinity, of floats) where there is no road."""
        travel = self._travel
        if travel.durations is not None:
            return travel.durations.stored
        if travel.speed is None:
            return self.distances()
        if travel.distances is None:
            return self._table(self.duration, self.duration_step)
        return self._matrix_durations

    def longest_distance(self) -> Fraction:
        """Return a distance, in the instance's unit, that no leg exceeds."""
        travel = self._travel
        if travel.metric == "matrix":
            matrix = travel.distances
            return Fraction(0) if matrix is None else int(matrix.stored.max()) * matrix.step
        if travel.metric == "great-circle":
            return Fraction(math.pi * self._radius) * fraction_of(travel.detour)
        xs, ys = zip(*self._points, strict=True)
        return Fraction(max(xs) - min(xs) + max(ys) - min(ys)) * self._factor

    def longest_duration(self) -> Fraction:
        """Return a duration, in the instance's unit, that no leg exceeds."""
        matrix = self._travel.durations
        if matrix is not None:
            return int(matrix.stored.max()) * matrix.step
        if self._travel.speed is None or self.duration_step is None:
            return self.longest_distance()
        seconds = self.longest_distance() * _SECONDS_PER_HOUR / fraction_of(self._travel.speed)
        return (seconds + 1) * self.duration_step

    def distances_from(self, place: int) -> npt.NDArray[Any]:
        """Return the distances from one place to all, as in `distances`.

        On the globe those that are not rounded may differ from it in their last digit.
        """
        travel = self._travel
        if travel.distances is not None:
            row: npt.NDArray[Any] = travel.distances.stored[place]
            return row
        if travel.is_plain:
            return distances_from(self._coordinates, place, self._scale, self._convention)
        return self._distance_row(place)

    def distances_to(self, place: int) -> npt.NDArray[Any]:
        """Return the distances from all places to one, as in `distances_from`."""
        matrix = self._travel.distances
        if matrix is not None:
            column: npt.NDArray[Any] = matrix.stored[:, place]
            return column
        # Measured distances are the same both ways.
        return self.distances_from(place)

    def durations_from(self, place: int) -> npt.NDArray[Any]:
        """Return the durations from one place to all, as in `distances_from`."""
        travel = self._travel
        if travel.metric == "matrix":
            row: npt.NDArray[Any] = self.durations()[place]
            return row
        if travel.speed is None:
            return self.distances_from(place)
        return self._duration_row(place)

    def durations_to(self, place: int) -> npt.NDArray[Any]:
        """Return the durations from all places to one, as in `durations`."""
        if self._travel.metric == "matrix":
            column: npt.NDArray[Any] = self.durations()[:, place]
            return column
        # Measured distances are the same both ways.
        return self.durations_from(place)

    @cached_property
    def _matrix_durations(self) -> npt.NDArray[np.int64]:
        """The durations of a matrix of distances at some speed."""
        import numpy as np

        travel = self._travel
        assert travel.distances is not None
        assert travel.speed is not None
        pace = travel.distances.step * _SECONDS_PER_HOUR / fraction_of(travel.speed)
        different, place = np.unique(travel.distances.stored, return_inverse=True)
        seconds = [NO_ROAD if one == NO_ROAD else math.ceil(int(one) * pace) for one in different]
        return np.array(seconds, dtype=np.int64)[place].reshape(travel.distances.stored.shape)

    @cached_property
    def _coordinates(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        import numpy as np

        x, y = np.array(self._points, dtype=np.int64).T
        return x, y

    def _measured_row(self, place: int) -> npt.NDArray[np.float64]:
        """Return the measured distances from one place, unrounded."""
        import numpy as np

        x, y = self._coordinates
        if self._travel.metric != "great-circle":
            squared = (x - x[place]) ** 2 + (y - y[place]) ** 2
            lines: npt.NDArray[np.float64] = np.sqrt(squared.astype(np.float64))
            return lines * float(self._factor)
        up, across = (np.radians((one - one[place]) / self._scale) for one in (y, x))
        cosines = np.cos(np.radians(y / self._scale))
        chord = np.sin(up / 2) ** 2 + cosines * cosines[place] * np.sin(across / 2) ** 2
        circles: npt.NDArray[np.float64] = 2 * np.arcsin(np.sqrt(np.minimum(1.0, chord)))
        return self._radius * circles * self._travel.detour

    def _distance_row(self, place: int) -> npt.NDArray[Any]:
        import numpy as np

        measured = self._measured_row(place)
        if self._convention == "exact":
            return measured
        steps = measured * 10**self._travel.decimals
        halves = self._convention == "rounded"
        whole = (np.floor(2 * steps).astype(np.int64) + 1) // 2 if halves else np.floor(steps)
        return self._decided(place, whole, 2 * steps if halves else steps, self.distance)

    def _duration_row(self, place: int) -> npt.NDArray[Any]:
        """Return the durations at some speed from one place."""
        import numpy as np

        assert self._travel.speed is not None
        pace = _SECONDS_PER_HOUR / fraction_of(self._travel.speed)
        if self.distance_step is None:
            seconds = self._measured_row(place) * float(pace)
            return self._decided(place, np.ceil(seconds), seconds, self.duration)
        different, which = np.unique(self._distance_row(place), return_inverse=True)
        exact = [math.ceil(int(one) * self.distance_step * pace) for one in different]
        row: npt.NDArray[np.int64] = np.array(exact, dtype=np.int64)[which]
        return row

    def _decided(
        self,
        place: int,
        whole: npt.NDArray[Any],
        real: npt.NDArray[np.float64],
        leg: Callable[[int, int], Leg],
    ) -> npt.NDArray[np.int64]:
        """Return whole steps; where a float is too near to one, it is decided exactly."""
        import numpy as np

        row: npt.NDArray[np.int64] = whole.astype(np.int64)
        is_near = np.abs(real - np.rint(real)) <= _NEAR + _FLOAT_ERROR * real
        for other in np.flatnonzero(is_near).tolist():
            exact = leg(place, other)
            assert exact is not None
            row[other] = exact
        return row

    def _table(self, leg: Callable[[int, int], Leg], step: Fraction | None) -> npt.NDArray[Any]:
        """Return a table of measured distances, or of durations from them: they are symmetric."""
        import numpy as np

        count = len(self._points)
        if step is None and self._travel.metric == "great-circle":
            # Each as it is computed alone, to the last digit.
            table = np.zeros((count, count), dtype=np.float64)
            for start in range(count):
                for end in range(start):
                    table[start, end] = table[end, start] = leg(start, end)
            return table
        row = self._distance_row if leg == self.distance else self._duration_row
        return np.array([row(place) for place in range(count)])


def shortest_round_trips(legs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return for every place the shortest way from the depot and back, over any others."""
    return _shortest(legs) + _shortest(legs.T)


def _shortest(legs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the shortest ways from place 0 (Dijkstra)."""
    import numpy as np

    ways: npt.NDArray[np.float64] = legs[0].copy()
    ways[0] = 0.0
    is_open = np.ones(len(ways), dtype=bool)
    for _ in range(len(ways)):
        nearest = int(np.where(is_open, ways, np.inf).argmin())
        if not is_open[nearest] or ways[nearest] == np.inf:
            break
        is_open[nearest] = False
        ways = np.minimum(ways, ways[nearest] + legs[nearest])
    return ways


def haversine(
    start_lat: float, start_lon: float, end_lat: float, end_lon: float, *, scale: int = 1
) -> float:
    """Return the angle between two places on a sphere, in radians; a degree is ``scale``."""
    # Stored degrees are integers: their difference is exact, however near the places are.
    up = math.radians((end_lat - start_lat) / scale)
    across = math.radians((end_lon - start_lon) / scale)
    cosines = math.cos(math.radians(start_lat / scale)) * math.cos(math.radians(end_lat / scale))
    chord = math.sin(up / 2) ** 2 + cosines * math.sin(across / 2) ** 2
    return 2 * math.asin(math.sqrt(min(1.0, chord)))


class _Root:
    """The root of an integer, times a fraction."""

    def __init__(self, squared: int, factor: Fraction) -> None:
        self._squared = squared * factor * factor
        self.value = math.sqrt(squared) * float(factor)

    def floor_of(self, factor: Fraction) -> int:
        """Return it times a factor, rounded down."""
        scaled = self._squared * factor * factor
        return math.isqrt(scaled.numerator // scaled.denominator)

    def ceiling_of(self, factor: Fraction) -> int:
        """Return it times a factor, rounded up."""
        scaled = self._squared * factor * factor
        return math.isqrt(math.ceil(scaled) - 1) + 1 if scaled else 0


class _Float:
    """A distance that only a float can say."""

    def __init__(self, value: float) -> None:
        self.value = value

    def floor_of(self, factor: Fraction) -> int:
        """Return it times a factor, rounded down."""
        return math.floor(_snapped(self.value * float(factor)))

    def ceiling_of(self, factor: Fraction) -> int:
        """Return it times a factor, rounded up."""
        return math.ceil(_snapped(self.value * float(factor)))


_Measured = _Root | _Float


def _snapped(value: float) -> float:
    nearest = round(value)
    return nearest if abs(value - nearest) <= SNAP else value


def _leg(matrix: Matrix, start: int, end: int) -> int | None:
    stored = int(matrix.stored[start, end])
    return None if stored == NO_ROAD else stored
