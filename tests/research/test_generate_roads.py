"""Generated road networks: asymmetric, reproducible, and the fleet can still do the work."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seeds import with_seeds
from tailgate.model.conventions import Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.matrix import NO_ROAD
from tailgate.model.roads import haversine
from tailgate.model.travel import EARTH_RADIUS_KM
from tailgate.research.generate import (
    DISTRIBUTIONS,
    PACKING_CLASS_NUMBERS,
    Distribution,
    RoadOptions,
    build_proven_routes,
    generate_instance,
)
from tailgate.research.generate.random_streams import Aspect, random_stream
from tailgate.research.generate.road_instance import on_roads
from tailgate.research.generate.road_network import fastest_ways
from tailgate.solver.loading import LoadingOracle, Verdict

FULL_DAY = RoadOptions(shift_hours=8, costs=(120, 0.9, 0.4))

# Drawn with seed 1 when roads were published.
PINNED_TENTHS = [[0, 445, 432], [451, 0, 458], [447, 436, 0]]
PINNED_HOURS = [(480, 720, 15), (540, 660, 25), (0, None, 25), (480, 720, 20)]


def durations(instance: Instance) -> Any:
    """Return the matrix in tenths of a minute, with infinity for roads that are closed."""
    assert instance.travel.durations is not None
    stored = instance.travel.durations.stored
    return np.where(stored == NO_ROAD, np.inf, stored)


def broken_triangles(matrix: Any) -> int:
    """Count ways that are longer than some detour."""
    places = range(len(matrix))
    return sum(
        bool((matrix[i, j] > matrix[i] + matrix[:, j]).any()) for i in places for j in places
    )


def test_same_arguments_give_the_same_roads() -> None:
    """Also on another platform, and in another version: some numbers are pinned."""
    first = generate_instance(9, 3, time_windows=True, roads=FULL_DAY, seed=1)
    again = generate_instance(9, 3, time_windows=True, roads=FULL_DAY, seed=1)
    assert first == again
    assert first.sha256 == again.sha256
    assert first.sha256 != generate_instance(9, 3, roads=FULL_DAY, seed=2).sha256
    assert durations(first)[:3, :3].tolist() == PINNED_TENTHS
    assert [(one.ready, one.due, one.service) for one in first.customers[:4]] == PINNED_HOURS


def test_roads_leave_orders_and_each_other_alone() -> None:
    """One option must not shift what another one draws."""
    plain = generate_instance(10, 2, seed=3)
    open_roads = generate_instance(10, 2, seed=3, roads=RoadOptions())
    full = RoadOptions(closed_percent=30, shift_hours=9, costs=(1, 2, 3))
    closed_roads = generate_instance(10, 2, seed=3, roads=full, time_windows=True)
    for one, other, third in zip(
        plain.customers, open_roads.customers, closed_roads.customers, strict=True
    ):
        assert (one.weight, one.items) == (other.weight, other.items) == (third.weight, third.items)
        assert other.service == third.service > 0
    there, again = durations(open_roads), durations(closed_roads)
    assert (there[np.isfinite(again)] == again[np.isfinite(again)]).all()
    assert np.isinf(again).sum() > 0


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_roads_differ_by_direction_and_are_detours(distribution: Distribution) -> None:
    """One-way streets; and no road is shorter than the crow flies."""
    instance = generate_instance(30, 2, distribution=distribution, roads=RoadOptions(), seed=4)
    assert not instance.is_symmetric
    matrix = durations(instance)
    assert (matrix != matrix.T).sum() > 300
    scale = instance.units.coordinate_scale
    points = [instance.depot, *((one.x, one.y) for one in instance.customers)]
    detours = []
    for i, (x, y) in enumerate(points):
        for j, (other_x, other_y) in enumerate(points):
            crow = EARTH_RADIUS_KM * haversine(y, x, other_y, other_x, scale=scale)
            if crow > 5:
                detours.append(instance.distance(i, j) / crow)
    # Degrees are rounded, and the region is taken for flat.
    assert min(detours) > 0.98
    assert 1.15 < sum(detours) / len(detours) < 1.8


def test_durations_obey_the_triangle_inequality_unless_asked_otherwise() -> None:
    """Rounding up keeps it; traffic breaks it all over."""
    for seed in range(3):
        roads = RoadOptions()
        assert broken_triangles(durations(generate_instance(25, 2, roads=roads, seed=seed))) == 0
        roads = RoadOptions(keeps_triangle=False)
        assert broken_triangles(durations(generate_instance(25, 2, roads=roads, seed=seed))) > 50


def test_every_place_can_be_reached_from_every_other_one() -> None:
    """Whatever streets are missing or one-way."""
    corners = [(0, 0), (100, 0), (0, 100), (100, 100), (50, 50), (3, 97)]
    for seed in range(20):
        ways = fastest_ways(corners, random_stream(seed, Aspect.STREETS))
        off_diagonal = ways.milliseconds[~np.eye(len(corners), dtype=bool)]
        assert off_diagonal.min() > 0
        # Three hours through a region of 40 km would be a maze.
        assert off_diagonal.max() < 3 * 3600 * 1000


def test_closed_roads_are_never_those_of_the_depot() -> None:
    """Otherwise a customer might be out of reach."""
    matrix = durations(generate_instance(30, 2, roads=RoadOptions(closed_percent=25), seed=5))
    assert np.isfinite(matrix[0]).all()
    assert np.isfinite(matrix[:, 0]).all()
    assert 0.18 < np.isinf(matrix).sum() / (30 * 29) < 0.32


def test_hours_are_those_of_a_clock() -> None:
    """Whole hours, a lunch break, service in fives of minutes, a shift within the depot's hours."""
    instance = generate_instance(60, 3, time_windows=True, roads=FULL_DAY, seed=2)
    windows = [(one.ready, one.due) for one in instance.customers]
    assert {(480, 720), (780, 1020), (0, None)} <= set(windows)
    assert any(due is not None and due - ready == 120 for ready, due in windows)
    assert {one.service for one in instance.customers} == {5, 10, 15, 20, 25}
    assert instance.units.time_text(windows[0][0]).endswith(":00")
    vehicle = instance.vehicle
    assert (vehicle.shift_start, vehicle.shift_end, vehicle.max_duration) == (360, 1080, 480)
    assert (vehicle.fixed_cost, *vehicle.rates) == (120, 0.9, 0.4)
    assert (instance.depot_ready, instance.depot_due) == (360, 1080)
    units = instance.units
    assert (units.distance_unit, units.time_unit, units.cost_unit) == ("km", "min", "EUR")


def test_without_hours_there_is_no_clock() -> None:
    """Roads alone bring distances and service; nothing can be late."""
    instance = generate_instance(10, 2, roads=RoadOptions(), seed=1)
    assert not instance.has_time_windows
    assert not instance.units.clock
    assert instance.conventions == Conventions.PLANNER


@settings(max_examples=20, deadline=None)
@given(
    n=st.integers(2, 14),
    packing_class=st.sampled_from(PACKING_CLASS_NUMBERS),
    distribution=st.sampled_from(DISTRIBUTIONS),
    time_windows=st.booleans(),
    roads=st.builds(
        RoadOptions,
        keeps_triangle=st.booleans(),
        closed_percent=st.sampled_from([0, 10, 50]),
        shift_hours=st.sampled_from([None, 4, 7.5, 8]),
        costs=st.sampled_from([None, (120, 0.9, 0.4), (0, 0, 1)]),
    ),
    seed=st.integers(0, 2**40),
)
def test_the_fleet_can_do_the_work(
    n: int,
    packing_class: int,
    distribution: Distribution,
    time_windows: bool,
    roads: RoadOptions,
    seed: int,
) -> None:
    """The number of vehicles is a promise: hours, shifts, closed roads, LIFO, two stops or more."""
    instance = generate_instance(
        n,
        packing_class,
        distribution=distribution,
        time_windows=time_windows,
        roads=roads,
        seed=seed,
    )
    keep_the_promise(instance, seed)


@with_seeds(2, 30)
def test_a_larger_fleet_can_do_the_work(seeds: range) -> None:
    """The same for as many customers as people plan."""
    for seed in seeds:
        roads = RoadOptions(keeps_triangle=seed % 2 == 0, closed_percent=10, shift_hours=8)
        keep_the_promise(generate_instance(45, 3, time_windows=True, roads=roads, seed=seed), seed)


def test_customers_too_far_away_for_a_shift_are_drawn_again() -> None:
    """No such instance is made: nobody could serve it."""
    plain = generate_instance(2, 1, seed=0, conventions=Conventions.PLANNER)
    far = replace(plain, customers=(replace(plain.customers[0], x=180, y=180), plain.customers[1]))
    where: dict[str, Any] = {"time_windows": False, "seed": 0, "attempt": 0}
    assert on_roads(far, RoadOptions(shift_hours=4), **where) is None
    assert on_roads(far, RoadOptions(shift_hours=12), **where) is not None


def keep_the_promise(instance: Instance, seed: int) -> None:
    """Check the routes that the number of vehicles was counted on."""
    plan = build_proven_routes(instance, seed=seed, enough=instance.vehicle_count)
    assert plan is not None
    assert len(plan) == instance.vehicle_count
    assert sorted(number for route in plan for number in route) == list(range(1, instance.n + 1))
    oracle = LoadingOracle(instance)
    for route in plan:
        assert len(route) > 1
        assert instance.is_allowed(route)
        assert math.isfinite(instance.route_cost(route))
        assert sum(instance.customer(one).weight for one in route) <= instance.vehicle.capacity
        assert oracle.check(route).verdict is Verdict.FEASIBLE


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("closed_percent", {"closed_percent": 51}),
        ("shift_hours", {"shift_hours": 3}),
        ("costs", {"costs": (1, 2)}),
        ("costs", {"costs": (1, 2, -1)}),
        ("keeps_triangle", {"keeps_triangle": 1}),
    ],
)
def test_wrong_options_are_named(field: str, wrong: dict[str, Any]) -> None:
    """A message must name the argument that the caller wrote."""
    with pytest.raises(InputError) as caught:
        RoadOptions(**wrong)
    assert caught.value.field == field


def test_a_matrix_is_not_rounded_and_not_too_large() -> None:
    """Distances are given, so no convention measures them; a matrix has the square of places."""
    with pytest.raises(InputError, match="on roads"):
        generate_instance(5, 2, roads=RoadOptions(), seed=0, conventions=Conventions.BENCHMARK)
    with pytest.raises(InputError, match="2000"):
        generate_instance(2001, 2, roads=RoadOptions(), seed=0)
