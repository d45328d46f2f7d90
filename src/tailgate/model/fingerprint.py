"""What identifies an instance, whatever the format of its file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tailgate.model.exact import fraction_of
from tailgate.model.travel import KILOMETRES_PER_UNIT, SECONDS_PER_UNIT

if TYPE_CHECKING:
    from tailgate.model.instance import Instance
    from tailgate.model.vehicle import Vehicle


def sha256_of(instance: Instance) -> str:
    """Return the fingerprint of the content in real units."""
    content = json.dumps(_canonical(instance) + _beyond_format_1(instance), separators=(",", ":"))
    return hashlib.sha256(content.encode("ascii")).hexdigest()


def _canonical(instance: Instance) -> list[object]:
    units = instance.units
    kinds = [
        [
            *map(units.length_text, (vehicle.width, vehicle.length)),
            units.weight_text(vehicle.capacity),
            vehicle.count,
        ]
        for vehicle in instance.vehicles
    ]
    return [
        "tailgate-instance-1",
        kinds if instance.has_kinds else kinds[0],
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
    travel, units = instance.travel, instance.units
    rules, turned = _rules(instance), _turned(instance)
    is_plain = all(vehicle.is_plain_but_for_its_name for vehicle in instance.vehicles)
    if travel.is_plain and is_plain and not instance.has_kinds and not rules and not turned:
        return []
    matrices = (travel.distances, travel.durations)
    kinds = [_beyond_a_floor(vehicle) for vehicle in instance.vehicles]
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
        kinds if instance.has_kinds else kinds[0],
        *([rules] if rules else []),
        *([turned] if turned else []),
    ]


def _turned(instance: Instance) -> dict[str, list[list[int]]]:
    """Return which items may be turned, by customer and place in its list; an object if any may.

    Rules are a list, so the two cannot be taken for each other.
    """
    places = [
        [number, index]
        for number, customer in enumerate(instance.customers, start=1)
        for index, item in enumerate(customer.items, start=1)
        if item.turn
    ]
    return {"turn": places} if places else {}


def _beyond_a_floor(vehicle: Vehicle) -> list[str | None]:
    return [
        None if value is None else str(fraction_of(value))
        for value in (
            *(vehicle.fixed_cost, *vehicle.rates, vehicle.shift_start, vehicle.shift_end),
            *(vehicle.max_duration, vehicle.max_distance, vehicle.max_stops),
        )
    ]


def _rules(instance: Instance) -> list[object]:
    """Return what customers demand, by numbers, whoever of two customers says it."""
    rules, names = instance.rules, [vehicle.name for vehicle in instance.vehicles]
    kinds = {
        number: [kind for kind, name in enumerate(names) if name in customer.vehicles]
        for number, customer in enumerate(instance.customers, start=1)
        if customer.vehicles is not None and not set(names) <= set(customer.vehicles)
    }
    costs = {
        number: str(fraction_of(instance.leave_out_cost(number)))
        for number in sorted(instance.optional)
    }
    first_stops = [
        [instance.number_of(label) for label in vehicle.first_stops]
        for vehicle in instance.vehicles
    ]
    content: list[Sequence[object]] = [
        [*costs.items()],
        [*kinds.items()],
        sorted(rules.apart),
        sorted(map(sorted, rules.groups)),
        sorted(rules.first),
        sorted(rules.last),
        first_stops if any(first_stops) else [],
    ]
    return [*content] if any(content) else []
