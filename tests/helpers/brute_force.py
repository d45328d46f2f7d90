"""The definition of a loading, tried out at every integer position: slow, short, beyond doubt.

Integer positions are enough: pushed against the left wall and the cab as far as it goes, every item
stands at a total of other items' sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

Size = tuple[int, int] | tuple[int, int, bool]
"""Width, length, and whether the item may be turned; it may not where that is left out."""


class _Spot(NamedTuple):
    """An item at one position: the cells it covers, and those between it and the door."""

    cells: int
    way_out: int


def can_load(width: int, length: int, stops: Sequence[Sequence[Size]], *, lifo: bool) -> bool:
    """Say whether the items of all stops, in visiting order, can be loaded."""
    items = [(size, stop) for stop, sizes in enumerate(stops) for size in sizes]
    # Large ones first, as there are few ways to place them; any order is complete.
    items.sort(key=lambda entry: -entry[0][0] * entry[0][1])
    if sum(size[0] * size[1] for size, _ in items) > width * length:
        return False
    spots = [_spots(width, length, size) for size, _ in items]
    # Where the order does not count, it is as if all were unloaded at one stop.
    order = [stop if lifo else 0 for _, stop in items]
    return _place([], spots, order)


def _place(placed: list[_Spot], spots: Sequence[Sequence[_Spot]], order: Sequence[int]) -> bool:
    """Try all positions of the items that are left, each beside what is placed."""
    index = len(placed)
    if index == len(spots):
        return True
    stop = order[index]
    # No cell twice, nothing in the way of what leaves sooner, and no way out through the rest.
    taken = in_the_way = 0
    for other, other_stop in zip(placed, order, strict=False):
        taken |= other.cells
        if other_stop < stop:
            taken |= other.way_out
        elif stop < other_stop:
            in_the_way |= other.cells
    for spot in spots[index]:
        if not (spot.cells & taken or spot.way_out & in_the_way):
            placed.append(spot)
            if _place(placed, spots, order):
                return True
            placed.pop()
    return False


@cache
def _spots(width: int, length: int, size: Size) -> tuple[_Spot, ...]:
    shapes = {size[:2], size[1::-1]} if len(size) == 3 and size[2] else {size[:2]}
    return tuple(
        _Spot(
            cells=_cells(length, x, item_width, y, y + item_length),
            way_out=_cells(length, x, item_width, y + item_length, length),
        )
        for item_width, item_length in sorted(shapes)
        for x in range(width - item_width + 1)
        for y in range(length - item_length + 1)
    )


def _cells(length: int, x: int, item_width: int, begin: int, end: int) -> int:
    """Return the cells of some columns between y = begin and y = end, one bit each."""
    column = (1 << end) - (1 << begin)
    return sum(column << (length * (x + offset)) for offset in range(item_width))
