"""The parts of the finish one by one: duals and bounds, cuts, the relaxation, the programme."""

from __future__ import annotations

import math
import random
import time
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt
import pytest

from interruption import interrupt_after
from route_enumeration import Enumeration, Stops
from seeds import with_seeds
from tailgate.model.instance import Conventions, Customer, Instance, Vehicle
from tailgate.solver.column import Column
from tailgate.solver.search.finishing.columns import Columns
from tailgate.solver.search.finishing.integer_programme import Choice, choose_columns
from tailgate.solver.search.finishing.pool_lp import PoolLp
from tailgate.solver.search.finishing.rank_one_cut import RankOneCut, subset_row
from tailgate.solver.search.finishing.rank_one_separation import (
    FIVE_WEIGHTS,
    MIN_VIOLATION,
    Separator,
)
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import tiny_instance

NO_LIMIT = TimeLimit()
TOLERANCE = 1e-6
CONVENTIONS = [
    Conventions.BENCHMARK,
    Conventions.PLANNER,
    Conventions(distance="rounded", fleet="at-most", single_customer_routes="allow"),
]

conventions_of_each_kind = pytest.mark.parametrize("conventions", CONVENTIONS)


@cache
def solvable(
    name: str, conventions: Conventions, seeds: range
) -> tuple[tuple[Instance, Enumeration], ...]:
    """Draw an instance that has a solution for each seed, with all its routes."""
    return tuple(_solvable(f"{name}-{seed}", conventions) for seed in seeds)


def _solvable(name: str, conventions: Conventions) -> tuple[Instance, Enumeration]:
    instance = tiny_instance(name, conventions, time_windows=False)
    listed = Enumeration(instance)
    if listed.optimum is None:
        return _solvable(f"{name}-again", conventions)
    return instance, listed


def columns_of(instance: Instance, listed: Enumeration) -> Columns:
    """Return one column per set that can be loaded."""
    return Columns(instance, [Column(0, route) for route in listed.routes])


def random_cuts(dice: random.Random, n: int, count: int) -> list[RankOneCut]:
    """Draw cuts of every kind."""
    kinds = [((1, 1, 1), 2), ((2, 1, 1, 1), 3), *FIVE_WEIGHTS]
    fitting = [kind for kind in kinds if len(kind[0]) <= n]
    cuts = []
    for _ in range(count if fitting else 0):
        numerators, denominator = dice.choice(fitting)
        members = tuple(dice.sample(range(1, n + 1), len(numerators)))
        cuts.append(RankOneCut(members, numerators, denominator))
    return cuts


# Columns.


@conventions_of_each_kind
@with_seeds(10, 30)
def test_any_prices_give_a_bound(conventions: Conventions, seeds: range) -> None:
    """The Lagrangian bound needs no solver to be right: not even sensible duals."""
    dice = random.Random(7)
    for instance, listed in solvable("prices", conventions, seeds):
        optimum = listed.optimum
        assert optimum is not None
        columns = columns_of(instance, listed)
        columns.add_cuts(random_cuts(dice, instance.n, 3))
        for scale in (1, 10, 1e6):
            duals = np.array([dice.uniform(-0.5, 1.5) * scale for _ in range(instance.n)])
            cut_duals = np.array([dice.uniform(-1, 0.2) * scale for _ in columns.cuts])
            priced = columns.price(duals, cut_duals)
            assert priced.bound <= optimum, instance.name
            # With the optimum as limit, some optimal solution must stay.
            columns.drop_above(priced, optimum)
            choice = choose_columns(
                instance, columns, limit=optimum, threads=1, time_limit=NO_LIMIT
            )
            assert choice.status == "optimal", instance.name


def test_rounding_never_raises_a_bound() -> None:
    """Duals with endless digits: the bound must not exceed that of exact arithmetic."""
    dice = random.Random(11)
    for instance, listed in solvable("rounding", Conventions.PLANNER, range(10)):
        columns = columns_of(instance, listed)
        duals = [dice.uniform(-1, 3) * 10 ** dice.randint(-3, 6) for _ in range(instance.n)]
        priced = columns.price(np.array(duals), np.zeros(0))
        for cost, route, reduced in zip(columns.costs, columns.routes, priced.reduced, strict=True):
            exact = Fraction(float(cost)) - sum(Fraction(duals[stop - 1]) for stop in route)
            # The cost is rounded down by less than a unit, each price by half a unit at most.
            off = exact - Fraction(float(reduced))
            assert abs(off) <= Fraction(priced.unit) * (len(route) + 1)
            assert float(reduced) % priced.unit == 0


def test_columns_follow_their_own_numbers_when_they_are_compacted() -> None:
    """Duals, cuts and knowledge belong to a set of customers, whatever its number."""
    instance, listed = solvable("compact", Conventions.BENCHMARK, range(1))[0]
    dice = random.Random(3)
    columns = columns_of(instance, listed)
    columns.add_cuts(random_cuts(dice, instance.n, 4))
    duals = np.array([dice.uniform(0, 10) for _ in range(instance.n)])
    cut_duals = np.array([-dice.uniform(0, 5) for _ in columns.cuts])
    columns.alive[::3] = False
    columns.effort[:] = np.arange(len(columns)) % 5
    routes = list(columns.routes)
    before = columns.price(duals, cut_duals)
    knowledge = {route: int(columns.effort[i]) for i, route in enumerate(routes)}
    reduced = dict(zip(routes, before.reduced.tolist(), strict=True))
    renumbered = columns.compact()
    after = columns.price(duals, cut_duals)
    assert after.bound == before.bound
    for old, route in enumerate(routes):
        new = int(renumbered[old])
        assert (new >= 0) == (old % 3 != 0)
        if new >= 0:
            assert columns.routes[new] == route
            assert int(columns.effort[new]) == knowledge[route]
            assert after.reduced[new] == reduced[route]


def test_a_dearer_order_may_be_too_dear() -> None:
    """Its reduced cost is known at once: no linear programme is needed to drop it."""
    instance = Instance(
        name="triangle",
        depot=(0, 0),
        customers=(Customer(10, 0, 1, ()), Customer(20, 0, 1, ()), Customer(0, 7, 1, ())),
        vehicle=Vehicle(width=1, length=1, capacity=3),
        vehicle_count=3,
        conventions=Conventions(distance="truncated"),
    )
    routes = [(1, 2, 3), (1,), (2,), (3,)]
    columns = Columns(instance, [Column(0, route) for route in routes])
    priced = columns.price(np.array([20.0, 40.0, 14.0]), np.zeros(0))
    costly = (2, 3, 1)
    saved = 74 - instance.route_cost((1, 2, 3))
    lost = instance.route_cost(costly) - 74
    assert saved > 0
    columns.replace(0, costly, priced, limit=74 - 3 * saved + lost + saved)
    assert columns.alive[0]
    columns.replace(0, (1, 2, 3), priced, limit=74)
    columns.replace(0, costly, priced, limit=74 - 2 * saved + lost - 1)
    assert not columns.alive[0]


# Cuts.


def test_no_cut_excludes_whole_solutions() -> None:
    """Whatever the routes: any split of the customers satisfies every cut."""
    dice = random.Random(5)
    n = 9
    for _ in range(300):
        parts: list[list[int]] = [[] for _ in range(dice.randint(1, 5))]
        for customer in range(1, n + 1):
            dice.choice(parts).append(customer)
        visits = np.zeros((n, len(parts)), np.uint8)
        for column, part in enumerate(parts):
            visits[[customer - 1 for customer in part], column] = 1
        for cut in random_cuts(dice, n, 10):
            assert int(cut.coefficients(visits).sum(dtype=np.int64)) <= cut.upper


def random_solution(
    dice: random.Random, n: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Put the customers on circles, and drive every arc of some length in equal parts."""
    order = dice.sample(range(n), n)
    first = dice.choice((0, 0, 3))
    columns: list[list[int]] = []
    values: list[float] = []
    for circle in (order[:first], order[first:]):
        size = dice.randint(2, min(4, len(circle))) if circle else 1
        for start in range(len(circle)):
            columns.append([circle[(start + step) % len(circle)] for step in range(size)])
            values.append(1 / size)
    visits = np.zeros((n, len(columns)), np.uint8)
    for index, column in enumerate(columns):
        visits[column, index] = 1
    return visits, np.array(values)


def violation(
    cut: RankOneCut, visits: npt.NDArray[np.uint8], values: npt.NDArray[np.float64]
) -> float:
    """Return by how much a fractional solution violates a cut."""
    return float(cut.coefficients(visits) @ values) - cut.upper


@with_seeds(15, 60)
def test_separation_misses_no_triple_and_invents_nothing(seeds: range) -> None:
    """All triples are looked at; of four and five customers what is found must be violated."""
    n = 9
    found_of_size = dict.fromkeys((3, 4, 5), 0)
    for seed in seeds:
        visits, values = random_solution(random.Random(seed), n)
        separator = Separator(visits, values)
        triples = separator.subset_rows(())
        violated = {
            members
            for members in combinations(range(1, n + 1), 3)
            if violation(subset_row(members), visits, values) > MIN_VIOLATION + TOLERANCE
        }
        assert bool(violated) == bool(triples)
        best = max(
            (violation(subset_row(members), visits, values) for members in violated), default=0
        )
        if triples:
            assert violation(triples[0], visits, values) == pytest.approx(best)
        fours = separator.four_customers(())
        best_four = max(
            violation(RankOneCut((hub, *others), (2, 1, 1, 1), 3), visits, values)
            for hub, *others in (
                (first, *rest)
                for first in range(1, n + 1)
                for rest in combinations([i for i in range(1, n + 1) if i != first], 3)
            )
        )
        if best_four > MIN_VIOLATION + TOLERANCE:
            assert violation(fours[0], visits, values) == pytest.approx(best_four)
        for cut in (*triples, *fours, *separator.five_customers(())):
            assert violation(cut, visits, values) > MIN_VIOLATION - TOLERANCE
            found_of_size[len(cut.members)] += 1
            assert len(set(cut.members)) == len(cut.members)
        assert not set(triples) & set(separator.subset_rows(triples))
    assert min(found_of_size.values()) > 0


def test_whole_routes_violate_nothing() -> None:
    """A solution has no violated cuts, and a search for them comes to an end at once."""
    visits = np.eye(6, dtype=np.uint8)
    separator = Separator(visits, np.ones(6))
    assert separator.subset_rows(()) == []
    assert separator.four_customers(()) == []
    assert separator.five_customers(()) == []


# The relaxation.


@conventions_of_each_kind
@with_seeds(10, 25)
def test_the_relaxation_has_the_value_of_the_full_one(
    conventions: Conventions, seeds: range
) -> None:
    """And the bound is the value, but for rounding."""
    for instance, listed in solvable("relaxation", conventions, seeds):
        columns = columns_of(instance, listed)
        lp = PoolLp(instance, columns)
        solution = lp.solve(NO_LIMIT)
        while solution is not None and solution.artificial > TOLERANCE:
            lp.raise_penalties(4.0)
            solution = lp.solve(NO_LIMIT)
        assert solution is not None
        assert solution.value == pytest.approx(listed.lp_value, rel=TOLERANCE, abs=TOLERANCE)
        assert solution.priced.bound == pytest.approx(solution.value, rel=1e-5, abs=1e-5)
        # Cuts bring it nearer to the optimum, and not beyond.
        separator = Separator(columns.visits[:, solution.columns], solution.values)
        columns.add_cuts(separator.subset_rows(()))
        tighter = lp.solve(NO_LIMIT)
        assert tighter is not None
        assert listed.optimum is not None
        assert tighter.priced.bound <= listed.optimum
        assert tighter.value >= solution.value - TOLERANCE * max(1, solution.value)


# The mixed-integer programme.


def assert_is_optimal(instance: Instance, listed: Enumeration, choice: Choice) -> None:
    """See that the columns chosen cost as little as possible."""
    columns = columns_of(instance, listed)
    assert choice.status == "optimal"
    assert columns.is_solution(choice.columns)
    assert float(columns.costs[choice.columns].sum()) == pytest.approx(listed.optimum)


@conventions_of_each_kind
@pytest.mark.parametrize("threads", [1, 2])
@with_seeds(4, 8)
def test_the_programme_finds_the_optimum(
    conventions: Conventions, threads: int, seeds: range
) -> None:
    """At the limit exactly, too; and nothing below it."""
    for instance, listed in solvable("programme", conventions, seeds):
        optimum = listed.optimum
        assert optimum is not None
        for limit in (optimum, optimum + 1, 10 * optimum + 10):
            choice = choose_columns(
                instance,
                columns_of(instance, listed),
                limit=limit,
                threads=threads,
                time_limit=NO_LIMIT,
            )
            assert_is_optimal(instance, listed, choice)
        below = choose_columns(
            instance,
            columns_of(instance, listed),
            limit=optimum - 1,
            threads=threads,
            time_limit=NO_LIMIT,
        )
        assert below.status == "infeasible"


def hard_pool() -> tuple[Instance, Columns]:
    """Return a pool that keeps the mixed-integer solver busy for a long time."""
    instance, routes = hard_routes()
    return instance, Columns(instance, [Column(0, route) for route in routes])


@cache
def hard_routes() -> tuple[Instance, frozenset[Stops]]:
    """Return short routes near everybody, many more than are needed."""
    dice = random.Random(1)
    n = 200
    instance = Instance(
        name="hard",
        depot=(500, 500),
        customers=tuple(
            Customer(dice.randint(0, 1000), dice.randint(0, 1000), 1, ()) for _ in range(n)
        ),
        vehicle=Vehicle(width=1, length=1, capacity=6),
        vehicle_count=n,
        conventions=Conventions(distance="truncated"),
    )
    numbers = range(1, n + 1)
    near = [sorted(numbers, key=partial(instance.distance, number))[:12] for number in numbers]
    routes: set[Stops] = {(customer,) for customer in numbers}
    while len(routes) < 20_000:
        members = dice.sample(dice.choice(near), dice.randint(3, 4))
        # A route costs the same in both directions.
        orders = (order for order in permutations(members) if order[0] < order[-1])
        routes.add(min(orders, key=instance.route_cost))
    return instance, frozenset(routes)


def test_the_programme_keeps_its_time_limit() -> None:
    """It looks at the clock also between HiGHS's own looks."""
    instance, columns = hard_pool()
    limit = TimeLimit(0.5)
    choice = choose_columns(instance, columns, limit=10**6, threads=1, time_limit=limit)
    assert choice.status in {"stopped", "optimal"}
    assert limit.elapsed < 3.0


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.05, 0.7])
def test_ctrl_c_ends_the_programme(seconds: float) -> None:
    """A real signal, while HiGHS starts or is at work in its own thread; the next run is sound."""
    instance, columns = hard_pool()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), interrupt_after(seconds):
        choose_columns(instance, columns, limit=10**6, threads=1, time_limit=TimeLimit(60))
    assert time.monotonic() - started < 20
    small, listed = solvable("after", Conventions.BENCHMARK, range(1))[0]
    choice = choose_columns(
        small, columns_of(small, listed), limit=10**6, threads=1, time_limit=NO_LIMIT
    )
    assert_is_optimal(small, listed, choice)


def test_costs_beyond_the_solver_are_refused() -> None:
    """Where one unit drowns in the solver's tolerances, it must not decide about one unit."""
    instance = Instance(
        name="galaxy",
        depot=(0, 0),
        customers=(Customer(10**9, 10**9, 1, ()), Customer(-(10**9), 10**9, 1, ())),
        vehicle=Vehicle(width=1, length=1, capacity=2),
        vehicle_count=2,
        conventions=Conventions(distance="truncated"),
    )
    columns = Columns(instance, [Column(0, route) for route in ((1,), (2,), (1, 2))])
    choice = choose_columns(instance, columns, limit=10**11, threads=1, time_limit=NO_LIMIT)
    assert choice.status == "failed"
    assert math.isfinite(float(columns.costs.max()))
