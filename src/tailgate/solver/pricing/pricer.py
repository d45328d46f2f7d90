"""The compiled pricer for one kind of vehicle."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tailgate import _core
from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.solver.pricing.subset_row import SubsetRow
from tailgate.solver.road_arguments import RoadArguments, Table
from tailgate.solver.time_limit import TimeLimit


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
    """By their own cost, without duals; the cheapest such order of each set."""
    complete: bool
    """False: a limit was met, some sets are missing, and some orders are not the cheapest."""


class Pricer:
    """Finds the cheapest routes under given duals, whose loading is neither refuted nor deferred.

    Exact over elementary routes with weight, floor area, time windows and the rules of customers.
    What it does not know of loading others let it know: they `forbid` what is proven infeasible,
    and `defer` the unknown.
    """

    def __init__(
        self,
        instance: Instance,
        *,
        other_costs: float = 0.0,
        walk_bounds: bool = True,
        growing_neighbourhoods: bool = True,
        resumed_search: bool = True,
    ) -> None:
        """Make a pricer; the last three are ways of saving work, left out only to measure them.

        Duals may reflect other costs than those of routes: of other vehicles, of leaving customers
        out. Those much beyond all of them are cut off.
        """
        self.forbidden: dict[RoutePath, bool] = {}
        """All sequences that were ruled out, in the order of learning, and whether in any order."""
        conventions, roads = instance.conventions, RoadArguments(instance)
        has_clock = instance.has_time_windows
        self._core = _core.Pricer(
            cost=_costs(instance, roads),
            duration=roads.durations,
            weight=[0, *(customer.weight for customer in instance.customers)],
            area=[0, *(customer.area for customer in instance.customers)],
            capacity=instance.vehicle.capacity,
            floor_area=instance.vehicle.area,
            ready=roads.ready if has_clock else [],
            due=roads.due if has_clock else [],
            service=roads.service if has_clock else [],
            time_tolerance=roads.time_tolerance,
            waiting_cost=roads.waiting_cost,
            max_duration=roads.max_duration,
            distance=roads.distances,
            max_distance=roads.max_distance,
            max_stops=roads.max_stops,
            lifo=conventions.lifo,
            single_customer_routes=conventions.single_customer_routes == "allow",
            other_costs=other_costs,
            groups=[sorted(group) for group in _served_groups(instance)],
            walk_bounds=walk_bounds,
            growing_neighbourhoods=growing_neighbourhoods,
            resumed_search=resumed_search,
        )
        for pair in sorted(instance.rules.apart):
            self._core.forbid(list(pair))

    def forbid(self, sequence: Sequence[int], *, in_any_order: bool = False) -> None:
        """Rule out all routes with these customers in this order, or in the reverse order, or any.

        Parameters
        ----------
        sequence : sequence of int
            The customers; others may come between them.
        in_any_order : bool
            Whether their order does not matter.
        """
        self._core.forbid(list(sequence), in_any_order)
        self.forbidden[tuple(sequence)] = in_any_order or self.forbidden.get(tuple(sequence), False)

    def defer(self, sequence: Sequence[int]) -> None:
        """Skip such routes until `release_all`."""
        self._core.defer(list(sequence))

    def skips(self, route: Sequence[int]) -> bool:
        """Return whether what was forbidden or deferred in the meantime rules this route out."""
        return self._core.skips(list(route))

    def release_all(self) -> None:
        """Take all deferred sequences back."""
        self._core.release_all()

    @property
    def has_deferred(self) -> bool:
        """Whether routes are skipped that may be loadable."""
        return self._core.deferred_count > 0

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
        """Set the dual of each customer, the price of a visit; return it as the pricer rounds it.

        The price of an edge (smaller number first, 0 is the depot) is subtracted each time a route
        goes along it, in either direction. A penalty of a subset row is added as often as a route
        counts there. Edge prices are rounded up and penalties down: what is computed never exceeds
        the reduced cost under the duals given, so these need not be returned.
        """
        edges = [(a, b, price) for (a, b), price in (edge_prices or {}).items()]
        if any(a >= b for a, b, _ in edges):
            raise ValueError("an edge must have its smaller number first")
        rows = [(row.members, sorted(row.memory), penalty) for row, penalty in subset_rows]
        self._core.set_duals(list(duals), cost_factor, edges, rows)
        return [self._core.rounded_dual(dual) for dual in duals]

    def price(self, threshold: float, *, max_routes: int, time_limit: TimeLimit) -> PricedRoutes:
        """Find the cheapest routes below the threshold."""
        return _priced(self._core.price(threshold, max_routes, _seconds(time_limit)), time_limit)

    def price_more(self, *, max_routes: int, time_limit: TimeLimit) -> PricedRoutes:
        """Find the next ones, under the same duals: none that was returned since `price`.

        What was forbidden or deferred in the meantime counts. No routes does not mean that there
        are no others: `price` may find more.
        """
        return _priced(self._core.price_more(max_routes, _seconds(time_limit)), time_limit)

    def cheapest_walks(self) -> tuple[list[RoutePath], float]:
        """Return for every last customer a cheap walk under the duals, and a bound on all routes.

        Walks may come back to a customer after two others. No order of loading counts, and of
        weight and area only the one that allows least.
        """
        walks, bound = self._core.cheapest_walks()
        return list(map(tuple, walks)), bound

    def enumerate(
        self, threshold: float, *, max_sets: int, max_paths: int, time_limit: TimeLimit
    ) -> Enumeration:
        """Enumerate the sets of customers that have a route of reduced cost below the threshold.

        Each comes with the cheapest of these routes by its own cost. Routes with a forbidden
        sequence or edge do not count; deferred ones do.
        """
        routes, complete = self._core.enumerate_sets(
            threshold, max_sets, max_paths, _seconds(time_limit)
        )
        return Enumeration(
            routes=tuple(map(tuple, routes)), complete=time_limit.completed(complete)
        )

    def cheapest_order(
        self, customers: Iterable[int], *, time_limit: TimeLimit
    ) -> RoutePath | None:
        """Return the cheapest order without forbidden sequence that keeps all limits; None if none.

        Neither duals nor forbidden edges count, nor what is deferred. Raises `TimeoutError` if
        the time is over before the answer is known.
        """
        order = self._core.cheapest_order(list(customers), _seconds(time_limit))
        if order is None or not time_limit.completed(True):
            raise TimeoutError("no time is left to find the cheapest order of a route")
        return tuple(order) or None

    @property
    def statistics(self) -> dict[str, float]:
        """Counts of calls, labels and paths, and the seconds they took."""
        return self._core.statistics()


def _priced(answer: _core.PricingAnswer, time_limit: TimeLimit) -> PricedRoutes:
    return PricedRoutes(
        routes=tuple(map(tuple, answer.routes)),
        reduced_costs=tuple(answer.reduced_costs),
        complete=time_limit.completed(answer.complete),
        bound=answer.bound,
    )


def _costs(instance: Instance, roads: RoadArguments) -> Table:
    """Return the costs of arcs; none leads to a customer whom these vehicles do not serve."""
    refused = [number for number in range(1, instance.n + 1) if not instance.accepts(number, 0)]
    if not refused:
        return roads.costs
    costs = roads.costs.copy()
    costs[refused, :] = math.inf
    costs[:, refused] = math.inf
    return costs


def _served_groups(instance: Instance) -> list[frozenset[int]]:
    """Return the groups that these vehicles serve; of others they serve nobody."""
    return [
        group
        for group in instance.rules.groups
        if all(instance.accepts(number, 0) for number in group)
    ]


def _seconds(time_limit: TimeLimit) -> float:
    """Return what is left in the core's terms, where a negative number means no limit."""
    remaining = time_limit.remaining
    return -1.0 if remaining is None else remaining
