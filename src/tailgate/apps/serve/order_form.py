"""What the page edits: an instance whose cells are text, and the way to and from a draft.

It has the fields of the JSON format, so that the path of a complaint is the path of a cell.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from tailgate.apps.serve.limits import Limits
from tailgate.io.clock_times import TimeReader, looks_like_time
from tailgate.io.draft import (
    ZERO,
    Draft,
    DraftCustomer,
    DraftItem,
    DraftUnits,
    DraftVehicle,
    Place,
    Time,
    parse_number,
)
from tailgate.io.json_parts import read_conventions
from tailgate.model.errors import InputError
from tailgate.model.json_document import JsonValue, path_text
from tailgate.model.limits import MAX_CUSTOMERS, MAX_ITEMS_PER_CUSTOMER
from tailgate.model.matrix import plain
from tailgate.model.units import clock_text
from tailgate.model.validation import shown

Form = dict[str, object]
Level = Literal["error", "warning"]

MAX_CELL_CHARACTERS = 1_000
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)
# Beyond, a plain notation would be a page of zeros.
_MOST_PLAIN_DIGITS = 30


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a cell: an error keeps the search from starting, a warning does not."""

    path: str
    message: str
    level: Level = "error"

    def to_dict(self) -> dict[str, str]:
        """Return it as the page has it."""
        return {"path": self.path, "message": self.message, "level": self.level}


def form_of(draft: Draft) -> Form:
    """Return a draft as text to edit."""
    return {
        "name": draft.name,
        "units": {
            "length": draft.units.length,
            "weight": draft.units.weight,
            "distance": draft.units.distance,
        },
        "conventions": draft.conventions.to_dict(),
        "vehicle": {
            **_texts(draft.vehicle, "width", "length", "capacity"),
            "count": str(draft.vehicle.count),
        },
        "depot": {
            "x": _text(draft.depot_x),
            "y": _text(draft.depot_y),
            "ready": _time_text(draft.depot_ready or None),
            "due": _time_text(draft.depot_due),
        },
        "customers": [_customer_form(customer) for customer in draft.customers],
    }


def _customer_form(customer: DraftCustomer) -> Form:
    return {
        "name": customer.name,
        **_texts(customer, "x", "y", "weight"),
        "ready": _time_text(customer.ready or None),
        "due": _time_text(customer.due),
        "service": _time_text(customer.service or None),
        "items": [
            {
                "name": name,
                "width": _text(width),
                "length": _text(length),
                "quantity": str(sum(item.quantity for item in equal)),
            }
            # Some formats have a row for every single item; people count equal ones.
            for (name, width, length), equal in itertools.groupby(
                customer.items, key=lambda item: (item.name, item.width, item.length)
            )
        ],
    }


def _texts(owner: DraftVehicle | DraftCustomer, *names: str) -> dict[str, str]:
    return {name: _text(getattr(owner, name)) for name in names}


def _text(number: Decimal | None) -> str:
    if number is None:
        return ""
    if number.is_finite() and abs(number.adjusted()) < _MOST_PLAIN_DIGITS:
        return f"{number:f}"
    return str(number)


def _time_text(time: Time | None) -> str:
    return clock_text(plain(time)) if isinstance(time, Fraction) else _text(time)


@dataclass(slots=True)
class FormReading:
    """A draft as far as the cells could be read, and what is wrong with the others."""

    draft: Draft
    problems: list[Problem] = field(default_factory=list)
    unread_customers: set[int] = field(default_factory=set)
    """Customers, counted from 0, with a cell that could not be read."""

    @property
    def is_frame_read(self) -> bool:
        """Whether vehicle and depot could be read."""
        return not any(not problem.path.startswith("customers[") for problem in self.problems)


def read_form(root: JsonValue, limits: Limits) -> FormReading:
    """Read a form; what the page can never have sent raises ``InputError``."""
    members = root.members(
        required=("name", "units", "conventions", "vehicle", "depot", "customers")
    )
    cells = _Cells()
    units = members["units"].members(required=("length", "weight", "distance"))
    vehicle = members["vehicle"].members(required=("width", "length", "capacity", "count"))
    depot = members["depot"].members(required=("x", "y", "ready", "due"))
    customers = members["customers"].elements(most=limits.customers)
    unread: set[int] = set()
    item_rows = 0
    drafted = []
    for index, customer in enumerate(customers):
        before = len(cells.problems)
        drafted.append(_customer(customer, cells))
        if len(cells.problems) > before:
            unread.add(index)
        item_rows += len(drafted[-1].items)
        if item_rows > limits.item_rows:
            customer.fail(f"there are more than {limits.item_rows} rows of items", "items")
    draft = Draft(
        name=cells.text(members["name"]),
        vehicle=DraftVehicle(
            width=cells.number(vehicle["width"]),
            length=cells.number(vehicle["length"]),
            capacity=cells.number(vehicle["capacity"]),
            count=cells.count(vehicle["count"], MAX_CUSTOMERS),
        ),
        depot_x=cells.number(depot["x"]),
        depot_y=cells.number(depot["y"]),
        depot_ready=cells.moment(depot["ready"]) or ZERO,
        depot_due=cells.moment(depot["due"]),
        customers=drafted,
        conventions=read_conventions(members["conventions"], {}),
        units=DraftUnits(**{name: cells.text(unit) for name, unit in units.items()}),
        clock=cells.times.clock,
    )
    return FormReading(draft, cells.problems, unread)


def _customer(value: JsonValue, cells: _Cells) -> DraftCustomer:
    members = value.members(
        required=("name", "x", "y", "weight", "ready", "due", "service", "items")
    )
    items = members["items"].elements(most=MAX_ITEMS_PER_CUSTOMER)
    return DraftCustomer(
        x=cells.number(members["x"]),
        y=cells.number(members["y"]),
        weight=cells.number(members["weight"]),
        items=[_item(item, cells) for item in items],
        name=cells.text(members["name"]),
        ready=cells.moment(members["ready"]) or ZERO,
        due=cells.moment(members["due"]),
        service=cells.duration(members["service"]) or ZERO,
    )


def _item(value: JsonValue, cells: _Cells) -> DraftItem:
    members = value.members(required=("name", "width", "length", "quantity"))
    return DraftItem(
        width=cells.number(members["width"]),
        length=cells.number(members["length"]),
        quantity=cells.count(members["quantity"], MAX_ITEMS_PER_CUSTOMER, default=1),
        name=cells.text(members["name"]),
    )


class _Cells:
    """Reads cells one by one and remembers which could not be read."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.times = TimeReader()

    def text(self, value: JsonValue) -> str:
        text = value.string().strip()
        if len(text) > MAX_CELL_CHARACTERS:
            value.fail(f"must have at most {MAX_CELL_CHARACTERS} characters, got {len(text)}")
        return text

    def number(self, value: JsonValue) -> Decimal:
        if not self.text(value):
            self._complain(value, "is empty; a number is needed here")
            return ZERO
        return self.number_or_none(value) or ZERO

    def number_or_none(self, value: JsonValue) -> Decimal | None:
        text = self.text(value)
        if not text:
            return None
        number = parse_number(_with_decimal_point(text))
        if number is None:
            remedy = "; write a decimal point, and no thousands separators" if "," in text else ""
            self._complain(value, f"must be a number and nothing else, got {shown(text)}{remedy}")
        return number

    def moment(self, value: JsonValue) -> Time | None:
        return self._time(value, self.times.moment)

    def duration(self, value: JsonValue) -> Time | None:
        return self._time(value, self.times.duration)

    def _time(
        self,
        value: JsonValue,
        read: Callable[[Decimal | str, Callable[[], Place]], Time],
    ) -> Time | None:
        text = self.text(value)
        given = text if looks_like_time(text) else self.number_or_none(value)
        if given is None:
            return None
        try:
            return read(given, lambda: Place("", None, self._path(value)))
        except InputError as error:
            self._complain(value, error.problem)
            return None

    def count(self, value: JsonValue, high: int, default: int | None = None) -> int:
        text = self.text(value)
        if not text:
            if default is None:
                self._complain(value, "is empty; a whole number is needed here")
            return default or 1
        number = self.number_or_none(value)
        if number is None:
            return 1
        if not 1 <= number <= high or number != number.to_integral_value():
            self._complain(value, f"must be a whole number from 1 to {high}, got {shown(text)}")
            return 1
        return int(number)

    def _complain(self, value: JsonValue, message: str) -> None:
        self.problems.append(Problem(self._path(value), message))

    def _path(self, value: JsonValue) -> str:
        # A request may have other members beside the form.
        return path_text(value.path).removeprefix("form.")


def _with_decimal_point(text: str) -> str:
    """Return a number with a decimal comma in the other notation, unless it might mean thousands.

    "2,45" and "0,815" can be read in one way only; "1,200" is left alone.
    """
    if "." in text or _THOUSANDS.fullmatch(text):
        return text
    return text.replace(",", ".")


def problem_of(error: InputError) -> Problem:
    """Return a complaint of the package as one about a cell."""
    return Problem(error.field or "", error.problem)
