"""The restricted master with whole columns: the cheapest plan made of routes that are proven.

The route search and pricing leave thousands of routes behind that can be loaded. Some of them often
make a better plan than any that was built as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tailgate.instance import Instance
from tailgate.search.closing.columns import Columns
from tailgate.search.closing.integer_programme import choose_columns
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]

SIZES = (1_000, 2_500)
"""Of the cheapest routes so many are tried, and more only where these make no better plan."""


def recombine(
    instance: Instance,
    routes: Iterable[RoutePath],
    prices: Sequence[float],
    *,
    limit: float,
    threads: int,
    time_limit: TimeLimit,
) -> tuple[RoutePath, ...] | None:
    """Return a plan that costs at most `limit`, if one is found in time.

    The routes must be loadable. Prices of the customers tell which of them to try first; any will
    do.
    """

    def reduced_cost(route: RoutePath) -> float:
        return instance.route_cost(route) - sum(prices[customer - 1] for customer in route)

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
