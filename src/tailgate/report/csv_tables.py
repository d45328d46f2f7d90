"""The tables of all trucks as CSV, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from tailgate.model.rounding import number_text
from tailgate.report.plan import Plan
from tailgate.report.tables import loading_rows, unloading_rows
from tailgate.report.words import NOT_VERIFIED

# What a spreadsheet would take for the beginning of a formula.
_FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r")


def csv_tables(plan: Plan) -> dict[str, str]:
    """Return the text of every CSV file by the file's name."""
    return {
        "loading.csv": _items(plan, loading=True),
        "unloading.csv": _items(plan, loading=False),
        "legs.csv": _legs(plan),
    }


def _items(plan: Plan, *, loading: bool) -> str:
    rows_of = loading_rows if loading else unloading_rows
    order = ("load_step", "stop_index") if loading else ("stop_index", "load_step")
    lengths = ("width", "length", "from_cab", "from_left_wall")
    unit = plan.instance.units.length_unit
    words = (*order, "customer", "item")
    rows = [
        [truck.number, *(getattr(row, name) for name in (*words, *lengths))]
        for truck in plan.trucks
        for row in rows_of(truck)
    ]
    return _text(plan, ["truck", *words, *(_with_unit(name, unit) for name in lengths)], rows)


def _legs(plan: Plan) -> str:
    units = plan.instance.units
    timed = any(truck.is_timed for truck in plan.trucks)
    header = [
        "truck",
        "leg",
        "from",
        "to",
        _with_unit("distance", units.distance_unit),
        "items_on_board",
        _with_unit("weight_on_board", units.weight_unit),
        *(("leaves", "arrives") if timed else ()),
    ]
    rows = [
        [
            truck.number,
            number,
            leg.start,
            leg.end,
            number_text(leg.distance),
            leg.items,
            units.weight_text(leg.weight),
            *((number_text(leg.leaves), number_text(leg.arrives)) if timed else ()),
        ]
        for truck in plan.trucks
        for number, leg in enumerate(truck.legs, start=1)
    ]
    return _text(plan, header, rows)


def _with_unit(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name


def _text(plan: Plan, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    verdict = [] if plan.verified else [NOT_VERIFIED]
    writer.writerow([*header, *verdict])
    for row in rows:
        writer.writerow([*(_harmless(cell) for cell in row), *verdict])
    return text.getvalue()


def _harmless(cell: object) -> object:
    """Keep a spreadsheet from running a customer's name as a formula."""
    if isinstance(cell, str) and cell.startswith(_FORMULA_MARKS):
        return f"'{cell}"
    return cell
