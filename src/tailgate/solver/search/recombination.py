"""The restricted master heuristic: the cheapest plan made of routes that are proven.

The route search and pricing leave thousands of routes behind that can be loaded. Some of them often
make a better plan than any that was built at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tailgate.model.instance import Instance
from tailgate.solver.column import Column, views_of
from tailgate.solver.search.finishing.columns import Columns
from tailgate.solver.search.finishing.integer_programme import choose_columns
from tailgate.solver.time_limit import TimeLimit

SIZES = (1_000, 2_500)
"""Of the cheapest routes so many are tried, and more only where these make no better plan."""


def recombine(
    instance: Instance,
    columns: Iterable[Column],
    duals: Sequence[float],
    *,
    limit: float,
    threads: int,
    time_limit: TimeLimit,
) -> tuple[Column, ...] | None:
    """Return a plan that costs at most `limit`, if one is found in time.

    The routes must be loadable. Duals of the customers say which of them to try first; any will do.
    """
    views = views_of(instance)

    def reduced_cost(column: Column) -> float:
        cost = views[column.kind].route_cost(column.route)
        return cost - sum(duals[customer - 1] for customer in column.route)

    ordered = sorted(set(columns), key=lambda column: (reduced_cost(column), column))
    tried = 0
    for size in SIZES:
        if tried >= len(ordered) or time_limit.expired:
            return None
        pool = Columns(instance, ordered[:size])
        tried = size
        choice = choose_columns(instance, pool, limit=limit, threads=threads, time_limit=time_limit)
        if len(choice.columns):
            return tuple(pool.column(index) for index in choice.columns.tolist())
    return None
