"""Floors and loads of every size: cost must not come per millimetre, and nothing may overflow."""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tailgate
from loading_cases import (
    Size,
    assert_sound,
    check,
    cut_floor,
    in_millimetres,
    instance_of,
    is_loadable,
)
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance, Vehicle
from tailgate.model.limits import MAX_LENGTH
from tailgate.solver.loading import LoadingOracle, Verdict, check_loading, find_unloadable_customer

TRAILER = (2450, 13600)
EURO_PALLET = (1200, 800)
BLOCK_PALLET = (1200, 1000)
BOX = (400, 600)


def test_a_trailer_of_thirty_pallets_is_loaded() -> None:
    """The load of a real semi-trailer, in millimetres: two pallets side by side, fifteen rows."""
    stops = [[EURO_PALLET] * 3 for _ in range(10)]
    result = check(*TRAILER, stops, time_limit=10)
    assert result.verdict is Verdict.FEASIBLE
    assert len(result.placements) == 30


def test_a_full_trailer_has_no_room_for_a_box() -> None:
    """Thirty-four pallets leave a strip of 50 mm: more area than a box, but too thin."""
    full = [[EURO_PALLET] * 2 for _ in range(17)]
    assert check(*TRAILER, full, time_limit=10).verdict is Verdict.FEASIBLE
    spare_area = TRAILER[0] * TRAILER[1] - 34 * EURO_PALLET[0] * EURO_PALLET[1]
    assert spare_area > BOX[0] * BOX[1]
    assert check(*TRAILER, [*full, [BOX]], time_limit=10).verdict is Verdict.INFEASIBLE


def test_a_trailer_of_pallets_and_boxes_is_loaded() -> None:
    """Thirty pieces of three kinds in six stops; boxes fill what pallets leave."""
    stops: list[list[Size]] = [
        [EURO_PALLET, EURO_PALLET, BOX, BOX, BOX],
        [BLOCK_PALLET, BLOCK_PALLET],
        [EURO_PALLET, BLOCK_PALLET, BOX, BOX],
        [EURO_PALLET] * 4 + [BOX] * 2,
        [BLOCK_PALLET] * 2 + [BOX] * 4,
        [EURO_PALLET] * 6 + [BOX],
    ]
    assert sum(map(len, stops)) == 30
    started = time.perf_counter()
    result = check(*TRAILER, stops, time_limit=20)
    assert result.verdict is Verdict.FEASIBLE
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize("seed", range(5))
def test_odd_millimetres_cost_no_more_than_the_units_they_stand_for(seed: int) -> None:
    """Same query, large odd numbers: the same verdict within a small multiple of the nodes."""
    dice = random.Random(seed)
    stops = cut_floor(20, 40, 10, dice)
    small = check(20, 40, stops, max_nodes=50_000)
    large = check(*in_millimetres(20, 40, stops, dice), max_nodes=50_000)
    assert small.verdict is large.verdict is Verdict.FEASIBLE
    assert large.nodes <= 10 * small.nodes + 1_000


def test_sizes_of_a_billion_do_not_overflow() -> None:
    """The largest lengths that an instance may hold; areas near 10**18."""
    half = MAX_LENGTH // 2
    quarters = [[(half, half)] for _ in range(4)]
    assert is_loadable(MAX_LENGTH, MAX_LENGTH, quarters)
    assert is_loadable(MAX_LENGTH, MAX_LENGTH, quarters, lifo=False)
    slightly_wider = [*quarters[:3], [(half + 1, half)]]
    assert not is_loadable(MAX_LENGTH, MAX_LENGTH, slightly_wider)
    everything = [[(MAX_LENGTH, MAX_LENGTH)]]
    assert is_loadable(MAX_LENGTH, MAX_LENGTH, everything)
    assert not is_loadable(MAX_LENGTH, MAX_LENGTH, [*everything, [(1, 1)]])
    # Two hundred areas of 10**18 are beyond 64 bits in sum.
    assert not is_loadable(MAX_LENGTH, MAX_LENGTH, everything * 200)


def test_a_crumb_on_a_huge_floor_costs_nothing() -> None:
    """An item of size one on a floor of a billion: nothing may be counted out unit by unit."""
    started = time.perf_counter()
    assert is_loadable(MAX_LENGTH, MAX_LENGTH, [[(1, 1)]])
    assert is_loadable(MAX_LENGTH, MAX_LENGTH, [[(1, 1), (MAX_LENGTH - 1, MAX_LENGTH)], [(1, 1)]])
    assert not is_loadable(MAX_LENGTH, MAX_LENGTH, [[(1, 2), (MAX_LENGTH, MAX_LENGTH - 1)]])
    assert is_loadable(MAX_LENGTH, 1, [[(1, 1)]] * 20)
    assert is_loadable(1, MAX_LENGTH, [[(1, 1)]] * 20)
    assert is_loadable(3, 3, [[(1, 1)] * 9])
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    ("width", "length", "stops", "expected"),
    [
        # Primes throughout: no common divisor helps.
        (2447, 13597, [[(1223, 6793), (1223, 6803)], [(1213, 13597)]], True),
        (2447, 13597, [[(1223, 6793), (1223, 6805)], [(1213, 13597)]], False),
        (2447, 13597, [[(1225, 6799), (1225, 6799)], [(1223, 6799)]], False),
        # One unit too long behind one another, one unit too wide side by side.
        (2447, 13597, [[(1224, 6799)], [(1224, 6799)]], False),
        (2447, 13597, [[(1224, 6799)], [(1224, 6798)]], True),
        (2447, 13597, [[(1223, 6799)], [(1224, 6799)]], True),
        # The floor in one piece.
        (2447, 13597, [[(2447, 13597)]], True),
        (2447, 13597, [[(2447, 13596)], [(1, 1)]], True),
    ],
)
def test_verdicts_on_odd_sizes_are_exact_to_the_unit(
    width: int, length: int, stops: list[list[Size]], expected: bool
) -> None:
    """Rounding anything here would turn a proven verdict round."""
    assert is_loadable(width, length, stops) is expected


def test_two_hundred_items_are_loaded() -> None:
    """Far more than a truck of the benchmark holds; memory and depth must bear it."""
    stops = [[(100, 100)] * 10 for _ in range(20)]
    result = check(*TRAILER, stops, time_limit=20)
    assert result.verdict is Verdict.FEASIBLE
    assert len(result.placements) == 200


def test_two_hundred_different_items_end_within_the_time_limit() -> None:
    """Whatever the answer, preparation included: a limit is a limit."""
    dice = random.Random(3)
    stops = [
        [(dice.randint(90, 230), dice.randint(300, 1100)) for _ in range(10)] for _ in range(20)
    ]
    started = time.perf_counter()
    result = check(*TRAILER, stops, time_limit=1.0)
    assert time.perf_counter() - started < 3.0
    assert result.verdict is not Verdict.INFEASIBLE


@pytest.mark.parametrize("lifo", [True, False])
def test_an_empty_truck_is_loadable(lifo: bool) -> None:
    """No stop, or stops without items: nothing to do is done."""
    instance = instance_of(5, 5, [[], [(5, 5)], [], []])
    oracle = LoadingOracle(instance, lifo=lifo)
    for route in ([], [1], [1, 3], [4, 3, 1]):
        result = oracle.check(route)
        assert result.verdict is Verdict.FEASIBLE
        assert result.placements == ()
        assert_sound(instance, route, result, lifo=lifo)


@pytest.mark.parametrize("lifo", [True, False])
def test_stops_without_items_change_nothing(lifo: bool) -> None:
    """A stop that receives nothing (a collection, a signature) takes part in the route."""
    instance = instance_of(2, 2, [[(1, 1)], [(2, 1)], [(1, 1)], [], []])
    oracle = LoadingOracle(instance, lifo=lifo)
    for route in ([4, 1, 2, 5, 3], [1, 4, 5, 2, 3], [2, 4, 1, 3, 5], [5, 4, 2], [4, 2, 5]):
        result = oracle.check(route)
        items_only = [customer for customer in route if customer <= 3]
        assert result.verdict is oracle.check(items_only).verdict
        assert_sound(instance, route, result, lifo=lifo)


def test_routes_may_be_any_sequence_of_integers() -> None:
    """Tuples, ranges and numbers of an array come out of other people's code."""
    instance = instance_of(4, 4, [[(2, 2)], [(2, 2)], [(2, 2)]])
    oracle = LoadingOracle(instance)
    for route in ([1, 2, 3], (1, 2, 3), range(1, 4), list(np.array([1, 2, 3]))):
        result = oracle.check(route)
        assert result.verdict is Verdict.FEASIBLE
        assert [type(placement.customer) for placement in result.placements] == [int] * 3


def test_one_query_needs_no_oracle() -> None:
    """`check_loading` is for one route; it follows the instance's convention unless told."""
    instance = instance_of(2, 2, [[(1, 1)], [(2, 1)], [(1, 1)]])
    assert check_loading(instance, [1, 2, 3]).verdict is Verdict.INFEASIBLE
    assert check_loading(instance, [1, 2, 3], lifo=False).verdict is Verdict.FEASIBLE
    unrestricted = instance.with_conventions(lifo=False)
    assert check_loading(unrestricted, [1, 2, 3]).verdict is Verdict.FEASIBLE
    assert check_loading(unrestricted, [1, 2, 3], lifo=True).verdict is Verdict.INFEASIBLE
    with pytest.raises(InputError, match="route"):
        check_loading(instance, [4])


def test_a_customer_whose_own_items_do_not_fit_is_found() -> None:
    """Area alone does not tell: two bars across and one along, on a floor of 3 x 3."""
    loadable = [(1, 1), (3, 2)]
    hopeless = [(2, 2), (2, 2)]
    assert find_unloadable_customer(instance_of(3, 3, [loadable, loadable])) is None
    assert find_unloadable_customer(instance_of(3, 3, [loadable, hopeless, hopeless])) == 2


def test_a_customer_is_unloadable_if_no_kind_that_may_come_can_be_loaded() -> None:
    """Whoever may be left out is no reason to refuse the orders of all others."""
    instance = instance_of(3, 3, [[(1, 1)], [(2, 2), (2, 2)]])
    small, large = replace(instance.vehicle, name="van"), Vehicle(4, 4, 1000, "lorry")
    assert find_unloadable_customer(replace(instance, vehicles=(small, large))) is None
    first, second = instance.customers

    def with_second(**changes: Any) -> Instance:
        customers = (first, replace(second, **changes))
        return replace(instance, vehicles=(small, large), customers=customers)

    assert find_unloadable_customer(with_second(vehicles=("van",))) == 2
    assert find_unloadable_customer(with_second(vehicles=("lorry",))) is None
    assert find_unloadable_customer(with_second(vehicles=("van",), leave_out_cost=5)) is None


def test_orders_that_fit_no_vehicle_can_be_read_where_all_may_be_left_out(tmp_path: Path) -> None:
    """Otherwise the question what to leave out could not be asked of them."""
    content = {
        "format": "tailgate-instance-2",
        "depot": {"x": 0, "y": 0},
        "vehicles": [{"name": "van", "count": 1, "width": 2, "length": 4, "capacity": 9}],
        "customers": [
            {"name": "A", "x": 1, "y": 0, "weight": 1, "items": [{"width": 3, "length": 1}]},
            {"name": "B", "x": 2, "y": 0, "weight": 1, "leave_out_cost": 7, "items": []},
        ],
    }
    path = tmp_path / "orders.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match="width 3"):
        tailgate.read(path)
    instance = tailgate.read(path, all_optional=True)
    assert [instance.leave_out_cost(number) for number in (1, 2)] == [0, 7]
    assert instance.is_hopeless(1)
