"""Plans as column generation has them: columns, and the customers that none of them visits."""

from __future__ import annotations

from collections.abc import Collection

from tailgate.model.instance import Instance
from tailgate.solver.column import Column


def left_out_by(instance: Instance, columns: Collection[Column]) -> list[int]:
    """Return the customers who may be left out and are."""
    served = {stop for column in columns for stop in column.route}
    return sorted(instance.optional - served)


def plan_cost(instance: Instance, columns: Collection[Column]) -> int | float:
    """Return what a plan costs, whatever the order of its columns."""
    return instance.total_cost(columns, left_out_by(instance, columns))
