"""Instances and valid plans for the tests of pictures, sheets and reports."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from builders import one_route
from tailgate.model.instance import Customer, Instance, Item, Travel, Units, Vehicle
from tailgate.model.solution import LeftOut, Placement, Route, Solution
from tailgate.report.plan import Plan
from tailgate.report.truck import Truck
from tailgate.solver.loading import planned_route

# Each would break a page that pasted it in: tags, entities, quotes, formulas, script, direction.
HOSTILE_NAMES = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(2)'>",
    "</title></svg></style><h1>owned",
    "'); alert(3); ('",
    "&lt;b&gt; &amp; ]]> <!-- -->",
    "=HYPERLINK(1)",
    "${alert(4)} {{7*7}} \\u003cscript>",
    "http://example.org/@import url(x)",
)

METRES = Units(length_scale=10, length_unit="m", weight_unit="kg", distance_unit="km")


def lined_up(
    names: Sequence[str],
    *,
    items: tuple[Item, ...] = (Item(12, 8), Item(12, 8)),
    vehicle: Vehicle | None = None,
    units: Units = METRES,
) -> tuple[Instance, Solution]:
    """Return one truck that visits all customers, and a valid plan of it.

    Every customer has the same items. Those of one stop stand side by side in one row, and the
    last stop is nearest to the cab.
    """
    row_length = max(item.length for item in items)
    floor = vehicle or Vehicle(24, row_length * max(9, len(names)), 10_000)
    places = random.Random(7)
    instance = Instance(
        name="Tuesday",
        depot=(50, 50),
        customers=tuple(
            Customer(
                x=places.randrange(100),
                y=places.randrange(100),
                weight=100 + number,
                items=items,
                name=name,
            )
            for number, name in enumerate(names, start=1)
        ),
        vehicle=floor,
        vehicle_count=1,
        units=units,
    )
    placements: list[Placement] = []
    for row, stop in enumerate(range(len(names), 0, -1)):
        x = 0
        for number, item in enumerate(items, start=1):
            placements.append(
                Placement(
                    customer=stop,
                    item=number,
                    x=x,
                    y=row_length * row,
                    width=item.width,
                    length=item.length,
                    stop_index=stop,
                    load_step=len(placements) + 1,
                )
            )
            x += item.width
    return instance, one_route(instance, tuple(range(1, len(names) + 1)), placements)


def fleet(stop_counts: Sequence[int], **windows: Any) -> tuple[Instance, Solution]:
    """Return one truck for each count of stops, every stop with two items, and a valid plan.

    ``windows`` are the times of every customer, such as ``due``.
    """
    names = [f"Customer {number}" for number in range(sum(stop_counts))]
    one, _ = lined_up(names, vehicle=Vehicle(24, 8 * max(stop_counts), 100_000))
    instance = replace(
        one,
        customers=tuple(replace(customer, **windows) for customer in one.customers),
        vehicle_count=len(stop_counts),
    )
    routes: list[Route] = []
    for count in stop_counts:
        first = sum(len(route.customers) for route in routes)
        placements = [
            Placement(
                customer=first + stop,
                item=item,
                x=12 * (item - 1),
                y=8 * (count - stop),
                width=12,
                length=8,
                stop_index=stop,
                load_step=2 * (count - stop) + item,
            )
            for stop in range(count, 0, -1)
            for item in (1, 2)
        ]
        customers = tuple(range(first + 1, first + count + 1))
        routes += one_route(instance, customers, placements).routes
    solution = one_route(instance, (1,), ())
    cost = math.fsum(route.cost for route in routes)
    return instance, replace(solution, routes=tuple(routes), objective=cost)


def timed() -> tuple[Instance, Solution]:
    """Return three stops in a line, ten apart: one with a window, one that takes long, one free."""
    instance, solution = lined_up(["A", "B", "C"])
    windows: tuple[dict[str, Any], ...] = (
        {"ready": 15, "due": 40.5, "service": 2},
        {"service": 4.25},
        {},
    )
    customers = (
        replace(customer, x=50, y=50 + 10 * number, **window)
        for number, (customer, window) in enumerate(
            zip(instance.customers, windows, strict=True), start=1
        )
    )
    late = replace(instance, customers=tuple(customers), depot_ready=1, depot_due=90)
    return late, one_route(late, (1, 2, 3), solution.routes[0].placements)


def truck_of(instance: Instance, solution: Solution) -> Truck:
    """Return the first truck of a plan, which the judge must find valid."""
    plan = Plan.of(instance, solution)
    assert plan.violations == ()
    return plan.trucks[0]


def thirty_stops() -> tuple[Instance, Solution]:
    """Return a trailer in millimetres with thirty stops and items too small for a label."""
    return lined_up(
        [f"Customer {number} whose name is far too long for a picture" for number in range(30)],
        items=(Item(400, 300), Item(120, 150)),
        vehicle=Vehicle(2450, 13600, 10_000),
        units=Units(length_unit="mm", weight_unit="kg"),
    )


def furniture_day() -> tuple[Instance, Solution]:
    """Return two trucks in a real town: clock, great circles at a speed, addresses and euros."""
    orders: tuple[tuple[str, int, int, str, int, int | None, int], ...] = (
        ("Mme Dupont", 4885, 45770, "12 rue Neuve", 12 * 60, 14 * 60, 15),
        ("Hôtel <Adler>", 4840, 45781, "3 quai Est", 8 * 60, None, 30),
        ("Café & Co", 4801, 45742, "1 place du Pont", 0, None, 10),
        ("École", 4859, 45730, "7 rue Haute", 8 * 60, 12 * 60, 20),
    )
    customers = tuple(
        Customer(
            x=longitude,
            y=latitude,
            weight=300,
            items=(Item(12, 8, name="Sofa"), Item(12, 8)),
            name=name,
            ready=ready,
            due=due,
            service=service,
            info=(("phone", "04 00 00 00"), ("address", address), ("gate code", "=1+1")),
        )
        for name, longitude, latitude, address, ready, due, service in orders
    )
    instance = Instance(
        name="Tuesday",
        depot=(4850, 45750),
        customers=customers,
        vehicle=Vehicle(
            width=24,
            length=72,
            capacity=1000,
            name="12 t",
            fixed_cost=120,
            cost_per_distance=0.9,
            cost_per_time=0.4,
            shift_end=18 * 60,
            max_duration=480,
        ),
        vehicle_count=3,
        units=Units(
            length_scale=10,
            coordinate_scale=1000,
            length_unit="m",
            weight_unit="kg",
            distance_unit="km",
            cost_unit="EUR",
            clock=True,
        ),
        depot_ready=6 * 60,
        travel=Travel.great_circle(detour=1.35, speed=35),
        depot_name="Depot <Lyon>",
    )
    return instance, planned(instance, [(2, 1), (4, 3)])


def mixed_fleet() -> tuple[Instance, Solution]:
    """Return the furniture day with two kinds of vehicles, rules, an order left out, and locks.

    The lorry takes École and Café, the van, which alone may come to Mme Dupont, the other two, and
    a second van stays at the depot as the order of the museum does.
    """
    day, _ = furniture_day()
    dupont, hotel, cafe, school = day.customers
    customers = (
        replace(dupont, vehicles=("van",), not_with=("École",)),
        replace(hotel, position="first", leave_out_cost=75.5),
        replace(cafe, together=("École",)),
        school,
        replace(cafe, name="Museum <east>", y=45800, leave_out_cost=250),
    )
    van = Vehicle(
        width=24, length=32, capacity=700, name="van", count=2, cost_per_distance=0.5, shift_end=960
    )
    instance = replace(
        day, customers=customers, vehicles=(replace(day.vehicle, count=1), van), name="Mixed"
    )
    solution = planned(instance, [(4, 3), (2, 1)], kinds=[0, 1], left_out=[5])
    lorry, small = solution.routes
    routes = (replace(lorry, locked=True), replace(small, locked_stops=1))
    return instance, replace(solution, routes=routes)


def long_kinds() -> tuple[Instance, Solution]:
    """Return the mixed fleet with a kind, a label and a reason as long as they may be."""
    instance, _ = mixed_fleet()
    lorry, van = instance.vehicles
    long = "W" * 190
    *others, museum = instance.customers
    dupont = replace(others[0], vehicles=(long,))
    changed = replace(
        instance,
        vehicles=(lorry, replace(van, name=long)),
        customers=(dupont, *others[1:], replace(museum, name="M" * 190)),
    )
    solution = planned(changed, [(4, 3), (2, 1)], kinds=[0, 1], left_out=[5])
    (order,) = solution.left_out
    return changed, replace(solution, left_out=(replace(order, reason="W" * 500),))


def planned(
    instance: Instance,
    routes: Sequence[tuple[int, ...]],
    *,
    kinds: Sequence[int] | None = None,
    left_out: Sequence[int] = (),
) -> Solution:
    """Return a solution of routes in which every customer has two items of 12 x 8.

    ``kinds`` are those of the routes, by default the first for all.
    """
    kinds = [0] * len(routes) if kinds is None else kinds
    made = tuple(
        planned_route(
            instance.of_kind(kind),
            customers,
            tuple(
                Placement(
                    customer=customers[stop - 1],
                    item=item,
                    x=12 * (item - 1),
                    y=8 * (len(customers) - stop),
                    width=12,
                    length=8,
                    stop_index=stop,
                    load_step=2 * (len(customers) - stop) + item,
                )
                for stop in range(len(customers), 0, -1)
                for item in (1, 2)
            ),
        )
        for kind, customers in zip(kinds, routes, strict=True)
    )
    objective = instance.total_cost(zip(kinds, routes, strict=True), left_out)
    return Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status="feasible",
        objective=objective,
        lower_bound=objective / 2,
        gap=0.5,
        routes=made,
        units=instance.units,
        left_out=tuple(LeftOut(one, instance.leave_out_cost(one)) for one in left_out),
    )


def turned_load(
    *, may_turn: bool = True, names: Sequence[str] = ("A", "B"), item_name: str = "Pallet"
) -> tuple[Instance, Solution]:
    """Return two stops with three pallets each, two of the first stop turned.

    All are ordered 0.8 wide and 1.2 long on a floor 2.4 wide. The judge finds the plan valid if
    they may be turned.
    """
    pallet = Item(8, 12, name=item_name, turn=may_turn)
    instance, _ = lined_up(names, items=(pallet,) * 3, vehicle=Vehicle(24, 72, 10_000))
    straight = [
        Placement(2, item, 8 * (item - 1), 0, 8, 12, 2, load_step=item) for item in (1, 2, 3)
    ]
    others = [
        Placement(1, 1, 0, 12, 12, 8, 1, load_step=4, turned=True),
        Placement(1, 2, 12, 12, 12, 8, 1, load_step=5, turned=True),
        Placement(1, 3, 0, 20, 8, 12, 1, load_step=6),
    ]
    return instance, one_route(instance, (1, 2), [*straight, *others])
