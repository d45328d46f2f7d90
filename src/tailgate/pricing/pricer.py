"""The compiled pricer for one instance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tailgate import _core
from tailgate.instance import Instance
from tailgate.pricing.subset_row import SubsetRow
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PricedRoutes:
    """What one call found; costs are reduced by the duals of the customers, not of the fleet."""

    routes: tuple[RoutePath, ...]
    reduced_costs: tuple[float, ...]
    complete: bool
    """False: the search was cut short, and no routes does not mean that there are none."""
    bound: float
    """No route costs less, unless its loading is refuted."""


@dataclass(frozen=True, slots=True)
class Enumeration:
    """One order for each set of customers that has a route below a threshold."""

    routes: tuple[RoutePath, ...]
    """By their own cost, without prices; the cheapest such order of each set."""
    complete: bool
    """False: a limit was met, some sets are missing, and some orders are not the cheapest."""


class Pricer:
    """Finds the cheapest routes under given duals, whose loading is neither refuted nor set aside.

    Exact over elementary routes with weight, floor area and time windows. What it does not know of
    loading it is told: `forbid` what is proven infeasible, `set_aside` what is not known.
    """

    def __init__(
        self,
        instance: Instance,
        *,
        walk_bounds: bool = True,
        growing_neighbourhoods: bool = True,
    ) -> None:
        """Make a pricer; the last two are ways of saving work, left out only to measure them."""
        self.forbidden: dict[RoutePath, None] = {}
        """All sequences that were ruled out, in the order of learning."""
        conventions = instance.conventions
        ready: list[float] = []
        due: list[float] = []
        service: list[float] = []
        if instance.has_time_windows:
            dues = (instance.depot_due, *(customer.due for customer in instance.customers))
            ready = [instance.depot_ready, *(customer.ready for customer in instance.customers)]
            due = [math.inf if time is None else time for time in dues]
            service = [0, *(customer.service for customer in instance.customers)]
        self._costs = instance.distance_matrix().astype(float).ravel().tolist()
        self._core = _core.Pricer(
            cost=self._costs,
            weight=[0, *(customer.weight for customer in instance.customers)],
            area=[0, *(customer.area for customer in instance.customers)],
            capacity=instance.vehicle.capacity,
            floor_area=instance.vehicle.area,
            ready=ready,
            due=due,
            service=service,
            lifo=conventions.lifo,
            single_customer_routes=conventions.single_customer_routes == "allow",
            walk_bounds=walk_bounds,
            growing_neighbourhoods=growing_neighbourhoods,
        )

    def forbid(self, sequence: Sequence[int]) -> None:
        """Rule out all routes with these customers in this order, or in the reverse order."""
        self._core.forbid(list(sequence))
        self.forbidden[tuple(sequence)] = None

    def set_aside(self, sequence: Sequence[int]) -> None:
        """Pass over such routes until `release_all`."""
        self._core.set_aside(list(sequence))

    def passes_over(self, route: Sequence[int]) -> bool:
        """Tell whether what was forbidden or set aside in the meantime rules this route out."""
        return self._core.passes_over(list(route))

    def release_all(self) -> None:
        """Take all sequences back that were set aside."""
        self._core.release_all()

    @property
    def has_set_aside(self) -> bool:
        """Whether routes are passed over."""
        return self._core.set_aside_count > 0

    def set_forbidden_edges(self, edges: Iterable[tuple[int, int]]) -> None:
        """Let no route go directly between two places (0: the depot), and free all other edges."""
        self._core.set_forbidden_edges(list(edges))

    def set_duals(
        self,
        duals: Sequence[float],
        *,
        cost_factor: float = 1.0,
        edge_prices: Mapping[tuple[int, int], float] | None = None,
        subset_rows: Sequence[tuple[SubsetRow, float]] = (),
    ) -> list[float]:
        """Set the price of a visit to each customer; return it as the pricer rounds it.

        The price of an edge (smaller number first, 0 is the depot) is subtracted each time a route
        goes along it, in either direction. A penalty of a subset row is added as often as a route
        counts there. Edge prices are rounded up and penalties down: what is computed never exceeds
        the reduced cost under the prices given, so these need not be returned.
        """
        edges = [(a, b, price) for (a, b), price in (edge_prices or {}).items()]
        if any(a >= b for a, b, _ in edges):
            raise ValueError("an edge must have its smaller number first")
        rows = [(row.members, sorted(row.memory), penalty) for row, penalty in subset_rows]
        self._core.set_prices(list(duals), cost_factor, edges, rows)
        return [self._core.rounded_dual(dual) for dual in duals]

    def subset_row_coefficients(self, cut: SubsetRow, routes: Sequence[RoutePath]) -> list[int]:
        """Return how often each route counts in the row; its direction does not matter."""
        return self._core.row_coefficients(cut.members, sorted(cut.memory), routes)

    def price(self, threshold: float, *, max_routes: int, time_limit: TimeLimit) -> PricedRoutes:
        """Find the cheapest routes below the threshold."""
        answer = self._core.price(threshold, max_routes, _seconds(time_limit))
        return PricedRoutes(
            routes=tuple(tuple(route) for route in answer.routes),
            reduced_costs=tuple(answer.reduced_costs),
            complete=answer.complete,
            bound=answer.bound,
        )

    def cheapest_walks(self) -> tuple[list[RoutePath], float]:
        """Return for every last customer a cheap walk under the prices, and a bound on all routes.

        Walks may come back to a customer after two others. No order of loading counts, and of
        weight and area only the one that allows least.
        """
        walks, bound = self._core.cheapest_walks()
        return list(map(tuple, walks)), bound

    def enumerate(
        self, threshold: float, *, max_sets: int, max_paths: int, time_limit: TimeLimit
    ) -> Enumeration:
        """List the sets of customers that have a route of reduced cost below the threshold.

        Each comes with the cheapest of these routes by its own cost. Routes with a forbidden
        sequence or edge do not count; those set aside do.
        """
        routes, complete = self._core.list_sets(
            threshold, max_sets, max_paths, _seconds(time_limit)
        )
        return Enumeration(routes=tuple(map(tuple, routes)), complete=complete)

    def unused_edges(
        self, threshold: float, *, max_labels: int, time_limit: TimeLimit
    ) -> frozenset[tuple[int, int]]:
        """Return edges that no route of reduced cost below the threshold uses; 0 is the depot.

        Not all of them, and none at all with time windows, or where it takes too long.
        """
        edges = self._core.find_unused_edges(threshold, max_labels, _seconds(time_limit))
        return frozenset(edges)

    def cheapest_order(
        self, customers: Iterable[int], *, time_limit: TimeLimit
    ) -> RoutePath | None:
        """Return the cheapest order without forbidden sequence that keeps all limits; None if none.

        Neither prices nor forbidden edges count, nor what is set aside. Raises `TimeoutError` if
        the time is over before the answer is known.
        """
        order = self._core.cheapest_order(list(customers), _seconds(time_limit))
        if order is None:
            raise TimeoutError("no time is left to find the cheapest order of a route")
        return tuple(order) or None

    @property
    def statistics(self) -> dict[str, float]:
        """Counts of calls, labels and paths, and the seconds they took."""
        return self._core.statistics()


def _seconds(time_limit: TimeLimit) -> float:
    """Return what is left in the core's terms, where a negative number means no limit."""
    remaining = time_limit.remaining
    return -1.0 if remaining is None else remaining
