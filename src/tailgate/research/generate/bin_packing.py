"""How many floors hold all items when customers and their order are forgotten: a heuristic."""

from __future__ import annotations

from collections.abc import Sequence

from tailgate.model.instance import Item

# A floor that has refused so many items in a row is taken for full, so that the effort grows with
# the number of items and not with its square.
_REFUSALS_OF_A_FULL_FLOOR = 60


class Skyline:
    """One floor, filled from the cab, seen as the contour of what already stands on it."""

    def __init__(self, width: int, length: int) -> None:
        """Start with an empty floor."""
        self._length = length
        self._free_area = width * length
        self._refusals = 0
        # Neighbouring segments (left end, right end, depth already used), from left to right.
        self._segments: list[tuple[int, int, int]] = [(0, width, 0)]

    def add(self, item: Item) -> bool:
        """Put the item where it reaches least far towards the door; False if it fits nowhere."""
        if item.width * item.length > self._free_area:
            return False
        if self._refusals == _REFUSALS_OF_A_FULL_FLOOR:
            return False
        best: tuple[int, int] | None = None
        floor_end = self._segments[-1][1]
        for left, right, _ in self._segments:
            for x in {left, right - item.width}:
                if x >= 0 and x + item.width <= floor_end:
                    place = (self._depth_under(x, x + item.width), x)
                    best = place if best is None else min(best, place)
        if best is None or best[0] + item.length > self._length:
            self._refusals += 1
            return False
        self._refusals = 0
        self._raise_contour(best[1], best[1] + item.width, best[0] + item.length)
        self._free_area -= item.width * item.length
        return True

    def _depth_under(self, start: int, end: int) -> int:
        return max(depth for left, right, depth in self._segments if left < end and right > start)

    def _raise_contour(self, start: int, end: int, new_depth: int) -> None:
        contour: list[tuple[int, int, int]] = []
        for left, right, depth in self._segments:
            if left < start:
                contour.append((left, min(right, start), depth))
            if right > end:
                contour.append((max(left, end), right, depth))
        contour.append((start, end, new_depth))
        contour.sort()
        self._segments = contour


def count_floors(items: Sequence[Item], width: int, length: int) -> int:
    """Pack first-fit in four orders, largest first, and return the fewest floors needed."""
    orders = (
        sorted(items, key=lambda item: (-item.width * item.length, -item.length, -item.width)),
        sorted(items, key=lambda item: (-item.length, -item.width)),
        sorted(items, key=lambda item: (-item.width, -item.length)),
        sorted(
            items,
            key=lambda item: (
                -max(item.length * width, item.width * length),
                -item.width * item.length,
            ),
        ),
    )
    return min(_first_fit(order, width, length) for order in orders)


def _first_fit(items: Sequence[Item], width: int, length: int) -> int:
    floors: list[Skyline] = []
    for item in items:
        if not any(floor.add(item) for floor in floors):
            floor = Skyline(width, length)
            floor.add(item)
            floors.append(floor)
    return len(floors)
