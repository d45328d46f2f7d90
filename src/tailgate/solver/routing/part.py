"""A part of a large instance: some customers and some vehicles, as an instance of its own."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tailgate.model.aliases import RoutePath
from tailgate.model.customer import Customer
from tailgate.model.instance import Instance
from tailgate.model.limits import MAX_COST
from tailgate.model.matrix import Matrix
from tailgate.model.travel import Travel
from tailgate.solver.column import Column

_LONGEST_WAYS = 4
"""No detour of a plan costs more than so many of the longest roads."""


class Part:
    """An instance of some customers and vehicles, with what leads back to the whole one.

    Customers who must be served may be left out of it where ``missing_cost`` says at what cost: a
    part may have more of them than its vehicles can take.
    """

    def __init__(
        self,
        whole: Instance,
        numbers: Sequence[int],
        counts: Mapping[int, int],
        *,
        missing_cost: int | None,
    ) -> None:
        """Take customers by number, and how many vehicles of each kind there are (one or more)."""
        self._optional = whole.optional
        self.numbers = tuple(numbers)
        self.kinds = tuple(sorted(counts))
        self._place = {number: place for place, number in enumerate(self.numbers, start=1)}
        self._kind = {kind: place for place, kind in enumerate(self.kinds)}
        names = {whole.vehicles[kind].name for kind in self.kinds}
        stops = {label for kind in self.kinds for label in whole.vehicles[kind].first_stops}
        labels = {
            whole.label(number): str(place)
            for number, place in (self._place.items() if stops else ())
        }
        self.instance = replace(
            whole,
            customers=tuple(
                self._customer(whole, number, names, missing_cost) for number in self.numbers
            ),
            vehicles=tuple(
                replace(
                    whole.vehicles[kind],
                    count=counts[kind],
                    first_stops=tuple(labels[one] for one in whole.vehicles[kind].first_stops),
                )
                for kind in self.kinds
            ),
            travel=_between(whole.travel, self.numbers),
        )

    def _customer(
        self, whole: Instance, number: int, names: Collection[str], missing_cost: int | None
    ) -> Customer:
        customer, rules = whole.customer(number), whole.rules
        accepted = customer.vehicles
        cost = customer.leave_out_cost
        if number not in self._optional:
            cost = missing_cost
        return replace(
            customer,
            name="",
            info=(),
            not_with=self._labels(rules.enemies.get(number, ())),
            together=self._labels(rules.partners.get(number, frozenset()) - {number}),
            vehicles=None if accepted is None else tuple(one for one in accepted if one in names),
            leave_out_cost=cost,
        )

    def _labels(self, numbers: Collection[int]) -> tuple[str, ...]:
        return tuple(str(self._place[one]) for one in sorted(numbers) if one in self._place)

    def column_here(self, column: Column) -> Column:
        """Return a column of the whole instance as one of this part."""
        kind, route = column
        return Column(self._kind[kind], tuple(self._place[stop] for stop in route))

    def column_there(self, column: Column) -> Column:
        """Return a column of this part as one of the whole instance."""
        kind, route = column
        return Column(self.kinds[kind], self._numbers(route))

    def _numbers(self, route: RoutePath) -> RoutePath:
        return tuple(self.numbers[stop - 1] for stop in route)


def cost_of_missing(instance: Instance) -> int:
    """Return what it costs a part to leave out whom it must serve: more than any way to it."""
    roads = instance.roads
    distance = float(roads.longest_distance()) if roads.has_distances else 0.0
    duration = float(roads.longest_duration())
    service = max((customer.service for customer in instance.customers), default=0)
    most = 1.0
    for vehicle in instance.vehicles:
        per_distance, per_time = vehicle.rates
        way = per_distance * distance + per_time * (duration + service)
        most = max(most, vehicle.fixed_cost + _LONGEST_WAYS * way)
    return min(MAX_COST, math.ceil(most) + 1)


def _between(travel: Travel, numbers: Sequence[int]) -> Travel:
    """Return the travel between the depot and some customers."""
    if travel.metric != "matrix":
        return travel
    places = np.array([0, *numbers])
    rows = np.ix_(places, places)

    def part_of(matrix: Matrix | None) -> Matrix | None:
        return None if matrix is None else Matrix(matrix.stored[rows], matrix.step)

    return replace(travel, distances=part_of(travel.distances), durations=part_of(travel.durations))
