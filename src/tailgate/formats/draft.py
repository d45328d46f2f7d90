"""What every reader fills in: an instance in exact decimals, as people write it.

From here the way to an ``Instance`` is the same for all formats: choose the power of ten that makes
every decimal an integer, convert, construct; and give each complaint its place in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import NoReturn

from tailgate.conventions import Conventions
from tailgate.errors import InputError
from tailgate.instance import (
    MAX_COORDINATE,
    MAX_ITEMS,
    MAX_ITEMS_PER_CUSTOMER,
    MAX_LENGTH,
    MAX_TIME,
    MAX_WEIGHT,
    Customer,
    Instance,
    Item,
    Vehicle,
)
from tailgate.json_document import short
from tailgate.units import MAX_DECIMAL_PLACES, Units
from tailgate.validation import shown

ZERO = Decimal(0)

# Python's own parser also takes 1_000, Arabic digits and "infinity".
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?")
_ITEM_INDEX = re.compile(r"customers\[([0-9]+)\]\.items\[([0-9]+)\]")
_MODEL_NAMES = {
    "vehicle_count": "vehicle.count",
    "depot_ready": "depot.ready",
    "depot_due": "depot.due",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: file, line, and what that format calls the field."""

    source: str
    line: int | None
    field: str | None

    def error(self, problem: str) -> InputError:
        """Return a complaint about the value at this place."""
        return InputError(problem, source=self.source, line=self.line, field=self.field)


# Answers where the field with a path such as "customers[3].items[0].width" stands.
Locate = Callable[[str], Place]


@dataclass(slots=True)
class DraftItem:
    """A kind of item and how many of it, sizes in the file's unit."""

    width: Decimal
    length: Decimal
    quantity: int = 1
    name: str = ""


@dataclass(slots=True)
class DraftCustomer:
    """A customer in the file's units."""

    x: Decimal
    y: Decimal
    weight: Decimal
    items: list[DraftItem] = field(default_factory=list)
    name: str = ""
    ready: Decimal = ZERO
    due: Decimal | None = None
    service: Decimal = ZERO


@dataclass(slots=True)
class Draft:
    """A whole instance in the file's units."""

    name: str
    width: Decimal
    length: Decimal
    capacity: Decimal
    vehicle_count: int
    depot_x: Decimal
    depot_y: Decimal
    customers: list[DraftCustomer]
    conventions: Conventions
    depot_ready: Decimal = ZERO
    depot_due: Decimal | None = None
    length_unit: str = ""
    weight_unit: str = ""
    distance_unit: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """An instance as read, with the way back to the lines it came from."""

    instance: Instance
    locate: Locate


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft as read, with the way back to the lines it came from."""

    draft: Draft
    locate: Locate

    def assembled(self) -> Loaded:
        """Return the instance, or complain about the first thing that makes it none."""
        return Loaded(assemble(self.draft, self.locate), self.locate)


def parse_number(text: str) -> Decimal | None:
    """Return a plain decimal number, or ``None`` if ``text`` is not one."""
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def assemble(draft: Draft, locate: Locate) -> Instance:
    """Turn decimals into scaled integers and build the instance."""
    lengths = _Quantity("length", MAX_LENGTH, locate, _lengths(draft))
    weights = _Quantity("weight", MAX_WEIGHT, locate, _weights(draft))
    coordinates = _Quantity("coordinate", MAX_COORDINATE, locate, _coordinates(draft))
    times = _Times(locate)

    def placed(path: str, problem: str) -> InputError:
        return locate(path).error(problem)

    customers = []
    total = 0
    for index, customer in enumerate(draft.customers):
        place = f"customers[{index}]"
        count = sum(item.quantity for item in customer.items)
        total += count
        if total > MAX_ITEMS:
            raise placed(f"{place}.items", f"there are more than {MAX_ITEMS} items")
        if count > MAX_ITEMS_PER_CUSTOMER:
            raise placed(
                f"{place}.items",
                f"the customer has {count} items; at most {MAX_ITEMS_PER_CUSTOMER} are possible",
            )
        items: list[Item] = []
        for item_index, item in enumerate(customer.items):
            item_place = f"{place}.items[{item_index}]"
            width = lengths.above_zero(item.width, item_place, "width")
            length = lengths.above_zero(item.length, item_place, "length")
            try:
                items.extend([Item(width, length, item.name)] * item.quantity)
            except InputError as error:
                raise placed(f"{item_place}.{error.field}", error.problem) from error
        try:
            customers.append(
                Customer(
                    x=coordinates.integer(customer.x, place, "x"),
                    y=coordinates.integer(customer.y, place, "y"),
                    weight=weights.not_negative(customer.weight, place, "weight"),
                    items=tuple(items),
                    name=customer.name,
                    ready=times.number(customer.ready, place, "ready"),
                    due=times.number_or_none(customer.due, place, "due"),
                    service=times.number(customer.service, place, "service"),
                )
            )
        except InputError as error:
            if error.source is not None:
                raise
            raise placed(f"{place}.{error.field}", error.problem) from error
    vehicle = Vehicle(
        width=lengths.above_zero(draft.width, "vehicle", "width"),
        length=lengths.above_zero(draft.length, "vehicle", "length"),
        capacity=weights.above_zero(draft.capacity, "vehicle", "capacity"),
    )
    try:
        return Instance(
            name=draft.name,
            depot=(
                coordinates.integer(draft.depot_x, "depot", "x"),
                coordinates.integer(draft.depot_y, "depot", "y"),
            ),
            customers=tuple(customers),
            vehicle=vehicle,
            vehicle_count=draft.vehicle_count,
            conventions=draft.conventions,
            units=Units(
                length_scale=lengths.scale,
                weight_scale=weights.scale,
                coordinate_scale=coordinates.scale,
                length_unit=draft.length_unit,
                weight_unit=draft.weight_unit,
                distance_unit=draft.distance_unit,
            ),
            depot_ready=times.number(draft.depot_ready, "depot", "ready"),
            depot_due=times.number_or_none(draft.depot_due, "depot", "due"),
        )
    except InputError as error:
        if error.source is not None:
            raise
        path = _MODEL_NAMES.get(error.field or "", error.field or "")
        raise placed(_ITEM_INDEX.sub(_as_drafted(draft), path), error.problem) from error


def _as_drafted(draft: Draft) -> Callable[[re.Match[str]], str]:
    """Return the translation from an item's index to that of the entry it was counted in."""

    def translate(match: re.Match[str]) -> str:
        customer, position = int(match[1]), int(match[2])
        for index, item in enumerate(draft.customers[customer].items):
            position -= item.quantity
            if position < 0:
                return f"customers[{customer}].items[{index}]"
        return match[0]

    return translate


_Placed = tuple[str, str, Decimal]


def _lengths(draft: Draft) -> Iterator[_Placed]:
    yield "vehicle", "width", draft.width
    yield "vehicle", "length", draft.length
    for index, customer in enumerate(draft.customers):
        for item_index, item in enumerate(customer.items):
            place = f"customers[{index}].items[{item_index}]"
            yield place, "width", item.width
            yield place, "length", item.length


def _weights(draft: Draft) -> Iterator[_Placed]:
    yield "vehicle", "capacity", draft.capacity
    for index, customer in enumerate(draft.customers):
        yield f"customers[{index}]", "weight", customer.weight


def _coordinates(draft: Draft) -> Iterator[_Placed]:
    yield "depot", "x", draft.depot_x
    yield "depot", "y", draft.depot_y
    for index, customer in enumerate(draft.customers):
        yield f"customers[{index}]", "x", customer.x
        yield f"customers[{index}]", "y", customer.y


class _Quantity:
    """All values of one kind, and the power of ten that makes every one of them an integer."""

    def __init__(self, kind: str, limit: int, locate: Locate, values: Iterable[_Placed]) -> None:
        self._kind = kind
        self._limit = limit
        self._locate = locate
        self._places = 0
        self._finest = ""
        for place, name, value in values:
            problem = _storage_problem(value, limit)
            if problem:
                self._fail(place, name, problem)
            places = decimal_places(value)
            if places > self._places:
                self._places = places
                self._finest = short(value)
        self.scale: int = 10**self._places

    def integer(self, value: Decimal, place: str, name: str) -> int:
        """Return ``value * scale``, which is integral by the choice of the scale."""
        # Zero may be written 0e999999999, and that exponent must not be spelt out.
        numerator, denominator = value.as_integer_ratio() if value else (0, 1)
        stored = numerator * self.scale // denominator
        if abs(stored) > self._limit:
            if not self._places:
                self._fail(place, name, f"is too large: {short(value)} (at most {self._limit})")
            self._fail(
                place,
                name,
                f"{short(value)} is too large to be stored exactly beside {self._finest}: at "
                f"{self._places} decimal places a {self._kind} may be at most "
                f"{Decimal(self._limit) / self.scale:f}; use fewer decimal places or another unit",
            )
        return stored

    def not_negative(self, value: Decimal, place: str, name: str) -> int:
        """Return the integer for a value that must not be below zero."""
        if value < 0:
            self._fail(place, name, f"must not be negative, got {short(value)}")
        return self.integer(value, place, name)

    def above_zero(self, value: Decimal, place: str, name: str) -> int:
        """Return the integer for a value that must be above zero."""
        if value <= 0:
            self._fail(place, name, f"must be greater than 0, got {short(value)}")
        return self.integer(value, place, name)

    def _fail(self, place: str, name: str, problem: str) -> NoReturn:
        raise self._locate(f"{place}.{name}").error(problem)


class _Times:
    """Times are compared with distances and stay plain numbers."""

    def __init__(self, locate: Locate) -> None:
        self._locate = locate

    def number(self, value: Decimal, place: str, name: str) -> int | float:
        """Return a time, if a float can carry it without rounding what was written."""
        if not value.is_finite() or not 0 <= value <= MAX_TIME:
            raise self._error(place, name, f"must be between 0 and 1e12, got {short(value)}")
        if value == value.to_integral_value():
            return int(value)
        real = float(value)
        if Decimal(repr(real)) != value:
            raise self._error(place, name, f"{short(value)} has too many digits; round it")
        return real

    def number_or_none(self, value: Decimal | None, place: str, name: str) -> int | float | None:
        """Return a time that may be missing."""
        return None if value is None else self.number(value, place, name)

    def _error(self, place: str, name: str, problem: str) -> InputError:
        return self._locate(f"{place}.{name}").error(problem)


def check_storable(value: Decimal, limit: int, place: Place) -> None:
    """Complain about a number that no scale can turn into an integer within the limit."""
    problem = _storage_problem(value, limit)
    if problem:
        raise place.error(problem)


def _storage_problem(value: Decimal, limit: int) -> str:
    if not value.is_finite():
        return f"must be a finite number, got {value}"
    if not -limit <= value <= limit:
        return f"is out of range: {short(value)} (at most {limit})"
    if decimal_places(value) > MAX_DECIMAL_PLACES:
        return f"{short(value)} has more than {MAX_DECIMAL_PLACES} decimal places; round it"
    return ""


def decimal_places(value: Decimal) -> int:
    """Return how many digits stand after the point, trailing zeros not counted."""
    if value == value.to_integral_value():
        return 0
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    zeros = 0
    while digits[-1 - zeros] == 0:
        zeros += 1
    return -exponent - zeros


def count(text: str, place: Place, *, low: int, high: int, what: str = "") -> int:
    """Return a whole number within [low, high], written as 7 or 7.0.

    ``what`` says which number is meant, where the place does not.
    """
    subject = f"{what} " if what else ""
    value = parse_number(text)
    if value is None:
        raise place.error(f"{subject}must be a whole number, got {shown(text)}")
    if not low <= value <= high or value != value.to_integral_value():
        raise place.error(
            f"{subject}must be a whole number from {low} to {high}, got {short(value)}"
        )
    return int(value)
