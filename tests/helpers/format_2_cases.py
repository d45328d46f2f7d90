"""Instances of format 2, as tests of formats need them."""

from __future__ import annotations

import copy
from typing import Any, get_args

from hypothesis import assume
from hypothesis import strategies as st

from builders import names
from tailgate.io.matrix_rows import MatrixField, step_of
from tailgate.model.instance import (
    Conventions,
    Customer,
    Instance,
    Item,
    Travel,
    Units,
    Vehicle,
)
from tailgate.model.matrix import Matrix
from tailgate.model.travel import Coordinates

ON_THE_GLOBE: dict[str, Any] = {
    "format": "tailgate-instance-2",
    "name": "tuesday",
    "units": {"length": "m", "weight": "kg", "distance": "km", "time": "min", "cost": "EUR"},
    "conventions": {"fleet": "at-most", "single_customer_routes": "allow", "lifo": True},
    "travel": {"metric": "great-circle", "detour": 1.35, "speed": 35},
    "depot": {"name": "Lyon", "lat": 45.75, "lon": 4.85, "ready": "06:00", "due": "18:00"},
    "vehicles": [
        {
            "name": "12 t",
            "count": 3,
            "width": 2.45,
            "length": 7.2,
            "capacity": 6000,
            "fixed_cost": 120,
            "cost_per_distance": 0.9,
            "cost_per_time": 0.4,
            "shift_start": "06:00",
            "shift_end": "18:00",
            "max_duration": 480,
            "max_distance": 250,
            "max_stops": 12,
        }
    ],
    "customers": [
        {
            "name": "Mme Dupont",
            "lat": 45.77,
            "lon": 4.88,
            "weight": 310,
            "ready": "08:00",
            "due": "12:00",
            "service": 15,
            "items": [
                {"width": 0.8, "length": 1.2, "quantity": 3, "name": "pallet", "turn": False}
            ],
            "leave_out_cost": None,
            "info": {"address": "12 rue Neuve", "phone": "04 56"},
        },
        {"name": "Chemist", "lat": 45.7, "lon": 4.8, "weight": 20, "items": []},
    ],
}

DISTANCES: list[list[int | float | None]] = [[0, 4, 5], [4.5, 0, None], [5, 3, 0]]
DURATIONS: list[list[int | float | None]] = [[0, 9, 11], [10, 0, None], [12, 7.5, 0]]


def on_the_globe() -> dict[str, Any]:
    """Return the content of a file with a depot and two customers on the globe."""
    return copy.deepcopy(ON_THE_GLOBE)


def by_matrix(**travel: Any) -> dict[str, Any]:
    """Return the same content with roads from matrices, or from what is given."""
    content = on_the_globe()
    content["travel"] = travel or {"distances": DISTANCES, "durations": DURATIONS}
    return content


def _decimals(low: int, high: int, places: int) -> st.SearchStrategy[int | float]:
    scale = 10**places
    return st.integers(low * scale, high * scale).map(
        lambda value: value // scale if value % scale == 0 else value / scale
    )


@st.composite
def _matrices(draw: st.DrawFn, count: int, field: MatrixField, unit: str) -> Matrix:
    """Return a matrix in decimals, in metres or in seconds."""
    values = [
        [0 if i == j else draw(_decimals(0, 5000, 1)) for j in range(count)] for i in range(count)
    ]
    other = {"distances": "m", "durations": "s"}[field]
    step = step_of(field, draw(st.sampled_from((unit, other))), unit)
    return Matrix.of(values, field, step=step)


@st.composite
def _travels(draw: st.DrawFn, count: int, units: Units) -> Travel:
    metric = draw(st.sampled_from(("euclidean", "great-circle", "matrix")))
    speed = draw(st.none() | _decimals(20, 90, 1))
    if metric == "matrix":
        distances = draw(_matrices(count, "distances", units.distance_unit))
        durations = draw(st.none() | _matrices(count, "durations", units.time_unit))
        coordinates: Coordinates = draw(st.sampled_from(get_args(Coordinates)))
        if durations is not None and draw(st.booleans()):
            # A road that cannot be driven, in both.
            distances, durations = (_without_last_road(one) for one in (distances, durations))
        return Travel(
            "matrix",
            coordinates,
            speed=None if durations is not None else speed,
            distances=distances,
            durations=durations,
        )
    settings: dict[str, Any] = {
        "detour": draw(_decimals(1, 3, 2)),
        "decimals": draw(st.integers(0, 3)),
        "speed": speed,
    }
    if metric == "euclidean":
        return Travel.euclidean(**settings)
    return Travel.great_circle(**settings)


def _without_last_road(matrix: Matrix) -> Matrix:
    stored = matrix.stored.copy()
    if len(stored) > 2:
        stored[-1, -2] = -1
    return Matrix(stored, matrix.step)


@st.composite
def format_2_instances(draw: st.DrawFn) -> Instance:
    """Instances with roads, clocks and costs; windows are wide, so that each can be served."""
    count = draw(st.integers(1, 3))
    clock = draw(st.booleans())
    units = Units(
        10 ** draw(st.integers(0, 2)),
        10 ** draw(st.integers(0, 2)),
        1000,
        draw(st.sampled_from(("", "m"))),
        draw(st.sampled_from(("", "kg"))),
        draw(st.sampled_from(("", "km", "m", "mi"))),
        draw(st.sampled_from(("", "min") if clock else ("", "min", "s", "h"))),
        draw(st.sampled_from(("", "EUR"))),
        clock=clock,
    )
    travel = draw(_travels(count + 1, units))
    if travel.durations is None and travel.speed is None:
        # Times in miles that were given in metres are too fine to be added up beside large ones.
        assume(units.distance_unit != "mi")
    times = _decimals(0, 500, 2)
    if clock:
        times |= st.integers(0, 30_000).map(lambda seconds: seconds / 60)
    near = travel.coordinates != "none"
    customers = []
    labels = iter(draw(st.lists(names, min_size=count, max_size=count, unique=True)))
    for number in range(1, count + 1):
        name = next(labels) if draw(st.booleans()) else ""
        if name.isdecimal():
            name = ""
        customers.append(
            Customer(
                draw(st.integers(-99, 99)) if near else 0,
                draw(st.integers(-99, 99)) if near else 0,
                draw(st.integers(0, 100)),
                tuple(
                    Item(1, number, turn=draw(st.booleans()))
                    for _ in range(draw(st.integers(0, 2)))
                ),
                name=name,
                ready=draw(times),
                due=draw(st.none() | st.integers(10**8, 2 * 10**8)),
                service=draw(times),
                info=tuple(
                    (key, draw(names)) for key in draw(st.lists(names, max_size=2, unique=True))
                ),
            )
        )
    limits = st.none() | _decimals(10**8, 2 * 10**8, 1)
    costs = st.none() | _decimals(0, 100, 3)
    is_matrix = travel.metric == "matrix"
    return Instance(
        name=draw(names),
        depot=(draw(st.integers(-99, 99)), draw(st.integers(-99, 99))) if near else (0, 0),
        customers=tuple(customers),
        vehicle=Vehicle(
            50,
            50,
            draw(st.integers(100, 10**6)),
            name=draw(st.just("") | names),
            fixed_cost=draw(_decimals(0, 500, 2)),
            cost_per_distance=draw(costs),
            cost_per_time=draw(costs),
            shift_start=draw(st.none() | times),
            shift_end=draw(st.none() | st.integers(10**8, 2 * 10**8)),
            max_duration=draw(st.none() | st.integers(10**8, 2 * 10**8)),
            max_distance=draw(limits),
            max_stops=draw(st.none() | st.integers(1, 50)),
        ),
        vehicle_count=draw(st.integers(1, 9)),
        conventions=Conventions(
            "exact" if is_matrix else draw(st.sampled_from(("truncated", "rounded", "exact"))),
            draw(st.sampled_from(("exactly", "at-most"))),
            draw(st.sampled_from(("forbid", "allow"))),
            draw(st.booleans()),
            draw(st.sampled_from(("as-given", "all", "none"))),
        ),
        units=units,
        depot_ready=draw(times),
        depot_due=draw(st.none() | st.integers(10**8, 2 * 10**8)),
        travel=travel,
        depot_name=draw(st.just("") | names),
    )
