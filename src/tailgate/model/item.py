"""What is loaded: rectangles on the floor."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model import validation
from tailgate.model.limits import DECIMALS_REMEDY, MAX_LENGTH


@dataclass(frozen=True, slots=True)
class Item:
    """One rectangle on the floor; it is not stacked, and turned only if it may be.

    Parameters
    ----------
    width : int
        Size across the vehicle (x), in stored integers.
    length : int
        Size along the vehicle (y), in stored integers.
    name : str
        What people call it.
    turn : bool
        Whether it may be turned by a quarter, its width and length exchanged; an instance's
        conventions can say so for all items.
    """

    width: int
    length: int
    name: str = ""
    turn: bool = False

    def __post_init__(self) -> None:
        """Refuse sizes below one and labels that no file can carry."""
        validation.store_integers(
            self, "width", "length", low=1, high=MAX_LENGTH, remedy=DECIMALS_REMEDY
        )
        validation.text(self.name, "name")
        validation.boolean(self.turn, "turn")

    @property
    def area(self) -> int:
        """Floor area, in squared stored lengths."""
        return self.width * self.length

    def fits(self, width: int, length: int, *, may_turn: bool) -> bool:
        """Return whether the item lies within a floor, turned where it may be.

        Parameters
        ----------
        width : int
            Width of the floor, in stored integers.
        length : int
            Length of the floor, in stored integers.
        may_turn : bool
            Whether it may be turned.
        """
        if self.width <= width and self.length <= length:
            return True
        return may_turn and self.length <= width and self.width <= length
