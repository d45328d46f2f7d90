"""The tables of a truck on a page, with boxes to tick on paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tailgate.model.rounding import counted
from tailgate.report.html import Column, Html, grouped_table, joined, numbers, table, tag
from tailgate.report.item_drawing import pattern_id
from tailgate.report.item_label import swatch_svg
from tailgate.report.svg_text import TIMES
from tailgate.report.tables import ItemRow, leg_rows, loading_rows, unloading_rows
from tailgate.report.truck import Truck
from tailgate.report.turned_mark import turned_cell
from tailgate.report.words import titled

# From so many lines on they are set closer on paper, so that a truck stays on one leaf.
_MANY_LOADED = 17
_MANY_UNLOADED = 24
_NAME_CHARACTERS = 26
"""About as many fit into a line of a column of names."""

_SIZE = f"Width {TIMES} length"
_WHICH = re.compile(r"\d+ of \d+\)?$", re.ASCII)
_TICK_BOX = Html('<span class="tick" role="img" aria-label="to be ticked"></span>')


def loading_table(truck: Truck, id_prefix: str, *, to_tick: bool = False) -> Html:
    """Return the items in the order of loading, with their places.

    ``id_prefix`` is that of a picture on the same page, whose looks the table shows, too.
    """
    listed = loading_rows(truck)
    unit = truck.instance.units.length_unit
    columns = [
        Column("Step"),
        Column("Stop"),
        Column("Customer", is_name=True),
        Column("Item", is_name=True),
        *numbers(titled(_SIZE, unit)),
        *_turned_columns(listed),
        *numbers(*(titled(name, unit) for name in ("From cab", "From left wall"))),
    ]
    rows = [
        [
            row.step_text,
            _swatch(id_prefix, row.stop_index),
            row.customer,
            _kept_together(row.item),
            row.size,
            *_turned_cells(listed, row),
            row.from_cab,
            row.from_left_wall,
        ]
        for row in listed
    ]
    caption = f"Load in this order: {counted(len(rows), 'item')}"
    if to_tick:
        columns, rows = [_TICKS, *columns], _ticked(rows)
    heights = [_line_count(row.customer, row.item) for row in listed]
    class_ = "loading"
    if max(heights, default=1) > 1:
        class_ += " long-names"
    if all(_line_count(row.item) == 1 for row in listed):
        class_ += " short-items"
    if sum(heights) >= _MANY_LOADED:
        class_ += " dense"
    if _turned_columns(listed):
        class_ += " has-turned"
    return table(caption, columns, rows, class_=class_)


def unloading_table(truck: Truck, id_prefix: str, *, to_tick: bool = False) -> Html:
    """Return the items in the order of unloading, stop by stop."""
    unit, all_rows = truck.instance.units.length_unit, unloading_rows(truck)
    columns = [
        Column("Step"),
        Column("Stop"),
        Column("Item"),
        *numbers(titled(_SIZE, unit)),
        *_turned_columns(all_rows),
    ]
    if to_tick:
        columns = [_TICKS, *columns]
    groups = []
    for stop in truck.stops:
        rows = [
            [
                row.step_text,
                _swatch(id_prefix, stop),
                _kept_together(row.item),
                row.size,
                *_turned_cells(all_rows, row),
            ]
            for row in all_rows
            if row.stop_index == stop
        ]
        weight = truck.instance.customer(truck.customer_number(stop)).weight
        heading = (
            f"{truck.stop_text(stop)}, {counted(len(rows), 'item')}, {truck.weight_words(weight)}"
        )
        if truck.trip.is_timed:
            heading += f"; {truck.trip.visit_text(stop)}"
        info = truck.info_text(stop)
        if info:
            heading = joined([heading, tag("div", info, class_="info")])
        groups.append((heading, _ticked(rows) if to_tick else rows))
    lines = len(all_rows) + 2 * len(groups) + sum(bool(truck.info_text(i)) for i in truck.stops)
    class_ = "unloading dense" if lines >= _MANY_UNLOADED else "unloading"
    return grouped_table("Unload in this order", columns, groups, class_=class_)


def leg_table(truck: Truck) -> Html:
    """Return what is on board between the stops."""
    way = ["Distance"] if truck.instance.roads.has_distances else []
    columns = [Column("From"), Column("To"), *numbers(*way, "Items on board", "Weight on board")]
    legs = leg_rows(truck)
    rows = [
        [leg.start, leg.end, *([leg.distance] if way else []), leg.items, leg.weight]
        for leg in legs
    ]
    if truck.trip.is_timed:
        columns += numbers("Leaves", "Arrives")
        rows = [[*row, leg.leaves, leg.arrives] for row, leg in zip(rows, legs, strict=True)]
    return table("What is left on board on every leg", columns, rows, class_="legs")


_TICKS = Column("")


def _turned_columns(rows: Sequence[ItemRow]) -> list[Column]:
    """Return the column of a truck in which some item is turned."""
    return [Column("Turned")] if any(row.is_turned for row in rows) else []


def _turned_cells(rows: Sequence[ItemRow], row: ItemRow) -> list[Html]:
    return [turned_cell(is_turned=row.is_turned) for _ in _turned_columns(rows)]


def _ticked(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    return [[_TICK_BOX, *row] for row in rows]


def _line_count(*names: str) -> int:
    return max(-(-len(name) // _NAME_CHARACTERS) or 1 for name in names)


def _kept_together(item: str) -> str:
    """Return the name of an item whose "2 of 3" is not torn apart at the end of a line."""
    return _WHICH.sub(lambda which: which[0].replace(" ", "\N{NO-BREAK SPACE}"), item)


def _swatch(id_prefix: str, stop: int) -> Html:
    return Html(swatch_svg(stop, pattern_id(id_prefix, stop)))
