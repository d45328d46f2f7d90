"""Text in tables that a spreadsheet must not take for a formula.

Whoever opens a table runs what begins with an equals sign, and a customer may be called so. An
apostrophe in front makes it text; reading takes the apostrophe off again.
"""

from __future__ import annotations

import re

# The last four are what keyboards for Chinese and Japanese write.
FORMULA_MARKS = "=+-@\t\r\n\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}" + (
    "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)
"""What a spreadsheet may take for the beginning of a formula."""

_APOSTROPHE = "'"
_FORMULA = re.compile(f"{_APOSTROPHE}*[{re.escape(FORMULA_MARKS)}]")
_GUARDED = re.compile(f"{_APOSTROPHE}+[{re.escape(FORMULA_MARKS)}]")


def begins_formula(text: str) -> bool:
    """Return whether a spreadsheet might calculate a text."""
    return text.startswith(tuple(FORMULA_MARKS))


def guarded(text: str) -> str:
    """Return a text that no spreadsheet calculates, from which `unguarded` makes the text again.

    >>> guarded("=1+1"), guarded("'=1+1"), guarded("O'Neil")
    ("'=1+1", "''=1+1", "O'Neil")
    """
    return _APOSTROPHE + text if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """Return the text that a guarded one stands for.

    >>> unguarded("'=1+1"), unguarded("'s-Hertogenbosch")
    ('=1+1', "'s-Hertogenbosch")
    """
    # The first question is for speed: a table of a thousand places has a million cells.
    return text[1:] if text[:1] == _APOSTROPHE and _GUARDED.match(text) else text
