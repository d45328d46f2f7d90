"""Writing of format ``tailgate-instance-2``."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from tailgate.io.clock_times import exact_clock_text
from tailgate.io.json_parts import item_contents, stated
from tailgate.io.json_reader_2 import FORMAT_2
from tailgate.io.matrix_file import FIELDS, UNIT_FIELDS
from tailgate.io.matrix_square import stated_in
from tailgate.model.exact import fraction_of
from tailgate.model.instance import Customer, Instance, Vehicle
from tailgate.model.json_document import format_json
from tailgate.model.matrix import NO_ROAD
from tailgate.model.units import Units


def content_2(instance: Instance, matrix_file: str = "") -> dict[str, object]:
    """Return an instance as the file has it; its matrices may be in a file beside it."""
    units = instance.units
    names = {
        quantity: getattr(units, f"{quantity}_unit")
        for quantity in ("length", "weight", "distance", "time", "cost")
    }
    conventions = instance.conventions.to_dict()
    del conventions["distance"]
    writer = _Writer(instance)
    return {
        "format": FORMAT_2,
        "name": instance.name,
        **stated({"units": stated(names)}),
        "conventions": conventions,
        "travel": writer.travel(matrix_file),
        "depot": writer.depot(),
        "vehicles": [writer.vehicle(kind) for kind in instance.vehicles],
        "customers": [writer.customer(customer) for customer in instance.customers],
    }


def matrix_file_text(instance: Instance) -> str:
    """Return the text of a file of matrices that `read_matrix_file` takes."""
    return format_json(_matrices(instance)) + "\n"


def _matrices(instance: Instance) -> dict[str, object]:
    content: dict[str, object] = {}
    for field in FIELDS:
        matrix = getattr(instance.travel, field)
        if matrix is None:
            continue
        units = instance.units
        unit = units.distance_unit if field == "distances" else units.time_unit
        own, factor, power = stated_in(matrix, field, unit)
        content[field] = [
            [None if value == NO_ROAD else _quotient(value * factor, power) for value in row]
            for row in matrix.stored.tolist()
        ]
        if own != unit:
            content[UNIT_FIELDS[field]] = own
    return content


def _quotient(value: int, power: int) -> int | float:
    whole, rest = divmod(value, power)
    return value / power if rest else whole


class _Writer:
    """The parts of an instance as the file has them."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._units: Units = instance.units

    def travel(self, matrix_file: str) -> dict[str, object]:
        travel = self._instance.travel
        speed = {} if travel.speed is None else {"speed": travel.speed}
        if travel.metric == "matrix":
            source = {"file": matrix_file} if matrix_file else _matrices(self._instance)
            return {**source, **speed}
        rounding = self._instance.conventions.distance
        return {
            "metric": travel.metric,
            **({} if travel.detour == 1 else {"detour": travel.detour}),
            **({} if rounding == "exact" else {"rounding": rounding}),
            **stated({"decimals": travel.decimals}),
            **speed,
        }

    def depot(self) -> dict[str, object]:
        instance = self._instance
        # Where nothing else has a time, this one says that times are those of a clock.
        ready = {"ready": self._moment(instance.depot_ready)}
        return {
            **stated({"name": instance.depot_name}),
            **self._coordinates(*instance.depot),
            **(ready if self._units.clock else stated({"ready": instance.depot_ready})),
            **stated({"due": self._moment(instance.depot_due)}),
        }

    def vehicle(self, vehicle: Vehicle) -> dict[str, object]:
        units = self._units
        moments = {
            name: self._moment(getattr(vehicle, name)) for name in ("shift_start", "shift_end")
        }
        limits = {
            "cost_per_distance": vehicle.cost_per_distance,
            "cost_per_time": vehicle.cost_per_time,
            **moments,
            "max_duration": self._duration(vehicle.max_duration),
            "max_distance": vehicle.max_distance,
            "max_stops": vehicle.max_stops,
        }
        return {
            **stated({"name": vehicle.name}),
            "count": vehicle.count,
            "width": Decimal(units.length_text(vehicle.width)),
            "length": Decimal(units.length_text(vehicle.length)),
            "capacity": Decimal(units.weight_text(vehicle.capacity)),
            **stated({"fixed_cost": vehicle.fixed_cost}),
            **{name: value for name, value in limits.items() if value is not None},
        }

    def customer(self, customer: Customer) -> dict[str, object]:
        times = {
            "ready": self._moment(customer.ready or None),
            "due": self._moment(customer.due),
            "service": self._duration(customer.service),
        }
        may_be_left_out = {"leave_out_cost": customer.leave_out_cost}
        return {
            **stated({"name": customer.name}),
            **self._coordinates(customer.x, customer.y),
            "weight": Decimal(self._units.weight_text(customer.weight)),
            **stated(times),
            "items": item_contents(self._units, customer.items),
            **stated({"info": dict(customer.info)}),
            # A cost of nothing says that it may be left out.
            **{name: value for name, value in may_be_left_out.items() if value is not None},
            **stated(_rules(customer)),
        }

    def _coordinates(self, x: int, y: int) -> dict[str, object]:
        kind = self._instance.travel.coordinates
        if kind == "none":
            return {}
        first, second = (Decimal(self._units.coordinate_text(value)) for value in (x, y))
        return {"x": first, "y": second} if kind == "x/y" else {"lat": second, "lon": first}

    def _moment(self, time: int | float | None) -> int | float | str | None:
        return exact_clock_text(time) if self._units.clock and time is not None else time

    def _duration(self, time: int | float | None) -> int | float | str | None:
        """Return a number, unless it has no end: a third of a minute is twenty seconds."""
        if not self._units.clock or time is None or fraction_of(time) == _decimal(time):
            return time
        return exact_clock_text(time)


def _rules(customer: Customer) -> dict[str, object]:
    return {
        "vehicles": list(customer.vehicles or ()),
        "not_with": list(customer.not_with),
        "together": list(customer.together),
        "position": customer.position,
    }


def _decimal(number: int | float) -> Fraction:
    return Fraction(Decimal(repr(number)))
