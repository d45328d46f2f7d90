"""What every reader fills in: an instance in exact decimals, as people write it.

All formats become an ``Instance`` in the same way: choose the power of ten that makes
every decimal an integer, convert, construct; and give each complaint its place in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Literal

from tailgate.model.conventions import Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.model.json_document import short
from tailgate.model.limits import (
    MAX_COORDINATE,
    MAX_ITEMS,
    MAX_ITEMS_PER_CUSTOMER,
    MAX_LENGTH,
    MAX_TIME,
    MAX_WEIGHT,
)
from tailgate.model.units import MAX_DECIMAL_PLACES, Units
from tailgate.model.validation import shown

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
    """Where a value is: file, line, and what that format calls the field."""

    source: str
    line: int | None
    field: str | None

    def error(self, problem: str) -> InputError:
        """Return a complaint about the value at this place."""
        return InputError(problem, source=self.source, line=self.line, field=self.field)


# Answers where the field with a path such as "customers[3].items[0].width" is.
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
class ParsedDraft:
    """A draft as parsed, and where each of its fields is in the file."""

    draft: Draft
    locate: Locate

    def to_instance(self) -> Instance:
        """Return the instance, or raise the first error in it with its place in the file."""
        return assemble(self.draft, self.locate)


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
    storage = _Storage(draft, locate)
    customers = []
    total = 0
    for index, customer in enumerate(draft.customers):
        place = f"customers[{index}]"
        count = sum(item.quantity for item in customer.items)
        total += count
        problem = ""
        if total > MAX_ITEMS:
            problem = f"there are more than {MAX_ITEMS} items"
        elif count > MAX_ITEMS_PER_CUSTOMER:
            most = f"at most {MAX_ITEMS_PER_CUSTOMER} are possible"
            problem = f"the customer has {count} items; {most}"
        if problem:
            raise locate(f"{place}.items").error(problem)
        items: list[Item] = []
        for item_index, item in enumerate(customer.items):
            item_place = f"{place}.items[{item_index}]"
            width = storage.integer("length", item.width, f"{item_place}.width", low=1)
            length = storage.integer("length", item.length, f"{item_place}.length", low=1)
            with storage.placing_errors(item_place):
                items.extend([Item(width, length, item.name)] * item.quantity)
        with storage.placing_errors(place):
            customers.append(
                Customer(
                    x=storage.integer("coordinate", customer.x, f"{place}.x"),
                    y=storage.integer("coordinate", customer.y, f"{place}.y"),
                    weight=storage.integer("weight", customer.weight, f"{place}.weight", low=0),
                    items=tuple(items),
                    name=customer.name,
                    ready=storage.time(customer.ready, f"{place}.ready") or 0,
                    due=storage.time(customer.due, f"{place}.due"),
                    service=storage.time(customer.service, f"{place}.service") or 0,
                )
            )
    vehicle = Vehicle(
        width=storage.integer("length", draft.width, "vehicle.width", low=1),
        length=storage.integer("length", draft.length, "vehicle.length", low=1),
        capacity=storage.integer("weight", draft.capacity, "vehicle.capacity", low=1),
    )
    depot = (
        storage.integer("coordinate", draft.depot_x, "depot.x"),
        storage.integer("coordinate", draft.depot_y, "depot.y"),
    )
    try:
        return Instance(
            name=draft.name,
            depot=depot,
            customers=tuple(customers),
            vehicle=vehicle,
            vehicle_count=draft.vehicle_count,
            conventions=draft.conventions,
            units=Units(
                **{f"{kind}_scale": 10**places for kind, places in storage.places.items()},
                length_unit=draft.length_unit,
                weight_unit=draft.weight_unit,
                distance_unit=draft.distance_unit,
            ),
            depot_ready=storage.time(draft.depot_ready, "depot.ready") or 0,
            depot_due=storage.time(draft.depot_due, "depot.due"),
        )
    except InputError as error:
        if error.source is not None:
            raise
        path = _MODEL_NAMES.get(error.field or "", error.field or "")
        path = _ITEM_INDEX.sub(_as_drafted(draft), path)
        raise locate(path).error(error.problem) from error


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


_Kind = Literal["length", "weight", "coordinate"]
_LIMITS: dict[_Kind, int] = {
    "length": MAX_LENGTH,
    "weight": MAX_WEIGHT,
    "coordinate": MAX_COORDINATE,
}


def _quantities(draft: Draft) -> Iterator[tuple[_Kind, str, Decimal]]:
    """Yield all that is stored as an integer, with its kind and its path."""
    yield "length", "vehicle.width", draft.width
    yield "length", "vehicle.length", draft.length
    yield "weight", "vehicle.capacity", draft.capacity
    yield "coordinate", "depot.x", draft.depot_x
    yield "coordinate", "depot.y", draft.depot_y
    for index, customer in enumerate(draft.customers):
        place = f"customers[{index}]"
        yield "coordinate", f"{place}.x", customer.x
        yield "coordinate", f"{place}.y", customer.y
        yield "weight", f"{place}.weight", customer.weight
        for item_index, item in enumerate(customer.items):
            yield "length", f"{place}.items[{item_index}].width", item.width
            yield "length", f"{place}.items[{item_index}].length", item.length


class _Storage:
    """Stores decimals as integers: for each kind, at the power of ten that suits all its values."""

    def __init__(self, draft: Draft, locate: Locate) -> None:
        self._locate = locate
        self.places: dict[_Kind, int] = dict.fromkeys(_LIMITS, 0)
        self._finest: dict[_Kind, str] = {}
        for kind, path, value in _quantities(draft):
            problem = _storage_problem(value, _LIMITS[kind])
            if problem:
                raise locate(path).error(problem)
            places = decimal_places(value)
            if places > self.places[kind]:
                self.places[kind], self._finest[kind] = places, short(value)

    def integer(self, kind: _Kind, value: Decimal, path: str, *, low: int | None = None) -> int:
        """Return ``value * scale``, which is integral; ``low`` is 1 for a value above zero."""
        if low is not None and (value < 0 or value == 0 < low):
            must = "not be negative" if low == 0 else "be greater than 0"
            raise self._locate(path).error(f"must {must}, got {short(value)}")
        limit, places = _LIMITS[kind], self.places[kind]
        scale: int = 10**places
        # Zero may be written 0e999999999, and that exponent must not be spelt out.
        numerator, denominator = value.as_integer_ratio() if value else (0, 1)
        stored = numerator * scale // denominator
        if abs(stored) > limit:
            problem = f"is too large: {short(value)} (at most {limit})"
            if places:
                problem = (
                    f"{short(value)} is too large to be stored exactly beside "
                    f"{self._finest[kind]}: at {places} decimal places a {kind} may be at most "
                    f"{Decimal(limit) / scale:f}; use fewer decimal places or another unit"
                )
            raise self._locate(path).error(problem)
        return stored

    def time(self, value: Decimal | None, path: str) -> int | float | None:
        """Return a time, which stays a plain number, if a float can carry it without rounding."""
        if value is None:
            return None
        if not value.is_finite() or not 0 <= value <= MAX_TIME:
            problem = f"must be between 0 and 1e12, got {short(value)}"
            raise self._locate(path).error(problem)
        if value == value.to_integral_value():
            return int(value)
        real = float(value)
        if Decimal(repr(real)) != value:
            raise self._locate(path).error(f"{short(value)} has too many digits; round it")
        return real

    @contextmanager
    def placing_errors(self, place: str) -> Iterator[None]:
        """Give the error of a constructor its place in the file."""
        try:
            yield
        except InputError as error:
            if error.source is not None:
                raise
            raise self._locate(f"{place}.{error.field}").error(error.problem) from error


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
    """Return how many digits are after the point, trailing zeros not counted."""
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
