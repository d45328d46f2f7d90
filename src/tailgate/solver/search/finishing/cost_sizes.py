"""How large the costs of an instance are: for scaling, for penalties, and to begin with."""

from __future__ import annotations

import numpy as np

from tailgate.model.instance import Instance
from tailgate.solver.column import views_of


def largest_cost(instance: Instance) -> float:
    """Return the largest cost of an arc; where arcs cost nothing, of an order that is left out."""
    arcs = max(view.costs.largest_arc for view in views_of(instance))
    return arcs or max(map(instance.leave_out_cost, instance.optional), default=0.0)


def most_expensive_round_trips(instance: Instance) -> list[float]:
    """Return what each customer alone costs without waiting, with the most expensive kind."""
    trips = [view.costs.round_trips() for view in views_of(instance)]
    most: list[float] = np.max(trips, axis=0).tolist()
    return most


def most_a_plan_costs(instance: Instance) -> float:
    """Return what no plan costs more than.

    That is the most expensive arc between any two stops, waiting, and everything left out.
    """
    views = views_of(instance)
    arcs = (instance.n + instance.vehicle_count) * max(view.costs.largest_arc for view in views)
    waiting = sum(view.vehicle_count * view.costs.largest_waiting for view in views)
    return arcs + waiting + sum(map(instance.leave_out_cost, instance.optional))
