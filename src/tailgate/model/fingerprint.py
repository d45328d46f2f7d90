"""What identifies an instance, whatever the format of its file."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from tailgate.model.exact import fraction_of
from tailgate.model.travel import KILOMETRES_PER_UNIT, SECONDS_PER_UNIT

if TYPE_CHECKING:
    from tailgate.model.instance import Instance


def sha256_of(instance: Instance) -> str:
    """Return the fingerprint of the content in real units."""
    content = json.dumps(_canonical(instance) + _beyond_format_1(instance), separators=(",", ":"))
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


def _beyond_format_1(instance: Instance) -> list[object]:
    """Return what format 1 cannot say; nothing if there is none, so that its fingerprints stay.

    Names, units' names and info mean nothing to a plan. But a speed turns distances into times of
    a named unit, and on the globe a named unit measures the sphere.
    """
    travel, vehicle, units = instance.travel, instance.vehicle, instance.units
    if travel.is_plain and vehicle.is_plain_but_for_its_name:
        return []
    matrices = (travel.distances, travel.durations)
    return [
        "tailgate-instance-2",
        [
            *(travel.metric, str(fraction_of(travel.detour)), travel.decimals),
            None if travel.speed is None else str(fraction_of(travel.speed)),
            *(None if matrix is None else matrix.digest for matrix in matrices),
            SECONDS_PER_UNIT[units.time_unit] if travel.speed is not None else None,
            str(KILOMETRES_PER_UNIT[units.distance_unit])
            if travel.metric == "great-circle"
            else None,
        ],
        [
            None if value is None else str(fraction_of(value))
            for value in (
                *(vehicle.fixed_cost, *vehicle.rates, vehicle.shift_start, vehicle.shift_end),
                *(vehicle.max_duration, vehicle.max_distance, vehicle.max_stops),
            )
        ],
    ]
