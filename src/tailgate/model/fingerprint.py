"""What identifies an instance, whatever the format of its file."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tailgate.model.instance import Instance


def sha256_of(instance: Instance) -> str:
    """Return the fingerprint of the content in real units."""
    content = json.dumps(_canonical(instance), separators=(",", ":"))
    return hashlib.sha256(content.encode("ascii")).hexdigest()


def _canonical(instance: Instance) -> list[object]:
    units, vehicle = instance.units, instance.vehicle
    return [
        "tailgate-instance-1",
        [
            *map(units.length_text, (vehicle.width, vehicle.length)),
            units.weight_text(vehicle.capacity),
            instance.vehicle_count,
        ],
        [*map(units.coordinate_text, instance.depot), instance.depot_ready, instance.depot_due],
        [
            [
                *map(units.coordinate_text, (customer.x, customer.y)),
                units.weight_text(customer.weight),
                *(customer.ready, customer.due, customer.service),
                [[*map(units.length_text, (item.width, item.length))] for item in customer.items],
            ]
            for customer in instance.customers
        ],
    ]
