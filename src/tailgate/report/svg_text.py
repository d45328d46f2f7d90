"""The frame of a picture, and its text: escaped, measured without a font at hand, and drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from xml.sax.saxutils import escape

TIMES = "\N{MULTIPLICATION SIGN}"

FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"
INK = "#1F2933"
SOFT_INK = "#52606D"
LINE = "#9AA5B1"
ALARM = "#C00000"
PAPER = "#FFFFFF"

# A page may give them other colours in the dark.
_TONES = {INK: "ink", SOFT_INK: "soft-ink", ALARM: "alarm"}

# Widths in ems, after DejaVu Sans: the widest of the fonts that a viewer is likely to fall back on.
_NARROW = frozenset("fijlrtI.,:;|!'()[]/ -")
_WIDE = frozenset("mwMW@%→…")


def escaped(text: str) -> str:
    """Return the text fit for an element or a quoted attribute."""
    return escape(text, {'"': "&quot;", "'": "&apos;"})


def svg_document(
    width: float,
    height: float,
    parts: Iterable[str],
    *,
    label: str = "",
    class_: str = "",
    scale: float = 1.0,
) -> str:
    """Return a standalone picture; ``scale`` is its size in a page to that of its coordinates."""
    stated = {"class": class_, "aria-label": label}
    names = "".join(f' {name}="{escaped(text)}"' for name, text in stated.items() if text)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg"{names} width="{width * scale:.0f}" '
        f'height="{height * scale:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'font-family="{FONT}" fill="{INK}">'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def paper(width: float, height: float) -> str:
    """Draw the ground of a picture."""
    return f'<rect class="paper" width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>'


def text_width(text: str, font_size: float, *, bold: bool = False) -> float:
    """Estimate the width of a line in a common sans-serif font, rather too wide than too narrow."""
    return _ems(text) * font_size * (1.12 if bold else 1.0)


@lru_cache(maxsize=10_000)
def _ems(text: str) -> float:
    """Return the width at font size 1; the same names come again on every item of a customer."""
    return sum(_character_ems(character) for character in text)


@lru_cache(maxsize=10_000)
def _character_ems(character: str) -> float:
    if character in _NARROW:
        return 0.41
    if character in _WIDE:
        return 1.0
    if unicodedata.east_asian_width(character) in "WF" or ord(character) > 0x2E7F:
        return 1.05
    if character.isupper() or character == TIMES:
        return 0.8
    return 0.64


def shortened(text: str, font_size: float, width: float, *, bold: bool = False) -> str:
    """Return the text, cut with an ellipsis where it would be wider than ``width``."""
    if text_width(text, font_size, bold=bold) <= width:
        return text
    kept = text
    while kept and text_width(kept + "…", font_size, bold=bold) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…" if kept else ""


def svg_text(
    x: float,
    y: float,
    content: str,
    *,
    size: float,
    bold: bool = False,
    anchor: str = "start",
    fill: str = INK,
    upwards: bool = False,
) -> str:
    """Write a line at a place of the picture; ``upwards`` makes it run from below."""
    weight = ' font-weight="700"' if bold else ""
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if upwards else ""
    return (
        f'<text class="{_TONES[fill]}" x="{x:.1f}" y="{y:.1f}" font-size="{size:g}"{weight} '
        f'text-anchor="{anchor}" fill="{fill}"{turn}>{escaped(content)}</text>'
    )
