"""Where the floor of a truck lies in a picture, and where an item lies on it.

The truck stands across the page, cab on the left and door on the right, because floors are long
and pages are wide. So y runs from the left (cab, 0) to the right (door), and x from the bottom
(the left-hand wall of someone who looks in through the door) to the top.
"""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model.instance import Vehicle
from tailgate.model.solution import Placement


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the picture, in its pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The edge towards the door."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The edge towards the left wall."""
        return self.top + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """The middle, as x and y of the picture."""
        return self.left + self.width / 2, self.top + self.height / 2

    def overlaps(self, other: Box) -> bool:
        """Return whether the two have more than an edge in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class FloorView:
    """A floor in a picture: its box, and how many pixels a stored length takes."""

    box: Box
    pixels_per_unit: float

    @classmethod
    def within(
        cls, vehicle: Vehicle, *, left: float, top: float, longest: float, widest: float
    ) -> FloorView:
        """Lay the floor out as large as the limits allow, to scale in both directions."""
        scale = min(longest / vehicle.length, widest / vehicle.width)
        return cls(Box(left, top, vehicle.length * scale, vehicle.width * scale), scale)

    @property
    def middle(self) -> float:
        """The height of the line from the cab to the door."""
        return self.box.top + self.box.height / 2

    def box_of(self, placement: Placement) -> Box:
        """Return where an item lies in the picture."""
        scale = self.pixels_per_unit
        return Box(
            left=self.box.left + placement.y * scale,
            top=self.box.bottom - (placement.x + placement.width) * scale,
            width=placement.length * scale,
            height=placement.width * scale,
        )
