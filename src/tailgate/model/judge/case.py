"""A solution beside its instance, with the arithmetic of the judge: on purpose not the solver's."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise

from tailgate.model.instance import Instance
from tailgate.model.solution import Placement, Route, Solution

# Costs of the exact convention and time windows carry the rounding of a long float sum.
RELATIVE_TOLERANCE = Decimal("1e-9")

# Of costs and times in a message; more where two numbers would read alike.
_DECIMALS = (6, 12, 24)


class Case:
    """One solution and the instance that it claims to solve."""

    def __init__(self, instance: Instance, solution: Solution) -> None:
        self.instance = instance
        self.solution = solution
        # The two may store the same lengths at different scales (2.5 as 25 or as 250); these make
        # them comparable.
        scale = instance.units.length_scale, solution.units.length_scale
        self.instance_factor, self.solution_factor = (max(scale) // own for own in scale)

    def distance(self, start: int, end: int) -> Decimal:
        """Return the distance between two of the numbers 0..n, under the stated convention."""
        (start_x, start_y), (end_x, end_y) = self._point(start), self._point(end)
        across, along = Decimal(start_x - end_x), Decimal(start_y - end_y)
        scale = self.instance.units.coordinate_scale
        distance = (across * across + along * along).sqrt() / scale
        match self.solution.conventions.distance:
            case "truncated":
                return distance.to_integral_value(rounding=ROUND_FLOOR)
            case "rounded":
                return (distance + Decimal("0.5")).to_integral_value(rounding=ROUND_FLOOR)
            case "exact":
                return distance

    def _point(self, number: int) -> tuple[int, int]:
        if number == 0:
            return self.instance.depot
        customer = self.instance.customer(number)
        return customer.x, customer.y

    def cost(self, route: Route) -> Decimal | None:
        """Return what the tour costs, or nothing if it goes to customers that do not exist."""
        if not all(self.exists(number) for number in route.customers):
            return None
        stops = (0, *route.customers, 0)
        legs = (self.distance(a, b) for a, b in pairwise(stops))
        return sum(legs, Decimal(0))

    def same_cost(self, stated: float, true: Decimal) -> bool:
        """Return whether a stated cost is the true one, but for the rounding of a float sum."""
        difference = abs(Decimal(stated) - true)
        if self.solution.conventions.distance == "exact":
            return difference <= RELATIVE_TOLERANCE * max(Decimal(1), true)
        return difference == 0

    def cost_texts(self, *costs: Decimal | float) -> list[str]:
        """Return costs with their unit."""
        unit = self.instance.units.distance_unit
        return [f"{text} {unit}" if unit else text for text in texts_apart(*costs)]

    def is_late(self, clock: Decimal, due: float) -> bool:
        """Return whether an arrival is after a due time."""
        limit = Decimal(due)
        return clock - limit > RELATIVE_TOLERANCE * max(Decimal(1), limit)

    def exists(self, number: int) -> bool:
        """Return whether the instance has this customer."""
        return 1 <= number <= self.instance.n

    def has_item(self, placement: Placement) -> bool:
        """Return whether the instance has the item that is placed."""
        if not self.exists(placement.customer):
            return False
        return 1 <= placement.item <= len(self.instance.customer(placement.customer).items)

    def label(self, number: int) -> str:
        """Return a customer by number and name."""
        name = self.instance.customer(number).name
        return f"{number} ({name})" if name else str(number)


def texts_apart(*numbers: Decimal | float) -> list[str]:
    """Return costs or times without the dust of a sum; two that differ do not read alike."""
    texts: list[str] = []
    for places in _DECIMALS:
        texts = [f"{Decimal(number):.{places}f}".rstrip("0").rstrip(".") for number in numbers]
        if len(set(texts)) == len(texts):
            break
    return texts
