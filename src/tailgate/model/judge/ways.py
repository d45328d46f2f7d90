"""How far and how long it is between places, worked out from the source: places or matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import cache
from typing import Protocol

from tailgate.model.instance import DistanceConvention, Instance
from tailgate.model.judge.globe import angle_between, on_the_sphere
from tailgate.model.judge.numbers import as_written

EARTH_RADIUS_KM = Fraction("6371.0088")
KILOMETRES = {
    "": Fraction(1),
    "km": Fraction(1),
    "m": Fraction("0.001"),
    "mi": Fraction("1.609344"),
}
SECONDS = {"": 60, "s": 1, "min": 60, "h": 3600}
# On the globe a length this close to a whole step counts as that step, for solvers have floats.
SNAP = Decimal("1e-6")

Point = tuple[int, int]


class Ways:
    """Distances and durations between the numbers 0..n; ``None`` where there is no road."""

    def __init__(self, instance: Instance, convention: DistanceConvention) -> None:
        travel = instance.travel
        self._travel = travel
        self._is_matrix = travel.metric == "matrix"
        self._is_unrounded = not self._is_matrix and convention == "exact"
        self._convention = convention
        self._ruler = _ruler(instance)
        self._pace = None if travel.speed is None else 3600 / as_written(travel.speed)
        self._seconds = SECONDS.get(instance.units.time_unit, 1)
        self.has_distances = not self._is_matrix or travel.distances is not None
        self.distance = cache(self._distance)
        self.duration = cache(self._duration)

    @property
    def distances_are_whole(self) -> bool:
        """Whether all distances are integers, by their making."""
        if self._travel.distances is not None:
            return self._travel.distances.step.denominator == 1
        return not self._is_unrounded and self._travel.decimals == 0

    @property
    def distances_are_exact(self) -> bool:
        """Whether distances are fractions, and not roots or angles."""
        return not self._is_unrounded

    @property
    def durations_are_exact(self) -> bool:
        """Whether times are counted in ticks; those of format 1 are floats."""
        travel = self._travel
        if travel.durations is not None or travel.speed is not None:
            return True
        is_format_1 = travel.metric == "euclidean" and (travel.detour, travel.decimals) == (1, 0)
        return self.distances_are_exact and not is_format_1

    def _distance(self, start: int, end: int) -> Fraction | None:
        if self._is_matrix:
            matrix = self._travel.distances
            if matrix is None:
                return Fraction(0)
            return _worth(int(matrix.stored[start, end]), matrix.step)
        power = Fraction(10**self._travel.decimals)
        match self._convention:
            case "exact":
                return self._ruler.length(start, end)
            case "truncated":
                return self._ruler.whole_steps(start, end, power) / power
            case "rounded":
                return (self._ruler.whole_steps(start, end, 2 * power) + 1) // 2 / power

    def _duration(self, start: int, end: int) -> Fraction | None:
        matrix = self._travel.durations
        if matrix is not None:
            return _worth(int(matrix.stored[start, end]), matrix.step)
        if self._pace is None:
            return self.distance(start, end)
        if self._is_unrounded:
            return Fraction(self._ruler.begun_steps(start, end, self._pace), self._seconds)
        distance = self.distance(start, end)
        if distance is None:
            return None
        return Fraction(math.ceil(distance * self._pace), self._seconds)


def _worth(steps: int, step: Fraction) -> Fraction | None:
    """Return what a stored integer means; a negative one says that there is no road."""
    return None if steps < 0 else steps * step


class _Ruler(Protocol):
    """Measures the way between two places."""

    def length(self, start: int, end: int) -> Fraction:
        """Return the length, to fifty digits where it is no fraction."""

    def whole_steps(self, start: int, end: int, steps: Fraction) -> int:
        """Return the length in steps, of which a unit has so many, rounded down."""

    def begun_steps(self, start: int, end: int, steps: Fraction) -> int:
        """Return the length in steps, of which a unit has so many, rounded up."""


class _Plane:
    """Straight lines, times a factor."""

    def __init__(self, points: Sequence[Point], factor: Fraction) -> None:
        self._points = points
        self._factor = factor

    def _squared(self, start: int, end: int) -> int:
        (start_x, start_y), (end_x, end_y) = self._points[start], self._points[end]
        return (start_x - end_x) ** 2 + (start_y - end_y) ** 2

    def length(self, start: int, end: int) -> Fraction:
        return Fraction(Decimal(self._squared(start, end)).sqrt()) * self._factor

    def whole_steps(self, start: int, end: int, steps: Fraction) -> int:
        root, _ = self._divided(start, end, steps)
        return root

    def begun_steps(self, start: int, end: int, steps: Fraction) -> int:
        root, is_exact = self._divided(start, end, steps)
        return root if is_exact else root + 1

    def _divided(self, start: int, end: int, steps: Fraction) -> tuple[int, bool]:
        """Return the whole steps, and whether nothing is left over."""
        factor = self._factor * steps
        squared, one = self._squared(start, end) * factor.numerator**2, factor.denominator**2
        root = math.floor((Decimal(squared) / one).sqrt())
        # The decimal may be on the wrong side of an integer; squares are exact.
        while root * root * one > squared:
            root -= 1
        while (root + 1) ** 2 * one <= squared:
            root += 1
        return root, root * root * one == squared


class _Globe:
    """Great circles, times a factor; the points are in degrees, longitude first."""

    def __init__(self, points: Sequence[tuple[Decimal, Decimal]], factor: Fraction) -> None:
        self._places = [on_the_sphere(latitude, longitude) for longitude, latitude in points]
        self._factor = factor

    def length(self, start: int, end: int) -> Fraction:
        return Fraction(angle_between(self._places[start], self._places[end])) * self._factor

    def _steps(self, start: int, end: int, steps: Fraction) -> Decimal:
        length = self.length(start, end) * steps
        exact = Decimal(length.numerator) / length.denominator
        nearest = exact.to_integral_value()
        return nearest if abs(exact - nearest) <= SNAP else exact

    def whole_steps(self, start: int, end: int, steps: Fraction) -> int:
        return int(self._steps(start, end, steps).to_integral_value(ROUND_FLOOR))

    def begun_steps(self, start: int, end: int, steps: Fraction) -> int:
        return int(self._steps(start, end, steps).to_integral_value(ROUND_CEILING))


def _ruler(instance: Instance) -> _Ruler:
    travel, scale = instance.travel, instance.units.coordinate_scale
    points = [instance.depot, *((customer.x, customer.y) for customer in instance.customers)]
    detour = as_written(travel.detour)
    if travel.metric != "great-circle":
        return _Plane(points, detour / scale)
    degrees = [(Decimal(x) / scale, Decimal(y) / scale) for x, y in points]
    return _Globe(degrees, detour * EARTH_RADIUS_KM / KILOMETRES[instance.units.distance_unit])
