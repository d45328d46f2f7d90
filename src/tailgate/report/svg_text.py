"""Text in a picture: escaped, and measured without a font at hand."""

from __future__ import annotations

import unicodedata
from xml.sax.saxutils import escape

TIMES = "\N{MULTIPLICATION SIGN}"

# Widths in ems, after DejaVu Sans: the widest of the fonts that a viewer is likely to fall back on.
_NARROW = frozenset("fijlrtI.,:;|!'()[]/ -")
_WIDE = frozenset("mwMW@%→…")


def escaped(text: str) -> str:
    """Return the text fit for an element or a quoted attribute."""
    return escape(text, {'"': "&quot;", "'": "&apos;"})


def text_width(text: str, font_size: float, *, bold: bool = False) -> float:
    """Estimate the width of a line in a common sans-serif font, rather too wide than too narrow."""
    ems = 0.0
    for character in text:
        if character in _NARROW:
            ems += 0.41
        elif character in _WIDE:
            ems += 1.0
        elif unicodedata.east_asian_width(character) in "WF" or ord(character) > 0x2E7F:
            ems += 1.05
        elif character.isupper() or character == TIMES:
            ems += 0.8
        else:
            ems += 0.64
    return ems * font_size * (1.12 if bold else 1.0)


def shortened(text: str, font_size: float, width: float, *, bold: bool = False) -> str:
    """Return the text, cut with an ellipsis where it would be wider than ``width``."""
    if text_width(text, font_size, bold=bold) <= width:
        return text
    kept = text
    while kept and text_width(kept + "…", font_size, bold=bold) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…" if kept else ""
