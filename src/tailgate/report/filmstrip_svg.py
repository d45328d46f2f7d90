"""The unloading of one truck as a strip of pictures: one frame per stop, in the order of the stops.

In a frame the items of its stop have their full colours and an arrow to the door; what stays on
board is pale, and what has left before is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tailgate.report import truck_drawing
from tailgate.report.floor_view import FloorView
from tailgate.report.item_drawing import box_svg, patterns, step_label
from tailgate.report.item_label import stop_number_svg
from tailgate.report.stop_styles import stop_style
from tailgate.report.svg_text import SOFT_INK, paper, shortened, svg_document, svg_text
from tailgate.report.truck import Truck

# In pixels of the picture; it is about as wide as the text of an A4 page.
_WIDTH = 720
_HEADING_HEIGHT = 42


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where the frames stand, row by row."""

    MARGIN: ClassVar[int] = 6
    GUTTER: ClassVar[int] = 14
    STAMP_HEIGHT: ClassVar[int] = 26
    MOST_COLUMNS_IN_FULL: ClassVar[int] = 3

    columns: int
    width: float
    column_width: float
    row_height: float
    top: float

    @classmethod
    def of(cls, truck: Truck) -> _Grid:
        columns = _columns(truck)
        # A fourth frame is not squeezed in: the whole row is drawn at a smaller scale.
        across = min(columns, cls.MOST_COLUMNS_IN_FULL)
        column_width = (_WIDTH - 2 * cls.MARGIN - (across - 1) * cls.GUTTER) / across
        floor = _floor(truck, 0, 0, column_width)
        return cls(
            columns,
            _WIDTH + (columns - across) * (column_width + cls.GUTTER),
            column_width,
            row_height=floor.box.height + _HEADING_HEIGHT + cls.GUTTER,
            top=cls.MARGIN if truck.verified else cls.MARGIN + cls.STAMP_HEIGHT,
        )

    def corner(self, index: int) -> tuple[float, float]:
        """Return the left upper corner of a frame, counted from 0."""
        row, column = divmod(index, self.columns)
        left = self.MARGIN + column * (self.column_width + self.GUTTER)
        return left, self.top + row * self.row_height

    def height(self, frames: int) -> float:
        """Return the height of so many frames."""
        return self.top + -(-frames // self.columns) * self.row_height


def filmstrip_svg(
    truck: Truck, *, id_prefix: str = "film", stops: Sequence[int] | None = None
) -> str:
    """Draw how the truck is unloaded, at all stops or at some, as a standalone SVG document."""
    shown = truck.stops if stops is None else stops
    grid = _Grid.of(truck)
    width, height = grid.width, grid.height(len(shown))
    title = f"{truck.title}: what leaves at each stop"
    parts = [
        patterns(truck, id_prefix),
        paper(width, height),
        *truck_drawing.stamp(truck, width / 2, grid.MARGIN + 14, size=16, anchor="middle"),
    ]
    for index, stop in enumerate(shown):
        parts += _frame(truck, stop, grid.corner(index), grid.column_width, id_prefix)
    return svg_document(width, height, parts, label=title, class_="plan", scale=_WIDTH / width)


def filmstrip_rows(truck: Truck, *, id_prefix: str) -> list[str]:
    """Draw the strip as one picture per row, so that a printed page can end between two rows."""
    columns = _columns(truck)
    rows = [truck.stops[first : first + columns] for first in range(0, len(truck.stops), columns)]
    return [
        filmstrip_svg(truck, id_prefix=f"{id_prefix}-{number}", stops=row)
        for number, row in enumerate(rows, start=1)
    ]


def _columns(truck: Truck) -> int:
    # A trailer is too long for three in a row; of a short lorry, four keep a third row away.
    vehicle = truck.instance.vehicle
    if vehicle.length > 3 * vehicle.width:
        return 2
    return 4 if len(truck.stops) in (7, 8) else 3


_CAB_SPACE = 22
_DOOR_SPACE = 44
_WIDEST_FLOOR = 150


def _floor(truck: Truck, left: float, top: float, column_width: float) -> FloorView:
    return FloorView.within(
        truck.instance.vehicle,
        left=left + _CAB_SPACE,
        top=top + _HEADING_HEIGHT,
        longest=column_width - _CAB_SPACE - _DOOR_SPACE,
        widest=_WIDEST_FLOOR,
    )


def _frame(
    truck: Truck, stop: int, corner: tuple[float, float], width: float, id_prefix: str
) -> Iterator[str]:
    left, top = corner
    view = _floor(truck, left, top, width)
    leaving = [one for one in truck.route.placements if one.stop_index == stop]
    staying = [one for one in truck.route.placements if one.stop_index > stop]
    yield f'<g class="frame" data-stop="{stop}">'
    yield from _heading(truck, stop, left, top, width)
    weight = truck.weight_words(truck.legs[stop].weight)
    summary = f"{len(leaving)} out, {len(staying)} stay: {weight}"
    yield svg_text(left + 29, top + 35, shortened(summary, 11, width - 29), size=11, fill=SOFT_INK)
    yield truck_drawing.floor(view)
    yield '<g class="staying" opacity="0.32">'
    for placement in staying:
        label = step_label(placement, view)
        yield box_svg(placement, view, id_prefix, label=label, tooltip="stays on board")
    yield "</g>"
    # Below the items: where another item of this stop stands in front, that one leaves first.
    for placement in leaving:
        x, y = view.box_of(placement).centre
        yield _arrow(x, y, view.box.right + 18, stop_style(stop).ink)
    for placement in leaving:
        label = step_label(placement, view)
        yield box_svg(placement, view, id_prefix, label=label, tooltip="leaves here")
    yield truck_drawing.walls(view)
    yield from _ends(view)
    yield "</g>"


def _heading(truck: Truck, stop: int, left: float, top: float, width: float) -> Iterator[str]:
    yield (
        f'<g transform="translate({left + 13:.1f},{top + 13:.1f})">'
        f"{stop_number_svg(stop, 11, stop_style(stop).ink)}</g>"
    )
    name = shortened(f"Stop {stop}: {truck.label(stop)}", 13, width - 29, bold=True)
    yield svg_text(left + 29, top + 18, name, size=13, bold=True)


def _arrow(left: float, y: float, tip: float, ink: str) -> str:
    return (
        f'<path class="way-out" d="M{left:.1f},{y:.1f} H{tip:.1f} m-6,-5 l6,5 l-6,5" fill="none" '
        f'stroke="{ink}" stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round"/>'
    )


def _ends(view: FloorView) -> Iterator[str]:
    for name, x in (("CAB", view.box.left - 8), ("DOOR", view.box.right + 36)):
        yield svg_text(
            x, view.middle, name, size=11, bold=True, anchor="middle", fill=SOFT_INK, upwards=True
        )
