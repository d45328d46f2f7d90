"""Floors too fine for small numbers: without a limit there is no unknown, and it is the truth."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

import tailgate
from loading_cases import Size, check, instance_of
from sawn_floors import TRAILER, SawnFloor, sawn_floor
from seeds import with_seeds
from tailgate.model.instance import Customer, Instance
from tailgate.model.limits import MAX_LENGTH
from tailgate.research.experiments.loading.cp_sat import CpSatQuery, ask_cp_sat
from tailgate.solver.loading import Verdict

NODES = 100_000
VARIANTS = [(lifo, turn) for lifo in (True, False) for turn in (True, False)]
SAWN_PIECES: list[Size] = [
    *((710, 4902), (182, 4083), (721, 4755), (1431, 836), (837, 4083), (1019, 2461), (710, 1717)),
    *((721, 1864), (1431, 920), (1431, 2304), (2450, 1297), (2450, 1623), (1019, 4136)),
]


def verdicts(floors: list[SawnFloor], *, max_nodes: int = NODES) -> Counter[str]:
    """Ask about all floors; a floor that can be loaded must never be refused."""
    counts: Counter[str] = Counter()
    for floor in floors:
        answer = floor.ask(max_nodes=max_nodes)
        if floor.is_loadable:
            assert answer.verdict != "infeasible", floor
        if answer.verdict == "unknown":
            assert answer.decided_by == "limit", floor
        counts[answer.verdict] += 1
    return counts


@pytest.mark.parametrize(("lifo", "turn"), VARIANTS)
@with_seeds(8, 250)
def test_sawn_floors_are_decided(seeds: range, lifo: bool, turn: bool) -> None:
    """Full to the last square millimetre: rounded up they are too full, down is no plan."""
    floors = [sawn_floor(seed, lifo=lifo, turn=turn) for seed in seeds]
    counts = verdicts(floors)
    assert counts["unknown"] <= 0.05 * len(seeds)
    assert counts["feasible"] >= 0.4 * len(seeds)


@pytest.mark.parametrize(("lifo", "turn"), [(True, True), (True, False), (False, False)])
@with_seeds(4, 100)
def test_sawn_floors_with_some_room_are_decided(seeds: range, lifo: bool, turn: bool) -> None:
    """A few millimetres less here and there: nothing fits exactly, and little may be lost."""
    floors = [sawn_floor(seed, lifo=lifo, turn=turn, slack=5) for seed in seeds]
    assert verdicts(floors)["unknown"] <= 0.1 * len(seeds)


@with_seeds(4, 100)
def test_sawn_floors_of_a_billion_are_decided(seeds: range) -> None:
    """No table can have an entry per unit here, and none is needed."""
    floors = [
        sawn_floor(seed, (MAX_LENGTH - 63, MAX_LENGTH), lifo=lifo, turn=False)
        for seed in seeds
        for lifo in (True, False)
    ]
    assert verdicts(floors)["unknown"] <= 0.05 * len(floors)


@with_seeds(5, 100)
def test_what_is_a_millimetre_too_large_is_refused(seeds: range) -> None:
    """Two pieces too wide for each other and too long for each other, among others that fit."""
    for seed in seeds:
        dice = random.Random(seed)
        width, length = (dice.randrange(9_001, 99_999, 2) for _ in range(2))
        split = dice.randint(width // 3, width // 2)
        half = length // 2 + 1
        pieces = [(split, half), (width - split + 1, half), (split // 3, half - 2)]
        assert check(width, length, [[size] for size in pieces]).verdict is Verdict.INFEASIBLE
        assert check(width, length, [pieces], lifo=False).verdict is Verdict.INFEASIBLE
        pieces[1] = (width - split, half)
        assert check(width, length, [pieces], lifo=False).verdict is Verdict.FEASIBLE


def test_the_smallest_floor_that_no_rounding_settles_is_refused() -> None:
    """Rounded up it is too full, rounded down there is a plan; a unit more, and there is one."""
    pieces = [(11139, 14), (48822, 7), (48824, 3), (48823, 4)]
    for lifo in (True, False):
        stops = [[size] for size in pieces]
        assert check(59962, 14, stops, lifo=lifo).verdict is Verdict.INFEASIBLE
        assert check(59963, 14, stops, lifo=lifo).verdict is Verdict.FEASIBLE


def trailer_instance() -> Instance:
    """Thirteen customers whose items fill one trailer to the last square millimetre."""
    small = tailgate.generate_instance(len(SAWN_PIECES), 1, seed=1)
    customers = tuple(
        Customer(one.x, one.y, 1, (tailgate.Item(*size),))
        for one, size in zip(small.customers, SAWN_PIECES, strict=True)
    )
    vehicle = replace(small.vehicle, width=TRAILER[0], length=TRAILER[1], capacity=13)
    instance = replace(small, customers=customers, vehicles=(vehicle,), vehicle_count=1)
    return instance.with_conventions(lifo=False)


def test_an_instance_of_one_full_trailer_is_solved() -> None:
    """A bound and a plan rest on one loading that rounding does not find."""
    result = tailgate.solve(trailer_instance(), time_limit=60)
    assert result.status == "optimal"
    assert result.solution is not None
    assert [len(route.customers) for route in result.solution.routes] == [13]


@pytest.mark.long
@pytest.mark.parametrize("lifo", [True, False])
def test_verdicts_on_nearly_full_floors_are_those_of_cp_sat(lifo: bool) -> None:
    """Pieces a little larger or smaller than sawn: what neither rounding nor area settles."""
    counts: Counter[str] = Counter()
    for seed in range(60):
        dice = random.Random(seed)
        floor = sawn_floor(seed, lifo=lifo, turn=False, slack=30)
        pieces = list(floor.pieces)
        for i in dice.sample(range(len(pieces)), 2):
            pieces[i] = (min(floor.width, pieces[i][0] + dice.randint(1, 9)), pieces[i][1])
        answer = replace(floor, pieces=pieces).ask(max_nodes=1_000_000)
        instance = instance_of(floor.width, floor.length, [[size] for size in pieces])
        rules = replace(instance.conventions, lifo=lifo)
        instance = replace(instance, conventions=rules)
        query = CpSatQuery(instance, range(1, instance.n + 1), work_limit=5.0)
        theirs = ask_cp_sat(query)
        counts["asked"] += 1
        if "unknown" in (answer.verdict, theirs.verdict):
            counts["unknown"] += 1
            continue
        counts[theirs.verdict] += 1
        assert answer.verdict == theirs.verdict, (seed, pieces)
    assert counts["unknown"] <= 0.5 * counts["asked"]
