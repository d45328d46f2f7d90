"""The tables of trucks and stops for a spreadsheet: when, how far, and for how much."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tailgate.io.headings import info_heading
from tailgate.model.cost_unit import CostUnit
from tailgate.model.rounding import number_text
from tailgate.report.customer_columns import info_names
from tailgate.report.kind_views import KindViews
from tailgate.report.order_rules import rule_columns
from tailgate.report.plan import Plan
from tailgate.report.time_words import TimeWords
from tailgate.report.trip import CAUSES, LATE
from tailgate.report.truck import Truck

Row = Sequence[object]
CsvTable = tuple[list[str], list[Row]]
"""The header, and the rows."""


def truck_rows(plan: Plan) -> CsvTable:
    """Return times, way and costs of every truck."""
    units = plan.instance.units
    time_unit, cost_unit = TimeWords(plan.instance).unit, CostUnit.of_instance(plan.instance).name
    is_timed = any(truck.trip.is_timed for truck in plan.trucks)
    durations = [heading(name, time_unit) for name in ("duration", "waiting")]
    causes = cost_headings(plan)
    has_kinds = plan.instance.has_kinds
    has_locks = any(truck.locked_text for truck in plan.trucks)
    header = [
        "truck",
        *(["vehicle"] if has_kinds else ()),
        *(["locked"] if has_locks else ()),
        "stops",
        *(("departure", "return", *durations) if is_timed else ()),
        heading("distance", units.distance_unit),
        heading("cost", cost_unit),
        *causes,
        heading("weight", units.weight_unit),
    ]
    rows: list[Row] = []
    for truck in plan.trucks:
        table, parts = truck.trip.timetable, truck.instance.costs.parts(truck.route.customers)
        times = ["", "", "", ""]
        if table is not None:
            hours = [time_cell(plan, table.departure), time_cell(plan, table.back)]
            times = [*hours, number_cell(table.duration), number_cell(table.waiting)]
        amounts = [parts.fixed, parts.distance, parts.time] if causes else []
        rows.append(
            [
                truck.number,
                *([truck.kind] if has_kinds else ()),
                *([truck.locked_text] if has_locks else ()),
                len(truck.stops),
                *(times if is_timed else ()),
                number_cell(truck.trip.distance),
                *(number_cell(amount) for amount in (truck.route.cost, *amounts)),
                units.weight_text(truck.weight),
            ]
        )
    return header, rows


def cost_headings(plan: Plan) -> list[str]:
    """Return the heads of the costs by cause; none where plans cost their distance alone."""
    views, unit = KindViews(plan.instance), CostUnit.of_instance(plan.instance).name
    kinds = (views.of_kind(kind).vehicle for kind in range(len(plan.instance.vehicles)))
    if all(vehicle.costs_distance_only for vehicle in kinds):
        return []
    return [heading(f"{name}_cost", unit) for name in CAUSES]


def stop_rows(plan: Plan) -> CsvTable:
    """Return when the trucks come to their stops, and what the orders say about them."""
    instance, units = plan.instance, plan.instance.units
    time_unit, info = TimeWords(instance).unit, info_names(instance)
    rules, cost_unit = rule_columns(instance), CostUnit.of_instance(instance).name
    has_locks = any(truck.locked_text for truck in plan.trucks)
    is_timed = any(truck.trip.is_timed for truck in plan.trucks)
    durations = [heading(name, time_unit) for name in ("waiting", "service")]
    hours = ("arrives", "service_begins", "leaves", "ready", "due", *durations, "late")
    header = [
        "truck",
        "stop_index",
        "customer",
        *(["locked"] if has_locks else ()),
        *(hours if is_timed else ()),
        "items",
        heading("weight", units.weight_unit),
        *(heading(rule.name, cost_unit if rule.is_cost else "") for rule in rules),
        *map(info_heading, info),
    ]
    rows: list[Row] = []
    for truck in plan.trucks:
        for stop in truck.stops:
            customer = instance.customer(truck.customer_number(stop))
            said = dict(customer.info)
            rows.append(
                [
                    truck.number,
                    stop,
                    truck.label(stop),
                    *(["yes" if truck.is_locked(stop) else ""] if has_locks else ()),
                    *(_visit(plan, truck, stop) if is_timed else ()),
                    len(customer.items),
                    units.weight_text(customer.weight),
                    *(rule.cell(customer) for rule in rules),
                    *(said.get(name, "") for name in info),
                ]
            )
    return header, rows


def _visit(plan: Plan, truck: Truck, stop: int) -> list[str]:
    customer, table = plan.instance.customer(truck.customer_number(stop)), truck.trip.timetable
    window = [time_cell(plan, customer.ready or None), time_cell(plan, customer.due)]
    service = number_cell(customer.service)
    if table is None:
        return ["", "", "", *window, "", service, ""]
    visit = table.visits[stop - 1]
    hours = [time_cell(plan, time) for time in (visit.arrival, visit.start, visit.end)]
    return [*hours, *window, number_cell(visit.waiting), service, LATE if visit.is_late else ""]


def time_cell(plan: Plan, time: int | float | None) -> str:
    """Return a time as it was given; a spreadsheet understands both ways."""
    return "" if time is None else plan.instance.units.time_text(time)


def number_cell(number: int | float | None) -> str:
    """Return a number without an exponent; nothing where it is not known or has no end."""
    return "" if number is None or number == math.inf else number_text(number)


def heading(name: str, unit: str) -> str:
    """Return the head of a column whose numbers have a unit."""
    return f"{name} ({unit})" if unit else name
