from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from builders import benchmark_folder, small_instance
from interruption import interrupt_after
from network_reference import random_tensors, write_weights
from tailgate.model.conventions import Conventions, DistanceConvention
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.research.generate.customers import Distribution
from tailgate.research.generate.generator import generate_instance
from tailgate.solver.column import Column, columns_of
from tailgate.solver.loading import LoadingOracle, Verdict, planned_route, read
from tailgate.solver.network import Predictor
from tailgate.solver.routing import RouteSearch

DISTANCES: tuple[DistanceConvention, ...] = ("truncated", "rounded", "exact")


def tiny_instance(seed: int, customers: int, *, timed: bool) -> Instance:
    """A few customers that fill about two floors; conventions go round with the seed."""
    dice = random.Random(seed)
    made = []
    for _ in range(customers):
        ready = dice.randint(0, 40) if timed else 0
        made.append(
            Customer(
                dice.randint(0, 40),
                dice.randint(0, 40),
                dice.randint(1, 12),
                tuple(Item(dice.randint(1, 4), dice.randint(1, 4)) for _ in range(2)),
                ready=ready,
                due=ready + dice.randint(60, 90) if timed else None,
                service=dice.randint(0, 4) if timed else 0,
            )
        )
    return Instance(
        name=f"tiny-{seed}",
        depot=(20, 20),
        customers=tuple(made),
        vehicle=Vehicle(width=6, length=7, capacity=40),
        vehicle_count=dice.randint(2, 3) if customers < 10 else customers // 2,
        conventions=Conventions(
            DISTANCES[seed % 3],
            "exactly" if seed % 2 else "at-most",
            "forbid" if seed // 2 % 2 else "allow",
            seed // 4 % 2 == 0,
        ),
    )


def is_in_time(instance: Instance, route: tuple[int, ...]) -> bool:
    """Drive the route by the clock."""
    clock, position = instance.depot_ready, 0
    for number in route:
        customer = instance.customer(number)
        clock += instance.distance(position, number)
        if customer.due is not None and clock > customer.due + 1e-9 * max(1, customer.due):
            return False
        clock = max(clock, customer.ready) + customer.service
        position = number
    clock += instance.distance(position, 0)
    due = instance.depot_due
    return due is None or clock <= due + 1e-9 * max(1, due)


def assert_is_possible(instance: Instance, judge: LoadingOracle, route: tuple[int, ...]) -> None:
    """Check one route against everything but the rest of the fleet."""
    customers = [instance.customer(number) for number in route]
    assert len(set(route)) == len(route)
    forbids_single = instance.conventions.single_customer_routes == "forbid"
    assert len(route) >= (2 if forbids_single else 1)
    assert sum(customer.weight for customer in customers) <= instance.vehicle.capacity
    assert sum(customer.area for customer in customers) <= instance.vehicle.area
    assert is_in_time(instance, route)
    assert judge.check(route).verdict is Verdict.FEASIBLE


def assert_judge_agrees(instance: Instance, search: RouteSearch) -> None:
    """Hand the solution, with plans, to the judge that shares no code with the solver."""
    assert search.routes is not None
    oracle = LoadingOracle(instance)
    solution = Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status="feasible",
        objective=search.cost,
        lower_bound=None,
        gap=None,
        routes=tuple(
            planned_route(instance, route, oracle.check(route).placements)
            for _, route in search.routes
        ),
        solver={"version": "0", "seed": 0, "options": {}, "seconds": 0.0},
    )
    assert verify(instance, solution) == []


def partitions(numbers: list[int]) -> Iterator[list[list[int]]]:
    """Yield every way to split the customers among vehicles."""
    if not numbers:
        yield []
        return
    first, rest = numbers[0], numbers[1:]
    for size in range(len(rest) + 1):
        for others in itertools.combinations(rest, size):
            left = [number for number in rest if number not in others]
            for split in partitions(left):
                yield [[first, *others], *split]


def brute_force_optimum(instance: Instance) -> float | None:
    """Try every order of every set, then every split."""
    oracle = LoadingOracle(instance)
    best_order: dict[frozenset[int], float] = {}
    shortest = 2 if instance.conventions.single_customer_routes == "forbid" else 1
    for size in range(shortest, instance.n + 1):
        for route in itertools.permutations(range(1, instance.n + 1), size):
            members = frozenset(route)
            cost = instance.route_cost(route)
            if cost >= best_order.get(members, float("inf")):
                continue
            weight = sum(instance.customer(number).weight for number in route)
            if weight > instance.vehicle.capacity or not is_in_time(instance, route):
                continue
            if oracle.check(route).verdict is Verdict.FEASIBLE:
                best_order[members] = cost
    fleet = instance.vehicle_count
    costs = [
        sum(best_order[frozenset(part)] for part in split)
        for split in partitions(list(range(1, instance.n + 1)))
        if all(frozenset(part) in best_order for part in split)
        and (
            len(split) == fleet if instance.conventions.fleet == "exactly" else len(split) <= fleet
        )
    ]
    return min(costs, default=None)


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("seed", range(24))
def test_tiny_instances_are_solved_to_the_optimum(seed: int, timed: bool) -> None:
    """Under all conventions nothing that the search could not reach may be the best."""
    instance = tiny_instance(seed, 4 + seed % 3, timed=timed)
    search = RouteSearch(instance, LoadingOracle(instance), seed=seed)
    search.run(iterations=4000)
    expected = brute_force_optimum(instance)
    if expected is None:
        assert search.routes is None
        assert search.cost is None
    else:
        assert search.cost == pytest.approx(expected, abs=1e-9)
        assert_judge_agrees(instance, search)


@pytest.mark.parametrize(
    ("distribution", "timed", "packing_class"),
    [("random", False, 2), ("clustered", True, 3), ("mixed", True, 5)],
)
def test_every_route_of_a_generated_instance_keeps_the_rules(
    distribution: Distribution, timed: bool, packing_class: int
) -> None:
    """Solution and pool are columns of the master problem: a wrong one spoils the bound."""
    instance = generate_instance(
        20, packing_class, distribution=distribution, time_windows=timed, seed=1
    )
    search = RouteSearch(instance, LoadingOracle(instance), seed=3)
    search.run(iterations=1500)
    judge = LoadingOracle(instance)
    pool = [route for _, route in search.pool]
    assert {number for route in pool for number in route} == set(range(1, instance.n + 1))
    for route in pool:
        assert_is_possible(instance, judge, route)
    keys = {route if timed else min(route, route[::-1]) for route in pool}
    assert len(keys) == len(pool)
    assert_judge_agrees(instance, search)
    assert search.routes is not None
    for _, route in search.routes:
        assert route in pool or (not timed and route[::-1] in pool)


def test_the_same_seed_gives_the_same_search() -> None:
    """Results must be repeatable; in two runs as in one."""
    instance = tiny_instance(1, 12, timed=False).with_conventions(fleet="at-most")
    outcomes = []
    for parts in (1, 1, 3):
        search = RouteSearch(instance, LoadingOracle(instance), seed=7)
        for _ in range(parts):
            search.run(iterations=600 // parts)
        outcomes.append((search.routes, search.pool, search.statistics["iterations"]))
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_a_fleet_that_is_too_small_or_too_large_ends_without_routes() -> None:
    """No solution is an answer, not a reason to hang."""
    crowded = small_instance(vehicle_count=1)
    search = RouteSearch(crowded, LoadingOracle(crowded))
    search.run(iterations=500)
    assert search.routes is None
    idle = small_instance(vehicle_count=3)
    search = RouteSearch(idle, LoadingOracle(idle))
    search.run(time_limit=60)
    assert search.routes is None
    assert search.cost is None


def test_the_pool_stays_within_its_limit() -> None:
    """A long search must not fill the memory."""
    instance = tiny_instance(2, 14, timed=False)
    search = RouteSearch(instance, LoadingOracle(instance), max_pool=10)
    search.run(iterations=2000)
    assert 0 < len(search.pool) <= 10


def test_the_best_cost_falls_over_time() -> None:
    """The log of improvements is what an anytime curve is drawn from."""
    instance = tiny_instance(4, 14, timed=False).with_conventions(fleet="at-most")
    search = RouteSearch(instance, LoadingOracle(instance))
    search.run(iterations=500)
    costs = [step.cost for step in search.improvements]
    assert costs
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == pytest.approx(search.cost)
    assert search.statistics["checks"] > 0


def test_the_time_limit_is_honoured() -> None:
    """Column generation lends the search a fraction of a second and wants it back."""
    instance = tiny_instance(6, 40, timed=False)
    search = RouteSearch(instance, LoadingOracle(instance))
    for _ in range(3):
        started = time.monotonic()
        search.run(time_limit=0.2)
        assert time.monotonic() - started < 0.6


def test_ctrl_c_stops_the_search_and_leaves_it_usable() -> None:
    """A person who has waited long enough gets the prompt back, and what was found so far."""
    instance = tiny_instance(6, 20, timed=False)
    search = RouteSearch(instance, LoadingOracle(instance))
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.3):
        search.run(time_limit=60)
    assert time.monotonic() - started < 10
    search.run(iterations=10)
    assert search.pool


def test_senseless_arguments_are_named() -> None:
    """A search without an end, or with a negative one, is a slip of the caller."""
    instance = small_instance()
    oracle = LoadingOracle(instance)
    with pytest.raises(InputError, match="seed"):
        RouteSearch(instance, oracle, seed=-1)
    with pytest.raises(InputError, match="max_nodes"):
        RouteSearch(instance, oracle, max_nodes=0)
    search = RouteSearch(instance, oracle)
    with pytest.raises(InputError, match="iterations"):
        search.run()
    with pytest.raises(InputError, match="iterations"):
        search.run(iterations=-1)
    with pytest.raises(InputError, match="time_limit"):
        search.run(time_limit=float("nan"))


def solution_of(instance: Instance, *, iterations: int) -> tuple[list[Column], float]:
    """Return routes and cost that a search of its own has found."""
    search = RouteSearch(instance, LoadingOracle(instance), seed=1)
    search.run(iterations=iterations)
    assert search.routes is not None
    assert search.cost is not None
    return search.routes, search.cost


def roomy_instance(seed: int) -> Instance:
    """Without time windows, and with more trucks than are needed."""
    return tiny_instance(seed, 12, timed=False).with_conventions(
        fleet="at-most", single_customer_routes="allow"
    )


@pytest.mark.parametrize("proven", [False, True])
@pytest.mark.parametrize("iterations_before", [0, 3])
def test_a_search_goes_on_from_a_solution_that_is_offered(
    proven: bool, iterations_before: int
) -> None:
    """An incumbent from elsewhere must not be lost, nor what the search finds beyond it."""
    instance = roomy_instance(4)
    known, known_cost = solution_of(instance, iterations=2000)
    outcomes = []
    for _ in range(2):
        search = RouteSearch(instance, LoadingOracle(instance), seed=2)
        search.run(iterations=iterations_before)
        is_better = search.cost is None or known_cost < search.cost
        assert search.offer(known, proven=proven) == is_better
        assert search.cost == known_cost
        assert search.improvements[-1].cost == known_cost
        pool = {min(route, route[::-1]) for _, route in search.pool}
        assert {min(route, route[::-1]) for _, route in known} <= pool
        # The second time it is no better than the best.
        assert not search.offer(known)
        search.run(iterations=1000)
        assert search.cost <= known_cost
        assert_judge_agrees(instance, search)
        judge = LoadingOracle(instance)
        for _, route in search.pool:
            assert_is_possible(instance, judge, route)
        outcomes.append((search.routes, search.pool))
    assert outcomes[0] == outcomes[1]


def test_a_whole_fleet_with_time_windows_can_be_offered() -> None:
    """The rules of the solution are those of the search."""
    instance = tiny_instance(5, 6, timed=True).with_conventions(fleet="at-most")
    known, _ = solution_of(instance, iterations=3000)
    exact = replace(instance, vehicle_count=len(known)).with_conventions(fleet="exactly")
    search = RouteSearch(exact, LoadingOracle(exact))
    assert search.offer(known)
    search.run(iterations=300)
    assert_judge_agrees(exact, search)
    spare = replace(exact, vehicle_count=len(known) + 1)
    with pytest.raises(InputError, match=r"routes: .*fleet"):
        RouteSearch(spare, LoadingOracle(spare)).offer(known)


def test_a_route_that_cannot_be_loaded_is_not_taken() -> None:
    """Every route that is kept is proven; those of the rest that are proven are worth keeping."""
    # One item covers more than half of the width and of the length: two never share a truck.
    large, small = (Item(4, 5),), (Item(1, 1),)
    customers = (Customer(1, 0, 1, large), Customer(2, 0, 1, large), Customer(3, 0, 1, small))
    instance = Instance(
        name="two-large",
        depot=(0, 0),
        customers=customers,
        vehicle=Vehicle(width=7, length=9, capacity=10),
        vehicle_count=2,
        conventions=Conventions("truncated", "at-most", "allow", lifo=True),
    )
    search = RouteSearch(instance, LoadingOracle(instance))
    assert not search.offer(columns_of(0, [(1, 2), (3,)]))
    assert search.routes is None
    assert search.pool == [Column(0, (3,))]
    assert search.offer(columns_of(0, [(1, 3), (2,)]))
    assert search.routes == columns_of(0, [(1, 3), (2,)])


def test_offers_that_break_a_rule_are_named() -> None:
    """A wrong incumbent would cut off the best solution."""
    instance = replace(roomy_instance(4), vehicle_count=12)
    everybody = [(number,) for number in range(1, instance.n + 1)]
    search = RouteSearch(instance, LoadingOracle(instance))
    for routes, fault in (
        (everybody[1:], "not visited"),
        ([*everybody[1:], (2,)], "twice"),
        ([*everybody[1:], (13,)], "no such customer"),
        ([*everybody, ()], "fleet"),
        ([*everybody[1:], ()], "few stops"),
        ([tuple(range(1, 13))], "heavy|floor"),
    ):
        with pytest.raises(InputError, match=f"routes: .*({fault})"):
            search.offer(columns_of(0, routes))
    with pytest.raises(InputError, match="max_nodes"):
        search.offer(columns_of(0, everybody), max_nodes=0)
    assert search.routes is None
    assert search.offer(columns_of(0, everybody))


def test_a_search_in_many_short_runs_gets_as_far() -> None:
    """A start that is cut off goes on next time, however little time each run has."""
    instance = generate_instance(40, 2, seed=1)
    search = RouteSearch(instance, LoadingOracle(instance))
    deadline = time.monotonic() + 60
    while search.routes is None and time.monotonic() < deadline:
        search.run(time_limit=0.002)
    assert_judge_agrees(instance, search)


@pytest.mark.skipif(benchmark_folder() is None, reason="needs the benchmark files")
@pytest.mark.parametrize(
    ("name", "optimum"), [("0102", 285), ("0105", 279), ("0202", 342), ("0402", 434)]
)
def test_published_optima_of_small_instances_are_found(name: str, optimum: int) -> None:
    """A search that misses these would mislead everything built on it."""
    folder = benchmark_folder()
    assert folder is not None
    instance = read(folder / f"2l_cvrp{name}.txt")
    search = RouteSearch(instance, LoadingOracle(instance))
    for _ in range(20):
        search.run(iterations=2000)
        if search.cost == optimum:
            break
    assert search.cost == optimum
    assert_judge_agrees(instance, search)


@pytest.mark.parametrize("head_bias", [-100.0, 100.0, 0.0])
def test_no_network_keeps_a_solution_away(head_bias: float, tmp_path: Path) -> None:
    """One that says no to everything is found out, and none lets a wrong route in."""
    tensors = random_tensors(3)
    tensors["head.2.bias"][:] = head_bias
    weights = write_weights(tmp_path / "weights.safetensors", tensors)
    for seed in range(6):
        instance = generate_instance(14, 2 + seed % 3, seed=seed)
        outcomes = []
        for _ in range(2):
            search = RouteSearch(instance, LoadingOracle(instance), seed=seed)
            search.doubt(Predictor(instance, weights), below=0.05)
            search.run(iterations=2000)
            outcomes.append((search.routes, search.pool, search.statistics["passed_over"]))
        assert outcomes[0] == outcomes[1]
        assert_judge_agrees(instance, search)
        judge = LoadingOracle(instance)
        for _, route in search.pool:
            assert_is_possible(instance, judge, route)
        assert head_bias <= 0 or search.statistics["passed_over"] == 0
