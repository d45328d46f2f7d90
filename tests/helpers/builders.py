"""Small instances and solutions, built by hand, that several test files share."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tailgate.model.instance import Conventions, Customer, Instance, Item, Units, Vehicle
from tailgate.model.solution import Placement, Route, Solution

REPOSITORY = Path(__file__).resolve().parents[2]


def benchmark_folder() -> Path | None:
    """Return the folder of the published benchmark files, if this machine has it."""
    default = REPOSITORY.parent / "shared" / "benchmark" / "2l_cvrp"
    folder = Path(os.environ.get("TAILGATE_BENCHMARK_DIR", default))
    return folder if folder.is_dir() else None


def four_in_a_row() -> Instance:
    """Four customers in a row, any two of which fill a truck; at 5, 10, 15 and 20 from the depot.

    Far ones go together and near ones go together: 40 + 20.
    """
    return Instance(
        name="row",
        depot=(0, 0),
        customers=tuple(
            Customer(x=3 * number, y=4 * number, weight=1, items=(Item(10, 10),))
            for number in range(1, 5)
        ),
        vehicle=Vehicle(width=10, length=20, capacity=9),
        vehicle_count=2,
        conventions=Conventions.BENCHMARK,
    )


def small_instance(**changes: Any) -> Instance:
    """Four customers at integral distances, two vehicles with a floor 4 wide and 6 long."""
    arguments: dict[str, Any] = {
        "name": "small",
        "depot": (0, 0),
        "customers": (
            Customer(3, 4, 10, (Item(2, 3), Item(2, 2)), due=9, service=1),
            Customer(6, 8, 20, (Item(4, 2),), ready=12),
            Customer(0, 5, 30, (Item(2, 2),)),
            Customer(0, 12, 40, (Item(3, 3), Item(1, 2))),
        ),
        "vehicle": Vehicle(width=4, length=6, capacity=70),
        "vehicle_count": 2,
        "conventions": Conventions.BENCHMARK,
        "depot_due": 30,
    }
    return Instance(**(arguments | changes))


def one_customer(x: int, y: int, item: Item, vehicle: Vehicle, **changes: Any) -> Instance:
    """Return an instance of one customer, whose weight and item a single vehicle takes."""
    customer = Customer(x=x, y=y, weight=vehicle.capacity, items=(item,))
    arguments: dict[str, Any] = {"name": "one", "depot": (0, 0), "vehicle_count": 1}
    return Instance(customers=(customer,), vehicle=vehicle, **(arguments | changes))


def small_solution(instance: Instance | None = None, **changes: Any) -> Solution:
    """Return a valid solution of ``small_instance``, in which every distance is an integer.

    Route 1 waits at customer 2 (arrival 11, ready 12) and is back at 22. Customer 2 lies across the
    cab end of the floor, customer 1 in two columns before it. In route 2 customer 4 is at the cab.
    """
    instance = small_instance() if instance is None else instance
    arguments: dict[str, Any] = {
        "instance_name": instance.name,
        "instance_sha256": instance.sha256,
        "conventions": instance.conventions,
        "status": "optimal",
        "objective": 44,
        "lower_bound": 44,
        "gap": 0,
        "routes": (
            Route(
                customers=(1, 2),
                cost=20,
                weight=30,
                area=18,
                placements=(
                    Placement(2, 1, x=0, y=0, width=4, length=2, stop_index=2, load_step=1),
                    Placement(1, 1, x=0, y=2, width=2, length=3, stop_index=1, load_step=2),
                    Placement(1, 2, x=2, y=2, width=2, length=2, stop_index=1, load_step=3),
                ),
            ),
            Route(
                customers=(3, 4),
                cost=24,
                weight=70,
                area=15,
                placements=(
                    Placement(4, 1, x=0, y=0, width=3, length=3, stop_index=2, load_step=1),
                    Placement(4, 2, x=3, y=0, width=1, length=2, stop_index=2, load_step=2),
                    Placement(3, 1, x=0, y=3, width=2, length=2, stop_index=1, load_step=3),
                ),
            ),
        ),
        "solver": {"version": "0", "seed": 1, "options": {}, "seconds": 0.5},
    }
    return Solution(**(arguments | changes))


def one_route(
    instance: Instance, customers: tuple[int, ...], placements: Iterable[Placement] = ()
) -> Solution:
    """Return the solution with a single route."""
    cost = instance.route_cost(customers)
    visited = [instance.customer(number) for number in customers]
    route = Route(
        customers=customers,
        cost=cost,
        weight=sum(customer.weight for customer in visited),
        area=sum(customer.area for customer in visited),
        placements=tuple(placements),
    )
    return Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status="feasible",
        objective=cost,
        lower_bound=None,
        gap=None,
        routes=(route,),
        units=instance.units,
    )


def with_route(solution: Solution, index: int, **changes: Any) -> Solution:
    """Return the solution with one route (counted from 0) changed."""
    routes = list(solution.routes)
    routes[index] = replace(routes[index], **changes)
    return replace(solution, routes=tuple(routes))


def with_placement(solution: Solution, route: int, index: int, **changes: Any) -> Solution:
    """Return the solution with one placement of one route (both from 0) changed."""
    placements = list(solution.routes[route].placements)
    placements[index] = replace(placements[index], **changes)
    return with_route(solution, route, placements=tuple(placements))


def real_values(instance: Instance) -> tuple[object, ...]:
    """Return everything an instance means, independent of its scales."""
    units = instance.units
    return (
        instance.name,
        instance.conventions,
        (units.length_unit, units.weight_unit, units.distance_unit),
        (units.time_unit, units.cost_unit, units.clock),
        (instance.travel, instance.depot_name),
        (instance.depot_ready, instance.depot_due),
        [
            (
                replace(vehicle, width=1, length=1, capacity=1),
                Fraction(vehicle.width, units.length_scale),
                Fraction(vehicle.length, units.length_scale),
                Fraction(vehicle.capacity, units.weight_scale),
            )
            for vehicle in instance.vehicles
        ],
        tuple(Fraction(value, units.coordinate_scale) for value in instance.depot),
        [
            (
                c.name,
                Fraction(c.x, units.coordinate_scale),
                Fraction(c.y, units.coordinate_scale),
                Fraction(c.weight, units.weight_scale),
                (c.ready, c.due, c.service, c.info),
                (c.leave_out_cost, c.vehicles, c.not_with, c.together, c.position),
                [
                    (
                        i.name,
                        Fraction(i.width, units.length_scale),
                        Fraction(i.length, units.length_scale),
                    )
                    for i in c.items
                ],
            )
            for c in instance.customers
        ],
    )


names = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp", "Zs")), min_size=1, max_size=8
).filter(lambda name: name.casefold() not in ("0", "depot"))
times = st.integers(0, 1000) | st.floats(0, 1000, allow_nan=False).map(lambda t: round(t, 3))


@st.composite
def instances(draw: st.DrawFn, named: bool = True, timed: bool = True) -> Instance:
    """Instances of any scale, with or without names and times, in the readers' canonical form."""
    length_places, weight_places, place_places = (draw(st.integers(0, 4)) for _ in range(3))
    width, length = draw(st.integers(1, 10**5)), draw(st.integers(1, 10**5))
    # An unnamed customer is called by its number.
    own = names.filter(lambda name: name not in "1234")
    labels = iter(draw(st.lists(own, min_size=4, max_size=4, unique=True)))
    sizes = st.tuples(st.integers(1, max(1, width // 3)), st.integers(1, max(1, length // 3)))
    customers = []
    for _ in range(draw(st.integers(1, 4))):
        chosen = draw(st.lists(sizes, max_size=3))
        kinds = [
            Item(*size, draw(names) if named and draw(st.booleans()) else "") for size in chosen
        ]
        items = [kind for kind in kinds for _ in range(draw(st.integers(1, 2)))]
        while sum(item.area for item in items) > width * length:
            items.pop()
        ready = draw(times) if timed else 0
        customers.append(
            Customer(
                draw(st.integers(-(10**5), 10**5)),
                draw(st.integers(-(10**5), 10**5)),
                draw(st.integers(0, 10**6)),
                tuple(items),
                name=next(labels) if named and draw(st.booleans()) else "",
                ready=ready,
                due=ready + 10**6 if timed and draw(st.booleans()) else None,
                service=draw(times) if timed else 0,
            )
        )
    unit_names = st.sampled_from(("", "m", "kg", "µm"))
    return Instance(
        name=draw(names) if named else "x",
        depot=(draw(st.integers(-(10**5), 10**5)), draw(st.integers(-(10**5), 10**5))),
        customers=tuple(customers),
        vehicle=Vehicle(width, length, draw(st.integers(10**6, 10**9))),
        vehicle_count=draw(st.integers(1, 9)),
        conventions=Conventions(
            draw(st.sampled_from(("truncated", "rounded", "exact"))),
            draw(st.sampled_from(("exactly", "at-most"))),
            draw(st.sampled_from(("forbid", "allow"))),
            draw(st.booleans()),
        ),
        units=Units(
            10**length_places,
            10**weight_places,
            10**place_places,
            length_unit=draw(unit_names) if named else "",
            weight_unit=draw(unit_names) if named else "",
            distance_unit=draw(unit_names) if named else "",
        ),
        depot_ready=draw(times) if timed else 0,
        depot_due=10**7 if timed and draw(st.booleans()) else None,
    )
