"""Kinds of vehicles and orders left out, for a spreadsheet."""

from __future__ import annotations

from tailgate.model.cost_unit import CostUnit
from tailgate.report.csv_trips import CsvTable, Row, cost_headings, heading, number_cell
from tailgate.report.kind_use import kind_uses
from tailgate.report.plan import Plan
from tailgate.report.time_words import TimeWords
from tailgate.report.trip import CAUSES
from tailgate.report.trip_columns import part_totals


def kind_rows(plan: Plan) -> CsvTable:
    """Return how many vehicles of every kind are used, how far they drive and what they cost."""
    units, uses = plan.instance.units, kind_uses(plan)
    time_unit, cost_unit = TimeWords(plan.instance).unit, CostUnit.of_instance(plan.instance).name
    is_timed = any(truck.trip.is_timed for truck in plan.trucks)
    causes = cost_headings(plan)
    header = [
        "vehicle",
        "used",
        "count",
        "stops",
        *((heading(name, time_unit) for name in ("duration", "waiting")) if is_timed else ()),
        heading("distance", units.distance_unit),
        heading("cost", cost_unit),
        *causes,
        heading("weight", units.weight_unit),
    ]
    rows: list[Row] = []
    for use in uses:
        parts = part_totals(use.trips)
        times = (use.duration, use.waiting) if is_timed else ()
        amounts = [parts.get(name, 0) for name in CAUSES] if causes else []
        rows.append(
            [
                *(use.vehicle.name, len(use.trucks), use.vehicle.count, use.stops),
                *map(number_cell, (*times, use.distance, use.cost, *amounts)),
                units.weight_text(use.weight),
            ]
        )
    return header, rows


def left_out_rows(plan: Plan) -> CsvTable:
    """Return the orders that are left out, with cost and reason."""
    instance, units = plan.instance, plan.instance.units
    cost_unit = CostUnit.of_instance(instance).name
    header = [
        "customer",
        "number",
        "items",
        heading("weight", units.weight_unit),
        heading("cost", cost_unit),
        "reason",
    ]
    rows: list[Row] = []
    for order in plan.solution.left_out:
        customer = instance.customer(order.customer)
        rows.append(
            [
                instance.label(order.customer),
                order.customer,
                len(customer.items),
                units.weight_text(customer.weight),
                number_cell(order.cost),
                order.reason,
            ]
        )
    return header, rows
