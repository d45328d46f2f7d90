"""Simple numbers about customers and routes that a network may see beside the items.

Every one depends on a customer alone. A feature of a route is the sum over its customers, so that
it costs next to nothing. Items are given as (width, length), as shares of the floor's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

ItemShares = Sequence[tuple[float, float]]
Feature = Callable[[ItemShares], float]

HALF = 0.5
"""Of two items that are wider, one must stand behind the other."""
COUNT_SCALE = 10.0


def _area(items: ItemShares) -> float:
    return sum(width * length for width, length in items)


def _item_count(items: ItemShares) -> float:
    return len(items) / COUNT_SCALE


def _stops(items: ItemShares) -> float:
    return 1 / COUNT_SCALE if items else 0.0


def _wide_length(items: ItemShares) -> float:
    return sum(length for width, length in items if width > HALF)


def _long_width(items: ItemShares) -> float:
    return sum(width for width, length in items if length > HALF)


def _largest_width(items: ItemShares) -> float:
    return max((width for width, _ in items), default=0.0)


def _largest_length(items: ItemShares) -> float:
    return max((length for _, length in items), default=0.0)


CUSTOMER_FEATURES: dict[str, Feature] = {
    "area": _area,
    "item_count": _item_count,
    "wide_length": _wide_length,
    "long_width": _long_width,
    "largest_width": _largest_width,
    "largest_length": _largest_length,
}
"""For the step of the GRU at this customer."""

ROUTE_FEATURES: dict[str, Feature] = {
    "area": _area,
    "item_count": _item_count,
    "stops": _stops,
    "wide_length": _wide_length,
    "long_width": _long_width,
}
"""What one customer adds to the feature of its route, for the head."""
