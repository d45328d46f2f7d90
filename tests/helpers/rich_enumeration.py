"""All routes of a tiny instance of format 2: what the solver must agree with.

Limits and costs of a route are the model's own, which `tests/model` compares with the judge; the
compiled searches have arithmetic of their own. Loading is tried out by brute force.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rich_instances import all_routes
from route_enumeration import Cost, Enumeration, Stops
from tailgate.model.instance import Instance, Travel
from tailgate.model.matrix import Matrix


class RichEnumeration(Enumeration):
    """Roads, hours and money as the model has them."""

    def cost(self, route: Stops) -> Cost:
        """Return what the route costs."""
        return self._instance.route_cost(route)

    def _feasible_routes(self) -> Iterator[Stops]:
        instance = self._instance
        shortest = 2 if instance.conventions.single_customer_routes == "forbid" else 1
        for route in all_routes(instance):
            weight = sum(instance.customer(number).weight for number in route)
            if (
                len(route) >= shortest
                and weight <= instance.vehicle.capacity
                and instance.is_allowed(route)
                and self.is_loadable(route)
            ):
                yield route


_LATE_ENOUGH = 10_000_000


def in_a_mirror(instance: Instance) -> Instance:
    """Return the day driven backwards: roads, windows and shift reversed.

    Every route has a mirror image of the same length, duration and cost. The clock runs backwards
    from a moment when every vehicle is back, however little hurry it is in.
    """
    vehicle, travel = instance.vehicle, instance.travel
    assert travel.metric == "matrix"
    ends = [time for time in (instance.depot_due, vehicle.shift_end) if time is not None]
    begins = [time for time in (instance.depot_ready, vehicle.shift_start) if time is not None]
    matrices: dict[str, Any] = {
        name: Matrix(matrix.stored.T.copy(), matrix.step)
        for name in ("distances", "durations")
        if (matrix := getattr(travel, name)) is not None
    }
    mirrored = Travel("matrix", travel.coordinates, speed=travel.speed, **matrices)
    day = _LATE_ENOUGH
    return replace(
        instance,
        travel=mirrored,
        depot_ready=day - min(ends) if ends else 0,
        depot_due=day - max(begins),
        vehicle=replace(vehicle, shift_start=None, shift_end=None),
        customers=tuple(
            replace(
                customer,
                ready=0 if customer.due is None else day - customer.due - customer.service,
                due=day - customer.ready - customer.service,
            )
            for customer in instance.customers
        ),
    )
