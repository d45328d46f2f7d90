"""How an item that lies turned by a quarter is marked: a round arrow, and the word beside it.

Neither needs colours: a sheet may be printed in black and white, or read aloud.
"""

from __future__ import annotations

from collections.abc import Sequence

from tailgate.model.solution import Placement
from tailgate.report.html import NOTHING, Html, tag
from tailgate.report.svg_text import INK, PAPER

TURNED = "turned"

# In a circle of radius 1: three quarters of a turn, clockwise, and the tip.
_ARC = "M.45,.26 A.52,.52 0 1 1 .26,-.45"
_TIP = "M.45,-.79 L.66,-.22 L.07,-.11 Z"


def turned_arrow_svg(x: float, y: float, radius: float) -> str:
    """Draw the arrow in a circle around a place of a picture."""
    return (
        f'<g class="turned-arrow" transform="translate({x:.1f},{y:.1f}) scale({radius:.2f})">'
        f'<circle r=".92" fill="{PAPER}" stroke="{INK}" stroke-width=".16"/>'
        f'<path d="{_ARC}" fill="none" stroke="{INK}" stroke-width=".24"/>'
        f'<path d="{_TIP}" fill="{INK}"/></g>'
    )


def turned_sign() -> Html:
    """Return the arrow for a line of text; who listens hears the words around it."""
    return Html(
        '<svg class="turned-sign" width="15" height="15" viewBox="-8 -8 16 16" '
        f'aria-hidden="true">{turned_arrow_svg(0, 0, 8)}</svg>'
    )


def turned_cell(*, is_turned: bool) -> Html:
    """Return what a table says of an item: the arrow and the word, or nothing."""
    return tag("span", turned_sign(), f" {TURNED}", class_="turned") if is_turned else NOTHING


def turned_count(placements: Sequence[Placement]) -> int:
    """Return how many items are turned."""
    return sum(placement.turned for placement in placements)
