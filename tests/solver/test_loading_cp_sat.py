"""The oracle against a general solver that shares nothing with it: OR-Tools CP-SAT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from loading_cases import assert_sound, stops_of
from tailgate.model.instance import Instance
from tailgate.research.experiments.loading.cp_sat import CpSatQuery, ask_cp_sat
from tailgate.research.experiments.loading.random_routes import RouteSampler
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
                yield instance, route


def compare(sample: Sample, *, lifo: bool, work_limit: float, nodes: int = 60_000) -> Counter[str]:
    """Ask both and count; a contradiction fails at once, an unknown is counted for its asker."""
    counts: Counter[str] = Counter()
    for instance, route in sample.queries():
        oracle = LoadingOracle(instance, lifo=lifo, use_cache=False)
        # By nodes, so that a busy machine changes nothing.
        ours = oracle.check(route, max_nodes=nodes)
        assert_sound(instance, route, ours, lifo=lifo)
        vehicle = instance.vehicle
        stops = stops_of(instance, route)
        theirs = ask_cp_sat(
            CpSatQuery(vehicle.width, vehicle.length, stops, lifo, work_limit=work_limit)
        )
        counts["asked"] += 1
        counts["ours unknown"] += ours.verdict is Verdict.UNKNOWN
        counts["theirs unknown"] += theirs.verdict == "unknown"
        if ours.verdict is Verdict.UNKNOWN or theirs.verdict == "unknown":
            continue
        counts[theirs.verdict] += 1
        assert ours.verdict.value == theirs.verdict, (instance.name, route)
    return counts


@some_effort_for(2, 3, 4, 5)
def test_verdicts_are_those_of_cp_sat(packing_class: int, work_limit: float) -> None:
    """Routes like those of the benchmark, with both answers among them."""
    sample = Sample(
        packing_class, BENCHMARK_FLOOR, instances=5, routes=8, seed=1_000 * packing_class
    )
    counts = compare(sample, lifo=True, work_limit=work_limit)
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
        packing_class, BENCHMARK_FLOOR, instances=3, routes=4, seed=2_000 * packing_class
    )
    counts = compare(sample, lifo=False, work_limit=work_limit)
    assert counts["asked"] == 12
    assert counts["ours unknown"] <= 2
    assert counts["theirs unknown"] <= 3


@some_effort_for(2, 3, 4)
def test_verdicts_on_a_trailer_in_millimetres_are_those_of_cp_sat(
    packing_class: int, work_limit: float
) -> None:
    """Sizes drawn in millimetres, for which there need be no smaller numbers that say the same."""
    sample = Sample(packing_class, TRAILER_FLOOR, instances=3, routes=4, seed=3_000 * packing_class)
    counts = compare(sample, lifo=True, work_limit=work_limit)
    assert counts["asked"] == 12
    assert counts["ours unknown"] <= 3
    assert counts["theirs unknown"] <= 5
    assert counts["feasible"] + counts["infeasible"] >= 6


@pytest.mark.long
@pytest.mark.parametrize("packing_class", CLASSES)
def test_verdicts_are_those_of_cp_sat_on_thousands_of_routes(packing_class: int) -> None:
    """As above with and without LIFO, on three floors, and with more time for CP-SAT."""
    total: Counter[str] = Counter()
    for floor, instances in ((BENCHMARK_FLOOR, 40), ((34, 57), 15), (TRAILER_FLOOR, 10)):
        for lifo, routes in ((True, 15), (False, 4)):
            seed = 4_000 * packing_class + 400 * lifo
            sample = Sample(packing_class, floor, instances, routes, seed)
            total += compare(sample, lifo=lifo, work_limit=5.0, nodes=1_000_000)
    assert total["asked"] >= 1_000
    assert total["ours unknown"] <= 0.05 * total["asked"]
    assert total["theirs unknown"] <= 0.15 * total["asked"]
