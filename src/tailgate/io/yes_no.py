"""Yes and no as people and spreadsheets write them."""

from __future__ import annotations

from tailgate.io.draft import Place
from tailgate.model.validation import shown

# A spreadsheet writes its truth values in its own language; a tick is often an x or a check mark.
_WORDS = {
    **dict.fromkeys(("true", "yes", "y", "on", "1", "x", "\N{CHECK MARK}"), True),
    **dict.fromkeys(("ja", "j", "wahr", "oui", "o", "vrai"), True),
    **dict.fromkeys(("false", "no", "n", "off", "0", "-"), False),
    **dict.fromkeys(("nein", "falsch", "non", "faux"), False),
}


def yes_or_no(cell: str, place: Place) -> bool | None:
    """Return what a cell says, ``None`` if it is empty."""
    if not cell:
        return None
    if cell.casefold() not in _WORDS:
        raise place.error(f"must be yes or no, got {shown(cell)}")
    return _WORDS[cell.casefold()]
