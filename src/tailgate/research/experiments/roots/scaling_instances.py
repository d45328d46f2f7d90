"""Generated instances in which one thing grows and the others stay: n, K, items or fill."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from tailgate.model.errors import TailgateError
from tailgate.model.instance import Instance
from tailgate.research.experiments.experiment import Setting
from tailgate.research.experiments.instances import Chosen
from tailgate.research.generate import DISTRIBUTIONS, build_proven_routes, generate_instance

AXES = {
    "n": "customers",
    "K": "vehicles",
    "items": "items per customer",
    "fill": "fill of all floors, %",
}
CLASS_AXES = {f"class {group}": f"customers, class {group}" for group in (2, 3, 4)}
_CLASS_SIZES, _QUICK_CLASS_SIZES = (15, 25, 40, 60, 80, 100), (8, 11)
_CLASS, _ITEM_CLASS = 3, 5
"""Class 3 is in the middle; the small items of class 5 fit a truck also where there are many."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What is measured of each axis."""

    customers: Sequence[int]
    fixed_customers: int
    """Where something else grows."""
    floor_lengths: Sequence[int]
    """Of the trucks, from long to short: shorter ones mean more of them."""
    items: Sequence[int]
    spare_vehicles: Sequence[int]
    """More than are needed: every one lowers the fill."""
    seeds: int


FULL = Sizes(
    customers=(15, 20, 30, 40, 60, 80),
    fixed_customers=24,
    floor_lengths=(80, 68, 60, 52, 46, 40),
    items=(1, 2, 3, 4),
    spare_vehicles=(0, 1, 2, 3, 4),
    seeds=5,
)
QUICK = Sizes(
    customers=(8, 11, 14),
    fixed_customers=12,
    floor_lengths=(80, 56, 40),
    items=(1, 2, 3),
    spare_vehicles=(0, 1),
    seeds=2,
)


@dataclass(frozen=True, slots=True)
class Point:
    """An instance, and where it stands on its axis."""

    axis: str
    x: float
    chosen: Chosen


def points(setting: Setting) -> list[Point]:
    """Return all instances; one that cannot be made is left out."""
    sizes = QUICK if setting.quick else FULL
    found = []
    for number in range(sizes.seeds):
        seed = setting.seed + number + 1
        distribution = DISTRIBUTIONS[number % len(DISTRIBUTIONS)]
        make = partial(generate_instance, distribution=distribution, seed=seed)
        for n in sizes.customers:
            instance = make(n, _CLASS)
            found.append(_point("n", n, instance, instance.name))
        base, rich = (make(sizes.fixed_customers, number) for number in (_CLASS, _ITEM_CLASS))
        found += [
            _point("K", instance.vehicle_count, instance, f"{base.name}-floor{length}")
            for length in sizes.floor_lengths
            for instance in _with_floor(base, length, seed)
        ]
        found += [
            _point("fill", _fill(instance), instance, f"{base.name}-spare{spare}")
            for spare in sizes.spare_vehicles
            for instance in _with_spare_vehicles(base, spare)
        ]
        found += [
            _point("items", count, instance, f"{rich.name}-items{count}")
            for count in sizes.items
            for instance in _with_items(rich, count, seed)
        ]
    return found


def class_points(setting: Setting) -> list[Point]:
    """Return three instances of each size and class, small ones first."""
    found = []
    for n in _QUICK_CLASS_SIZES if setting.quick else _CLASS_SIZES:
        for axis in CLASS_AXES:
            for seed, distribution in enumerate(DISTRIBUTIONS, start=setting.seed + 1):
                group = int(axis.split()[1])
                instance = generate_instance(n, group, distribution=distribution, seed=seed)
                chosen = Chosen(instance.name, "generated", group, instance)
                found.append(Point(axis, n, chosen))
    return found


def _point(axis: str, x: float, instance: Instance, name: str) -> Point:
    return Point(axis, x, Chosen(name, "generated", 0, instance))


def _fill(instance: Instance) -> float:
    area = sum(customer.area for customer in instance.customers)
    return 100 * area / (instance.vehicle_count * instance.vehicle.area)


def _with_floor(base: Instance, length: int, seed: int) -> list[Instance]:
    """Return it with longer trucks, and as many of them as it takes to carry everything."""
    vehicle = replace(base.vehicle, length=length)
    return _with_fleet(replace(base, vehicle=vehicle, vehicle_count=base.n), seed)


def _with_spare_vehicles(base: Instance, spare: int) -> list[Instance]:
    """Return it with more trucks, if each still has two customers."""
    count = base.vehicle_count + spare
    return [replace(base, vehicle_count=count)] if 2 * count <= base.n else []


def _with_items(base: Instance, count: int, seed: int) -> list[Instance]:
    """Return it with so many items for every customer, taken in turns from all that there are."""
    items = [item for customer in base.customers for item in customer.items]
    turns = itertools.cycle(items)
    customers = tuple(
        replace(customer, items=tuple(itertools.islice(turns, count)))
        for customer in base.customers
    )
    return _with_fleet(replace(base, customers=customers, vehicle_count=base.n), seed)


def _with_fleet(instance: Instance, seed: int) -> list[Instance]:
    """Give it a fleet that is proven to be large enough, or return nothing."""
    try:
        area = sum(customer.area for customer in instance.customers)
        enough = math.ceil(area / instance.vehicle.area)
        routes = build_proven_routes(instance, seed=seed, enough=enough)
    except TailgateError:
        return []
    return [] if routes is None else [replace(instance, vehicle_count=len(routes))]
