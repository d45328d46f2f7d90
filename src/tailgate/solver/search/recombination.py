"""The restricted master heuristic: the cheapest plan made of routes that are proven.

The route search and pricing leave thousands of routes behind that can be loaded. Some of them often
make a better plan than any that was built at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.solver.search.finishing.columns import Columns
from tailgate.solver.search.finishing.integer_programme import choose_columns
from tailgate.solver.time_limit import TimeLimit

SIZES = (1_000, 2_500)
"""Of the cheapest routes so many are tried, and more only where these make no better plan."""


def recombine(
    instance: Instance,
    routes: Iterable[RoutePath],
    duals: Sequence[float],
    *,
    limit: float,
    threads: int,
    time_limit: TimeLimit,
) -> tuple[RoutePath, ...] | None:
    """Return a plan that costs at most `limit`, if one is found in time.

    The routes must be loadable. Duals of the customers say which of them to try first; any will do.
    """

    def reduced_cost(route: RoutePath) -> float:
        return instance.route_cost(route) - sum(duals[customer - 1] for customer in route)

    ordered = sorted(set(routes), key=lambda route: (reduced_cost(route), route))
    tried = 0
    for size in SIZES:
        if tried >= len(ordered) or time_limit.expired:
            return None
        columns = Columns(instance, ordered[:size])
        tried = size
        choice = choose_columns(
            instance, columns, limit=limit, threads=threads, time_limit=time_limit
        )
        if len(choice.columns):
            return tuple(columns.routes[column] for column in choice.columns.tolist())
    return None
