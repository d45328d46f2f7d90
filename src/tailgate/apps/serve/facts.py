"""What runs are compared by, besides their results."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tailgate.apps.serve.job import Job
from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance, Vehicle
from tailgate.model.rounding import counted, number_text
from tailgate.model.units import with_unit
from tailgate.report.time_words import TimeWords

_METRICS = {
    "euclidean": "straight lines",
    "great-circle": "as the crow flies on the globe",
    "matrix": "road matrix",
}


def facts(instance: Instance) -> dict[str, object]:
    """Return the orders in a few lines."""
    rules = instance.conventions
    return {
        "customers": instance.n,
        "items": sum(len(customer.items) for customer in instance.customers),
        "trucks": _trucks(instance),
        "floor": _by_kind(instance, _floor),
        "payload": _by_kind(instance, _payload),
        "unloading": "straight out of the door" if rules.lifo else "items may be moved aside",
        "may be turned": _turning(instance),
        "distances": _distances(instance),
        "costs": _by_kind(instance, _costs),
        "shift and limits": _by_kind(instance, _limits),
        "may be left out": len(instance.optional),
        "single stops": "allowed" if rules.single_customer_routes == "allow" else "not allowed",
        "fingerprint": instance.sha256[:12],
    }


def _trucks(instance: Instance) -> str:
    word = "up to" if instance.conventions.fleet == "at-most" else "exactly"
    if not instance.has_kinds:
        return f"{word} {instance.vehicle_count}"
    kinds = ", ".join(f'{vehicle.count} "{vehicle.name}"' for vehicle in instance.vehicles)
    return f"{word} {kinds}"


def _turning(instance: Instance) -> str:
    """Return how many items may be turned."""
    items = [item for customer in instance.customers for item in customer.items]
    count = sum(map(instance.may_turn, items))
    if 0 < count < len(items):
        return f"{count} of {counted(len(items), 'item')}"
    return "all items" if count else "no item"


def _by_kind(instance: Instance, text: Callable[[Instance, Vehicle], str]) -> str:
    """Return what is said of the vehicles; once where it is the same for all kinds."""
    texts = {vehicle.name: text(instance, vehicle) for vehicle in instance.vehicles}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return "; ".join(f"{name}: {said}" for name, said in texts.items())


def _floor(instance: Instance, vehicle: Vehicle) -> str:
    units = instance.units
    floor = f"{units.length_text(vehicle.width)} x {units.length_text(vehicle.length)}"
    return with_unit(floor, units.length_unit)


def _payload(instance: Instance, vehicle: Vehicle) -> str:
    units = instance.units
    return with_unit(units.weight_text(vehicle.capacity), units.weight_unit)


def _distances(instance: Instance) -> str:
    travel, units = instance.travel, instance.units
    parts = [_METRICS[travel.metric]]
    if travel.detour != 1:
        parts.append(f"times {number_text(travel.detour)}")
    if travel.metric != "matrix":
        rounding = instance.conventions.distance
        places = f" to {counted(travel.decimals, 'decimal')}" if travel.decimals else ""
        parts.append(rounding + ("" if rounding == "exact" else places))
    if travel.speed is not None:
        parts.append(f"{with_unit(number_text(travel.speed), units.distance_unit)} per hour")
    return ", ".join(parts)


def _costs(instance: Instance, vehicle: Vehicle) -> str:
    units = instance.units
    if vehicle.costs_distance_only:
        return "the distance"
    per_distance, per_time = vehicle.rates
    time_unit = TimeWords(instance).unit
    parts = [
        f"{number_text(amount)} {per}"
        for amount, per in (
            (vehicle.fixed_cost, "per truck"),
            (per_distance, f"per {units.distance_unit or 'unit of distance'}"),
            (per_time, f"per {time_unit or 'unit of time'}"),
        )
        if amount
    ]
    return with_unit(
        ", ".join(parts) or "nothing", f"({units.cost_unit})" if units.cost_unit else ""
    )


def _limits(instance: Instance, vehicle: Vehicle) -> str:
    units, words = instance.units, TimeWords(instance)
    parts = []
    if vehicle.shift_start is not None:
        parts.append(f"from {words.given(vehicle.shift_start)}")
    if vehicle.shift_end is not None:
        parts.append(f"until {words.given(vehicle.shift_end)}")
    most = []
    if vehicle.max_duration is not None:
        most.append(words.duration(vehicle.max_duration))
    if vehicle.max_distance is not None:
        most.append(with_unit(number_text(vehicle.max_distance), units.distance_unit))
    if vehicle.max_stops is not None:
        most.append(counted(vehicle.max_stops, "stop"))
    if most:
        parts.append(f"at most {', '.join(most)}")
    return ", ".join(parts) or "none"


def cost_unit_of(job: Job) -> CostUnit:
    """Return in what a job's costs are, or nothing; its orders are not checked for that."""
    try:
        content = json.loads(job.instance_text)
        units = content.get("units", {})
        is_distance = all(map(_costs_its_distance, content.get("vehicles", [{}])))
        if units.get("cost"):
            return CostUnit(str(units["cost"]), is_money=True)
        return CostUnit(str(units.get("distance", "")) if is_distance else "")
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return CostUnit()


def _costs_its_distance(vehicle: dict[str, Any]) -> bool:
    rates = [vehicle.get(f"cost_per_{of}") for of in ("distance", "time")]
    is_plain = rates == [None, None] or [rate or 0 for rate in rates] == [1, 0]
    return is_plain and not vehicle.get("fixed_cost")
