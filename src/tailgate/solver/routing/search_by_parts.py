"""The route search on a large instance, part by part: no table is over all places.

A part is a few hundred customers near each other, with the vehicles that serve them and some that
are free. It is an instance of its own, which the route search improves as it would any other
(Taillard and Voss 2002 call such a scheme POPMUSIC). The first pass goes around the depot and
serves everybody for whom there is room; later parts are around customers who are still missing, or
drawn.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence

from tailgate.model.instance import Instance
from tailgate.solver.column import Column, views_of
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.routing.nearness import Nearness
from tailgate.solver.routing.part import Part, cost_of_missing
from tailgate.solver.routing.route_search import DEFAULT_MAX_NODES, MAX_SEED, RouteSearch
from tailgate.solver.routing.sweep import sweep
from tailgate.solver.time_limit import TimeLimit

PART_CUSTOMERS = 150
FIRST_ITERATIONS = 10
"""Per customer of a part, in the first pass; the relaxed start comes before them."""
LATER_ITERATIONS = 20
FIRST_PASS_SHARE = 0.5
"""Of the time that is left, for the first pass."""
NEAR_SHARE = 0.6
"""Of a part around a missing customer, for neighbours; the rest are nearly empty vehicles."""
SPARE_VEHICLES = 2
"""Of each kind, that a part in which nobody is missing may use beyond its own."""


class SearchByParts:
    """A plan of a large instance, perhaps not yet whole, and steps that make it better."""

    def __init__(
        self, instance: Instance, *, seed: int = 0, columns: Iterable[Column] = ()
    ) -> None:
        """Begin with some proven routes, or with none."""
        self._instance = instance
        self._random = random.Random(seed)
        self._nearness = Nearness(instance)
        self._missing_cost = cost_of_missing(instance)
        self._routes: dict[int, Column] = {}
        self._next_route = 0
        self._route_of: dict[int, int] = {}
        self._free = [vehicle.count for vehicle in instance.vehicles]
        self._optional = instance.optional
        self._smallest_area = min(vehicle.area for vehicle in instance.vehicles)
        self._loads = self._load_shares()
        self._unserved = set(range(1, instance.n + 1))
        self._waiting_load = sum(self._loads)
        for column in columns:
            if self._free[column.kind] and self._route_of.keys().isdisjoint(column.route):
                self._add(column)
        self._waiting: list[int] | None = None
        """Customers around the depot whom the first pass has not come to yet."""
        self.is_first_pass_over = not self._unserved

    @property
    def columns(self) -> list[Column]:
        """The routes so far, each proven."""
        return list(self._routes.values())

    @property
    def is_whole(self) -> bool:
        """Whether everybody is served who must be, by as many vehicles as must leave."""
        if self._instance.conventions.fleet == "exactly" and any(self._free):
            return False
        return self._unserved <= self._optional

    @property
    def parts(self) -> int:
        """How many parts the instance has, about."""
        return math.ceil(self._instance.n / PART_CUSTOMERS)

    def step(self, time_limit: TimeLimit) -> None:
        """Search one part, the next of the first pass or another one."""
        if not self.is_first_pass_over:
            self._step_of_first_pass(time_limit)
            return
        missing = sorted(self._unserved - self._optional)
        centre = self._random.choice(missing or range(1, self._instance.n + 1))
        candidates = self._nearness.nearest(centre, PART_CUSTOMERS)
        if missing:
            # Room is where vehicles are the emptiest, however far away that is.
            candidates = [*candidates[: math.ceil(NEAR_SHARE * PART_CUSTOMERS)], *self._emptiest()]
        self._improve(self._collected(candidates), LATER_ITERATIONS, time_limit, time_limit)

    def _emptiest(self) -> list[int]:
        """Return the customers of vehicles that carry little, those of the emptiest first."""
        vehicles = self._instance.vehicles

        def load(column: Column) -> float:
            largest = vehicles[column.kind].area / self._smallest_area
            # Not the same again and again.
            return (
                self._random.uniform(1, 1.5)
                * sum(map(self._loads.__getitem__, column.route))
                / largest
            )

        emptiest = heapq.nsmallest(PART_CUSTOMERS, self._routes.values(), key=load)
        return [stop for column in emptiest for stop in column.route]

    def _step_of_first_pass(self, time_limit: TimeLimit) -> None:
        if self._waiting is None:
            self._waiting = [one for one in self._nearness.around_depot() if one in self._unserved]
            self._waiting.reverse()
        numbers = self._collected(reversed(self._waiting))
        taken = set(numbers)
        parts_left = math.ceil(len(self._waiting) / PART_CUSTOMERS)
        while self._waiting and self._waiting[-1] in taken:
            self._waiting.pop()
        remaining = time_limit.remaining
        limit = time_limit
        if remaining is not None:
            limit = time_limit.at_most(FIRST_PASS_SHARE * remaining / parts_left)
        self._improve(numbers, FIRST_ITERATIONS, limit, time_limit)
        self.is_first_pass_over = not self._waiting

    def _collected(self, candidates: Iterable[int]) -> list[int]:
        """Return the first candidates with all who share a route or a group with them."""
        found: dict[int, None] = {}
        for number in candidates:
            if len(found) >= PART_CUSTOMERS:
                break
            route = self._route_of.get(number)
            company: Iterable[int] = self._instance.rules.partners.get(number, (number,))
            if route is not None:
                company = self._routes[route].route
            found.update(dict.fromkeys(sorted(company)))
        return list(found)

    def _improve(
        self,
        numbers: Sequence[int],
        iterations: int,
        time_limit: TimeLimit,
        whole_limit: TimeLimit,
    ) -> None:
        """Search the part of these customers within its limit, and take what is found."""
        own = sorted({self._route_of[one] for one in numbers if one in self._route_of})
        unserved = [one for one in numbers if one not in self._route_of]
        counts = self._vehicles(own, unserved)
        numbers = self._served_by(numbers, counts)
        if not numbers or not counts or whole_limit.expired:
            return
        must = any(one not in self._optional for one in unserved)
        part = Part(
            self._instance, numbers, counts, missing_cost=self._missing_cost if must else None
        )
        oracles = [LoadingOracle(view) for view in views_of(part.instance)]
        seed = self._random.randrange(MAX_SEED)
        search = RouteSearch(part.instance, oracles, seed=seed)
        is_whole_fleet = self._instance.conventions.fleet == "exactly"
        if own and (not is_whole_fleet or sum(counts.values()) == len(own)):
            search.offer([part.column_here(self._routes[one]) for one in own], proven=True)
        search.run(iterations=iterations * len(numbers), time_limit=time_limit.remaining)
        columns = search.routes
        if columns is None and not own:
            # Something to begin with, where the time was too short for more.
            columns = sweep(
                part.instance, oracles, max_nodes=DEFAULT_MAX_NODES, time_limit=whole_limit
            )
        if columns is None:
            return
        for route in own:
            self._remove(route)
        for column in columns:
            self._add(part.column_there(column))

    def _vehicles(self, own: Sequence[int], unserved: Sequence[int]) -> dict[int, int]:
        """Return the vehicles of a part by kind: its own, and its share of those that are free."""
        counts = Counter(self._routes[one].kind for one in own)
        # The last part takes all that are left.
        is_last = len(unserved) == len(self._unserved)
        share = 1.0 if is_last else sum(map(self._loads.__getitem__, unserved)) / self._waiting_load
        is_whole_fleet = self._instance.conventions.fleet == "exactly"
        present = set(map(self._instance.label, unserved))
        for kind, free in enumerate(self._free):
            if not set(self._instance.vehicles[kind].first_stops) <= present:
                continue
            if self.is_first_pass_over:
                more = min(free, SPARE_VEHICLES + len(unserved))
            elif is_whole_fleet:
                more = round(free * share)
            else:
                more = math.ceil(free * share - 1e-9)
            counts[kind] += more
        return {kind: count for kind, count in counts.items() if count > 0}

    def _served_by(self, numbers: Sequence[int], counts: dict[int, int]) -> list[int]:
        """Return the customers who accept some of these kinds, as do all who ride with them."""
        names = {self._instance.vehicles[kind].name for kind in counts}

        def accepts(number: int) -> bool:
            kinds = self._instance.customer(number).vehicles
            return kinds is None or not names.isdisjoint(kinds)

        partners = self._instance.rules.partners
        return [one for one in numbers if all(map(accepts, partners.get(one, (one,))))]

    def _load_shares(self) -> list[float]:
        """Return by customer which share of the smallest vehicle it takes; the depot takes none."""
        smallest = self._smallest_area
        weakest = max(1, min(vehicle.capacity for vehicle in self._instance.vehicles))
        return [
            0.0,
            *(
                max(one.area / smallest, one.weight / weakest, 1e-6)
                for one in self._instance.customers
            ),
        ]

    def _add(self, column: Column) -> None:
        self._routes[self._next_route] = column
        self._free[column.kind] -= 1
        for stop in column.route:
            self._route_of[stop] = self._next_route
            self._waiting_load -= self._loads[stop]
        self._unserved.difference_update(column.route)
        self._next_route += 1

    def _remove(self, route: int) -> None:
        column = self._routes.pop(route)
        self._free[column.kind] += 1
        for stop in column.route:
            del self._route_of[stop]
            self._waiting_load += self._loads[stop]
        self._unserved.update(column.route)
