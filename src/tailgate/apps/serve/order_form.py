"""What the page edits: a draft as a form, whose cells are text.

It has the fields of the JSON format, so that the path of a complaint is the path of a cell.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from tailgate.apps.serve.form_roads import Form, roads_form
from tailgate.io.clock_times import exact_clock_text
from tailgate.io.draft import ONE, Draft, DraftCustomer, DraftTravel, DraftVehicle, Time
from tailgate.io.name_lists import joined_names
from tailgate.model.errors import InputError
from tailgate.model.matrix import plain

UNITS = ("length", "weight", "distance", "time", "cost")
USUAL_INFO = ("address", "phone", "note")
"""What every form has a column for."""
# Beyond, a plain notation would be a page of zeros.
_MOST_PLAIN_DIGITS = 30


def form_of(draft: Draft) -> Form:
    """Return a draft as text to edit."""
    _refuse_other_places(draft)
    columns = _info_columns(draft)
    kinds = {vehicle.name for vehicle in draft.vehicles}
    labels = draft_labels(draft)
    x, y = draft.axes if draft.travel.coordinates != "none" else ("", "")
    return {
        "name": draft.name,
        "units": {name: getattr(draft.units, name) for name in UNITS},
        "conventions": {**draft.conventions.to_dict(), "turn": draft.conventions.turn},
        "travel": _travel_form(draft.travel),
        "vehicles": [_vehicle_form(vehicle) for vehicle in draft.vehicles],
        "depot": {
            "name": draft.depot_name,
            **_coordinates({x: draft.depot_x, y: draft.depot_y}),
            "ready": _depot_ready(draft),
            "due": _time_text(draft.depot_due),
        },
        "info": columns,
        "customers": [
            {
                "place": str(number),
                **_coordinates({x: customer.x, y: customer.y}),
                **_customer_form(customer),
                **_rules_form(customer, kinds, labels),
                "info": [customer.info.get(name, "") for name in columns],
            }
            for number, customer in enumerate(draft.customers, start=1)
        ],
    }


def _refuse_other_places(draft: Draft) -> None:
    """Complain about a matrix over other places, whose rows would be taken for those of others."""
    wanted = len(draft.customers) + 1
    for field in ("distances", "durations"):
        matrix = getattr(draft.travel, field)
        if matrix is not None and matrix.places != wanted:
            raise InputError(
                f"must be over {wanted} places, the depot and {wanted - 1} customers, got "
                f"{matrix.places}",
                field=field,
            )


def _travel_form(travel: DraftTravel) -> Form:
    return {
        "metric": travel.metric,
        "coordinates": travel.coordinates,
        "detour": "" if travel.detour == ONE else _text(travel.detour),
        "decimals": str(travel.decimals or ""),
        "speed": _text(travel.speed),
        "roads": roads_form(travel),
    }


def _vehicle_form(vehicle: DraftVehicle) -> Form:
    return {
        "name": vehicle.name,
        "width": _text(vehicle.width),
        "length": _text(vehicle.length),
        "capacity": _text(vehicle.capacity),
        "count": str(vehicle.count),
        "fixed_cost": _text(vehicle.fixed_cost or None),
        "cost_per_distance": _text(vehicle.cost_per_distance),
        "cost_per_time": _text(vehicle.cost_per_time),
        "shift_start": _time_text(vehicle.shift_start),
        "shift_end": _time_text(vehicle.shift_end),
        "max_duration": _time_text(vehicle.max_duration),
        "max_distance": _text(vehicle.max_distance),
        "max_stops": "" if vehicle.max_stops is None else str(vehicle.max_stops),
    }


def _coordinates(values: dict[str, Decimal]) -> dict[str, str]:
    return {axis: _text(values.get(axis)) for axis in ("x", "y", "lat", "lon")}


def _depot_ready(draft: Draft) -> str:
    """Return when the depot opens; midnight is said where nothing else tells a clock's times."""
    if draft.clock and not any(isinstance(time, Fraction) for time in _times(draft)):
        return exact_clock_text(0)
    return _time_text(draft.depot_ready or None)


def _times(draft: Draft) -> Iterator[Time | None]:
    """Yield what would be shown as a clock's time."""
    yield from (draft.depot_ready or None, draft.depot_due)
    for vehicle in draft.vehicles:
        yield from (vehicle.shift_start, vehicle.shift_end, vehicle.max_duration)
    for customer in draft.customers:
        yield from (customer.ready or None, customer.due, customer.service or None)


def _info_columns(draft: Draft) -> list[str]:
    """Return what the orders have, in their order, and the usual ones."""
    names = (name for customer in draft.customers for name in customer.info)
    return list(dict.fromkeys((*names, *USUAL_INFO)))


def _customer_form(customer: DraftCustomer) -> Form:
    return {
        "name": customer.name,
        "weight": _text(customer.weight),
        "ready": _time_text(customer.ready or None),
        "due": _time_text(customer.due),
        "service": _time_text(customer.service or None),
        "items": [
            {
                "name": name,
                "width": _text(width),
                "length": _text(length),
                "quantity": str(sum(item.quantity for item in equal)),
                "turn": "yes" if turn else "",
            }
            # Some formats have a row for every single item; people count equal ones.
            for (name, width, length, turn), equal in itertools.groupby(
                customer.items, key=lambda item: (item.name, item.width, item.length, item.turn)
            )
        ],
    }


def draft_labels(draft: Draft) -> set[str]:
    """Return what people call the customers: their names, or their numbers."""
    return {one.name or str(number) for number, one in enumerate(draft.customers, start=1)}


def _rules_form(customer: DraftCustomer, kinds: set[str], labels: set[str]) -> Form:
    return {
        "leave_out_cost": _text(customer.leave_out_cost),
        "vehicles": joined_names(customer.vehicles or (), kinds),
        "not_with": joined_names(customer.not_with, labels),
        "together": joined_names(customer.together, labels),
        "position": customer.position or "",
    }


def _text(number: Decimal | None) -> str:
    if number is None:
        return ""
    if number.is_finite() and abs(number.adjusted()) < _MOST_PLAIN_DIGITS:
        return f"{number:f}"
    return str(number)


def _time_text(time: Time | None) -> str:
    return exact_clock_text(plain(time)) if isinstance(time, Fraction) else _text(time)
