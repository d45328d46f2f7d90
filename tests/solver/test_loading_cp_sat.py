"""The oracle against a general solver that shares nothing with it: OR-Tools CP-SAT."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pytest

from loading_cases import assert_sound, cut_floor
from seeds import with_seeds
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.research.experiments.loading.cp_sat import CpSatQuery, ask_cp_sat
from tailgate.research.experiments.loading.random_routes import RouteSampler
from tailgate.research.experiments.variants import (
    ANY_ORDER,
    AS_GIVEN,
    TURNED,
    VARIANTS,
    Variant,
)
from tailgate.research.generate import DISTRIBUTIONS, generate_instance
from tailgate.solver.loading import LoadingOracle, Verdict

BENCHMARK_FLOOR = (20, 40)
TRAILER_FLOOR = (2450, 13600)
CLASSES = (2, 3, 4, 5)


def some_effort_for(*classes: int) -> pytest.MarkDecorator:
    """Let CP-SAT try a little in these classes: enough for most routes; more of it takes long."""
    return pytest.mark.parametrize(
        ("packing_class", "work_limit"),
        [
            *((packing_class, 0.1) for packing_class in classes),
            *(
                pytest.param(packing_class, 0.5, marks=pytest.mark.long)
                for packing_class in CLASSES
            ),
        ],
    )


class Sample(NamedTuple):
    """Routes of 60 to 100 % fill through generated instances: so many through each."""

    variant: Variant

    packing_class: int
    floor: tuple[int, int]
    instances: int
    routes: int
    seed: int

    def queries(self) -> Iterator[tuple[Instance, tuple[int, ...]]]:
        """Yield the routes, each with its instance."""
        for number in range(self.instances):
            instance = generate_instance(
                14 + number % 7,
                self.packing_class,
                distribution=DISTRIBUTIONS[number % len(DISTRIBUTIONS)],
                width=self.floor[0],
                length=self.floor[1],
                seed=self.seed + number,
            )
            for route in RouteSampler(instance, self.seed + number).sample_distinct(self.routes):
                yield self.variant.of(instance), route


def small_query(seed: int, variant: Variant) -> Instance:
    """Make a query of a few items, all stops in their order, whose verdict is soon found.

    The floor is sawn to pieces, which fit; then most sides change by one, the order of the stops
    may change, and the largest shrink until the area suffices. Where items may be turned, it is
    each item's own word, and most may.
    """
    dice = random.Random(f"small query {seed}")
    width, length = dice.randint(5, 12), dice.randint(6, 16)
    stops = [
        [
            (
                min(width, max(1, item_width + dice.choice((-1, 0, 1)))),
                min(length, max(1, item_length + dice.choice((-1, 0, 1)))),
            )
            for item_width, item_length in stop
        ]
        for stop in cut_floor(width, length, dice.randint(4, 6), dice)
    ]
    if dice.random() < 0.5:
        dice.shuffle(stops)
    while sum(size[0] * size[1] for stop in stops for size in stop) > width * length:
        stop, place = max(
            ((stop, place) for stop in stops for place in range(len(stop))),
            key=lambda at: at[0][at[1]][0] * at[0][at[1]][1],
        )
        stop[place] = (stop[place][0], stop[place][1] - 1)
    customers = []
    for stop in stops:
        items = []
        for size in stop:
            may_turn = variant.turn and dice.random() < 0.8
            given = size[::-1] if may_turn and dice.random() < 0.5 else size
            items.append(Item(*given, turn=may_turn))
        customers.append(Customer(0, 0, 0, tuple(items)))
    rules = Conventions(lifo=variant.lifo)
    return Instance("small", (0, 0), tuple(customers), Vehicle(width, length, 1), 1, rules)


def compare(
    queries: Iterable[tuple[Instance, Sequence[int]]], *, work_limit: float, nodes: int = 60_000
) -> Counter[str]:
    """Ask both and count; a contradiction fails at once, an unknown is counted for its asker."""
    counts: Counter[str] = Counter()
    for instance, route in queries:
        oracle = LoadingOracle(instance, use_cache=False)
        # By nodes, so that a busy machine changes nothing.
        ours = oracle.check(route, max_nodes=nodes)
        assert_sound(instance, route, ours, lifo=instance.conventions.lifo)
        theirs = ask_cp_sat(CpSatQuery(instance, route, work_limit=work_limit))
        counts["asked"] += 1
        counts["ours unknown"] += ours.verdict is Verdict.UNKNOWN
        counts["theirs unknown"] += theirs.verdict == "unknown"
        if ours.verdict is Verdict.UNKNOWN or theirs.verdict == "unknown":
            continue
        counts[theirs.verdict] += 1
        assert ours.verdict.value == theirs.verdict, (instance.name, route)
    return counts


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
@with_seeds(200, 3_000)
def test_verdicts_on_small_floors_are_those_of_cp_sat(variant: Variant, seeds: range) -> None:
    """Hundreds of floors that are sawn to few pieces, in all variants, items turned or not."""
    queries = [small_query(seed, variant) for seed in seeds]
    counts = compare([(one, range(1, one.n + 1)) for one in queries], work_limit=1.0)
    assert counts["asked"] == len(seeds)
    assert counts["ours unknown"] == 0
    assert counts["theirs unknown"] <= 0.01 * len(seeds)
    assert counts["feasible"] >= 0.2 * len(seeds)
    assert counts["infeasible"] >= 0.1 * len(seeds)


@some_effort_for(2, 3, 4, 5)
def test_verdicts_are_those_of_cp_sat(packing_class: int, work_limit: float) -> None:
    """Routes like those of the benchmark, with both answers among them."""
    sample = Sample(
        AS_GIVEN, packing_class, BENCHMARK_FLOOR, instances=5, routes=8, seed=1_000 * packing_class
    )
    counts = compare(sample.queries(), work_limit=work_limit)
    assert counts["asked"] == 40
    assert counts["ours unknown"] <= (5 if packing_class >= 4 else 0)
    assert counts["theirs unknown"] <= 8
    assert counts["feasible"] >= 5
    # In class 5 nearly everything can be loaded.
    assert counts["infeasible"] >= (5 if packing_class < 5 else 0)


@some_effort_for(2, 3, 4, 5)
def test_verdicts_without_lifo_are_those_of_cp_sat(packing_class: int, work_limit: float) -> None:
    """The unrestricted variant has a search of its own kind: one stop with everything in it."""
    sample = Sample(
        ANY_ORDER, packing_class, BENCHMARK_FLOOR, instances=3, routes=4, seed=2_000 * packing_class
    )
    counts = compare(sample.queries(), work_limit=work_limit)
    assert counts["asked"] == 12
    assert counts["ours unknown"] <= 2
    assert counts["theirs unknown"] <= 3


@some_effort_for(2, 3, 4)
def test_verdicts_with_turned_items_are_those_of_cp_sat(
    packing_class: int, work_limit: float
) -> None:
    """Every item has two shapes; most routes that had no plan have one then."""
    sample = Sample(
        TURNED, packing_class, BENCHMARK_FLOOR, instances=3, routes=4, seed=5_000 * packing_class
    )
    counts = compare(sample.queries(), work_limit=work_limit)
    assert counts["asked"] == 12
    assert counts["ours unknown"] <= 3
    assert counts["theirs unknown"] <= 3
    assert counts["feasible"] >= 5


@some_effort_for(2, 3, 4)
def test_verdicts_on_a_trailer_in_millimetres_are_those_of_cp_sat(
    packing_class: int, work_limit: float
) -> None:
    """Sizes drawn in millimetres, for which there need be no smaller numbers that say the same."""
    sample = Sample(
        AS_GIVEN, packing_class, TRAILER_FLOOR, instances=3, routes=4, seed=3_000 * packing_class
    )
    counts = compare(sample.queries(), work_limit=work_limit)
    assert counts["asked"] == 12
    assert counts["ours unknown"] <= 3
    assert counts["theirs unknown"] <= 5
    assert counts["feasible"] + counts["infeasible"] >= 6


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
@pytest.mark.parametrize("packing_class", CLASSES)
def test_verdicts_are_those_of_cp_sat_on_thousands_of_routes(
    packing_class: int, variant: Variant
) -> None:
    """As above in all variants, on three floors, and with more time for CP-SAT."""
    total: Counter[str] = Counter()
    for floor, instances in ((BENCHMARK_FLOOR, 40), ((34, 57), 15), (TRAILER_FLOOR, 10)):
        seed = 4_000 * packing_class + 400 * variant.lifo
        routes = 15 if variant is AS_GIVEN else 8
        sample = Sample(variant, packing_class, floor, instances, routes, seed)
        total += compare(sample.queries(), work_limit=5.0, nodes=1_000_000)
    assert total["asked"] >= 400
    assert total["ours unknown"] <= 0.05 * total["asked"]
    assert total["theirs unknown"] <= 0.15 * total["asked"]
