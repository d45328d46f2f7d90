"""Instances whose sums alone show that there is no plan."""

from __future__ import annotations

from tailgate.model.instance import Instance


def is_trivially_infeasible(instance: Instance) -> bool:
    """Return whether weight, area or the number of stops exceeds what the fleet allows."""
    conventions, trucks = instance.conventions, instance.vehicle_count
    shortest = 2 if conventions.single_customer_routes == "forbid" else 1
    return (
        sum(customer.weight for customer in instance.customers) > trucks * instance.vehicle.capacity
        or sum(customer.area for customer in instance.customers) > trucks * instance.vehicle.area
        or instance.n > trucks * (instance.vehicle.max_stops or instance.n)
        or (conventions.fleet == "exactly" and shortest * trucks > instance.n)
    )
