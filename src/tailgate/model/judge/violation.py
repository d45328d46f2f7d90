"""What the judge can find wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class ViolationKind(StrEnum):
    """Everything the judge can find wrong."""

    WRONG_INSTANCE = "wrong_instance"
    WRONG_CONVENTIONS = "wrong_conventions"
    WRONG_UNITS = "wrong_units"
    WRONG_STATUS = "wrong_status"
    NON_FINITE = "non_finite"
    WRONG_VEHICLE_COUNT = "wrong_vehicle_count"
    WRONG_VEHICLE = "wrong_vehicle"
    WRONG_LOCK = "wrong_lock"
    EMPTY_ROUTE = "empty_route"
    SINGLE_CUSTOMER_ROUTE = "single_customer_route"
    UNKNOWN_CUSTOMER = "unknown_customer"
    VISITED_TWICE = "visited_twice"
    MISSING_CUSTOMER = "missing_customer"
    LEFT_OUT_TWICE = "left_out_twice"
    LEFT_OUT_AND_VISITED = "left_out_and_visited"
    ACCESS = "access"
    NOT_WITH = "not_with"
    TOGETHER = "together"
    POSITION = "position"
    FIRST_STOPS = "first_stops"
    OVERWEIGHT = "overweight"
    NO_ROAD = "no_road"
    TIME_WINDOW = "time_window"
    SHIFT = "shift"
    MAX_DURATION = "max_duration"
    MAX_DISTANCE = "max_distance"
    MAX_STOPS = "max_stops"
    WRONG_WEIGHT = "wrong_weight"
    WRONG_AREA = "wrong_area"
    WRONG_COST = "wrong_cost"
    WRONG_COST_PART = "wrong_cost_part"
    WRONG_LEAVE_OUT_COST = "wrong_leave_out_cost"
    WRONG_DISTANCE = "wrong_distance"
    WRONG_SCHEDULE = "wrong_schedule"
    WRONG_OBJECTIVE = "wrong_objective"
    BOUND_ABOVE_OBJECTIVE = "bound_above_objective"
    WRONG_GAP = "wrong_gap"
    UNKNOWN_ITEM = "unknown_item"
    DUPLICATE_ITEM = "duplicate_item"
    MISSING_ITEM = "missing_item"
    WRONG_ITEM_SIZE = "wrong_item_size"
    TURNED_ITEM = "turned_item"
    OUTSIDE_FLOOR = "outside_floor"
    OVERLAP = "overlap"
    LIFO = "lifo"
    WRONG_STOP_INDEX = "wrong_stop_index"
    WRONG_LOAD_STEP = "wrong_load_step"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule.

    Parameters
    ----------
    kind : str
        Which rule is broken.
    message : str
        What was found, with its numbers.
    route : int, optional
        The route, counted from one.
    customer : int, optional
        The customer's number.
    """

    kind: str
    message: str
    route: int | None = None
    customer: int | None = None

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the violation for machines."""
        return asdict(self) | {"kind": str(self.kind)}

    @property
    def place(self) -> str:
        """The route that a message is about, to stand before it."""
        return "" if self.route is None else f"route {self.route}: "

    def __str__(self) -> str:
        """Return one line for people."""
        return f"{self.place}{self.message} [{self.kind}]"


Finding = tuple[ViolationKind, str, int | None]
"""What the check of a route yields: the broken rule, what was found, and the customer, if any."""
