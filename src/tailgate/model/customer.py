"""Who is served: a stop of a route."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tailgate.model import validation
from tailgate.model.errors import InputError
from tailgate.model.item import Item
from tailgate.model.limits import (
    DECIMALS_REMEDY,
    MAX_COORDINATE,
    MAX_COST,
    MAX_INFO_CHARACTERS,
    MAX_ITEMS_PER_CUSTOMER,
    MAX_TIME,
    MAX_WEIGHT,
)

Position = Literal["first", "last"]
"""Where a customer stands in its route."""


@dataclass(frozen=True, slots=True)
class Customer:
    """A stop: where it is, what it weighs, which items it gets, and when it is open.

    Parameters
    ----------
    x : int
        First coordinate, in stored integers.
    y : int
        Second coordinate, in stored integers.
    weight : int
        Weight of all its items together, in stored integers.
    items : tuple of Item
        What lies on the floor for it; may be empty.
    name : str
        What people call it; its number if empty.
    ready : int or float
        Service begins at this time or later; a truck that comes earlier waits. Times are in the
        instance's unit of time, which in format 1 is that of distance.
    due : int or float, optional
        Service begins at this time or earlier; ``None`` for no limit.
    service : int or float
        How long the service takes.
    info : tuple of (str, str)
        What sheets show beside the stop and no search looks at: address, phone, note.
    leave_out_cost : int or float, optional
        What it costs not to serve it; ``None``: it must be served.
    vehicles : tuple of str, optional
        The names of the kinds of vehicles that may come; ``None``: all.
    not_with : tuple of str
        Labels of customers that must not share a truck with it; this holds both ways.
    together : tuple of str
        Labels of customers that ride on the same truck: all of them, or none.
    position : {"first", "last"}, optional
        Where it stands in its route; ``None``: anywhere.
    """

    x: int
    y: int
    weight: int
    items: tuple[Item, ...]
    name: str = ""
    ready: int | float = 0
    due: int | float | None = None
    service: int | float = 0
    info: tuple[tuple[str, str], ...] = ()
    leave_out_cost: int | float | None = None
    vehicles: tuple[str, ...] | None = None
    not_with: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    position: Position | None = None

    def __post_init__(self) -> None:
        """Refuse what no customer can be, whatever the vehicle."""
        validation.store_integers(
            self, "x", "y", low=-MAX_COORDINATE, high=MAX_COORDINATE, remedy=DECIMALS_REMEDY
        )
        validation.store_integers(self, "weight", low=0, high=MAX_WEIGHT, remedy=DECIMALS_REMEDY)
        items = validation.tuple_of(self.items, Item, "items")
        if len(items) > MAX_ITEMS_PER_CUSTOMER:
            raise InputError(
                f"must be at most {MAX_ITEMS_PER_CUSTOMER} items, got {len(items)}", field="items"
            )
        object.__setattr__(self, "items", items)
        validation.text(self.name, "name")
        validation.store_window(self, "ready", "due", high=MAX_TIME)
        service = validation.number(self.service, "service", low=0, high=MAX_TIME)
        object.__setattr__(self, "service", service)
        object.__setattr__(self, "info", _info(self.info))
        if self.leave_out_cost is not None:
            cost = validation.number(self.leave_out_cost, "leave_out_cost", low=0, high=MAX_COST)
            object.__setattr__(self, "leave_out_cost", cost)
        if self.vehicles is not None:
            validation.store_labels(self, "vehicles")
            if not self.vehicles:
                raise InputError(
                    "must name at least one kind; leave it out if all may come", field="vehicles"
                )
        validation.store_labels(self, "not_with")
        validation.store_labels(self, "together")
        if self.position is not None:
            validation.choice(self.position, "position", get_args(Position))

    @property
    def area(self) -> int:
        """Floor area of all items, in squared stored lengths."""
        return sum(item.area for item in self.items)

    @property
    def has_times(self) -> bool:
        """Whether a window or a service time is given."""
        return bool(self.ready or self.due is not None or self.service)

    @property
    def is_format_1(self) -> bool:
        """Whether instance format 1 can say all of it."""
        asked = (self.leave_out_cost, self.vehicles, self.position)
        has_rules = self.not_with or self.together or any(rule is not None for rule in asked)
        return not (self.info or has_rules or any(item.turn for item in self.items))


def _info(info: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    pairs = tuple((name, value) for name, value in validation.sequence(info, "info", "pairs"))
    for name, value in pairs:
        validation.text(name, "info")
        validation.text(value, f"info.{name}", max_characters=MAX_INFO_CHARACTERS)
    if len({name for name, _ in pairs}) < len(pairs):
        raise InputError("has the same name twice", field="info")
    return pairs
