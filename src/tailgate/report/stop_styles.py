"""How a stop looks in every picture: a colour, a hatch and a number, each enough by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

# Okabe and Ito's palette, which colour-blind people can distinguish as well; grey instead of black.
_PALETTE = (
    "#E69F00",  # orange
    "#56B4E9",  # sky blue
    "#009E73",  # bluish green
    "#CC79A7",  # reddish purple
    "#F0E442",  # yellow
    "#0072B2",  # blue
    "#D55E00",  # vermillion
    "#8C8C8C",  # grey
)

# Yellow fills an area well, but a thin line of it is lost on white paper.
_LINES = {"#F0E442": "#9C9000"}

# Seven hatches on eight colours: no pair repeats before stop 57. Each is drawn on a square tile.
_TILE = 10
_HATCHES = (
    "M-2,2 L2,-2 M0,10 L10,0 M8,12 L12,8",  # rising
    "M0,5 H10",  # across
    "M-2,8 L2,12 M0,0 L10,10 M8,-2 L12,2",  # falling
    "M5,0 V10",  # upright
    "M0,0 L10,10 M10,0 L0,10",  # crossed
    "M2.5,3 h0.01 M7.5,8 h0.01",  # dots, drawn as round line ends
    "M0,5 H10 M5,0 V10",  # grid
)


@dataclass(frozen=True, slots=True)
class StopStyle:
    """The look of one stop."""

    DOTS: ClassVar[int] = 5
    """The hatch of round line ends, which need a wider line."""

    colour: str
    line: str
    """The colour as a thin line."""
    tint: str
    ink: str
    hatch: int

    def pattern(self, identifier: str) -> str:
        """Return the SVG pattern: the hatch in the stop's colour on its own tint."""
        stroke_width = 3 if self.hatch == self.DOTS else 1.4
        return (
            f'<pattern id="{identifier}" width="{_TILE}" height="{_TILE}" '
            'patternUnits="userSpaceOnUse">'
            f'<rect width="{_TILE}" height="{_TILE}" fill="{self.tint}"/>'
            f'<path d="{_HATCHES[self.hatch]}" stroke="{self.colour}" '
            f'stroke-width="{stroke_width}" stroke-linecap="round" fill="none"/></pattern>'
        )


def stop_style(stop_index: int) -> StopStyle:
    """Return the look of a stop (1 = first unloaded), the same in every picture."""
    colour = _PALETTE[(stop_index - 1) % len(_PALETTE)]
    return StopStyle(
        colour=colour,
        line=_LINES.get(colour, colour),
        tint=_mixed(colour, "#FFFFFF", 70),
        ink=_mixed(colour, "#000000", 55),
        hatch=(stop_index - 1) % len(_HATCHES),
    )


def _mixed(colour: str, other: str, percent_other: int) -> str:
    channels = []
    for start in (1, 3, 5):
        own, added = int(colour[start : start + 2], 16), int(other[start : start + 2], 16)
        channels.append((own * (100 - percent_other) + added * percent_other) // 100)
    return "#" + "".join(f"{channel:02X}" for channel in channels)
