"""The tables of all trucks as CSV, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from tailgate.io.formula_guard import guarded
from tailgate.report.csv_fleet import kind_rows, left_out_rows
from tailgate.report.csv_trips import (
    heading,
    number_cell,
    stop_rows,
    time_cell,
    truck_rows,
)
from tailgate.report.plan import Plan
from tailgate.report.tables import loading_rows, unloading_rows
from tailgate.report.turned_mark import turned_count
from tailgate.report.words import NOT_VERIFIED

_FLEET, _LEFT_OUT = "fleet.csv", "left_out.csv"
OCCASIONAL_TABLES = (_FLEET, _LEFT_OUT)
"""Tables that not every plan has."""


def csv_tables(plan: Plan) -> dict[str, str]:
    """Return the text of every CSV file by the file's name.

    That of kinds of vehicles is there where there are several, that of orders left out where there
    are any.
    """
    tables = {
        "loading.csv": _items(plan, loading=True),
        "unloading.csv": _items(plan, loading=False),
        "legs.csv": _legs(plan),
        "trucks.csv": _text(plan, *truck_rows(plan)),
        "stops.csv": _text(plan, *stop_rows(plan)),
    }
    if plan.instance.has_kinds:
        tables[_FLEET] = _text(plan, *kind_rows(plan))
    if plan.solution.left_out:
        tables[_LEFT_OUT] = _text(plan, *left_out_rows(plan))
    return tables


def _items(plan: Plan, *, loading: bool) -> str:
    rows_of = loading_rows if loading else unloading_rows
    order = ("load_step", "stop_index") if loading else ("stop_index", "load_step")
    lengths = ("width", "length", "from_cab", "from_left_wall")
    unit = plan.instance.units.length_unit
    words = (*order, "customer", "item")
    says_turned = _may_be_turned(plan)
    rows = [
        [
            truck.number,
            *(getattr(row, name) for name in (*words, *lengths)),
            *(("yes" if row.is_turned else "no",) if says_turned else ()),
        ]
        for truck in plan.trucks
        for row in rows_of(truck)
    ]
    header = ["truck", *words, *(heading(name, unit) for name in lengths)]
    return _text(plan, [*header, *(("turned",) if says_turned else ())], rows)


def _may_be_turned(plan: Plan) -> bool:
    """Return whether some item may be turned, or is although it may not."""
    if plan.instance.has_turning:
        return True
    return any(turned_count(truck.route.placements) for truck in plan.trucks)


def _legs(plan: Plan) -> str:
    units = plan.instance.units
    timed = any(truck.trip.is_timed for truck in plan.trucks)
    header = [
        "truck",
        "leg",
        "from",
        "to",
        heading("distance", units.distance_unit),
        "items_on_board",
        heading("weight_on_board", units.weight_unit),
        *(("leaves", "arrives") if timed else ()),
    ]
    rows = [
        [
            truck.number,
            number,
            leg.start,
            leg.end,
            number_cell(leg.distance),
            leg.items,
            units.weight_text(leg.weight),
            *((time_cell(plan, leg.leaves), time_cell(plan, leg.arrives)) if timed else ()),
        ]
        for truck in plan.trucks
        for number, leg in enumerate(truck.legs, start=1)
    ]
    return _text(plan, header, rows)


def _text(plan: Plan, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    verdict = [] if plan.verified else [NOT_VERIFIED]
    for row in (header, *rows):
        # No number here is below zero: what begins with a minus sign is a name.
        cells = [guarded(cell) if isinstance(cell, str) else cell for cell in row]
        writer.writerow([*cells, *verdict])
    return text.getvalue()
