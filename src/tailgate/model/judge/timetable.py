"""The schedule of a route: of least duration, of those the one that leaves earliest.

Solvers go forwards and then back from the return. Here the vehicle first leaves as early as it may,
and then its departure is put off for as long as it waits somewhere and nobody is served too late
(the forward time slack of Savelsbergh, The vehicle routing problem with time windows, 1992).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from tailgate.model.instance import Instance, Vehicle
from tailgate.model.judge.numbers import as_written, is_above
from tailgate.model.judge.ways import Ways


class Stop(NamedTuple):
    """One stop: when the vehicle comes, and when the service begins and ends."""

    customer: int
    arrival: Fraction
    start: Fraction
    end: Fraction


class Lateness(NamedTuple):
    """A place that is reached after its due time by any vehicle; 0 is the depot."""

    place: int
    arrival: Fraction
    due: Fraction


class Timetable:
    """When a vehicle is where on a route that has a road for every leg.

    Where somebody is reached too late, ``lateness`` says so, and the rest means nothing.
    """

    def __init__(
        self, instance: Instance, vehicle: Vehicle, ways: Ways, route: Sequence[int]
    ) -> None:
        self._instance = instance
        self._ways = ways
        self.is_exact = ways.durations_are_exact
        self._route = route
        self._opening, due = depot_hours(instance, vehicle)
        self._earliest, self.back = self._driven(self._opening)
        self.lateness = self._late_arrivals(due)

    @cached_property
    def departure(self) -> Fraction:
        """As late as it may be without a later return."""
        return self._opening + self._delay()

    @property
    def duration(self) -> Fraction:
        """From departure to return."""
        return self.back - self.departure

    @property
    def stops(self) -> list[Stop]:
        """The stops in the order of the visits."""
        return self._driven(self.departure)[0]

    def _driven(self, departure: Fraction) -> tuple[list[Stop], Fraction]:
        """Return the stops and the return of a vehicle that serves everybody at once."""
        stops, clock = [], departure
        for start, number in pairwise((0, *self._route)):
            customer = self._instance.customer(number)
            arrival = clock + self._leg(start, number)
            begin = max(arrival, as_written(customer.ready))
            clock = begin + as_written(customer.service)
            stops.append(Stop(number, arrival, begin, clock))
        return stops, clock + (self._leg(self._route[-1], 0) if self._route else 0)

    def _leg(self, start: int, end: int) -> Fraction:
        duration = self._ways.duration(start, end)
        if duration is None:
            raise ValueError(f"there is no road from {start} to {end}")
        return duration

    def _late_arrivals(self, depot_due: Fraction | None) -> list[Lateness]:
        arrivals = [
            (stop.customer, stop.arrival, self._due(stop.customer)) for stop in self._earliest
        ]
        arrivals.append((0, self.back, depot_due))
        return [
            Lateness(place, arrival, due)
            for place, arrival, due in arrivals
            if due is not None and is_above(arrival, due, exact=self.is_exact)
        ]

    def _due(self, number: int) -> Fraction | None:
        due = self._instance.customer(number).due
        return None if due is None else as_written(due)

    def _delay(self) -> Fraction:
        """Return for how long the departure can be put off without a later return."""
        waiting = Fraction(0)
        slacks = []
        for stop in self._earliest:
            waiting += stop.start - stop.arrival
            due = self._due(stop.customer)
            if due is not None:
                # Below 0 where the vehicle is late, by its rounding or by more.
                slacks.append(waiting + max(Fraction(0), due - stop.start))
        return min([waiting, *slacks])


def depot_hours(instance: Instance, vehicle: Vehicle) -> tuple[Fraction, Fraction | None]:
    """Return when a vehicle may leave, and when it must be back."""
    starts = (instance.depot_ready, vehicle.shift_start)
    ends = (instance.depot_due, vehicle.shift_end)
    opening = max(as_written(start) for start in starts if start is not None)
    return opening, min((as_written(end) for end in ends if end is not None), default=None)
