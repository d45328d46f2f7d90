"""Random tiny instances of format 2: roads, hours and money in every combination.

Small enough for full enumeration. Roads of a matrix differ by direction, break the triangle
inequality and are sometimes missing; times, limits and costs bind in some instances and not in
others. Some instances have no solution.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any, Literal, get_args

import pytest

from tailgate.model.errors import InputError
from tailgate.model.instance import (
    Conventions,
    Customer,
    DistanceConvention,
    FleetConvention,
    Instance,
    Item,
    SingleCustomerConvention,
    Travel,
    Units,
    Vehicle,
)
from tailgate.model.matrix import Matrix
from tailgate.model.travel import Coordinates
from tiny_instances import FLOORS, LARGEST_COORDINATE, random_items

TravelKind = Literal[
    "lines",
    "detour",
    "speed",
    "globe",
    "globe-speed",
    "distances",
    "distances-speed",
    "durations",
    "matrices",
]
"""Where distances and durations come from; ``lines`` is the travel of format 1."""
TRAVEL_KINDS: tuple[TravelKind, ...] = get_args(TravelKind)
MATRIX_KINDS: tuple[TravelKind, ...] = ("distances", "distances-speed", "durations", "matrices")

all_travel_kinds = pytest.mark.parametrize("travel", TRAVEL_KINDS)

# Some windows cannot be kept by anybody, which the constructor refuses; then all is drawn again.
_ATTEMPTS = 200
_LARGEST_ENTRY = 20


def rich_instance(
    seed: int | str,
    travel: TravelKind,
    *,
    conventions: Conventions | None = None,
    most: int = 6,
) -> Instance:
    """Draw two to six customers, or at most so many; by default the conventions, too.

    A matrix has the distance convention ``exact``, whatever is asked for.
    """
    dice = random.Random(f"{travel} {seed}")
    for attempt in range(_ATTEMPTS):
        try:
            bare = _bare(f"rich-{travel}-{seed}", dice, travel, conventions, most)
            return _with_hours_and_money(dice, bare)
        except InputError:
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError


def all_routes(instance: Instance, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield every order of every set of customers, or of those of at most so many."""
    numbers = range(1, instance.n + 1)
    for size in range(1, min(instance.n, most or instance.n) + 1):
        yield from permutations(numbers, size)


def _bare(
    name: str,
    dice: random.Random,
    travel: TravelKind,
    conventions: Conventions | None,
    most: int,
) -> Instance:
    """Draw places, roads and loads, without any times, limits and costs."""
    n = min(most, dice.choice((2, 3, 4, 5, 5, 6, 6)))
    width, length = dice.choice(FLOORS)
    capacity = dice.choice((10, 20, 38_000))
    rules = _conventions(dice) if conventions is None else conventions
    if travel in MATRIX_KINDS:
        rules = replace(rules, distance="exact")
    roads = _travel(dice, travel, n + 1)
    units = _units(dice, travel)
    places = [_place(dice, roads, units.coordinate_scale) for _ in range(n + 1)]
    customers = tuple(
        Customer(
            *place,
            weight=dice.randint(0, min(capacity // 2, 9_000)),
            items=tuple(Item(*size) for size in random_items(dice, width, length)),
        )
        for place in places[1:]
    )
    area = sum(customer.area for customer in customers)
    weight = sum(customer.weight for customer in customers)
    fewest = max(1, -(-area // (width * length)), -(-weight // capacity))
    return Instance(
        name=name,
        depot=places[0],
        customers=customers,
        # So that a matrix without distances will do; the costs follow.
        vehicle=Vehicle(width, length, capacity, cost_per_time=1),
        vehicle_count=min(n, fewest + dice.choice((0, 1, 1, 2))),
        conventions=rules,
        units=units,
        travel=roads,
    )


def _conventions(dice: random.Random) -> Conventions:
    return Conventions(
        dice.choice(get_args(DistanceConvention)),
        dice.choice(get_args(FleetConvention)),
        dice.choice(get_args(SingleCustomerConvention)),
        dice.random() < 0.7,
    )


def _travel(dice: random.Random, kind: TravelKind, places: int) -> Travel:
    detour = dice.choice((1, 1.25, 1.3))
    decimals = dice.choice((0, 0, 1, 2, 3))
    match kind:
        case "lines":
            return Travel.euclidean()
        case "detour":
            return Travel.euclidean(detour=dice.choice((1.25, 1.3, 0.7)), decimals=decimals)
        case "speed":
            return Travel.euclidean(
                detour=detour, decimals=decimals, speed=dice.choice((30, 37.5, 7))
            )
        case "globe":
            return Travel.great_circle(detour=detour, decimals=decimals)
        case "globe-speed":
            return Travel.great_circle(detour=detour, decimals=decimals, speed=dice.choice((35, 9)))
    is_missing = _missing_roads(dice, places)
    distances = Matrix.of(_entries(dice, is_missing), "distances")
    durations = _durations(dice, is_missing)
    coordinates: Coordinates = dice.choice(("none", "none", "x/y"))
    if kind == "durations":
        return Travel("matrix", coordinates, durations=durations)
    if kind == "matrices":
        return Travel("matrix", coordinates, distances=distances, durations=durations)
    speed = dice.choice((30, 7.5)) if kind == "distances-speed" else None
    return Travel("matrix", coordinates, distances=distances, speed=speed)


def _missing_roads(dice: random.Random, places: int) -> list[list[bool]]:
    share = dice.choice((0, 0, 0.1, 0.2))
    return [
        [start != end and dice.random() < share for end in range(places)] for start in range(places)
    ]


def _entries(
    dice: random.Random, is_missing: list[list[bool]], largest: int = _LARGEST_ENTRY
) -> list[list[float | None]]:
    """Draw a matrix: integers, or halves; another one for each direction."""
    parts = dice.choice((1, 1, 2))
    return [
        [
            None if missing else 0 if start == end else dice.randint(0, largest * parts) / parts
            for end, missing in enumerate(row)
        ]
        for start, row in enumerate(is_missing)
    ]


def _durations(dice: random.Random, is_missing: list[list[bool]]) -> Matrix:
    """Draw durations, some in seconds, of which a unit of time has sixty."""
    if dice.random() < 0.3:
        seconds = _entries(dice, is_missing, 60 * _LARGEST_ENTRY)
        return Matrix.of(seconds, "durations", step=Fraction(1, 60))
    return Matrix.of(_entries(dice, is_missing), "durations")


def _units(dice: random.Random, kind: TravelKind) -> Units:
    clock = dice.random() < 0.3
    if clock:
        time = dice.choice(("", "min"))
    elif kind.endswith("speed"):
        time = dice.choice(("", "s", "min", "h"))
    else:
        time = dice.choice(("", "h", "days"))
    is_globe = kind.startswith("globe")
    return Units(
        coordinate_scale=dice.choice((100, 1000) if is_globe else (1, 1, 10)),
        distance_unit=dice.choice(("", "km", "m", "mi")) if is_globe else dice.choice(("", "km")),
        time_unit=time,
        cost_unit=dice.choice(("", "EUR")),
        clock=clock,
    )


def _place(dice: random.Random, roads: Travel, scale: int) -> tuple[int, int]:
    if roads.coordinates == "none":
        return 0, 0
    if roads.coordinates == "lat/lon":
        # A town; longitude first.
        return (
            dice.randint(int(4.80 * scale), int(4.96 * scale)),
            dice.randint(int(45.70 * scale), int(45.82 * scale)),
        )
    largest = LARGEST_COORDINATE * scale
    return dice.randint(0, largest), dice.randint(0, largest)


def _with_hours_and_money(dice: random.Random, bare: Instance) -> Instance:
    numbers = range(1, bare.n + 1)
    out, home = ([_finite(bare.duration(*leg)) for leg in legs] for legs in _singles(bare.n))
    pace = max(1, math.ceil(sum(out) / bare.n))
    opening = 360 if bare.units.clock else dice.choice((0, 0, 3))
    has_hours = dice.random() < 0.75
    times = [_times(dice, opening, pace, way) if has_hours else _visit(dice) for way in out]
    customers = tuple(
        replace(customer, **own) for customer, own in zip(bare.customers, times, strict=True)
    )
    begins = [max(opening + out[i - 1], customers[i - 1].ready) for i in numbers]
    latest = max(begins[i - 1] + customers[i - 1].service + home[i - 1] for i in numbers)
    due = math.ceil(latest) + dice.choice((0, pace, 3 * pace))
    longest = max(out[i - 1] + customers[i - 1].service + home[i - 1] for i in numbers)
    limits: dict[str, Any] = {}
    if has_hours and dice.random() < 0.4:
        limits["shift_start"] = opening + dice.choice((0, 1, pace, 2 * pace))
    if has_hours and dice.random() < 0.4:
        limits["shift_end"] = due + dice.choice((-1, 0, pace))
    if dice.random() < 0.4:
        limits["max_duration"] = math.ceil(longest) + dice.choice((0, pace, 2 * pace))
    if dice.random() < 0.3:
        limits["max_stops"] = dice.choice((1, 2, 3))
    return replace(
        bare,
        customers=customers,
        vehicle=_vehicle(dice, bare, limits),
        depot_ready=opening,
        depot_due=due if has_hours and dice.random() < 0.6 else None,
    )


def _singles(n: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    return [(0, i) for i in range(1, n + 1)], [(i, 0) for i in range(1, n + 1)]


def _finite(way: float) -> float:
    """Return a way that exists; to some customers leads a detour only."""
    return 2 * _LARGEST_ENTRY if way == math.inf else way


def _visit(dice: random.Random) -> dict[str, Any]:
    return {"service": dice.choice((0, 0, 1, 2.5))}


def _times(dice: random.Random, opening: int, pace: int, way: float) -> dict[str, Any]:
    """Draw a window, sometimes but a moment, sometimes none; early ones make vehicles wait."""
    ready = dice.choice((0, opening, opening + dice.randint(0, 5 * pace)))
    begin = math.ceil(max(opening + way, ready))
    due = None if dice.random() < 0.35 else begin + dice.choice((0, 0.5, pace, 2 * pace, 5 * pace))
    return {"ready": ready, "due": due, **_visit(dice)}


def _vehicle(dice: random.Random, bare: Instance, limits: dict[str, Any]) -> Vehicle:
    has_distances = bare.travel.metric != "matrix" or bare.travel.distances is not None
    per_distance = dice.choice((None, None, 0, 1, 0.9)) if has_distances else None
    per_time = dice.choice((None, None, 0.4, 1) if has_distances else (0.4, 1))
    if has_distances and dice.random() < 0.3:
        ways = [sum(_finite(bare.distance(*leg)) for leg in legs) for legs in _tours(bare.n)]
        limits["max_distance"] = math.ceil(max(ways) * dice.choice((1, 1.2, 2)))
    return Vehicle(
        bare.vehicle.width,
        bare.vehicle.length,
        bare.vehicle.capacity,
        name=dice.choice(("", "van")),
        fixed_cost=dice.choice((0, 0, 5, 12.5)),
        cost_per_distance=per_distance,
        cost_per_time=per_time,
        **limits,
    )


def _tours(n: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [((0, i), (i, 0)) for i in range(1, n + 1)]
