"""What the oracle remembers: the same verdicts, valid plans, and no more memory than allowed."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from loading_cases import assert_sound, instance_of
from tailgate.model.conventions import TurnConvention
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.research.experiments.loading.random_routes import RouteSampler
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import LoadingOracle, Verdict

MEGABYTE = 1024 * 1024


def related_routes(instance: Instance, count: int, seed: int) -> Iterator[list[int]]:
    """Yield routes as a search would ask for them: each a small change of one before."""
    dice = random.Random(seed)
    sampler = RouteSampler(instance, seed)
    pool: list[list[int]] = []
    for _ in range(count):
        kind = dice.randrange(6)
        if kind == 0 or not pool:
            sampled = sampler.sample()
            assert sampled is not None
            route = list(sampled)
        else:
            route = list(dice.choice(pool))
            if kind == 1:
                route.reverse()
            elif kind == 2 and len(route) > 1:
                route.pop(dice.randrange(len(route)))
            elif kind == 3:
                outside = [c for c in range(1, instance.n + 1) if c not in route]
                if outside:
                    route.insert(dice.randint(0, len(route)), dice.choice(outside))
            elif kind == 4:
                i, j = dice.randrange(len(route)), dice.randrange(len(route))
                route[i], route[j] = route[j], route[i]
        pool.append(route)
        yield route


@pytest.mark.parametrize("lifo", [True, False])
@pytest.mark.parametrize("packing_class", [2, 3, 4])
@pytest.mark.parametrize("count", [150, pytest.param(400, marks=pytest.mark.long)])
def test_verdicts_are_the_same_with_and_without_a_cache(
    packing_class: int, lifo: bool, count: int
) -> None:
    """A memory may save work, never change an answer; every remembered plan must hold."""
    instance = generate_instance(12, packing_class, seed=5)
    remembering = LoadingOracle(instance, lifo=lifo)
    forgetful = LoadingOracle(instance, lifo=lifo, use_cache=False)
    compared = 0
    for route in related_routes(instance, count, seed=packing_class):
        with_memory = remembering.check(route, max_nodes=3_000)
        without = forgetful.check(route, max_nodes=3_000)
        assert_sound(instance, route, with_memory, lifo=lifo)
        assert_sound(instance, route, without, lifo=lifo)
        if Verdict.UNKNOWN not in (with_memory.verdict, without.verdict):
            assert with_memory.verdict == without.verdict, route
            compared += 1
    assert compared >= 0.75 * count
    statistics = remembering.statistics
    # The stream repeats and varies itself, so a cache that works has much to say.
    assert statistics["decided_by_cache"] + statistics["decided_by_heredity"] >= 0.25 * count
    assert forgetful.statistics["decided_by_cache"] == 0
    assert forgetful.statistics["decided_by_heredity"] == 0
    assert forgetful.statistics["cache_bytes"] == 0


def test_the_reverse_of_a_known_route_is_known_with_a_valid_plan() -> None:
    """Reversal: one search serves both directions, with the plan reversed."""
    instance = instance_of(5, 7, [[(3, 2), (2, 3)], [(5, 1)], [(2, 3), (3, 2)], [(1, 1)]])
    oracle = LoadingOracle(instance)
    route = [1, 2, 3, 4]
    first = oracle.check(route)
    assert first.verdict is Verdict.FEASIBLE
    for asked in (route, route[::-1]):
        again = oracle.check(asked)
        assert again.decided_by == "cache"
        assert again.nodes == 0
        assert again.verdict is Verdict.FEASIBLE
        assert_sound(instance, asked, again)


def test_a_part_of_a_loadable_route_is_known_with_a_valid_plan() -> None:
    """Any part of a loadable route is loadable: without some stops, a plan serves the rest."""
    instance = instance_of(5, 7, [[(3, 2), (2, 3)], [(5, 1)], [(2, 3), (3, 2)], [(1, 1)]])
    oracle = LoadingOracle(instance)
    assert oracle.check([1, 2, 3, 4]).verdict is Verdict.FEASIBLE
    for part in ([1, 3], [4, 2, 1], [3, 1], [2, 4], [1, 2, 4], [3]):
        result = oracle.check(part)
        assert result.decided_by in ("heredity", "cache", "trivial"), part
        assert result.verdict is Verdict.FEASIBLE
        assert_sound(instance, part, result)


def test_a_route_that_contains_an_unloadable_one_is_known() -> None:
    """What contains an infeasible part is infeasible, reversed or with other stops between."""
    # A bar across the floor between two blocks that fill its rows: 1-2-3 cannot be, 2-1-3 can.
    instance = instance_of(2, 2, [[(1, 1)], [(2, 1)], [(1, 1)], [], []])
    oracle = LoadingOracle(instance)
    assert oracle.check([1, 2, 3]).verdict is Verdict.INFEASIBLE
    for longer in ([4, 1, 5, 2, 3], [3, 4, 2, 5, 1]):
        result = oracle.check(longer)
        assert result.verdict is Verdict.INFEASIBLE
        assert result.decided_by == "heredity"
    assert oracle.check([4, 2, 1, 5, 3]).verdict is Verdict.FEASIBLE


def test_without_lifo_any_order_of_known_customers_is_known() -> None:
    """Without LIFO a route is a set of customers."""
    instance = instance_of(2, 2, [[(1, 1)], [(2, 1)], [(1, 1)]])
    oracle = LoadingOracle(instance, lifo=False)
    assert oracle.check([1, 2, 3]).verdict is Verdict.FEASIBLE
    for order in ([2, 1, 3], [3, 1, 2], [2, 3, 1]):
        result = oracle.check(order)
        assert result.decided_by == "cache"
        assert_sound(instance, order, result, lifo=False)


@pytest.mark.parametrize("turn", ["as-given", "all"])
def test_without_lifo_parts_and_wholes_of_known_sets_are_known(turn: TurnConvention) -> None:
    """Any part of a loadable set, and all that holds an unloadable one, in whatever order."""
    instance = instance_of(4, 4, [[(3, 2)], [(2, 3)], [(1, 1)], [(3, 3)], [(2, 2), (1, 4)]])
    turning = instance.with_conventions(turn=turn)
    oracle = LoadingOracle(turning, lifo=False)
    routes = [route for size in range(1, 6) for route in itertools.permutations(range(1, 6), size)]
    random.Random(1).shuffle(routes)
    verdicts: dict[frozenset[int], Verdict] = {}
    for route in routes:
        known = [verdicts[part] for part in verdicts if part <= frozenset(route)]
        wholes = [verdicts[whole] for whole in verdicts if frozenset(route) <= whole]
        result = oracle.check(route)
        verdicts[frozenset(route)] = result.verdict
        if Verdict.INFEASIBLE in known:
            assert result.verdict is Verdict.INFEASIBLE
            assert result.nodes == 0
        if Verdict.FEASIBLE in wholes:
            assert result.verdict is Verdict.FEASIBLE
            assert result.nodes == 0
    assert oracle.statistics["decided_feasible"] + oracle.statistics["decided_infeasible"] <= 31
    assert {Verdict.FEASIBLE, Verdict.INFEASIBLE} == set(verdicts.values())


@pytest.mark.parametrize("megabytes", [0, 1])
def test_a_small_cache_keeps_its_limit_under_many_queries(megabytes: int) -> None:
    """A process that asks for weeks must not grow; forgetting costs time, never a verdict."""
    instance = generate_instance(60, 2, seed=9)
    oracle = LoadingOracle(instance, cache_megabytes=megabytes)
    reference = LoadingOracle(instance, use_cache=False)
    sampler = RouteSampler(instance, 9)
    largest = 0.0
    for number in range(6_000):
        route = sampler.sample()
        assert route is not None
        result = oracle.check(route, max_nodes=200)
        if number % 100 == 0:
            largest = max(largest, oracle.statistics["cache_bytes"])
            fresh = reference.check(route, max_nodes=200)
            if Verdict.UNKNOWN not in (result.verdict, fresh.verdict):
                assert result.verdict == fresh.verdict
    # One entry may go over the edge before the oldest are dropped.
    assert largest <= megabytes * MEGABYTE + 4_096
    if megabytes:
        assert largest > MEGABYTE / 4


def test_clear_forgets_verdicts_and_statistics() -> None:
    """After clear() an oracle is as good as new."""
    instance = generate_instance(10, 3, seed=2)
    oracle = LoadingOracle(instance)
    first = oracle.check([1, 2])
    assert oracle.check([1, 2]).decided_by in ("cache", "trivial", "bounds")
    oracle.clear()
    assert set(oracle.statistics.values()) == {0}
    again = oracle.check([1, 2])
    assert (again.verdict, again.decided_by) == (first.verdict, first.decided_by)


def test_statistics_add_up() -> None:
    """Every query is counted once by verdict and once by the stage that settled it."""
    instance = generate_instance(15, 4, seed=3)
    oracle = LoadingOracle(instance)
    nodes = 0
    for route in related_routes(instance, 200, seed=1):
        nodes += oracle.check(route, max_nodes=100).nodes
    statistics = oracle.statistics
    assert statistics["queries"] == 200
    assert sum(statistics[verdict] for verdict in Verdict) == 200
    by_stage = [value for name, value in statistics.items() if name.startswith("decided_by_")]
    assert sum(by_stage) == 200
    assert statistics["nodes"] == nodes
    assert statistics["seconds"] > 0


def test_a_negative_cache_is_refused() -> None:
    """The complaint names the argument."""
    with pytest.raises(InputError, match="cache_megabytes"):
        LoadingOracle(instance_of(2, 2, [[(1, 1)]]), cache_megabytes=-1)
