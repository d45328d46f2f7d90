"""An instance as tables: the rows that a CSV folder and a workbook hold."""

from __future__ import annotations

import itertools
from decimal import Decimal
from fractions import Fraction

from tailgate.io.clock_times import exact_clock_text
from tailgate.io.field_table import FIELD_HEADINGS
from tailgate.io.headings import UNITS, info_heading
from tailgate.io.matrix_file import FIELDS
from tailgate.io.matrix_square import NO_ROAD_WORDS, square_cells
from tailgate.io.name_lists import joined_names
from tailgate.io.order_tables import AXES
from tailgate.model.exact import fraction_of
from tailgate.model.instance import Customer, Instance, Vehicle


class NumberText(str):
    """A cell with a number, which a spreadsheet may calculate with; all others hold text."""

    __slots__ = ()


Cells = list[list[str]]
"""The rows of a table, its header row first."""


def instance_cells(instance: Instance) -> dict[str, Cells]:
    """Return all tables of an instance by their names."""
    orders = {"customers": customer_cells(instance), "items": item_cells(instance)}
    if instance.is_format_1:
        return {**orders, "vehicle": setting_and_vehicle_cells(instance)}
    return {
        **orders,
        "vehicles": vehicle_cells(instance),
        "settings": setting_cells(instance),
        **matrix_cells(instance),
    }


def customer_cells(instance: Instance) -> Cells:
    """Return the table of customers."""
    units = instance.units
    coordinates = instance.travel.coordinates
    axes = ("lat", "lon") if coordinates == "lat/lon" else AXES.get(coordinates, ())
    timed = any(customer.has_times for customer in instance.customers)
    info = dict.fromkeys(name for customer in instance.customers for name, _ in customer.info)
    rules = _rule_columns(instance)
    rows = [
        [
            *("customer", *axes, "weight"),
            *(("ready", "due", "service") if timed else ()),
            *rules,
            *map(info_heading, info),
        ]
    ]
    for number, customer in enumerate(instance.customers, start=1):
        places = {"x": customer.x, "y": customer.y, "lon": customer.x, "lat": customer.y}
        said = dict(customer.info)
        rows.append(
            [
                instance.label(number),
                *(NumberText(units.coordinate_text(places[axis])) for axis in axes),
                NumberText(units.weight_text(customer.weight)),
                *(_times(instance, customer) if timed else ()),
                *(cells[number - 1] for cells in rules.values()),
                *(said.get(name, "") for name in info),
            ]
        )
    return rows


def _rule_columns(instance: Instance) -> dict[str, list[str]]:
    """Return what customers may ask for, by column; columns without a cell are left out."""
    customers = instance.customers
    kinds = {vehicle.name for vehicle in instance.vehicles}
    labels = {instance.label(number) for number in range(1, instance.n + 1)}
    columns: dict[str, list[str]] = {
        "leave out cost": [_number(one.leave_out_cost) for one in customers],
        "vehicles": [joined_names(one.vehicles or (), kinds) for one in customers],
        "not with": [joined_names(one.not_with, labels) for one in customers],
        "together": [joined_names(one.together, labels) for one in customers],
        "position": [one.position or "" for one in customers],
    }
    return {column: cells for column, cells in columns.items() if any(cells)}


def _times(instance: Instance, customer: Customer) -> tuple[str, str, str]:
    return (
        moment_cell(instance, customer.ready),
        moment_cell(instance, customer.due),
        duration_cell(instance, customer.service),
    )


def item_cells(instance: Instance) -> Cells:
    """Return the table of items."""
    units = instance.units
    named = any(item.name for customer in instance.customers for item in customer.items)
    turnable = any(item.turn for customer in instance.customers for item in customer.items)
    columns = [*(("name",) if named else ()), *(("turn",) if turnable else ())]
    rows = [["customer", "width", "length", "quantity", *columns]]
    for number, customer in enumerate(instance.customers, start=1):
        label = instance.label(number)
        if not customer.items:
            rows.append([label, "", "", NumberText("0"), *("" for _ in columns)])
        for item, group in itertools.groupby(customer.items):
            rows.append(
                [
                    label,
                    NumberText(units.length_text(item.width)),
                    NumberText(units.length_text(item.length)),
                    NumberText(len(list(group))),
                    *((item.name,) if named else ()),
                    *(("yes" if item.turn else "no",) if turnable else ()),
                ]
            )
    return rows


def vehicle_cells(instance: Instance) -> Cells:
    """Return the table of vehicles, which has a row for each kind and a column for each field."""
    kinds = [
        {
            "name": vehicle.name,
            "count": NumberText(vehicle.count),
            **_floor(instance, vehicle),
            **_costs_and_limits(instance, vehicle),
        }
        for vehicle in instance.vehicles
    ]
    columns = [field for field in kinds[0] if any(kind[field] for kind in kinds)]
    return [columns, *([kind[field] for field in columns] for kind in kinds)]


def setting_cells(instance: Instance) -> Cells:
    """Return the table of settings, which goes with the table of vehicles."""
    units, travel, rules = instance.units, instance.travel, instance.conventions
    axes = ("lat", "lon") if travel.coordinates == "lat/lon" else AXES.get(travel.coordinates, ())
    places = dict(zip(AXES.get(travel.coordinates, ()), instance.depot, strict=False))
    # So that times are read as a clock's even if nobody has a window.
    ready = moment_cell(instance, instance.depot_ready)
    measured = travel.metric != "matrix"
    return field_rows(
        {
            "name": instance.name,
            "depot name": instance.depot_name,
            **{f"depot {axis}": NumberText(units.coordinate_text(places[axis])) for axis in axes},
            "depot ready": ready if instance.depot_ready or units.clock else "",
            "depot due": moment_cell(instance, instance.depot_due),
            **{f"{quantity} unit": getattr(units, f"{quantity}_unit") for quantity in UNITS},
            "metric": travel.metric,
            "detour": _number(travel.detour) if travel.detour != 1 else "",
            "speed": _number(travel.speed),
            "rounding": rules.distance if measured else "",
            "decimals": _number(travel.decimals) if travel.decimals else "",
            **_rules(instance),
        }
    )


def matrix_cells(instance: Instance) -> dict[str, Cells]:
    """Return the tables of matrices, as far as there are any."""
    units = instance.units
    labels = ["depot", *map(instance.label, range(1, instance.n + 1))]
    tables: dict[str, Cells] = {}
    for field, unit in zip(FIELDS, (units.distance_unit, units.time_unit), strict=True):
        matrix = getattr(instance.travel, field)
        if matrix is not None:
            head, *rows = square_cells(matrix, field, labels, unit)
            tables[field] = [head, *([label, *map(_road, cells)] for label, *cells in rows)]
    return tables


def _road(cell: str) -> str:
    return cell if cell in NO_ROAD_WORDS else NumberText(cell)


def setting_and_vehicle_cells(instance: Instance) -> Cells:
    """Return the sheet that has the settings and the vehicle, as format 1 writes it."""
    units = instance.units
    return field_rows(
        {
            "name": instance.name,
            **_floor(instance, instance.vehicle),
            "count": NumberText(instance.vehicle_count),
            "depot x": NumberText(units.coordinate_text(instance.depot[0])),
            "depot y": NumberText(units.coordinate_text(instance.depot[1])),
            "depot ready": _number(instance.depot_ready) if instance.depot_ready else "",
            "depot due": _number(instance.depot_due),
            **{f"{quantity} unit": getattr(units, f"{quantity}_unit") for quantity in UNITS[:3]},
            "distance": instance.conventions.distance,
            **_rules(instance),
        }
    )


def field_rows(values: dict[str, str]) -> Cells:
    """Return a table with a field in each row; those without a value are left out."""
    return [list(FIELD_HEADINGS), *([field, value] for field, value in _stated(values).items())]


def moment_cell(instance: Instance, time: int | float | None) -> str:
    """Return a time of day as it was given: as a clock shows it, or as a number."""
    if time is None or not instance.units.clock:
        return _number(time)
    return exact_clock_text(time)


def duration_cell(instance: Instance, time: int | float | None) -> str:
    """Return how long something takes; a third of a minute is twenty seconds of a clock."""
    is_decimal = time is None or fraction_of(time) == Fraction(Decimal(repr(time)))
    return _number(time) if is_decimal else moment_cell(instance, time)


def _floor(instance: Instance, vehicle: Vehicle) -> dict[str, str]:
    units = instance.units
    return {
        "width": NumberText(units.length_text(vehicle.width)),
        "length": NumberText(units.length_text(vehicle.length)),
        "capacity": NumberText(units.weight_text(vehicle.capacity)),
    }


def _costs_and_limits(instance: Instance, vehicle: Vehicle) -> dict[str, str]:
    return {
        "fixed cost": _number(vehicle.fixed_cost) if vehicle.fixed_cost else "",
        "cost per distance": _number(vehicle.cost_per_distance),
        "cost per time": _number(vehicle.cost_per_time),
        "shift start": moment_cell(instance, vehicle.shift_start),
        "shift end": moment_cell(instance, vehicle.shift_end),
        "max duration": duration_cell(instance, vehicle.max_duration),
        "max distance": _number(vehicle.max_distance),
        "max stops": _number(vehicle.max_stops),
    }


def _rules(instance: Instance) -> dict[str, str]:
    rules = instance.conventions
    return {
        "fleet": rules.fleet,
        "single customer routes": rules.single_customer_routes,
        "lifo": "yes" if rules.lifo else "no",
        "turn": "" if rules.turn == "as-given" else rules.turn,
    }


def _number(number: int | float | None) -> str:
    return "" if number is None else NumberText(number)


def _stated(values: dict[str, str]) -> dict[str, str]:
    return {field: value for field, value in values.items() if value}
