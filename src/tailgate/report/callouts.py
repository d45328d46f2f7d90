"""Labels beside the floor for items that are too small to carry their loading step themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tailgate.model.solution import Placement
from tailgate.report.floor_view import Box, FloorView
from tailgate.report.item_drawing import item_label
from tailgate.report.item_label import ItemLabel
from tailgate.report.stop_styles import stop_style
from tailgate.report.svg_text import PAPER
from tailgate.report.truck import Truck
from tailgate.report.words import load_step_text


@dataclass(frozen=True, slots=True)
class Callout:
    """A label outside the floor, and the middle of the item that it belongs to."""

    FONT_SIZE: ClassVar[float] = 9.0

    placement: Placement
    label: ItemLabel
    box: Box
    target: tuple[float, float]

    def svg(self) -> str:
        """Draw the label and a line to its item."""
        ink = stop_style(self.placement.stop_index).ink
        x, y = self.box.centre
        end_x, end_y = self.target
        near = self.box.bottom if end_y > y else self.box.top
        line = f'd="M{x:.1f},{near:.1f} L{end_x:.1f},{end_y:.1f}" fill="none"'
        return (
            f'<g class="callout" data-stop="{self.placement.stop_index}">'
            f'<path {line} stroke="{PAPER}" stroke-width="3" opacity="0.7"/>'
            f'<path {line} stroke="{ink}" stroke-width="1.2"/>'
            f'<circle cx="{end_x:.1f}" cy="{end_y:.1f}" r="2.4" fill="{ink}"/>'
            f'<g class="label" transform="translate({x:.1f},{y:.1f})">'
            f"{self.label.svg(self.FONT_SIZE, ink, upwards=False)}</g></g>"
        )


_GAP = 4.0
_BAND_HEIGHT = 17.0
_BAND_DISTANCE = 3.0
# A longer line across the other items would confuse.
_LONGEST_LINE = 60.0


def callouts(truck: Truck, view: FloorView) -> list[Callout]:
    """Return a label for every item that has none, where there is room for it along a wall."""
    above: list[Placement] = []
    below: list[Placement] = []
    for placement in truck.route.placements:
        label = item_label(truck, placement, view)
        if label is None or not label.label.lines:
            _, y = view.box_of(placement).centre
            (above if y < view.middle else below).append(placement)
    top = view.box.top - _BAND_DISTANCE - _BAND_HEIGHT
    return _band(above, view, top) + _band(below, view, view.box.bottom + _BAND_DISTANCE)


def _band(placements: Sequence[Placement], view: FloorView, top: float) -> list[Callout]:
    """Line labels up along a wall, each as near to its item as the others allow."""
    ordered = sorted(placements, key=lambda placement: view.box_of(placement).centre)
    labels = [
        ItemLabel(
            one.stop_index,
            (load_step_text(one.load_step),),
            beside=True,
            arrow="beside" if one.turned else "none",
        )
        for one in ordered
    ]
    widths = [label.width_ems() * Callout.FONT_SIZE + _GAP for label in labels]
    if sum(widths) > view.box.width:
        # Some would stay without a label: rather none here than a tangle. The table has them all.
        return []
    targets = [view.box_of(placement).centre for placement in ordered]
    lefts = _spread([x for x, _ in targets], widths, view.box.left, view.box.right)
    found = [
        Callout(placement, label, Box(left, top, width - _GAP, _BAND_HEIGHT), target)
        for placement, label, left, width, target in zip(
            ordered, labels, lefts, widths, targets, strict=True
        )
    ]
    return [one for one in found if abs(one.box.centre[0] - one.target[0]) <= _LONGEST_LINE]


def _spread(
    middles: Sequence[float], widths: Sequence[float], first: float, last: float
) -> list[float]:
    """Return left edges between ``first`` and ``last`` that keep the order and do not overlap.

    Labels that would overlap stand side by side around the middle of their items, so that the
    last of them is no farther away than the first.
    """
    lefts: list[float] = []
    groups: list[tuple[float, float, int]] = []
    for middle, width in zip(middles, widths, strict=True):
        left, total, count = middle - width / 2, width, 1
        while groups and groups[-1][0] + groups[-1][1] > left:
            before, room, others = groups.pop()
            left = (others * before + count * (left - room)) / (others + count)
            total, count = room + total, others + count
        groups.append((left, total, count))
    for left, _, count in groups:
        edge = max(left, first)
        for width in widths[len(lefts) : len(lefts) + count]:
            lefts.append(max(edge, lefts[-1] + widths[len(lefts) - 1] if lefts else first))
            edge = lefts[-1] + width
    edge = last
    for index in range(len(lefts) - 1, -1, -1):
        lefts[index] = min(lefts[index], edge - widths[index])
        edge = lefts[index]
    return lefts
