"""Floors too fine for small numbers: without a limit there is no unknown, and it is the truth."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

import tailgate
from loading_cases import Size, assert_sound, check
from seeds import with_seeds
from tailgate.model.instance import Customer, Instance
from tailgate.model.limits import MAX_LENGTH
from tailgate.research.experiments.loading.cp_sat import CpSatQuery, ask_cp_sat
from tailgate.research.experiments.loading.sawn import TRAILER, SawnFloor, sawn_floor
from tailgate.research.experiments.variants import (
    ANY_ORDER,
    AS_GIVEN,
    TURNED,
    VARIANTS,
    Variant,
)
from tailgate.solver.loading import LoadingOracle, LoadingResult, Verdict

NODES = 100_000
SAWN_PIECES: list[Size] = [
    *((710, 4902), (182, 4083), (721, 4755), (1431, 836), (837, 4083), (1019, 2461), (710, 1717)),
    *((721, 1864), (1431, 920), (1431, 2304), (2450, 1297), (2450, 1623), (1019, 4136)),
]


def ask(instance: Instance, max_nodes: int) -> LoadingResult:
    """Ask a fresh oracle about all customers of an instance."""
    oracle = LoadingOracle(instance, use_cache=False)
    route = range(1, instance.n + 1)
    result = oracle.check(route, max_nodes=max_nodes)
    assert_sound(instance, route, result, lifo=instance.conventions.lifo)
    return result


def verdicts(floors: list[SawnFloor]) -> Counter[Verdict]:
    """Ask about all floors; a floor that can be loaded must never be refused."""
    counts: Counter[Verdict] = Counter()
    for floor in floors:
        answer = ask(floor.instance, NODES)
        if floor.is_loadable:
            assert answer.verdict is not Verdict.INFEASIBLE, floor
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.decided_by == "limit", floor
        counts[answer.verdict] += 1
    return counts


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.literature)
@with_seeds(8, 250)
def test_sawn_floors_are_decided(seeds: range, variant: Variant) -> None:
    """Full to the last square millimetre: rounded up they are too full, down is no plan."""
    counts = verdicts([sawn_floor(seed, variant) for seed in seeds])
    assert counts[Verdict.UNKNOWN] <= 0.05 * len(seeds)
    assert counts[Verdict.FEASIBLE] >= 0.4 * len(seeds)


@pytest.mark.parametrize(
    "variant", [AS_GIVEN, TURNED, ANY_ORDER], ids=lambda variant: variant.literature
)
@with_seeds(4, 100)
def test_sawn_floors_with_some_room_are_decided(seeds: range, variant: Variant) -> None:
    """A few millimetres less here and there: nothing fits exactly, and little may be lost."""
    counts = verdicts([sawn_floor(seed, variant, slack=5) for seed in seeds])
    assert counts[Verdict.UNKNOWN] <= 0.1 * len(seeds)


@with_seeds(4, 100)
def test_sawn_floors_of_a_billion_are_decided(seeds: range) -> None:
    """No table can have an entry per unit here, and none is needed."""
    floors = [
        sawn_floor(seed, variant, (MAX_LENGTH - 63, MAX_LENGTH))
        for seed in seeds
        for variant in (AS_GIVEN, ANY_ORDER)
    ]
    assert verdicts(floors)[Verdict.UNKNOWN] <= 0.05 * len(floors)


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
@pytest.mark.parametrize("variant", [AS_GIVEN, ANY_ORDER], ids=lambda variant: variant.literature)
def test_verdicts_on_nearly_full_floors_are_those_of_cp_sat(variant: Variant) -> None:
    """Pieces a little larger or smaller than sawn: what neither rounding nor area settles."""
    counts: Counter[str] = Counter()
    for seed in range(60):
        dice = random.Random(seed)
        sawn = sawn_floor(seed, variant, slack=30).instance
        customers = list(sawn.customers)
        for i in dice.sample(range(len(customers)), 2):
            (piece,) = customers[i].items
            wider = min(sawn.vehicle.width, piece.width + dice.randint(1, 9))
            customers[i] = replace(customers[i], items=(replace(piece, width=wider),))
        instance = replace(sawn, customers=tuple(customers))
        ours = ask(instance, 1_000_000)
        theirs = ask_cp_sat(CpSatQuery(instance, range(1, instance.n + 1), work_limit=5.0))
        counts["asked"] += 1
        if "unknown" in (ours.verdict, theirs.verdict):
            counts["unknown"] += 1
            continue
        assert ours.verdict == theirs.verdict, seed
    assert counts["unknown"] <= 0.5 * counts["asked"]
