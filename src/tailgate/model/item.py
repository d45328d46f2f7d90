"""What is loaded: rectangles on the floor."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model import validation
from tailgate.model.limits import DECIMALS_REMEDY, MAX_LENGTH


@dataclass(frozen=True, slots=True)
class Item:
    """One rectangle on the floor; it is neither rotated nor stacked.

    Parameters
    ----------
    width : int
        Size across the vehicle (x), in stored integers.
    length : int
        Size along the vehicle (y), in stored integers.
    name : str
        What people call it.
    """

    width: int
    length: int
    name: str = ""

    def __post_init__(self) -> None:
        """Refuse sizes below one and labels that no file can carry."""
        validation.store_integers(
            self, "width", "length", low=1, high=MAX_LENGTH, remedy=DECIMALS_REMEDY
        )
        validation.text(self.name, "name")

    @property
    def area(self) -> int:
        """Floor area, in squared stored lengths."""
        return self.width * self.length
