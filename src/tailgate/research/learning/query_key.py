"""When two loading queries are the same one, whoever asked them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

Stop = Sequence[tuple[int, int] | tuple[int, int, bool]]
"""The widths and lengths of the items that one customer gets, and ``True`` if one may be turned."""

KEY_BYTES = 16


def canonical_key(stops: Sequence[Stop], floor_width: int, floor_length: int) -> bytes:
    """Return the same bytes for all queries that must have the same answer by symmetry.

    Items of one customer have no order, and a route can be loaded exactly if its reverse can. An
    item that may be turned is the same whichever of its sides comes first. Where customers and
    instances differ but all sizes agree, it is one query still.
    """
    forward = tuple(tuple(sorted(map(_canonical_item, stop))) for stop in stops)
    canonical = min(forward, forward[::-1])
    text = f"{floor_width}x{floor_length}:{canonical}"
    return hashlib.sha256(text.encode("ascii")).digest()[:KEY_BYTES]


def _canonical_item(item: tuple[int, ...]) -> tuple[int, ...]:
    width, length, *turns = item
    if not any(turns) or width == length:
        return width, length
    return min(width, length), max(width, length), True
