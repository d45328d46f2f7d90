"""What is written on an item: as much as fits inside it, across or upwards, else nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tailgate.report.stop_styles import stop_style
from tailgate.report.svg_text import escaped, text_width
from tailgate.report.turned_mark import TURNED, turned_arrow_svg

_LARGEST_FONT = 13.0
# By the number of lines: a stop's number alone is worth more than a clean margin.
_SMALLEST_FONT = (6.5, 7.5, 9.0)
_PADDING = (2.0, 2.2, 4.0)
_LINE_HEIGHT = 1.22
_CIRCLE_DIAMETER = 1.75
_GAP = 0.35
_ARROW_ROOM = 0.15 + _CIRCLE_DIAMETER
_LONGEST_NAMES = (26, 14, 8)

Arrow = Literal["none", "beside", "below"]
# Whether the text is beside the disc, and where the arrow is; the favourite first.
_LAYOUTS: tuple[tuple[bool, Arrow], ...] = ((False, "none"), (True, "none"))
_TURNED_LAYOUTS: tuple[tuple[bool, Arrow], ...] = (
    *((False, "beside"), (True, "beside"), (False, "below")),
)


@dataclass(frozen=True, slots=True)
class ItemLabel:
    """The stop's number in a disc, and lines of text beside or below it.

    An item that is turned by a quarter has a round arrow, beside the disc or below it all.
    """

    stop_index: int
    lines: tuple[str, ...]
    beside: bool
    arrow: Arrow = "none"

    def _disc_width_ems(self) -> float:
        return max(_CIRCLE_DIAMETER, text_width(str(self.stop_index), 1.0, bold=True) + 2 * _GAP)

    def _head_width_ems(self) -> float:
        """Return the width of the disc and of the arrow beside it."""
        arrow = _ARROW_ROOM if self.arrow == "beside" else 0.0
        return self._disc_width_ems() + arrow

    def width_ems(self) -> float:
        """Return the width at font size 1."""
        head = self._head_width_ems()
        longest = max(
            (text_width(line, 1.0, bold=index == 0) for index, line in enumerate(self.lines)),
            default=0.0,
        )
        if self.beside:
            return head + _GAP + longest
        return max(head, longest)

    def height_ems(self) -> float:
        """Return the height at font size 1."""
        text = _LINE_HEIGHT * len(self.lines)
        label = max(_CIRCLE_DIAMETER, text) if self.beside else _CIRCLE_DIAMETER + text
        return label + (_ARROW_ROOM if self.arrow == "below" else 0.0)

    def largest_font(self, width: float, height: float) -> float:
        """Return the font size at which the label fills a box, less a margin."""
        padding = _PADDING[len(self.lines)]
        return min(
            (width - 2 * padding) / self.width_ems(), (height - 2 * padding) / self.height_ems()
        )

    def svg(self, font_size: float, ink: str, *, upwards: bool) -> str:
        """Draw the label around the origin, on a pale ground that keeps the hatch away."""
        width, height = self.width_ems() * font_size, self.height_ems() * font_size
        head_width = self._head_width_ems() * font_size
        disc_width = self._disc_width_ems() * font_size
        radius = _CIRCLE_DIAMETER * font_size / 2
        left = -width / 2 if self.beside else -head_width / 2
        middle = 0.0 if self.beside else -height / 2 + radius
        disc_x = left + disc_width / 2
        parts = ['<g transform="rotate(-90)">' if upwards else "<g>"]
        if self.lines:
            parts.append(
                f'<rect x="{-width / 2 - 2:.1f}" y="{-height / 2 - 1:.1f}" '
                f'width="{width + 4:.1f}" height="{height + 2:.1f}" rx="4" fill="#FFFFFF" '
                'fill-opacity="0.85"/>'
            )
        parts.append(
            f'<rect x="{left:.1f}" y="{middle - radius:.1f}" '
            f'width="{disc_width:.1f}" height="{2 * radius:.1f}" rx="{radius:.1f}" fill="{ink}"/>'
            f'<text x="{disc_x:.1f}" y="{middle + 0.36 * font_size:.1f}" '
            f'font-size="{font_size:.1f}" font-weight="700" text-anchor="middle" '
            f'fill="#FFFFFF">{self.stop_index}</text>'
        )
        if self.arrow == "beside":
            parts.append(turned_arrow_svg(left + head_width - radius, middle, radius))
        elif self.arrow == "below":
            parts.append(turned_arrow_svg(0, height / 2 - radius, radius))
        text_x = left + head_width + _GAP * font_size if self.beside else 0.0
        first = -_LINE_HEIGHT * len(self.lines) / 2 * font_size if self.beside else middle + radius
        anchor = "start" if self.beside else "middle"
        for index, line in enumerate(self.lines):
            baseline = first + (index * _LINE_HEIGHT + 0.95) * font_size
            weight = ' font-weight="700"' if index == 0 else ' fill-opacity="0.8"'
            parts.append(
                f'<text x="{text_x:.1f}" y="{baseline:.1f}" font-size="{font_size:.1f}" '
                f'text-anchor="{anchor}"{weight}>{escaped(line)}</text>'
            )
        parts.append("</g>")
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class FittedLabel:
    """A label at the size and in the direction in which it stays inside a box."""

    label: ItemLabel
    font_size: float
    upwards: bool

    def svg(self, ink: str) -> str:
        """Draw the label around the origin."""
        return self.label.svg(self.font_size, ink, upwards=self.upwards)


def fitted_label(
    stop_index: int,
    choices: Sequence[tuple[str, ...]],
    box: tuple[float, float],
    *,
    is_turned: bool = False,
) -> FittedLabel | None:
    """Return the first label that stays inside a box of (width, height) pixels.

    Each of the ``choices`` is the lines below or beside the stop's number, from the fullest to the
    shortest. Nothing is returned where not even the stop's number fits: the tooltip still has it.
    """
    layouts = _TURNED_LAYOUTS if is_turned else _LAYOUTS
    for lines in (*choices, ()):
        labels = [ItemLabel(stop_index, lines, beside, arrow) for beside, arrow in layouts]
        for upwards in (False, True):
            across, along = (box[1], box[0]) if upwards else box
            fonts = [min(label.largest_font(across, along), _LARGEST_FONT) for label in labels]
            if max(fonts) >= _SMALLEST_FONT[len(lines)]:
                # Below where it is as legible as beside.
                choice = fonts.index(max(fonts))
                return FittedLabel(labels[choice], fonts[choice], upwards)
    # The stop's number comes before the arrow, which the label beside the floor has, too.
    return fitted_label(stop_index, (), box) if is_turned else None


def label_choices(
    names: Sequence[str], load_step: str, size: str, *, is_turned: bool = False
) -> list[tuple[str, ...]]:
    """List what may stand on an item, from the fullest to the shortest.

    The loading step outlives the name: whoever loads finds the item's row of the table by it. The
    word "turned" goes first, for the arrow beside the stop's number says as much.
    """
    step = f"{load_step} {TURNED}" if is_turned else load_step
    steps = dict.fromkeys((step, load_step))
    return [
        *((name, f"{step}, {size}") for name in names),
        *((name, one) for one in steps for name in names),
        *((one,) for one in steps),
    ]


def name_choices(name: str, number: int) -> list[str]:
    """List ways to name a customer on an item, from the fullest to the shortest."""
    if not name:
        return [f"customer {number}", f"cust. {number}"]
    choices = [name]
    for longest in _LONGEST_NAMES:
        if len(name) > longest:
            choices.append(name[: longest - 1].rstrip() + "…")
    return choices


def stop_number_svg(stop_index: int, font_size: float, ink: str) -> str:
    """Draw the stop's number alone, around the origin, for a legend."""
    return ItemLabel(stop_index, (), beside=False).svg(font_size, ink, upwards=False)


def swatch_svg(stop_index: int, pattern: str) -> str:
    """Draw the look of a stop with its number, for a table beside a picture.

    ``pattern`` is the name that a picture of the same page gives to the look.
    """
    ink = stop_style(stop_index).ink
    return (
        f'<svg class="swatch" width="36" height="18" viewBox="0 0 36 18" role="img" '
        f'aria-label="stop {stop_index}">'
        f'<rect x="1" y="1" width="34" height="16" fill="url(#{pattern})" stroke="{ink}" '
        f'stroke-width="1.2"/><g transform="translate(18,9)">'
        f"{stop_number_svg(stop_index, 9.5, ink)}</g></svg>"
    )
