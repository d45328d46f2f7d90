"""What the customers ordered: items after the table of Iori, Salazar-Gonzalez and Vigo (2007)."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.random import Generator

from tailgate.model.instance import Item
from tailgate.research.generate.random_streams import draw_integer


@dataclass(frozen=True, slots=True)
class ItemShape:
    """The least and the greatest length and width of a shape, in tenths of the floor's."""

    length_tenths: tuple[int, int]
    width_tenths: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PackingClass:
    """How many items a customer may have, and the shapes of which each item takes one."""

    most_items: int
    vertical: ItemShape
    homogeneous: ItemShape
    horizontal: ItemShape


def _packing_class(
    most_items: int, long_tenths: tuple[int, int], even_tenths: tuple[int, int]
) -> PackingClass:
    """Return a class: an item is long and narrow, about square, or short and wide."""
    short_tenths = (1, 2)
    return PackingClass(
        most_items,
        vertical=ItemShape(long_tenths, short_tenths),
        homogeneous=ItemShape(even_tenths, even_tenths),
        horizontal=ItemShape(short_tenths, long_tenths),
    )


# Two cells of the table in the neural column generation paper are misprints and are given here
# as in Iori et al. (2007): class 2 homogeneous lengths (2H/10-5H/10), class 4 homogeneous lengths
# (H/10-4H/10).
PACKING_CLASSES: dict[int, PackingClass] = {
    2: _packing_class(2, (4, 9), (2, 5)),
    3: _packing_class(3, (3, 8), (2, 4)),
    4: _packing_class(4, (2, 7), (1, 4)),
    5: _packing_class(5, (1, 6), (1, 3)),
}

# Below ten units a side, an interval such as [W/10, 2W/10] may hold no whole number.
SMALLEST_FLOOR_SIDE = 10


def draw_items(
    packing_class: int, floor_width: int, floor_length: int, stream: Generator
) -> tuple[Item, ...]:
    """Draw the items of one customer; class 1 is the problem without loading: one 1 x 1 item."""
    if packing_class == 1:
        return (Item(width=1, length=1),)
    table = PACKING_CLASSES[packing_class]
    shapes = (table.vertical, table.homogeneous, table.horizontal)
    items = []
    for _ in range(draw_integer(stream, 1, table.most_items)):
        shape = shapes[draw_integer(stream, 0, 2)]
        length = _draw_side(shape.length_tenths, floor_length, stream)
        width = _draw_side(shape.width_tenths, floor_width, stream)
        items.append(Item(width=width, length=length))
    return tuple(items)


def _draw_side(tenths: tuple[int, int], floor_side: int, stream: Generator) -> int:
    shortest = -(-tenths[0] * floor_side // 10)
    longest = tenths[1] * floor_side // 10
    return draw_integer(stream, shortest, longest)
