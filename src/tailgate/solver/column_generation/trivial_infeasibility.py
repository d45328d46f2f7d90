"""Instances whose sums alone show that there is no plan."""

from __future__ import annotations

from tailgate.model.instance import Instance


def is_trivially_infeasible(instance: Instance) -> bool:
    """Return whether weight, area or the number of stops exceeds what the fleet allows.

    Of a route one stop is the first, and one the last.
    """
    conventions, vehicles = instance.conventions, instance.vehicles
    shortest = 2 if conventions.single_customer_routes == "forbid" else 1
    optional = instance.optional
    must_be_served = [
        customer
        for number, customer in enumerate(instance.customers, start=1)
        if number not in optional
    ]
    rules = instance.rules
    return (
        any(
            len(position - instance.optional) > instance.vehicle_count
            for position in (rules.first, rules.last)
        )
        or sum(customer.weight for customer in must_be_served)
        > sum(vehicle.count * vehicle.capacity for vehicle in vehicles)
        or sum(customer.area for customer in must_be_served)
        > sum(vehicle.count * vehicle.area for vehicle in vehicles)
        or len(must_be_served)
        > sum(vehicle.count * (vehicle.max_stops or instance.n) for vehicle in vehicles)
        or (conventions.fleet == "exactly" and shortest * instance.vehicle_count > instance.n)
    )
