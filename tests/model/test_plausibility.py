"""Warnings of what looks like a mistake: each rule, its near miss, and what must stay silent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tailgate
from builders import REPOSITORY, benchmark_folder
from tailgate.model.conventions import Conventions, DistanceConvention
from tailgate.model.instance import Customer, Instance, Item, Travel, Units, Vehicle
from tailgate.model.plausibility import check_plausibility
from tailgate.research.generate import Distribution, generate_instance
from tailgate.solver.loading import read

EXAMPLES = sorted(
    path
    for path in (REPOSITORY / "examples").iterdir()
    if path.is_dir() or path.suffix in (".txt", ".json")
)
# Of five customers around the depot, in kilometres.
POINTS = ((12, 5), (3, 14), (-8, 6), (-4, -11), (9, -7))
PALLET = Item(80, 120)
TRUCK = Vehicle(240, 600, 1000)
CENTIMETRES = Units(coordinate_scale=1000, length_unit="cm", weight_unit="kg", distance_unit="km")


def plan(
    item: Item = PALLET,
    *,
    vehicle: Vehicle = TRUCK,
    points: tuple[tuple[float, float], ...] = POINTS,
    depot: tuple[float, float] = (0, 0),
    weight: int = 200,
    units: Units = CENTIMETRES,
    windows: tuple[tuple[float, float | None, float], ...] = ((0, None, 0),) * 5,
    distance: DistanceConvention = "exact",
) -> Instance:
    """Return an instance that nobody doubts, but for what is given."""
    scale = units.coordinate_scale
    return Instance(
        name="orders",
        depot=(round(depot[0] * scale), round(depot[1] * scale)),
        customers=tuple(
            Customer(
                x=round(x * scale),
                y=round(y * scale),
                weight=weight,
                items=(item,),
                ready=ready,
                due=due,
                service=service,
            )
            for (x, y), (ready, due, service) in zip(points, windows, strict=True)
        ),
        vehicle=vehicle,
        vehicle_count=2,
        conventions=Conventions.PLANNER.overridden({"distance": distance}),
        units=units,
    )


def codes(instance: Instance) -> list[str]:
    """Return which rules have fired."""
    return [warning.code for warning in check_plausibility(instance)]


def test_orders_as_they_should_be_raise_no_doubt() -> None:
    """What is made below differs from this by one thing."""
    assert codes(plan()) == []


# Items and floor.


def test_items_in_metres_on_a_floor_in_centimetres_are_doubted() -> None:
    """Everything fits at once, and nobody notices."""
    metres = replace(CENTIMETRES, length_scale=10)
    instance = plan(Item(8, 12), vehicle=Vehicle(2400, 6000, 1000), units=metres)
    (warning,) = check_plausibility(instance)
    assert warning.code == "tiny_items"
    assert "0.8 x 1.2 cm" in warning.message
    assert "240 x 600 cm" in warning.message
    assert "same unit" in warning.remedy


def test_goods_that_cover_next_to_nothing_are_doubted() -> None:
    """Centimetres on a floor in millimetres: a tenth of each side."""
    assert codes(plan(Item(80, 120), vehicle=Vehicle(2400, 6000, 1000))) == ["tiny_items"]


@pytest.mark.parametrize(
    ("item", "vehicle"),
    [
        (Item(30, 45), Vehicle(245, 1360, 1000)),  # parcels in a trailer
        (Item(1, 1), Vehicle(2450, 13600, 1000)),  # no loading problem, as in class 1
        (Item(4, 600), Vehicle(240, 600, 1000)),  # pipes
    ],
    ids=["parcels", "class 1", "pipes"],
)
def test_small_goods_are_not_doubted(item: Item, vehicle: Vehicle) -> None:
    """Small things are carried, too."""
    assert codes(plan(item, vehicle=vehicle)) == []


def test_an_order_without_items_is_not_doubted() -> None:
    """Then weight alone counts."""
    instance = plan()
    without = tuple(replace(customer, items=()) for customer in instance.customers)
    assert codes(replace(instance, customers=without)) == []


@pytest.mark.parametrize(
    ("item", "vehicle", "doubted"),
    [
        (Item(120, 80), Vehicle(600, 240, 1000), True),
        (Item(80, 120), Vehicle(260, 240, 1000), True),
        (Item(120, 80), Vehicle(260, 240, 1000), False),
        (Item(80, 120), Vehicle(240, 240, 1000), False),
        (Item(120, 80), Vehicle(240, 600, 1000), False),
    ],
    ids=["far too wide", "with long items", "a wide van", "a square", "items across"],
)
def test_a_floor_with_its_sides_exchanged_is_doubted(
    item: Item, vehicle: Vehicle, doubted: bool
) -> None:
    """A trailer of 13.6 m across is no trailer."""
    assert codes(plan(item, vehicle=vehicle)) == ["wide_floor"] * doubted


# Weights.


@pytest.mark.parametrize(
    ("weight", "capacity", "doubted"),
    [(0, 1000, True), (0, 1, False), (1, 251, True), (1, 250, False), (200, 1000, False)],
    ids=["none", "none, and none wanted", "tonnes", "nearly", "as usual"],
)
def test_weights_that_never_matter_are_doubted(weight: int, capacity: int, doubted: bool) -> None:
    """Five customers; weights in tonnes beside a capacity in kilograms."""
    instance = plan(vehicle=Vehicle(240, 600, capacity), weight=weight)
    assert codes(instance) == ["ample_capacity"] * doubted


# Places.

BERLIN = ((13.405, 52.52), (13.377, 52.516), (13.454, 52.515), (13.32, 52.505), (13.5, 52.55))


@pytest.mark.parametrize("distance", ["truncated", "rounded", "exact"])
@pytest.mark.parametrize("exchanged", [False, True])
def test_degrees_are_doubted_and_nothing_else_is_said_of_them(
    distance: DistanceConvention, exchanged: bool
) -> None:
    """Longitude and latitude, in either order; that they are short is no news then."""
    points = tuple((y, x) if exchanged else (x, y) for x, y in BERLIN)
    instance = plan(points=points, depot=points[0], distance=distance)
    (warning,) = check_plausibility(instance)
    assert warning.code == "degrees"
    assert "52.52" in warning.message


@pytest.mark.parametrize(
    ("points", "units"),
    [
        (tuple((x + 390, y + 5820) for x, y in POINTS), CENTIMETRES),  # UTM in kilometres
        (tuple((x / 3 + 4.005, y / 3 + 4) for x, y in POINTS), CENTIMETRES),  # a city in kilometres
        (BERLIN, replace(CENTIMETRES, distance_unit="degrees")),
        (tuple((x + 60, y + 60) for x, y in POINTS), replace(CENTIMETRES, coordinate_scale=1)),
    ],
    ids=["far from zero", "a city", "said so", "whole numbers"],
)
def test_other_coordinates_are_not_taken_for_degrees(
    points: tuple[tuple[float, float], ...], units: Units
) -> None:
    """Kilometres have decimals, too."""
    assert codes(plan(points=points, depot=points[0], units=units)) == []


@pytest.mark.parametrize(
    ("factor", "distance", "doubted"),
    [
        (0.1, "truncated", True),
        (0.1, "rounded", True),
        (0.1, "exact", False),
        (0.5, "truncated", False),
        (0.01, "exact", True),
        (0, "exact", True),
    ],
)
def test_distances_that_say_nothing_are_doubted(
    factor: float, distance: DistanceConvention, doubted: bool
) -> None:
    """Thousands of kilometres, or a city whose distances are cut to whole kilometres."""
    points = tuple((x * factor, y * factor) for x, y in POINTS)
    assert codes(plan(points=points, distance=distance)) == ["short_distances"] * doubted


# Times.


def test_times_of_a_spreadsheet_are_doubted() -> None:
    """08:00 is a third of a day there; a due time of that kind is refused by itself."""
    windows = ((0.333, None, 0.01),) * 5
    assert codes(plan(windows=windows)) == ["fractions_of_a_day"]


@pytest.mark.parametrize(
    ("windows", "unit"),
    [
        (((0.333, None, 0.01),) * 5, "days"),
        (((1, None, 1),) * 5, "km"),
        (((0.5, None, 1.5),) * 5, "km"),
        (((0, None, 0.25), *(((0, None, 0),) * 4)), "km"),
    ],
    ids=["days", "whole numbers", "more than a day", "a single one"],
)
def test_other_small_times_are_not_doubted(
    windows: tuple[tuple[float, float | None, float], ...], unit: str
) -> None:
    """A quarter of an hour is a quarter, if distances are hours."""
    units = replace(CENTIMETRES, distance_unit=unit)
    assert codes(plan(windows=windows, units=units)) == []


@pytest.mark.parametrize(
    ("windows", "doubted"),
    [
        (((480, 1020, 0),) * 5, True),
        (((480, 600, 0),) * 5, False),
        (((480, 1020, 60),) * 5, False),
        (((480, 1020, 0), (480, 600, 0), *(((480, 1020, 0),) * 3)), False),
        (((480, None, 0),) * 5, False),
    ],
    ids=["minutes", "narrow", "long services", "one that matters", "no due times"],
)
def test_windows_that_cannot_be_missed_are_doubted(
    windows: tuple[tuple[float, float | None, float], ...], doubted: bool
) -> None:
    """Minutes beside kilometres: the day has 540 of them and the tour 60."""
    assert codes(plan(windows=windows)) == ["ample_windows"] * doubted


@pytest.mark.parametrize(
    ("windows", "doubted"),
    [
        (((20, 22, 30),) * 5, True),
        (((20, 22, 9),) * 5, False),
        (((20, 22, 30), (20, 60, 30), *(((20, 22, 30),) * 3)), False),
        (((20, 20, 30),) * 5, False),
    ],
    ids=["minutes beside hours", "a little longer", "not all", "appointments"],
)
def test_services_far_longer_than_their_windows_are_doubted(
    windows: tuple[tuple[float, float | None, float], ...], doubted: bool
) -> None:
    """Half an hour is 30, and two hours are 2."""
    assert codes(plan(windows=windows)) == ["long_service"] * doubted


# Roads and clocks.


def test_what_is_meant_on_real_roads_is_not_doubted() -> None:
    """Degrees on the globe, a matrix without places, minutes of a clock beside kilometres."""
    degrees = plan(points=tuple((4.8 + x / 1000, 45.7 + y / 1000) for x, y in POINTS))
    degrees = replace(degrees, depot=(4800, 45700))
    assert codes(degrees) == ["degrees"]
    assert codes(replace(degrees, travel=Travel.great_circle(speed=35))) == []
    roads = [[0 if i == j else 1 for j in range(6)] for i in range(6)]
    nowhere = plan(points=((0, 0),) * 5)
    assert codes(nowhere) == ["short_distances"]
    assert codes(replace(nowhere, travel=Travel.from_matrix(roads))) == []
    wide = plan(windows=((480, 1020, 0),) * 5)
    assert codes(wide) == ["ample_windows"]
    assert codes(replace(wide, units=replace(CENTIMETRES, clock=True))) == []
    assert codes(replace(wide, travel=Travel.euclidean(speed=35))) == []


def test_distances_with_decimals_say_more_than_whole_ones() -> None:
    """Within four kilometres, tenths still tell one way from another."""
    near = plan(points=tuple((x / 10, y / 10) for x, y in POINTS), distance="truncated")
    assert codes(near) == ["short_distances"]
    assert codes(replace(near, travel=Travel.euclidean(decimals=1))) == []


def test_times_of_a_spreadsheet_are_doubted_with_a_speed_too() -> None:
    """The remedy is then a clock, not the unit of distance."""
    day = plan(windows=((0.333, None, 0.01),) * 5)
    (warning,) = check_plausibility(replace(day, travel=Travel.euclidean(speed=35)))
    assert warning.remedy == "give them as a clock shows them, such as 08:00"
    days = replace(CENTIMETRES, time_unit="days")
    assert codes(replace(day, units=days)) == []


# What must stay silent.


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_no_example_is_doubted(path: Path) -> None:
    """What we show must not look like a mistake."""
    assert check_plausibility(read(path)) == ()


@settings(max_examples=150, deadline=None)
@given(
    customers=st.integers(5, 40),
    packing_class=st.integers(1, 5),
    distribution=st.sampled_from(["random", "clustered", "mixed"]),
    time_windows=st.booleans(),
    floor=st.sampled_from([(20, 40), (2450, 13600)]),
    seed=st.integers(0, 10**6),
)
def test_no_generated_instance_is_doubted(
    customers: int,
    packing_class: int,
    distribution: Distribution,
    time_windows: bool,
    floor: tuple[int, int],
    seed: int,
) -> None:
    """In the benchmark's unit and in millimetres; but two customers may live at the depot."""
    instance = generate_instance(
        customers,
        packing_class,
        distribution=distribution,
        time_windows=time_windows,
        width=floor[0],
        length=floor[1],
        seed=seed,
    )
    assert check_plausibility(instance) == ()


@pytest.mark.skipif(benchmark_folder() is None, reason="the published benchmark is absent")
def test_no_published_instance_is_doubted() -> None:
    """All 180, under both readings of distances."""
    folder = benchmark_folder()
    assert folder is not None
    for path in sorted(folder.glob("2l_cvrp*.txt")):
        instance = read(path, check_loading=False)
        assert check_plausibility(instance) == (), path.name
        exact = replace(instance, conventions=Conventions.PLANNER)
        assert check_plausibility(exact) == (), path.name


def test_a_warning_is_one_sentence_and_has_its_parts() -> None:
    """People read the sentence, programs the code."""
    (warning,) = tailgate.check_plausibility(plan(weight=0))
    assert str(warning) == f"{warning.message}; {warning.remedy}"
    assert warning.to_dict() == {
        "code": "ample_capacity",
        "message": warning.message,
        "remedy": warning.remedy,
        "field": "vehicle.capacity",
    }


def test_exchanged_degrees_are_doubted() -> None:
    """One customer's latitude is in the column of longitudes: half of Africa away."""

    def town(*points: tuple[int, int]) -> Instance:
        return Instance(
            name="town",
            depot=(485, 4575),
            customers=tuple(Customer(x, y, 1, (Item(80, 120),)) for x, y in points),
            vehicle=Vehicle(245, 720, 100),
            vehicle_count=3,
            units=Units(length_scale=100, coordinate_scale=100, distance_unit="km"),
            travel=Travel.great_circle(),
        )

    places = [(480 + i, 4570 + i) for i in range(6)]
    assert codes(town(*places)) == []
    assert codes(town(*places[:5], (4575, 485))) == ["exchanged_degrees"]
    (warning,) = check_plausibility(town((4570, 480), *places))
    assert "customer 1" in warning.message
