"""What carries the items: a truck with a rectangular floor."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model import validation
from tailgate.model.limits import DECIMALS_REMEDY, MAX_LENGTH, MAX_WEIGHT


@dataclass(frozen=True, slots=True)
class Vehicle:
    """One truck: its floor and its payload.

    Parameters
    ----------
    width : int
        Width of the floor (x), in stored integers.
    length : int
        Length of the floor (y), in stored integers; the door is at y = length.
    capacity : int
        Weight that it may carry, in stored integers.
    """

    width: int
    length: int
    capacity: int

    def __post_init__(self) -> None:
        """Refuse an empty floor or no capacity at all."""
        validation.store_integers(
            self, "width", "length", low=1, high=MAX_LENGTH, remedy=DECIMALS_REMEDY
        )
        validation.store_integers(self, "capacity", low=1, high=MAX_WEIGHT, remedy=DECIMALS_REMEDY)

    @property
    def area(self) -> int:
        """Floor area, in squared stored lengths."""
        return self.width * self.length
