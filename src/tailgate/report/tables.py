"""The tables of a truck: what goes in, what comes out, and what is left on every leg.

One source for paper, screen and spreadsheet, so that they never disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tailgate.report.svg_text import TIMES
from tailgate.report.truck import Truck
from tailgate.report.words import load_step_text, time_text
from tailgate.rounding import cost_text
from tailgate.solution import Placement
from tailgate.units import with_equal_decimals, with_unit


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
    """One leg in words, the numbers with their units."""

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
    distances = with_equal_decimals(cost_text(leg.distance) for leg in legs)
    weights = with_equal_decimals(units.weight_text(leg.weight) for leg in legs)
    leaves = with_equal_decimals(time_text(leg.leaves) for leg in legs)
    arrives = with_equal_decimals(time_text(leg.arrives) for leg in legs)
    return [
        LegRow(
            leg.start,
            leg.end,
            with_unit(distance, units.distance_unit),
            str(leg.items),
            with_unit(weight, units.weight_unit),
            *times,
        )
        for leg, distance, weight, *times in zip(
            legs, distances, weights, leaves, arrives, strict=True
        )
    ]


def _item_rows(truck: Truck, placements: Sequence[Placement]) -> list[ItemRow]:
    lengths = with_equal_decimals(
        truck.instance.units.length_text(length)
        for placement in placements
        for length in (placement.width, placement.length, placement.y, placement.x)
    )
    return [
        ItemRow(
            placement.load_step,
            placement.stop_index,
            truck.instance.label(placement.customer),
            truck.item_text(placement),
            *lengths[4 * index : 4 * index + 4],
        )
        for index, placement in enumerate(placements)
    ]
