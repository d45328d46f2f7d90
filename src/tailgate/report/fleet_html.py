"""Kinds of vehicles, orders left out and rules, as tables of a page."""

from __future__ import annotations

from tailgate.model.cost_unit import CostUnit
from tailgate.model.rounding import counted
from tailgate.report.html import NOTHING, Column, Html, numbers, table, tag
from tailgate.report.kind_use import kind_uses
from tailgate.report.left_out import left_out_rows
from tailgate.report.order_rules import rule_columns
from tailgate.report.plan import Plan
from tailgate.report.trip_columns import cost_title, part_totals, trip_totals


def fleet_table(plan: Plan) -> Html:
    """Return the use of every kind of vehicle; nothing where there is one kind only."""
    if not plan.instance.has_kinds:
        return NOTHING
    uses = kind_uses(plan)
    unit = CostUnit.of_instance(plan.instance)
    causes = list(part_totals([truck.trip for truck in plan.trucks]))
    totals = []
    for use in uses:
        parts = part_totals(use.trips) if len(causes) > 1 else {}
        amounts = {cost_title(name): unit.cost_text(cost) for name, cost in parts.items()}
        totals.append(trip_totals(use.trips, use.cost) | amounts)
    titles = list(dict.fromkeys(title for total in totals for title in total))
    columns = [Column("Vehicle"), *numbers("Trucks", "Stops", *titles)]
    rows = [
        [
            use.vehicle.name,
            use.used_text,
            str(use.stops),
            *(total.get(title, "") for title in titles),
        ]
        for use, total in zip(uses, totals, strict=True)
    ]
    return tag("div", table("The fleet", columns, rows), class_="wide")


def left_out_table(plan: Plan, *, shows_cost: bool = True) -> Html:
    """Return the orders that are left out, with the reason where the solution has one."""
    rows = left_out_rows(plan)
    has_reasons = any(row.reason for row in rows)
    columns = [
        Column("Customer", is_name=True),
        *numbers("Number", "Items", "Weight", *(["Cost"] if shows_cost else [])),
        *([Column("Reason", is_name=True)] if has_reasons else []),
    ]
    cells = [
        [
            row.customer,
            str(row.number),
            str(row.items),
            row.weight,
            *([row.cost] if shows_cost else []),
            *([row.reason] if has_reasons else []),
        ]
        for row in rows
    ]
    return table(f"Left out: {counted(len(rows), 'order')}", columns, cells, class_="left-out")


def rule_table(plan: Plan) -> Html:
    """Return the customers of whom the orders demand something, and which truck comes."""
    instance = plan.instance
    rules, unit = rule_columns(instance), CostUnit.of_instance(instance)
    truck_of = {
        number: str(truck.number) for truck in plan.trucks for number in truck.route.customers
    }
    rows = [
        [
            instance.label(number),
            truck_of.get(number, "left out"),
            *(rule.text(customer, unit) for rule in rules),
        ]
        for number, customer in enumerate(instance.customers, start=1)
        if any(rule.value(customer) is not None for rule in rules)
    ]
    columns = [
        Column("Customer", is_name=True),
        Column("Truck"),
        *(Column(rule.title) for rule in rules),
    ]
    return table("What the orders demand", columns, rows, class_="rules") if rows else NOTHING
