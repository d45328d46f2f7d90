"""The list of stops below a loading plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tailgate.model.rounding import counted
from tailgate.report.item_drawing import pattern_id
from tailgate.report.item_label import stop_number_svg
from tailgate.report.stop_styles import stop_style
from tailgate.report.svg_text import SOFT_INK, shortened, svg_text, text_width
from tailgate.report.truck import Truck


@dataclass(frozen=True, slots=True)
class StopLegend:
    """Stops in visiting order, row by row, each with its look, its customer and its load."""

    ROW_HEIGHT: ClassVar[int] = 42
    SWATCH_SPACE: ClassVar[int] = 64
    MOST_COLUMNS: ClassVar[int] = 4

    truck: Truck
    left: float
    width: float

    @property
    def columns(self) -> int:
        """As many columns as the longest name allows."""
        longest = max(
            (text_width(self.truck.stop_text(stop), 13, bold=True) for stop in self.truck.stops),
            default=0.0,
        )
        return max(1, min(self.MOST_COLUMNS, int(self.width // (longest + self.SWATCH_SPACE))))

    @property
    def height(self) -> float:
        """The room that the legend takes."""
        return -(-len(self.truck.stops) // self.columns) * self.ROW_HEIGHT

    def svg(self, top: float, id_prefix: str) -> Iterator[str]:
        """Draw the legend."""
        columns = self.columns
        column_width = self.width / columns
        for index, stop in enumerate(self.truck.stops):
            x = self.left + (index % columns) * column_width
            y = top + (index // columns) * self.ROW_HEIGHT
            yield from self._entry(stop, x, y, column_width - self.SWATCH_SPACE + 2, id_prefix)

    def _entry(self, stop: int, x: float, y: float, room: float, id_prefix: str) -> Iterator[str]:
        customer = self.truck.instance.customer(self.truck.customer_number(stop))
        style = stop_style(stop)
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="40" height="28" '
            f'fill="url(#{pattern_id(id_prefix, stop)})" stroke="{style.ink}" '
            'stroke-width="1.5"/>'
            f'<g transform="translate({x + 20:.1f},{y + 14:.1f})">'
            f"{stop_number_svg(stop, 12, style.ink)}</g>"
        )
        heading = shortened(self.truck.stop_text(stop), 13, room, bold=True)
        yield svg_text(x + 50, y + 11, heading, size=13, bold=True)
        weight = self.truck.weight_text(customer.weight)
        load = shortened(f"{counted(len(customer.items), 'item')}, weight {weight}", 12, room)
        yield svg_text(x + 50, y + 27, load, size=12, fill=SOFT_INK)
