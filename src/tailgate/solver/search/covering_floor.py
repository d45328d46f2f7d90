"""A floor that covers those of all kinds of vehicles: what it cannot hold, none of them can."""

from __future__ import annotations

from collections.abc import Sequence

from tailgate.model.instance import Customer, Instance, Vehicle
from tailgate.solver.loading import LoadingOracle


def covering_oracle(instance: Instance, oracles: Sequence[LoadingOracle] = ()) -> LoadingOracle:
    """Return an oracle whose refusals hold for every kind.

    Where one kind has the widest and the longest floor, it is that one's, if `oracles` has those of
    the kinds.
    """
    vehicles = [vehicle for vehicle in instance.vehicles if vehicle.count]
    width = max(vehicle.width for vehicle in vehicles)
    length = max(vehicle.length for vehicle in vehicles)
    for vehicle, oracle in zip(instance.vehicles, oracles, strict=False):
        if vehicle.count and (vehicle.width, vehicle.length) == (width, length):
            return oracle
    capacity = max(vehicle.capacity for vehicle in vehicles)
    return LoadingOracle(_loads_alone(instance, Vehicle(width, length, capacity)))


def _loads_alone(instance: Instance, vehicle: Vehicle) -> Instance:
    """Return the same items with another vehicle, and nothing that could refuse it."""
    customers = (
        Customer(one.x, one.y, one.weight, one.items, one.name, leave_out_cost=0)
        for one in instance.customers
    )
    return Instance(
        instance.name,
        instance.depot,
        tuple(customers),
        vehicle,
        conventions=instance.conventions,
        units=instance.units,
    )
