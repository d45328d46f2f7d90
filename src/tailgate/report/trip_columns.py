"""Times, way and money of all trucks, column by column: one source for screen and terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tailgate.model.costs import Money
from tailgate.model.exact import fraction_of
from tailgate.model.matrix import plain
from tailgate.model.units import with_equal_decimals, with_unit
from tailgate.model.vehicle import Vehicle
from tailgate.report.trip import CAUSES, NO_ROAD, Trip


@dataclass(frozen=True, slots=True)
class TripColumn:
    """One column: a cell for every truck, and what they are together; empty where that is idle.

    Numbers in cells have no unit; the total has it.
    """

    title: str
    cells: list[str]
    unit: str = ""
    total: str = ""

    @property
    def texts(self) -> list[str]:
        """The cells with their unit."""
        return [with_unit(cell, self.unit) if cell[:1].isdigit() else cell for cell in self.cells]


def trip_columns(trips: Sequence[Trip], objective: int | float | None) -> list[TripColumn]:
    """Return when the trucks leave and are back, how long and how far they drive, and the costs.

    A column that says nothing in these orders is left out.
    """
    if not trips:
        return []
    return [*_times(trips), *_distance(trips), *_costs(trips, objective)]


def trip_totals(trips: Sequence[Trip], objective: int | float | None) -> dict[str, str]:
    """Return what all trucks take, drive and cost together, as far as the orders have it."""
    columns = trip_columns(trips, objective)
    return {column.title: column.total for column in columns if column.total} | _total_parts(trips)


def _times(trips: Sequence[Trip]) -> list[TripColumn]:
    if not any(trip.is_timed for trip in trips):
        return []
    words = trips[0].words
    tables = [trip.timetable for trip in trips]
    known = [table for table in tables if table is not None]
    duration = waiting = ""
    if len(known) == len(tables):
        duration = words.duration(sum(table.duration for table in known))
        waiting = words.duration(sum(table.waiting for table in known))
    return [
        TripColumn("Departure", [trip.departure_text for trip in trips]),
        TripColumn("Return", [trip.return_text for trip in trips]),
        TripColumn("Duration", [trip.duration_text for trip in trips], total=duration),
        TripColumn("Waiting", [trip.waiting_text for trip in trips], total=waiting),
    ]


def _distance(trips: Sequence[Trip]) -> list[TripColumn]:
    # All kinds of vehicles in the digits of one whose way is not what it costs.
    first = next((trip for trip in trips if trip.shows_distance), None)
    if first is None:
        return []
    distances = [trip.distance or 0 for trip in trips]
    total, unit = sum(distances), first.instance.units.distance_unit
    if total == math.inf:
        cells = [NO_ROAD if one == math.inf else first.way_number(one) for one in distances]
        return [TripColumn("Distance", cells, unit)]
    cells = with_equal_decimals(map(first.way_number, distances))
    return [TripColumn("Distance", cells, unit, first.way_text(total))]


def _costs(trips: Sequence[Trip], objective: int | float | None) -> list[TripColumn]:
    unit = trips[0].cost_unit
    cells = with_equal_decimals(unit.cost_number(trip.cost) for trip in trips)
    total = "" if objective is None else unit.cost_text(objective)
    return [TripColumn("Cost", cells, unit.name, total)]


def part_totals(trips: Sequence[Trip]) -> dict[str, int | float]:
    """Return what trucks cost by cause, added up before anything is rounded.

    It has the causes of every kind among them, and is empty where a truck has no true cost.
    """
    if not all(trip.has_true_cost for trip in trips):
        return {}
    kinds: dict[Vehicle, list[Trip]] = {}
    for trip in trips:
        kinds.setdefault(trip.instance.vehicle, []).append(trip)
    by_kind = [_kind_parts(alike) for alike in kinds.values()]
    totals: dict[str, Money] = {
        name: sum((parts[name] for parts in by_kind if name in parts), Fraction(0))
        for name in CAUSES
        if any(name in parts for parts in by_kind)
    }
    return {
        name: plain(total) if isinstance(total, Fraction) else total
        for name, total in totals.items()
    }


def _kind_parts(trips: Sequence[Trip]) -> dict[str, Money]:
    """Return what trucks of one kind cost by cause."""
    first = trips[0]
    vehicle, costs = first.instance.vehicle, first.instance.costs
    per_distance, per_time = map(fraction_of, vehicle.rates)
    totals: dict[str, Money] = {"fixed": len(trips) * fraction_of(vehicle.fixed_cost)}
    if per_distance:
        distances = (costs.distance_of(trip.customers) for trip in trips)
        totals["distance"] = per_distance * sum(distances, Fraction(0))
    if per_time:
        durations = (costs.duration_of(trip.customers) for trip in trips)
        totals["time"] = per_time * sum(durations, Fraction(0))
    return {name: total for name, total in totals.items() if name in first.causes}


def _total_parts(trips: Sequence[Trip]) -> dict[str, str]:
    """Return what all trucks cost by cause, where there is more than one."""
    parts = part_totals(trips)
    if len(parts) < 2:
        return {}
    unit = trips[0].cost_unit
    return {cost_title(name): unit.cost_text(amount) for name, amount in parts.items()}


def cost_title(cause: str) -> str:
    """Return the head of a column of costs by cause."""
    return f"{cause.title()} cost"
