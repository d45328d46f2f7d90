"""Routes as a solution states them: the stops, the totals, the times and the loading plan.

The constructors check types and not sense: a wrong route must be readable to be refuted.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

from tailgate.model import validation
from tailgate.model.costs import CostParts
from tailgate.model.limits import MAX_INFO_CHARACTERS
from tailgate.model.schedule import Schedule

# Larger than any sum the model can form, small enough to stay plain numbers everywhere.
MAX_INTEGER = validation.MAX_PLAIN_INTEGER


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one item lies: its corner nearest to the cab and to the left wall.

    Parameters
    ----------
    customer : int
        The customer's number.
    item : int
        The number of the item within the customer, counted from one.
    x : int
        Distance from the left wall, in the instance's integers.
    y : int
        Distance from the cab, in the instance's integers.
    width : int
        Size along x.
    length : int
        Size along y.
    stop_index : int
        The stop at which it is unloaded, counted from one.
    load_step : int
        When it is loaded; 1 is loaded first.
    turned : bool
        Whether it lies turned by a quarter; width and length are those as it lies.
    """

    customer: int
    item: int
    x: int
    y: int
    width: int
    length: int
    stop_index: int
    load_step: int
    turned: bool = False

    def __post_init__(self) -> None:
        """Refuse what is not an integer, or no yes or no."""
        validation.store_integers(self, *PLACEMENT_INTEGERS, low=-MAX_INTEGER, high=MAX_INTEGER)
        validation.boolean(self.turned, "turned")

    def to_dict(self) -> dict[str, int]:
        """Return the placement as a solution file of format 2 has it."""
        return asdict(self)


PLACEMENT_INTEGERS = tuple(one.name for one in fields(Placement) if one.name != "turned")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A customer that the plan does not serve.

    Parameters
    ----------
    customer : int
        The customer's number.
    cost : int or float
        What it costs to leave it out.
    reason : str
        Why it is left out, for people; empty if nobody said so.

    Examples
    --------
    >>> from tailgate import LeftOut
    >>> LeftOut(customer=3, cost=25.5, reason="too far").to_dict()
    {'customer': 3, 'cost': 25.5, 'reason': 'too far'}
    """

    customer: int
    cost: int | float
    reason: str = ""

    def __post_init__(self) -> None:
        """Refuse what is not a number or a text."""
        validation.store_integers(self, "customer", low=-MAX_INTEGER, high=MAX_INTEGER)
        validation.store_numbers(self, "cost")
        validation.text(self.reason, "reason", max_characters=MAX_INFO_CHARACTERS)

    def to_dict(self) -> dict[str, object]:
        """Return it as the solution file has it; a reason that is empty is not there."""
        content: dict[str, object] = {"customer": self.customer, "cost": self.cost}
        return content | {"reason": self.reason} if self.reason else content


@dataclass(frozen=True, slots=True)
class Route:
    """One vehicle's tour: its customers in the order of the visits, and the plan of its floor.

    What is beyond solution format 1 may be missing: vehicle, distance, parts and schedule.

    Parameters
    ----------
    customers : tuple of int
        Customer numbers in the order of the visits.
    cost : int or float
        What the tour costs.
    weight : int
        The weight of all items, in the instance's integers.
    area : int
        The floor area of all items, in the instance's integers.
    placements : tuple of Placement
        The loading plan.
    vehicle : str
        The name of the kind of vehicle.
    distance : int or float, optional
        The length of the tour.
    parts : CostParts, optional
        What it costs, by cause.
    schedule : Schedule, optional
        When the vehicle leaves, serves its stops and is back.
    locked : bool
        Whether a new plan keeps the route as it is.
    locked_stops : int
        How many of its first stops a new plan keeps: the truck is under way.
    """

    customers: tuple[int, ...]
    cost: int | float
    weight: int
    area: int
    placements: tuple[Placement, ...] = ()
    vehicle: str = ""
    distance: int | float | None = None
    parts: CostParts | None = None
    schedule: Schedule | None = None
    locked: bool = False
    locked_stops: int = 0

    def __post_init__(self) -> None:
        """Refuse what is not a number or a placement."""
        customers = tuple(
            validation.integer(number, f"customers[{index}]", low=-MAX_INTEGER, high=MAX_INTEGER)
            for index, number in enumerate(
                validation.sequence(self.customers, "customers", "numbers")
            )
        )
        object.__setattr__(self, "customers", customers)
        validation.store_numbers(self, "cost")
        validation.store_integers(self, "weight", "area", low=-MAX_INTEGER, high=MAX_INTEGER)
        placements = validation.tuple_of(self.placements, Placement, "placements")
        object.__setattr__(self, "placements", placements)
        validation.text(self.vehicle, "vehicle")
        if self.distance is not None:
            validation.store_numbers(self, "distance")
        if self.parts is not None:
            validation.expect(self.parts, CostParts, "parts")
        if self.schedule is not None:
            validation.expect(self.schedule, Schedule, "schedule")
        validation.boolean(self.locked, "locked")
        validation.store_integers(self, "locked_stops", low=0, high=MAX_INTEGER)

    @property
    def is_format_1(self) -> bool:
        """Whether solution format 1 can say all of it."""
        stated = (self.distance, self.parts, self.schedule)
        says_more = self.vehicle or self.locked or self.locked_stops
        if says_more or any(value is not None for value in stated):
            return False
        return not any(placement.turned for placement in self.placements)

    def to_dict(self) -> dict[str, object]:
        """Return the route as the solution file has it."""
        is_format_1 = self.is_format_1
        placements = [placement.to_dict() for placement in self.placements]
        if is_format_1:
            for content in placements:
                del content["turned"]
        return {
            "customers": [*self.customers],
            **({} if is_format_1 else self._beyond_format_1()),
            "cost": self.cost,
            "weight": self.weight,
            "area": self.area,
            "placements": placements,
        }

    def _beyond_format_1(self) -> dict[str, object]:
        content: dict[str, object] = {"vehicle": self.vehicle}
        if self.locked:
            content["locked"] = True
        if self.locked_stops:
            content["locked_stops"] = self.locked_stops
        if self.schedule is not None:
            content |= {
                "departure": self.schedule.departure,
                "return": self.schedule.back,
                "duration": self.schedule.duration,
                "stops": list(map(asdict, self.schedule.stops)),
            }
        if self.distance is not None:
            content["distance"] = self.distance
        if self.parts is not None:
            content |= {f"{cause}_cost": cost for cause, cost in asdict(self.parts).items()}
        return content
