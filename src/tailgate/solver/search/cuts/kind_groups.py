"""Customers by the kinds of vehicles that may serve them, and what the largest of these hold.

A truck that comes to a customer whom only vans may serve is a van. So on any route the load of such
customers is within what the largest van holds, while the load of all customers is only within what
the largest vehicle of all holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tailgate.model.customer import Customer
from tailgate.model.instance import Instance

MAX_GROUPS = 6
"""Each has loads of its own, and all of them are looked at for every set of customers."""


@dataclass(frozen=True, slots=True)
class KindGroup:
    """Customers whom no vehicle but those of some kinds may serve, and what these hold at most."""

    kinds: tuple[int, ...]
    customers: frozenset[int]
    width: int
    length: int
    """Of a floor that covers the floors of all these kinds."""
    area: int
    """Of the largest floor."""
    capacity: int

    def amounts(self, instance: Instance, amount: Callable[[Customer], int]) -> tuple[int, ...]:
        """Return an amount by customer: zero for the depot, and for customers of no interest."""
        return (
            0,
            *(
                amount(customer) if number in self.customers else 0
                for number, customer in enumerate(instance.customers, start=1)
            ),
        )


def kind_groups(instance: Instance) -> list[KindGroup]:
    """Return the group of all customers, and then those of whom fewer kinds may serve."""
    kinds = [kind for kind, vehicle in enumerate(instance.vehicles) if vehicle.count]
    accepted = {
        number: frozenset(kind for kind in kinds if instance.accepts(number, kind))
        for number in range(1, instance.n + 1)
    }
    # Whom nobody can serve is always left out, and fills nothing.
    servable = {number: own for number, own in accepted.items() if own}
    members: dict[frozenset[int], frozenset[int]] = {frozenset(kinds): frozenset(servable)}
    for group in sorted(set(servable.values()), key=sorted):
        within = (number for number, own in servable.items() if own <= group)
        members.setdefault(group, frozenset(within))
    everybody, *others = members.items()
    others.sort(key=lambda entry: (-len(entry[1]), sorted(entry[0])))
    useful = [entry for entry in others if len(entry[1]) > 1][: MAX_GROUPS - 1]
    return [_group(instance, *entry) for entry in (everybody, *useful)]


def _group(instance: Instance, kinds: frozenset[int], customers: frozenset[int]) -> KindGroup:
    vehicles = [instance.vehicles[kind] for kind in kinds]
    return KindGroup(
        tuple(sorted(kinds)),
        customers,
        max(vehicle.width for vehicle in vehicles),
        max(vehicle.length for vehicle in vehicles),
        max(vehicle.area for vehicle in vehicles),
        max(vehicle.capacity for vehicle in vehicles),
    )
