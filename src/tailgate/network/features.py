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


Size = Callable[[float, float], float]
"""Something about one item, by width and length."""


def _sum(value: Size) -> Feature:
    return lambda items: sum(value(width, length) for width, length in items)


def _sum_if_wide(value: Size, share: float) -> Feature:
    return lambda items: sum(value(width, length) for width, length in items if width > share)


def _sum_if_long(value: Size, share: float) -> Feature:
    return lambda items: sum(value(width, length) for width, length in items if length > share)


_SIZES: dict[str, Size] = {
    "count": lambda _width, _length: 1 / COUNT_SCALE,
    "width": lambda width, _length: width,
    "length": lambda _width, length: length,
    "area": lambda width, length: width * length,
}
_SHARES = {"third": 1 / 3, "half": 1 / 2, "two_thirds": 2 / 3}


def _sums_beyond_shares() -> dict[str, Feature]:
    """Return counts, the other sides and areas of items one of whose sides is beyond a share."""
    features: dict[str, Feature] = {}
    for word, share in _SHARES.items():
        for name in ("count", "length", "area"):
            features[f"{name}_wider_than_{word}"] = _sum_if_wide(_SIZES[name], share)
        for name in ("count", "width", "area"):
            features[f"{name}_longer_than_{word}"] = _sum_if_long(_SIZES[name], share)
    return features


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
    "width": _sum(_SIZES["width"]),
    "length": _sum(_SIZES["length"]),
    "width_squared": _sum(lambda width, _length: width * width),
    "length_squared": _sum(lambda _width, length: length * length),
    "area_squared": _sum(lambda width, length: (width * length) ** 2),
    **_sums_beyond_shares(),
}
"""What one customer adds to the feature of its route, for the head."""
