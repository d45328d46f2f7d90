"""Routes that are proven to be possible: the witness that a fleet is large enough.

The routes make an instance's number of vehicles honest and give demos and tests something to
load. They are sensible but not optimised.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence

from numpy.random import Generator

from tailgate.model.instance import Instance
from tailgate.research.generate.random_streams import Aspect, draw_integer, random_stream
from tailgate.solver.loading import LoadingOracle, Verdict

RoutePlan = list[tuple[int, ...]]

# Effort is limited by search nodes, never by time: the outcome must not depend on the machine.
_NODES_PER_CHECK = 300
_CHECKS_PER_CUSTOMER = 120
_POSITIONS_PER_ROUTE = 3
_ATTEMPTS = 4
# A route that could not be loaded with so many further customers in a row is taken for full, and a
# large instance gets one good plan: so the effort grows with n and not with its square.
_REFUSALS_OF_A_FULL_ROUTE = 12
_LARGE = 250


def build_proven_routes(
    instance: Instance,
    *,
    seed: int = 0,
    enough: int = 1,
    customers: Collection[int] | None = None,
) -> RoutePlan | None:
    """Return routes of two customers or more for all customers, each proven possible, or None.

    The loading is proven under the LIFO rule whatever the instance's own convention says: what
    can be unloaded in order can be unloaded in any order. Several orders of insertion are tried
    and the fewest routes kept; a plan of `enough` routes ends the search early. Where `customers`
    are given, the routes are for these alone.
    """
    numbers = range(1, instance.n + 1) if customers is None else customers
    builder = _RouteBuilder(instance, numbers)
    return builder.build(random_stream(seed, Aspect.ROUTES), enough=enough)


class _RouteBuilder:
    """Builds routes by insertion; a customer enters where weight, time and loading are proven."""

    def __init__(self, instance: Instance, customers: Collection[int]) -> None:
        self._instance = instance
        self._customers = customers
        self._oracle = LoadingOracle(instance, lifo=True)
        self._has_roads = instance.travel.metric == "matrix"
        self._has_time_windows = instance.has_time_windows
        self._floor_area = instance.vehicle.width * instance.vehicle.length
        self._areas = [0] + [customer.area for customer in instance.customers]
        self._weights = [0] + [customer.weight for customer in instance.customers]

    def build(self, stream: Generator, *, enough: int) -> RoutePlan | None:
        best: RoutePlan | None = None
        for attempt in range(_ATTEMPTS):
            if best is not None and len(self._customers) > _LARGE:
                break
            order = self._order(stream, shaken=attempt > 0)
            plan = self._insert_all(order, fullest_first=attempt % 2 == 0)
            if not self._dissolve_single_customer_routes(plan):
                continue
            if best is None or len(plan) < len(best):
                best = plan
            if len(best) <= enough:
                break
        return best

    def _is_proven(self, route: Sequence[int]) -> bool:
        return (
            sum(self._areas[customer] for customer in route) <= self._floor_area
            and sum(self._weights[customer] for customer in route)
            <= self._instance.vehicle.capacity
            and self._is_in_time(route)
            and self._can_be_loaded(route)
        )

    def _can_be_loaded(self, route: Sequence[int]) -> bool:
        result = self._oracle.check(route, max_nodes=_NODES_PER_CHECK)
        return result.verdict is Verdict.FEASIBLE

    def _order(self, stream: Generator, *, shaken: bool) -> list[int]:
        """Bulky and heavy customers first; later attempts shake the order by up to a third."""
        capacity = self._instance.vehicle.capacity

        def size(customer: int) -> int:
            # A common denominator keeps the comparison in whole numbers.
            size = max(self._areas[customer] * capacity, self._weights[customer] * self._floor_area)
            return size * (draw_integer(stream, 75, 100) if shaken else 100)

        sizes = {customer: size(customer) for customer in self._customers}
        return sorted(sizes, key=lambda customer: (-sizes[customer], customer))

    def _insert_all(self, order: Sequence[int], *, fullest_first: bool) -> RoutePlan:
        plan: RoutePlan = []
        refusals: Counter[int] = Counter()
        for customer in order:
            insertion = self._find_insertion(plan, customer, refusals, fullest_first=fullest_first)
            if insertion is None:
                plan.append((customer,))
            else:
                index, route = insertion
                plan[index] = route
                del refusals[index]
        return plan

    def _find_insertion(
        self, plan: RoutePlan, customer: int, refusals: Counter[int], *, fullest_first: bool
    ) -> tuple[int, tuple[int, ...]] | None:
        """Return a route's index and the route with the customer in it, or None.

        Counts for every route the customers in a row with which it could not be loaded.
        """
        ranked = []
        for index, route in enumerate(plan):
            if refusals[index] >= _REFUSALS_OF_A_FULL_ROUTE:
                continue
            area = self._areas[customer] + sum(self._areas[other] for other in route)
            weight = self._weights[customer] + sum(self._weights[other] for other in route)
            if area > self._floor_area or weight > self._instance.vehicle.capacity:
                continue
            cheapest = sorted(
                (self._added_distance(route, customer, position), position)
                for position in range(len(route) + 1)
            )
            for added, position in cheapest[:_POSITIONS_PER_ROUTE]:
                rank = (-area, added) if fullest_first else (added, -area)
                ranked.append((rank, index, position))
        ranked.sort()
        refused: set[int] = set()
        for _, index, position in ranked[:_CHECKS_PER_CUSTOMER]:
            longer = (*plan[index][:position], customer, *plan[index][position:])
            if not self._is_in_time(longer):
                continue
            if self._can_be_loaded(longer):
                refused.discard(index)
                refusals.update(refused)
                return index, longer
            refused.add(index)
        refusals.update(refused)
        return None

    def _added_distance(self, route: tuple[int, ...], customer: int, position: int) -> int | float:
        before = route[position - 1] if position > 0 else 0
        after = route[position] if position < len(route) else 0
        distance = self._instance.distance
        return distance(before, customer) + distance(customer, after) - distance(before, after)

    def _dissolve_single_customer_routes(self, plan: RoutePlan) -> bool:
        """Join single customers to other routes: the benchmark forbids routes with one customer."""
        for single in [route for route in plan if len(route) == 1]:
            if not (self._join_another(plan, single) or self._fetch_companion(plan, single)):
                return False
        return True

    def _join_another(self, plan: RoutePlan, single: tuple[int, ...]) -> bool:
        if single not in plan:
            return True
        others = [route for route in plan if route != single]
        insertion = self._find_insertion(others, single[0], Counter(), fullest_first=False)
        if insertion is None:
            return False
        index, longer = insertion
        others[index] = longer
        plan[:] = others
        return True

    def _fetch_companion(self, plan: RoutePlan, single: tuple[int, ...]) -> bool:
        for index, donor in enumerate(plan):
            if len(donor) < 3:
                continue
            for companion in donor:
                rest = tuple(customer for customer in donor if customer != companion)
                for pair in ((*single, companion), (companion, *single)):
                    if self._is_proven(pair) and self._is_proven(rest):
                        plan[index] = rest
                        plan[plan.index(single)] = pair
                        return True
        return False

    def _is_in_time(self, route: Sequence[int]) -> bool:
        """Follow the clock, with distances rounded up so that it holds under every convention."""
        instance = self._instance
        if self._has_roads:
            return instance.is_allowed(route)
        if not self._has_time_windows:
            return True
        clock: int | float = instance.depot_ready
        position = 0
        for stop in route:
            customer = instance.customer(stop)
            clock = max(clock + self._travel_time(position, stop), customer.ready)
            if customer.due is not None and clock > customer.due:
                return False
            clock += customer.service
            position = stop
        back = clock + self._travel_time(position, 0)
        return instance.depot_due is None or back <= instance.depot_due

    def _travel_time(self, start: int, end: int) -> int:
        x_start, y_start = self._coordinates(start)
        x_end, y_end = self._coordinates(end)
        square = (x_start - x_end) ** 2 + (y_start - y_end) ** 2
        distance = math.isqrt(square - 1) + 1 if square else 0
        return -(-distance // self._instance.units.coordinate_scale)

    def _coordinates(self, node: int) -> tuple[int, int]:
        if node == 0:
            return self._instance.depot
        customer = self._instance.customer(node)
        return customer.x, customer.y
