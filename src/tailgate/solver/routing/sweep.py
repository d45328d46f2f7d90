"""A plain first solution: around the depot like the hand of a clock, one vehicle after the other.

The route search finds better ones, but where trucks hold hundreds of items it may not find any in
the time that it has. Here every customer costs one loading check.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tailgate.model.instance import Instance
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.time_limit import TimeLimit


def sweep(
    instance: Instance, oracle: LoadingOracle, *, max_nodes: int, time_limit: TimeLimit
) -> list[tuple[int, ...]] | None:
    """Return proven routes that keep every rule, or None; ``max_nodes`` limits a loading check."""
    routes: list[tuple[int, ...]] = [()]
    for customer in sorted(range(1, instance.n + 1), key=lambda number: _angle(instance, number)):
        if time_limit.expired:
            return None
        for route in ((*routes[-1], customer), (customer,)):
            if _is_proven(instance, oracle, route, max_nodes):
                break
        else:
            return None
        if len(route) == 1 and routes[-1]:
            routes.append(())
        routes[-1] = route
    return routes if _is_in_order(instance, routes) else None


def _angle(instance: Instance, customer: int) -> float:
    place = instance.customer(customer)
    return math.atan2(place.y - instance.depot[1], place.x - instance.depot[0])


def _is_proven(
    instance: Instance, oracle: LoadingOracle, route: Sequence[int], max_nodes: int
) -> bool:
    stops = [instance.customer(customer) for customer in route]
    return (
        sum(stop.weight for stop in stops) <= instance.vehicle.capacity
        and sum(stop.area for stop in stops) <= instance.vehicle.area
        and instance.is_allowed(route)
        and oracle.check(route, max_nodes=max_nodes).verdict is Verdict.FEASIBLE
    )


def _is_in_order(instance: Instance, routes: Sequence[Sequence[int]]) -> bool:
    """Do the routes keep the rules of the fleet?"""
    rules = instance.conventions
    if rules.single_customer_routes == "forbid" and any(len(route) == 1 for route in routes):
        return False
    if rules.fleet == "exactly":
        return len(routes) == instance.vehicle_count
    return len(routes) <= instance.vehicle_count
