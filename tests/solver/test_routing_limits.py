"""The compiled route search by its border: every argument about roads, hours and limits counts."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from seeds import with_seeds
from tailgate import _core
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solver.loading import LoadingOracle, Verdict

Table = list[list[float]]
Route = tuple[int, ...]

CAPACITY = 30
LAST_DEPARTURE = 80


@dataclass
class Roads:
    """What the search is told besides loads, in whole numbers."""

    costs: Table
    durations: Table
    distances: Table
    ready: list[int]
    due: list[float]
    service: list[int]
    waiting_cost: float = 0.0
    max_duration: float = math.inf
    max_distance: float = math.inf
    max_stops: int = 0


def random_roads(dice: random.Random, customers: int) -> Roads:
    """Every rule in about half of the cases; nothing is symmetric, and shortcuts abound."""
    places = range(customers + 1)

    def table() -> Table:
        return [[float(a != b) * dice.randint(1, 20) for b in places] for a in places]

    costs, durations, distances = table(), table(), table()
    for start, end in itertools.permutations(places, 2):
        if dice.random() < 0.1:
            costs[start][end] = durations[start][end] = math.inf
    ready = [dice.randint(0, 40) for _ in places]
    ready[0] = dice.randint(0, 5)
    due: list[float] = [time + dice.randint(3, 30) for time in ready]
    due[0] = 90
    if dice.random() < 0.4:
        due = [math.inf for _ in places]
    return Roads(
        costs,
        durations,
        distances,
        ready,
        due,
        [0, *(dice.randint(0, 3) for _ in range(customers))],
        waiting_cost=dice.choice([0.0, 0.5, 2.0]),
        max_duration=dice.choice([math.inf, 45]),
        max_distance=dice.choice([math.inf, 45]),
        max_stops=dice.choice([0, 2]),
    )


def loads(dice: random.Random, customers: int) -> Instance:
    """The loads of a case; coordinates are of no meaning here."""
    return Instance(
        name="loads",
        depot=(0, 0),
        customers=tuple(
            Customer(1, 1, dice.randint(1, 14), (Item(dice.randint(1, 4), dice.randint(1, 4)),))
            for _ in range(customers)
        ),
        vehicle=Vehicle(width=5, length=6, capacity=CAPACITY),
        vehicle_count=dice.randint(2, customers),
        conventions=Conventions("truncated", "at-most", "allow", lifo=True),
    )


def core_search(instance: Instance, roads: Roads, **changes: Any) -> _core.RouteSearch:
    """Return a search with all arguments."""
    arguments: dict[str, Any] = {
        "costs": roads.costs,
        "weights": [0, *(customer.weight for customer in instance.customers)],
        "areas": [0, *(customer.area for customer in instance.customers)],
        "capacity": instance.vehicle.capacity,
        "floor_area": instance.vehicle.area,
        "vehicles": instance.vehicle_count,
        "whole_fleet": False,
        "min_stops": 1,
        "ready_times": roads.ready,
        "due_times": roads.due,
        "service_times": roads.service,
        "durations": roads.durations,
        "time_tolerance": 0.0,
        "waiting_cost": roads.waiting_cost,
        "max_duration": roads.max_duration,
        "distances": roads.distances,
        "max_distance": roads.max_distance,
        "max_stops": roads.max_stops,
        "accepts": [],
    } | changes
    for table in ("costs", "durations", "distances"):
        arguments[table] = np.asarray(arguments[table], dtype=np.float64)
    return _core.RouteSearch(
        oracles=[LoadingOracle(instance).core],
        kinds=[_core.RoutingProblem(**arguments)],
        lifo=True,
        seed=1,
        max_nodes=100,
        max_pool=1000,
    )


def duration_from(roads: Roads, route: Route, departure: int) -> float:
    """Drive by the clock; infinity if somebody is late."""
    clock: float = departure
    for start, end in itertools.pairwise((0, *route, 0)):
        clock += roads.durations[start][end]
        if clock > roads.due[end]:
            return math.inf
        if end:
            clock = max(clock, roads.ready[end]) + roads.service[end]
    return clock - departure


def cost_of(roads: Roads, route: Route) -> float:
    """Return what a route costs; infinity if it breaks a rule of the road."""
    legs = [*itertools.pairwise((0, *route, 0))]
    arcs = sum(roads.costs[start][end] for start, end in legs)
    if arcs == math.inf or (roads.max_stops and len(route) > roads.max_stops):
        return math.inf
    if sum(roads.distances[start][end] for start, end in legs) > roads.max_distance:
        return math.inf
    departures = range(roads.ready[0], LAST_DEPARTURE)
    duration = min(duration_from(roads, route, departure) for departure in departures)
    if duration == math.inf or duration > roads.max_duration:
        return math.inf
    busy = sum(roads.durations[start][end] for start, end in legs)
    busy += sum(roads.service[stop] for stop in route)
    return arcs + roads.waiting_cost * (duration - busy)


def splits(numbers: Route) -> Iterator[list[frozenset[int]]]:
    """Yield every way to split customers among vehicles."""
    if not numbers:
        yield []
        return
    first, rest = numbers[0], numbers[1:]
    for size in range(len(rest) + 1):
        for others in itertools.combinations(rest, size):
            left = tuple(number for number in rest if number not in others)
            for split in splits(left):
                yield [frozenset((first, *others)), *split]


def optimum(instance: Instance, roads: Roads, can_load: Callable[[Route], bool]) -> float:
    """Try every order of every set, then every split."""
    cheapest: dict[frozenset[int], float] = {}
    numbers = tuple(range(1, instance.n + 1))
    for size in numbers:
        for route in itertools.permutations(numbers, size):
            if sum(instance.customer(number).weight for number in route) > CAPACITY:
                continue
            cost = cost_of(roads, route)
            if cost < cheapest.get(frozenset(route), math.inf) and can_load(route):
                cheapest[frozenset(route)] = cost
    return min(
        (
            sum(cheapest.get(part, math.inf) for part in split)
            for split in splits(numbers)
            if len(split) <= instance.vehicle_count
        ),
        default=math.inf,
    )


@with_seeds(some=60, many=600)
def test_tiny_cases_are_solved_to_the_optimum(seeds: range) -> None:
    """What the border mixes up, or the search overlooks, shows in the cost."""
    missed = solved = 0
    for seed in seeds:
        dice = random.Random(seed)
        customers = dice.randint(3, 5)
        roads, instance = random_roads(dice, customers), loads(dice, customers)
        judge = LoadingOracle(instance)

        def can_load(route: Route, judge: LoadingOracle = judge) -> bool:
            return judge.check(route).verdict is Verdict.FEASIBLE

        search = core_search(instance, roads)
        search.run(3000, -1)
        for _, stops in search.pool():
            route = tuple(stops)
            assert cost_of(roads, route) < math.inf
            assert sum(instance.customer(number).weight for number in route) <= CAPACITY
            assert can_load(route)
        best, found_routes = optimum(instance, roads, can_load), search.routes()
        routes = None if found_routes is None else [route for _, route in found_routes]
        if best == math.inf:
            assert routes is None
            continue
        found = math.inf
        if routes is not None:
            assert sorted(itertools.chain(*routes)) == [*range(1, customers + 1)]
            assert len(routes) <= instance.vehicle_count
            found = sum(cost_of(roads, tuple(route)) for route in routes)
            assert search.improvements()[-1][2] == pytest.approx(found)
        assert found >= best
        solved += found == best
        missed += found > best
    assert missed <= len(seeds) // 200
    assert solved > len(seeds) // 3


def test_arguments_that_do_not_add_up_are_refused() -> None:
    """A table of the wrong size would be read as another road."""
    dice = random.Random(0)
    instance, roads = loads(dice, 3), random_roads(dice, 3)
    for changes, reason in (
        ({"costs": [0.0]}, "one value for every place"),
        ({"durations": [0.0]}, "one value for every place"),
        ({"distances": [], "max_distance": 10.0}, "one value for every place"),
        ({"waiting_cost": -1.0}, "must not be negative"),
        ({"costs": [1.0] * 16}, "stays at the depot"),
        ({"costs": [0.0] * 16, "durations": [math.inf] * 16}, "must be finite"),
        ({"max_stops": -1}, "must not be negative"),
    ):
        with pytest.raises(ValueError, match=reason):
            core_search(instance, roads, **changes)
