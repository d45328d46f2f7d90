"""The definition of a loading, tried out at every integer position: slow, short, beyond doubt.

Integer positions are enough: pushed against the left wall and the cab as far as it goes, every item
stands at a total of other items' sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Spot:
    """An item at one position: the cells it covers, and those between it and the door."""

    cells: int
    way_out: int


def can_load(width: int, length: int, stops: Sequence[Sequence[Size]], *, lifo: bool) -> bool:
    """Say whether the items (width, length) of all stops, in visiting order, can be loaded."""
    items = [(size, stop) for stop, sizes in enumerate(stops) for size in sizes]
    # Large ones first, as there are few ways to place them; any order is complete.
    items.sort(key=lambda entry: -entry[0][0] * entry[0][1])
    if sum(item_width * item_length for (item_width, item_length), _ in items) > width * length:
        return False
    spots = [list(_spots(width, length, size)) for size, _ in items]
    order = [stop for _, stop in items]
    return _place(0, 0, [], spots, order, lifo=lifo)


def _place(
    index: int,
    covered: int,
    placed: list[_Spot],
    spots: Sequence[Sequence[_Spot]],
    order: Sequence[int],
    *,
    lifo: bool,
) -> bool:
    if index == len(spots):
        return True
    for spot in spots[index]:
        if spot.cells & covered:
            continue
        if lifo and any(
            _blocks(spot, order[index], other, order[position])
            for position, other in enumerate(placed)
        ):
            continue
        placed.append(spot)
        if _place(index + 1, covered | spot.cells, placed, spots, order, lifo=lifo):
            return True
        placed.pop()
    return False


def _blocks(one: _Spot, one_stop: int, other: _Spot, other_stop: int) -> bool:
    """Say whether the item that leaves later stands in the way of the other."""
    if one_stop < other_stop:
        return bool(one.way_out & other.cells)
    if other_stop < one_stop:
        return bool(other.way_out & one.cells)
    return False


def _spots(width: int, length: int, size: Size) -> Iterator[_Spot]:
    item_width, item_length = size
    for x in range(width - item_width + 1):
        for y in range(length - item_length + 1):
            yield _Spot(
                cells=_cells(length, x, item_width, y, y + item_length),
                way_out=_cells(length, x, item_width, y + item_length, length),
            )


def _cells(length: int, x: int, item_width: int, begin: int, end: int) -> int:
    """Return the cells of some columns between y = begin and y = end, one bit each."""
    column = (1 << end) - (1 << begin)
    return sum(column << (length * (x + offset)) for offset in range(item_width))
