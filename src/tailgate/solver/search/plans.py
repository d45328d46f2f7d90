"""Plans as column generation has them: columns, and the customers that none of them visits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from tailgate.model.instance import Instance
from tailgate.solver.column import Column
from tailgate.solver.master import vehicle_limits


def left_out_by(instance: Instance, columns: Collection[Column]) -> list[int]:
    """Return the customers who may be left out and are."""
    served = {stop for column in columns for stop in column.route}
    return sorted(instance.optional - served)


def plan_cost(instance: Instance, columns: Collection[Column]) -> int | float:
    """Return what a plan costs, whatever the order of its columns."""
    return instance.total_cost(columns, left_out_by(instance, columns))


def is_plan(instance: Instance, columns: Collection[Column]) -> bool:
    """Return whether columns serve everybody who must be served, nobody twice, with the fleet."""
    served = [stop for column in columns for stop in column.route]
    missed = set(range(1, instance.n + 1)).difference(served) - instance.optional
    used = Counter(column.kind for column in columns)
    limits = vehicle_limits(instance)
    return (
        not missed
        and len(set(served)) == len(served)
        and all(fewest <= used[kind] <= most for kind, (fewest, most) in enumerate(limits))
    )
