"""Several names in one cell of a table: kinds of vehicles, or customers.

Semicolons set them apart, or commas where there is no semicolon. A name that has such a mark itself
is put into double quotes; alone in its cell it needs none.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable

from tailgate.io.draft import Place

_SEPARATORS = ";,"
_QUOTE = '"'
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_MARKS = frozenset((*_SEPARATORS, _QUOTE))
_LINE_BREAKS = re.compile(r"\s*[\r\n]+\s*")


def split_names(cell: str, known: Collection[str], place: Place) -> tuple[str, ...]:
    """Return the names in a cell; ``known`` are those that there are.

    >>> place = Place("customers.csv", 2, "not with")
    >>> split_names("Bakery; Miller, Sons & Co", (), place)
    ('Bakery', 'Miller, Sons & Co')
    >>> split_names("Miller, Sons & Co", ("Miller, Sons & Co", "Bakery"), place)
    ('Miller, Sons & Co',)
    """
    if cell in known and not cell.startswith(_QUOTE):
        return (cell,)
    # Some write one below the other.
    line = _LINE_BREAKS.sub(";", cell)
    bare = _QUOTED.sub("", line)
    separator = next((one for one in _SEPARATORS if one in bare), ";")
    reader = csv.reader([line], delimiter=separator, strict=True, skipinitialspace=True)
    try:
        (names,) = reader
    except csv.Error as error:
        raise place.error(
            f"is not a list of names ({error}); write {joined_names(('A', 'B'), ())}, and a name "
            f"with {_QUOTE} in it as {joined_names(('the ' + _QUOTE + 'A' + _QUOTE,), ())}"
        ) from error
    stripped = (name.strip() for name in names)
    # A separator at the end is a slip that means nothing.
    return tuple(name for name in stripped if name)


def joined_names(names: Iterable[str], known: Collection[str]) -> str:
    """Return a cell from which `split_names` makes the names again.

    >>> joined_names(("Bakery", "Harbour"), ()), joined_names(("Miller, Sons & Co",), ())
    ('Bakery; Harbour', '"Miller, Sons & Co"')
    """
    listed = tuple(names)
    plain = "; ".join(listed)
    is_ambiguous = len(listed) > 1 and plain in known
    if not is_ambiguous and not any(_MARKS.intersection(name) for name in listed):
        return plain
    return "; ".join(f"{_QUOTE}{name.replace(_QUOTE, 2 * _QUOTE)}{_QUOTE}" for name in listed)
