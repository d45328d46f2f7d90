"""The tables of a truck: what goes in, what comes out, and what is left on every leg.

One source for paper, screen and spreadsheet, so that they never disagree.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tailgate.model.solution import Placement
from tailgate.model.units import with_equal_decimals, with_unit
from tailgate.report.svg_text import TIMES
from tailgate.report.trip import NO_ROAD
from tailgate.report.truck import Truck
from tailgate.report.words import load_step_text


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item in words; lengths are bare numbers in the planner's unit."""

    load_step: int
    stop_index: int
    customer: str
    item: str
    width: str
    length: str
    from_cab: str
    from_left_wall: str
    is_turned: bool

    @property
    def step_text(self) -> str:
        """The mark that the item has in every picture."""
        return load_step_text(self.load_step)

    @property
    def size(self) -> str:
        """Width and length."""
        return f"{self.width} {TIMES} {self.length}"


@dataclass(frozen=True, slots=True)
class LegRow:
    """One leg in words, the numbers with their units; empty where something is not known."""

    start: str
    end: str
    distance: str
    items: str
    weight: str
    leaves: str
    arrives: str


def loading_rows(truck: Truck) -> list[ItemRow]:
    """Return the items in the order of loading."""
    return _item_rows(truck, truck.loading_order)


def unloading_rows(truck: Truck) -> list[ItemRow]:
    """Return the items in the order of unloading, the first stop first."""
    return _item_rows(truck, truck.unloading_order)


def leg_rows(truck: Truck) -> list[LegRow]:
    """Return the legs from the depot back to the depot."""
    legs, units = truck.legs, truck.instance.units
    columns = (
        [leg.start for leg in legs],
        [leg.end for leg in legs],
        _distances(truck, [leg.distance for leg in legs]),
        [str(leg.items) for leg in legs],
        _aligned(map(units.weight_text, (leg.weight for leg in legs)), units.weight_unit),
        _times(truck, [leg.leaves for leg in legs]),
        _times(truck, [leg.arrives for leg in legs]),
    )
    return [LegRow(*row) for row in zip(*columns, strict=True)]


def _distances(truck: Truck, distances: Sequence[float | None]) -> list[str]:
    if any(distance is None or distance == math.inf for distance in distances):
        return ["" if distance is None else truck.trip.way_text(distance) for distance in distances]
    numbers = (truck.trip.way_number(distance) for distance in distances if distance is not None)
    return _aligned(numbers, truck.instance.units.distance_unit)


def _times(truck: Truck, times: Sequence[float | None]) -> list[str]:
    texts = [NO_ROAD if time is None else truck.trip.words.time(time) for time in times]
    return texts if truck.instance.units.clock or NO_ROAD in texts else _aligned(texts)


def _aligned(numbers: Iterable[str], unit: str = "") -> list[str]:
    """Return numbers of one column: equally many decimals, and the unit."""
    return [with_unit(number, unit) for number in with_equal_decimals(numbers)]


def item_lengths(truck: Truck, placements: Sequence[Placement]) -> list[dict[str, str]]:
    """Return place and size of each item, all with equally many decimals."""
    names = ("x", "y", "width", "length")
    texts = with_equal_decimals(
        truck.instance.units.length_text(getattr(placement, name))
        for placement in placements
        for name in names
    )
    return [
        dict(zip(names, texts[start : start + len(names)], strict=True))
        for start in range(0, len(texts), len(names))
    ]


def _item_rows(truck: Truck, placements: Sequence[Placement]) -> list[ItemRow]:
    return [
        ItemRow(
            load_step=placement.load_step,
            stop_index=placement.stop_index,
            customer=truck.instance.label(placement.customer),
            item=truck.item_text(placement),
            width=lengths["width"],
            length=lengths["length"],
            from_cab=lengths["y"],
            from_left_wall=lengths["x"],
            is_turned=placement.turned,
        )
        for placement, lengths in zip(placements, item_lengths(truck, placements), strict=True)
    ]
