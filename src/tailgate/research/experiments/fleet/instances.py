"""Generated days of a mixed fleet, with and without loading."""

from __future__ import annotations

from dataclasses import replace

from tailgate.model.instance import Instance
from tailgate.research.generate import DISTRIBUTIONS, RoadOptions, generate_instance
from tailgate.research.generate.fleet_options import FleetOptions

COUNT, QUICK_COUNT = 20, 2
SIZES, QUICK_SIZES = (20, 30, 40, 50, 60), (10,)
CLASSES = (2, 3, 4)
ROADS = RoadOptions(shift_hours=8, costs=(60, 0.9, 0.4))
FLEET = FleetOptions(kinds=3, optional_percent=40)
TIGHT_SHARE = (2, 3)
"""Of the vehicles, in every other pair of instances: some orders stay."""


def fleet_instance(number: int, seed: int, *, quick: bool) -> Instance:
    """Return one of the instances of a run; sizes, places, windows and vehicles go round."""
    sizes = QUICK_SIZES if quick else SIZES
    instance = generate_instance(
        sizes[number % len(sizes)],
        CLASSES[number % len(CLASSES)],
        distribution=DISTRIBUTIONS[number % len(DISTRIBUTIONS)],
        time_windows=number % 2 == 1,
        roads=ROADS,
        fleet=FLEET,
        seed=1000 * seed + number,
    )
    if number % 4 < 2:
        return instance
    part, whole = TIGHT_SHARE
    vehicles = tuple(
        replace(kind, count=max(1, kind.count * part // whole)) for kind in instance.vehicles
    )
    return replace(instance, vehicles=vehicles)


def without_loading(instance: Instance) -> Instance:
    """Return the same orders without their items: weights, times and costs remain."""
    customers = tuple(replace(customer, items=()) for customer in instance.customers)
    return replace(instance, customers=customers)
