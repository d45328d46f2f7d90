"""What is true of a route: its roads, its length, its times and its costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from tailgate.model.instance import Instance, Vehicle
from tailgate.model.judge.numbers import NO_TOLERANCE, RELATIVE_TOLERANCE, as_written
from tailgate.model.judge.timetable import Timetable
from tailgate.model.judge.ways import Ways


class Tariff:
    """What a vehicle costs: fixed, by distance and by time."""

    def __init__(self, instance: Instance, vehicle: Vehicle, ways: Ways) -> None:
        rates = vehicle.cost_per_distance, vehicle.cost_per_time
        # Where no kind of vehicle names a rate, a route costs its distance.
        kinds = instance.vehicles
        none = all((kind.cost_per_distance, kind.cost_per_time) == (None, None) for kind in kinds)
        per_distance, per_time = (1, 0) if none else rates
        self.fixed = as_written(vehicle.fixed_cost)
        self.per_distance = as_written(per_distance or 0)
        self.per_time = as_written(per_time or 0)
        rates_are_whole = self.fixed.denominator == self.per_distance.denominator == 1
        is_whole = ways.distances_are_whole and rates_are_whole and not self.per_time
        self.tolerance = NO_TOLERANCE if is_whole else RELATIVE_TOLERANCE
        """By how much a stated cost may differ: sums of integers are exact."""


class Journey:
    """One route, worked out from the instance.

    ``distance``, ``parts`` and ``cost`` are ``None`` where they are not known: without a road, or
    where a duration is paid for that is too long for the windows.
    """

    def __init__(
        self,
        instance: Instance,
        vehicle: Vehicle,
        ways: Ways,
        customers: Sequence[int],
    ) -> None:
        self.vehicle = vehicle
        tariff = Tariff(instance, vehicle, ways)
        self.tolerance = tariff.tolerance
        legs = list(pairwise((0, *customers, 0)))
        distances = [ways.distance(*leg) for leg in legs]
        known = [distance for distance in distances if distance is not None]
        self.missing_roads = [
            leg
            for leg, distance in zip(legs, distances, strict=True)
            if distance is None or ways.duration(*leg) is None
        ]
        self.distance: Fraction | None = None
        self.timetable: Timetable | None = None
        if not self.missing_roads:
            self.distance = sum(known, Fraction(0)) if ways.has_distances else None
            self.timetable = Timetable(instance, vehicle, ways, customers)
        self.parts = self._parts(tariff)
        self.cost = None if self.parts is None else sum(self.parts, Fraction(0))

    @property
    def is_in_time(self) -> bool:
        """Whether every due time is kept."""
        return self.timetable is not None and not self.timetable.lateness

    def _parts(self, tariff: Tariff) -> tuple[Fraction, Fraction, Fraction] | None:
        if self.timetable is None or (tariff.per_time and not self.is_in_time):
            return None
        distance = tariff.per_distance * (self.distance or 0)
        time = tariff.per_time * self.timetable.duration if tariff.per_time else Fraction(0)
        return tariff.fixed, distance, time
