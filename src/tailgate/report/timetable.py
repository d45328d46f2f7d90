"""When a truck leaves the depot, comes to its stops and is back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tailgate.model.instance import Instance

_DECIMALS = 9
"""Of differences of times: what is finer is the rounding of floats."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One stop; times are in the instance's unit of time."""

    arrival: int | float
    start: int | float
    end: int | float
    is_late: bool = False

    @property
    def waiting(self) -> int | float:
        """How long the truck waits before the service begins."""
        return round(self.start - self.arrival, _DECIMALS)


@dataclass(frozen=True, slots=True)
class Timetable:
    """The times of a tour.

    They are those of least duration. Where no schedule keeps every due time, the truck leaves as
    early as it may, and what comes too late is marked.
    """

    departure: int | float
    visits: tuple[Visit, ...]
    back: int | float
    is_back_late: bool = False

    @classmethod
    def of(cls, instance: Instance, customers: Sequence[int]) -> Timetable | None:
        """Return the times of a route; nothing if there is no road somewhere."""
        schedule = instance.schedule(customers)
        if schedule is None:
            return cls._earliest(instance, customers)
        visits = tuple(Visit(stop.arrival, stop.start, stop.end) for stop in schedule.stops)
        return cls(schedule.departure, visits, schedule.back)

    @classmethod
    def _earliest(cls, instance: Instance, customers: Sequence[int]) -> Timetable | None:
        clock = instance.clock
        now = departure = clock.ready[0]
        visits = []
        for start, place in pairwise((0, *customers, 0)):
            arrival = now + clock.duration(start, place)
            if arrival == math.inf:
                return None
            begin = max(arrival, clock.ready[place])
            now = begin + clock.service[place]
            arrives, begins, leaves = map(clock.time, (arrival, begin, now))
            visits.append(Visit(arrives, begins, leaves, clock.is_late(place, arrival)))
        *stops, depot = visits
        return cls(clock.time(departure), tuple(stops), depot.arrival, depot.is_late)

    @property
    def duration(self) -> int | float:
        """From departure to return."""
        return round(self.back - self.departure, _DECIMALS)

    @property
    def waiting(self) -> int | float:
        """All waiting together."""
        return round(sum(visit.waiting for visit in self.visits), _DECIMALS)
