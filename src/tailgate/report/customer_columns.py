"""Which columns a table of customers has: where they are, and what is said about them."""

from __future__ import annotations

from tailgate.model.instance import Instance
from tailgate.model.travel import Coordinates

AXES: dict[Coordinates, dict[str, str]] = {
    "x/y": {"x": "x", "y": "y"},
    "lat/lon": {"lat": "y", "lon": "x"},
    "none": {},
}
"""What coordinates are called in the orders, and which field of a customer has them."""

_OWN_COLUMNS = frozenset({"address", "phone", "note", "reference"})
"""What is said under these names needs no mark: no other column is called so."""


def info_names(instance: Instance) -> list[str]:
    """Return the names of all that is said about some customer, in the order of the orders."""
    return list(dict.fromkeys(name for one in instance.customers for name, _ in one.info))


def info_heading(name: str) -> str:
    """Return the column of something that is said about customers, as in the orders."""
    return name if name in _OWN_COLUMNS else f"info: {name}"
