"""Loads that follow from the shape of the items: more floor than their area, for some.

Dual feasible functions change sizes so that whatever fits side by side still does. Items that are
changed in width and in length by two such functions, and lie on one floor, cover at most the floor
that is changed likewise (Fekete and Schepers 2004). So the changed areas are a load as good as the
true ones. With it items wider than half the floor stand one behind the other, for instance, and
small ones count for nothing. LIFO is left out, so it holds with it and without.

An item that may be turned counts for the lesser of its two changed areas: it lies one way or the
other, and whichever that is, its changed area is no less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailgate.model.customer import Customer
from tailgate.model.instance import Instance, Item
from tailgate.solver.search.cuts.kind_groups import KindGroup, kind_groups
from tailgate.solver.search.cuts.loads import Load

Shape = tuple[int, int]
"""Width and length of an item as it lies."""

MAX_FLOOR_LOADS = 40
_MAX_PARAMETERS = 10
"""Of each kind of function and each dimension."""
_ROUNDINGS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Scaling:
    """A dual feasible function in integers: sizes within `room` become sizes within `full`."""

    room: int
    full: int
    scale: Callable[[int], int]

    def share(self, size: int) -> float:
        """Return what part of the room a size counts for."""
        return self.scale(size) / self.full


def unchanged(room: int) -> Scaling:
    """Take sizes as they are."""
    return Scaling(room, room, lambda size: size)


def without_small(room: int, smallest: int) -> Scaling:
    """Leave out what is smaller, and let what leaves less beside it fill the room.

    The function U of Fekete and Schepers; `smallest` is at most half the room.
    """

    def scale(size: int) -> int:
        if size < smallest:
            return 0
        return room if size > room - smallest else size

    return Scaling(room, room, scale)


def counted_in(room: int, unit: int) -> Scaling:
    """Count full units; of what is larger than half the room, those that fit beside it.

    The function f2 of Carlier, Clautiaux and Moukrim 2007.
    """

    def scale(size: int) -> int:
        if 2 * size > room:
            return 2 * (room // unit - (room - size) // unit)
        return room // unit if 2 * size == room else 2 * (size // unit)

    return Scaling(room, 2 * (room // unit), scale)


def rounded(room: int, parts: int) -> Scaling:
    """Round down to parts of the room, and stretch so that `parts` of them fill it.

    The function u of Fekete and Schepers: a size counts floor((parts + 1) size) / parts, unless
    that is an integer already.
    """

    def scale(size: int) -> int:
        pieces, rest = divmod((parts + 1) * size, room)
        return pieces * room if rest else parts * size

    return Scaling(room, parts * room, scale)


def scalings(sizes: Iterable[int], room: int) -> list[Scaling]:
    """Return functions that may say something about these sizes, each effect once."""
    distinct = sorted(set(sizes))
    thresholds = {min(size, room - size) for size in distinct}
    thresholds |= {room - size + 1 for size in distinct if 2 * size > room}
    smallest = _some(size for size in thresholds | {room // 2} if 1 < 2 * size <= room)
    units = _some(size for size in distinct if 2 * size <= room)
    candidates = [
        unchanged(room),
        *(without_small(room, size) for size in smallest),
        *(counted_in(room, unit) for unit in units),
        *(rounded(room, parts) for parts in _ROUNDINGS),
    ]
    effects: dict[tuple[float, ...], Scaling] = {}
    for candidate in candidates:
        effect = tuple(candidate.share(size) for size in distinct)
        effects.setdefault(effect, candidate)
    return list(effects.values())


def _some(values: Iterable[int]) -> list[int]:
    """Return the values, or some spread over their range if they are many."""
    ordered = sorted(set(values))
    if len(ordered) <= _MAX_PARAMETERS:
        return ordered
    return [
        ordered[i * (len(ordered) - 1) // (_MAX_PARAMETERS - 1)] for i in range(_MAX_PARAMETERS)
    ]


def floor_loads(instance: Instance) -> list[Load]:
    """Return the loads that ask for most trucks; no other asks for more everywhere."""
    return [load for group in kind_groups(instance) for load in _loads_of(instance, group)]


def _loads_of(instance: Instance, group: KindGroup) -> list[Load]:
    """Return the loads of some customers, on the floor of the vehicles that may serve them."""
    customers = sorted(group.customers)
    orders = [instance.customer(number).items for number in customers]
    items = [item for order in orders for item in order]
    if not items:
        return []
    shapes = [_shapes(instance, group, item) for item in items]
    across = scalings((width for own in shapes for width, _ in own), group.width)
    along = scalings((length for own in shapes for _, length in own), group.length)
    # What part of a truck each customer fills, to choose by; the loads themselves are integers.
    owner = np.repeat(np.arange(len(customers)), [len(order) for order in orders])
    owned = np.eye(len(customers))[owner]
    scaled = _scaled([own[0] for own in shapes], across, along)
    if any(len(own) > 1 for own in shapes):
        scaled = np.minimum(scaled, _scaled([own[-1] for own in shapes], across, along))
    filled = (scaled @ owned).reshape(-1, len(customers))
    # The first pair changes nothing: that is the area, which is a load by itself.
    chosen = _undominated(filled[1:], filled[:1])
    return [
        _load(instance, group, across[(index + 1) // len(along)], along[(index + 1) % len(along)])
        for index in chosen
    ]


def _shapes(instance: Instance, group: KindGroup, item: Item) -> tuple[Shape, ...]:
    """Return width and length of an item, one for each way it may lie on the floor of a group."""
    given = item.width, item.length
    ways = (given, given[::-1]) if instance.may_turn(item) else (given,)
    fitting = [shape for shape in ways if shape[0] <= group.width and shape[1] <= group.length]
    return tuple(dict.fromkeys(fitting or ways))


def _scaled(
    shapes: Sequence[Shape], across: Sequence[Scaling], along: Sequence[Scaling]
) -> npt.NDArray[np.float64]:
    """Return the changed areas by function across, function along, and item."""
    wide = np.array([[function.share(width) for width, _ in shapes] for function in across])
    long = np.array([[function.share(length) for _, length in shapes] for function in along])
    areas: npt.NDArray[np.float64] = wide[:, None, :] * long[None, :, :]
    return areas


def _load(instance: Instance, group: KindGroup, across: Scaling, along: Scaling) -> Load:
    """Return a load; nobody fills more than a truck.

    Whoever does can only be left out. That must not save more than one truck in the rows.
    """
    full = across.full * along.full

    def filled(customer: Customer) -> int:
        return min(full, sum(map(changed_area, customer.items)))

    def changed_area(item: Item) -> int:
        return min(
            across.scale(width) * along.scale(length)
            for width, length in _shapes(instance, group, item)
        )

    return Load(full, group.amounts(instance, filled))


def _undominated(filled: npt.NDArray[np.float64], others: npt.NDArray[np.float64]) -> Sequence[int]:
    """Return those lines, greatest sum first, that no other line is at least equal to."""
    chosen: list[int] = []
    compared = others
    for index in np.argsort(-filled.sum(axis=1), kind="stable").tolist():
        if len(chosen) >= MAX_FLOOR_LOADS:
            break
        if not (compared >= filled[index] - 1e-12).all(axis=1).any():
            chosen.append(index)
            compared = np.vstack((compared, filled[index]))
    return chosen
