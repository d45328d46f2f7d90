"""A bound that needs no table: every order pays its share of the way to it and back.

A route that serves a customer costs at least the cheapest ways there and back, whatever it visits
on the way. It carries at most a vehicle's capacity and covers at most its floor; so if each
customer pays the share of these that it takes, the customers of a route pay for no more than the
route costs (Haimovich and Rinnooy Kan 1985, here over cheapest ways, since roads need not obey the
triangle inequality). Who may be left out pays no more than that costs.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from tailgate.model.instance import Instance
from tailgate.solver.column import views_of
from tailgate.solver.time_limit import TimeLimit

MIXES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of the weight in the load of a customer; the rest is area."""
MOST_KINDS = 8
"""Kinds that differ, each of which takes the cheapest ways anew."""
_ROUNDING = 1e-9
"""Sums of floats may be off by less, relatively."""

Floats = npt.NDArray[np.float64]


def radial_bound(instance: Instance, time_limit: TimeLimit) -> float:
    """Return a lower bound on the cost of every plan; 0 if the time is over before it is known."""
    views = views_of(instance)
    if len(views) > MOST_KINDS:
        return 0.0
    ways = []
    for view in views:
        way = _round_trips(view, time_limit)
        if way is None:
            return 0.0
        ways.append(way)
    leave_out_costs = _leave_out_costs(instance)
    best = 0.0
    for mix in MIXES:
        shares = [way * _loads(view, mix) for view, way in zip(views, ways, strict=True)]
        least = np.minimum.reduce([*shares, leave_out_costs])
        # Nobody comes where there is no way; then there is no plan, which others find out.
        best = max(best, float(np.where(np.isfinite(least), least, 0.0).sum()))
    return best * (1 - _ROUNDING)


def _loads(view: Instance, mix: float) -> Floats:
    """Return which share of a vehicle each customer takes, at least."""
    vehicle = view.vehicle
    weights = np.array([one.weight for one in view.customers], dtype=np.float64)
    areas = np.array([one.area for one in view.customers], dtype=np.float64)
    by_weight = weights / vehicle.capacity if vehicle.capacity else np.zeros_like(weights)
    loads: Floats = mix * by_weight + (1 - mix) * areas / vehicle.area
    return loads


def _leave_out_costs(instance: Instance) -> Floats:
    optional = instance.optional
    return np.array(
        [
            float(instance.leave_out_cost(number)) if number in optional else math.inf
            for number in range(1, instance.n + 1)
        ]
    )


def _round_trips(view: Instance, time_limit: TimeLimit) -> Floats | None:
    """Return what it costs at least to drive to each customer and back, by any detour."""
    there = _cheapest_ways(view, time_limit, backwards=False)
    if there is None:
        return None
    if view.costs.is_same_both_ways:
        return 2 * there[1:]
    back = _cheapest_ways(view, time_limit, backwards=True)
    return None if back is None else there[1:] + back[1:]


def _cheapest_ways(view: Instance, time_limit: TimeLimit, *, backwards: bool) -> Floats | None:
    """Return the cheapest ways from the depot, or to it (Dijkstra); None if the time is over."""
    costs = view.costs
    row = costs.arcs_to if backwards else costs.arcs_from
    ways: Floats = row(0).copy()
    ways[0] = 0.0
    is_open = np.ones(len(ways), dtype=bool)
    is_open[0] = False
    while True:
        if time_limit.expired:
            return None
        nearest = int(np.where(is_open, ways, np.inf).argmin())
        if not is_open[nearest] or ways[nearest] == np.inf:
            return ways
        is_open[nearest] = False
        ways = np.minimum(ways, ways[nearest] + row(nearest))
