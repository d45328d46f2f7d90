"""What makes an instance impossible before any search: names, loads and times of one customer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tailgate.model import validation
from tailgate.model.customer import Customer
from tailgate.model.errors import InputError
from tailgate.model.rounding import number_text
from tailgate.model.units import decimal_text

if TYPE_CHECKING:
    from tailgate.model.instance import Instance

DEPOT_NAMES = frozenset({"0", "depot"})


def with_canonical_names(customers: tuple[Customer, ...]) -> tuple[Customer, ...]:
    """Drop names that only repeat the customer's number, and refuse those that confuse."""
    owners: dict[str, int] = {}
    for number, customer in enumerate(customers, start=1):
        label = customer.name or str(number)
        argument = f"customers[{number - 1}].name"
        if label.casefold() in DEPOT_NAMES:
            raise InputError(
                f"{validation.shown(label)} means the depot, which is not among the customers",
                field=argument,
            )
        if label in owners:
            raise InputError(
                f"customers {owners[label]} and {number} are both called {validation.shown(label)}",
                field=argument,
            )
        owners[label] = number
    numbers = {str(number) for number in range(1, len(customers) + 1)}
    if owners.keys() == numbers and any(label != str(own) for label, own in owners.items()):
        raise InputError(
            f"the customers are named 1 to {len(customers)}, but are not in that order; sort "
            "them by name, so that names and numbers agree",
            field="customers",
        )
    return tuple(
        replace(customer, name="") if customer.name == str(number) else customer
        for number, customer in enumerate(customers, start=1)
    )


def check_load(instance: Instance, number: int) -> None:
    """Refuse a customer whose own items are too large or too heavy for an empty vehicle."""
    customer, place = instance.customers[number - 1], f"customers[{number - 1}]"
    units, vehicle = instance.units, instance.vehicle
    for index, item in enumerate(customer.items):
        for side in ("width", "length"):
            size, floor = getattr(item, side), getattr(vehicle, side)
            if size > floor:
                raise InputError(
                    f"item {index + 1} of customer {instance.label(number)} has {side} "
                    f"{units.length_text(size)}, more than the vehicle's floor "
                    f"({units.length_text(floor)}); items are not rotated",
                    field=f"{place}.items[{index}].{side}",
                )
    if customer.weight > vehicle.capacity:
        raise InputError(
            f"customer {instance.label(number)} weighs {units.weight_text(customer.weight)}, more "
            f"than the vehicle's capacity {units.weight_text(vehicle.capacity)}",
            field=f"{place}.weight",
        )
    if customer.area > vehicle.area:
        squared = units.length_scale**2
        raise InputError(
            f"the items of customer {instance.label(number)} cover "
            f"{decimal_text(customer.area, squared)}, more than the vehicle's floor area "
            f"{decimal_text(vehicle.area, squared)}",
            field=f"{place}.items",
        )


def check_windows(instance: Instance) -> None:
    """Refuse customers who cannot be served in time, neither directly nor by a detour."""
    numbers = range(1, instance.n + 1)
    suspects = [number for number in numbers if not instance.is_in_time((number,))]
    if not suspects:
        return
    arrivals = instance.earliest_arrivals(0, instance.depot_ready)
    for number in suspects:
        customer, place = instance.customers[number - 1], f"customers[{number - 1}]"
        arrival = arrivals[number]
        if customer.due is not None and instance.is_late(number, arrival):
            raise InputError(
                f"customer {instance.label(number)} is due by {number_text(customer.due)}, but "
                f"a vehicle that leaves the depot at {number_text(instance.depot_ready)} arrives "
                f"at {number_text(arrival)} at the earliest",
                field=f"{place}.due",
            )
        leaves = max(arrival, customer.ready) + customer.service
        back = instance.earliest_arrivals(number, leaves)[0]
        if instance.depot_due is None or not instance.is_late(0, back):
            continue
        # Name what costs most of the time, if it is not the drive itself.
        wait = max(0, customer.ready - arrival)
        cause = "depot_due"
        if wait or customer.service:
            cause = f"{place}.ready" if wait > customer.service else f"{place}.service"
        raise InputError(
            f"a vehicle that serves customer {instance.label(number)} is back at "
            f"{number_text(back)} at the earliest, after the depot's due time "
            f"{number_text(instance.depot_due)}",
            field=cause,
        )
