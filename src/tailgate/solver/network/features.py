"""Simple numbers about customers and routes that a network may see beside the items.

Every one depends on a customer alone. A feature of a route is the sum over its customers, so that
it costs next to nothing. Items are given as (width, length), as shares of the floor's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

ItemShares = Sequence[tuple[float, float]]
Feature = Callable[[ItemShares], float]

Size = Callable[[float, float], float]
"""Something about one item, by width and length."""

COUNT_SCALE = 10.0

_SIZES: dict[str, Size] = {
    "count": lambda _width, _length: 1 / COUNT_SCALE,
    "width": lambda width, _length: width,
    "length": lambda _width, length: length,
    "area": lambda width, length: width * length,
}
_SHARES = {"third": 1 / 3, "half": 1 / 2, "two_thirds": 2 / 3}
"""Of two items that are wider than half the floor, one must stand behind the other."""


def _sum(value: Size) -> Feature:
    return lambda items: sum(value(width, length) for width, length in items)


def _sum_if_wide(value: Size, share: float) -> Feature:
    return lambda items: sum(value(width, length) for width, length in items if width > share)


def _sum_if_long(value: Size, share: float) -> Feature:
    return lambda items: sum(value(width, length) for width, length in items if length > share)


def _sums_beyond_shares() -> dict[str, Feature]:
    """Return counts, the other sides and areas of items one of whose sides is beyond a share."""
    features: dict[str, Feature] = {}
    for word, share in _SHARES.items():
        for name in ("count", "length", "area"):
            features[f"{name}_wider_than_{word}"] = _sum_if_wide(_SIZES[name], share)
        for name in ("count", "width", "area"):
            features[f"{name}_longer_than_{word}"] = _sum_if_long(_SIZES[name], share)
    return features


_AREA_AND_COUNT: dict[str, Feature] = {
    "area": _sum(_SIZES["area"]),
    "item_count": lambda items: len(items) / COUNT_SCALE,
}
_LARGE: dict[str, Feature] = {
    "wide_length": _sum_if_wide(_SIZES["length"], _SHARES["half"]),
    "long_width": _sum_if_long(_SIZES["width"], _SHARES["half"]),
}

CUSTOMER_FEATURES: dict[str, Feature] = {
    **_AREA_AND_COUNT,
    **_LARGE,
    "largest_width": lambda items: max((width for width, _ in items), default=0.0),
    "largest_length": lambda items: max((length for _, length in items), default=0.0),
}
"""For the step of the GRU at this customer."""

ROUTE_FEATURES: dict[str, Feature] = {
    **_AREA_AND_COUNT,
    "stops": lambda items: 1 / COUNT_SCALE if items else 0.0,
    **_LARGE,
    "width": _sum(_SIZES["width"]),
    "length": _sum(_SIZES["length"]),
    "width_squared": _sum(lambda width, _length: width * width),
    "length_squared": _sum(lambda _width, length: length * length),
    "area_squared": _sum(lambda width, length: (width * length) ** 2),
    **_sums_beyond_shares(),
}
"""What one customer adds to the feature of its route, for the head."""
