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
from fractions import Fraction
from typing import Literal

from tailgate.model.conventions import Conventions
from tailgate.model.customer import Position
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Travel, Vehicle
from tailgate.model.json_document import short
from tailgate.model.limits import (
    MAX_COORDINATE,
    MAX_ITEMS,
    MAX_ITEMS_PER_CUSTOMER,
    MAX_LENGTH,
    MAX_TIME,
    MAX_WEIGHT,
)
from tailgate.model.matrix import Matrix, plain
from tailgate.model.travel import Coordinates, Metric
from tailgate.model.units import MAX_DECIMAL_PLACES, Units, clock_text
from tailgate.model.validation import shown

ZERO = Decimal(0)
ONE = Decimal(1)

Time = Decimal | Fraction
"""A number as it was written, or the minutes that a clock showed."""

# Python's own parser also takes 1_000, Arabic digits and "infinity".
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?")
_ONLY_VEHICLE = re.compile(r"^vehicle(?=\.|$)")
_ITEM_INDEX = re.compile(r"customers\[([0-9]+)\]\.items\[([0-9]+)\]")
_MODEL_NAMES = {
    "vehicle_count": "vehicles[0].count",
    "depot_name": "depot.name",
    "depot_ready": "depot.ready",
    "depot_due": "depot.due",
    **{
        f"{owner}{quantity}_unit": f"units.{quantity}"
        for owner in ("", "units.")
        for quantity in ("length", "weight", "distance", "time", "cost")
    },
}
# Larger ones are refused by all that takes a plain number.
_MAX_PLAIN_NUMBER = 10**15
_MINUTES_PER_DAY = 24 * 60


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
    turn: bool = False


@dataclass(slots=True)
class DraftCustomer:
    """A customer in the file's units; on the globe x is the longitude and y the latitude."""

    x: Decimal
    y: Decimal
    weight: Decimal
    items: list[DraftItem] = field(default_factory=list)
    name: str = ""
    ready: Time = ZERO
    due: Time | None = None
    service: Time = ZERO
    info: dict[str, str] = field(default_factory=dict)
    leave_out_cost: Decimal | None = None
    vehicles: tuple[str, ...] | None = None
    not_with: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    position: Position | None = None


@dataclass(slots=True)
class DraftVehicle:
    """A kind of vehicles in the file's units, and how many there are; `Vehicle` says the rest."""

    width: Decimal
    length: Decimal
    capacity: Decimal
    count: int
    name: str = ""
    fixed_cost: Decimal = ZERO
    cost_per_distance: Decimal | None = None
    cost_per_time: Decimal | None = None
    shift_start: Time | None = None
    shift_end: Time | None = None
    max_duration: Time | None = None
    max_distance: Decimal | None = None
    max_stops: int | None = None


@dataclass(slots=True)
class DraftTravel:
    """Where distances and durations come from; how they are rounded is among the conventions."""

    metric: Metric = "euclidean"
    coordinates: Coordinates = "x/y"
    detour: Decimal = ONE
    decimals: int = 0
    speed: Decimal | None = None
    distances: Matrix | None = None
    durations: Matrix | None = None


@dataclass(slots=True)
class DraftUnits:
    """What the units are called."""

    length: str = ""
    weight: str = ""
    distance: str = ""
    time: str = ""
    cost: str = ""


@dataclass(slots=True)
class Draft:
    """A whole instance in the file's units."""

    name: str
    vehicles: list[DraftVehicle]
    depot_x: Decimal
    depot_y: Decimal
    customers: list[DraftCustomer]
    conventions: Conventions
    depot_ready: Time = ZERO
    depot_due: Time | None = None
    depot_name: str = ""
    travel: DraftTravel = field(default_factory=DraftTravel)
    units: DraftUnits = field(default_factory=DraftUnits)
    clock: bool = False
    """Whether times are given as a clock shows them."""

    @property
    def axes(self) -> tuple[str, str]:
        """What the file calls the two coordinates."""
        return ("lon", "lat") if self.travel.coordinates == "lat/lon" else ("x", "y")


@dataclass(frozen=True, slots=True)
class ParsedDraft:
    """A draft as parsed, and where each of its fields is in the file."""

    draft: Draft
    locate: Locate

    def to_instance(self) -> Instance:
        """Return the instance, or raise the first error in it with its place in the file."""
        return assemble(self.draft, self.locate)

    def let_all_be_left_out(self) -> None:
        """Let every order be left out, those without a cost of it for nothing."""
        for customer in self.draft.customers:
            if customer.leave_out_cost is None:
                customer.leave_out_cost = ZERO


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
                items.extend([Item(width, length, item.name, item.turn)] * item.quantity)
        with storage.placing_errors(place):
            x, y = (
                storage.integer("coordinate", value, f"{place}.{axis}")
                for axis, value in zip(draft.axes, (customer.x, customer.y), strict=True)
            )
            ready, due = storage.window(customer.ready, customer.due, place)
            customers.append(
                Customer(
                    x=x,
                    y=y,
                    weight=storage.integer("weight", customer.weight, f"{place}.weight", low=0),
                    items=tuple(items),
                    name=customer.name,
                    ready=ready or 0,
                    due=due,
                    service=storage.time(customer.service, f"{place}.service") or 0,
                    info=tuple(customer.info.items()),
                    leave_out_cost=storage.number(
                        customer.leave_out_cost, f"{place}.leave_out_cost"
                    ),
                    vehicles=customer.vehicles,
                    not_with=customer.not_with,
                    together=customer.together,
                    position=customer.position,
                )
            )
    vehicles = tuple(
        _vehicle(kind, storage, f"vehicles[{index}]") for index, kind in enumerate(draft.vehicles)
    )
    depot_x, depot_y = (
        storage.integer("coordinate", value, f"depot.{axis}")
        for axis, value in zip(draft.axes, (draft.depot_x, draft.depot_y), strict=True)
    )
    depot_ready, depot_due = storage.window(draft.depot_ready, draft.depot_due, "depot")
    travel = _travel(draft.travel, storage)
    names = draft.units
    try:
        return Instance(
            name=draft.name,
            depot=(depot_x, depot_y),
            customers=tuple(customers),
            vehicles=vehicles,
            conventions=draft.conventions,
            units=Units(
                **{f"{kind}_scale": 10**places for kind, places in storage.places.items()},
                length_unit=names.length,
                weight_unit=names.weight,
                distance_unit=names.distance,
                time_unit=names.time,
                cost_unit=names.cost,
                clock=draft.clock,
            ),
            depot_ready=depot_ready or 0,
            depot_due=depot_due,
            travel=travel,
            depot_name=draft.depot_name,
        )
    except InputError as error:
        if error.source is not None:
            raise
        path = _MODEL_NAMES.get(error.field or "", error.field or "")
        path = _ONLY_VEHICLE.sub("vehicles[0]", path)
        path = _ITEM_INDEX.sub(_as_drafted(draft), path)
        raise locate(path).error(error.problem) from error


def _vehicle(draft: DraftVehicle, storage: _Storage, place: str) -> Vehicle:
    shift_start, shift_end = storage.window(
        draft.shift_start, draft.shift_end, place, fields=("shift_start", "shift_end")
    )
    with storage.placing_errors(place):
        return Vehicle(
            width=storage.integer("length", draft.width, f"{place}.width", low=1),
            length=storage.integer("length", draft.length, f"{place}.length", low=1),
            capacity=storage.integer("weight", draft.capacity, f"{place}.capacity", low=1),
            name=draft.name,
            fixed_cost=storage.number(draft.fixed_cost, f"{place}.fixed_cost") or 0,
            cost_per_distance=storage.number(draft.cost_per_distance, f"{place}.cost_per_distance"),
            cost_per_time=storage.number(draft.cost_per_time, f"{place}.cost_per_time"),
            shift_start=shift_start,
            shift_end=shift_end,
            max_duration=storage.time(draft.max_duration, f"{place}.max_duration"),
            max_distance=storage.number(draft.max_distance, f"{place}.max_distance"),
            max_stops=draft.max_stops,
            count=draft.count,
        )


def _travel(draft: DraftTravel, storage: _Storage) -> Travel:
    with storage.placing_errors("travel"):
        return Travel(
            metric=draft.metric,
            coordinates=draft.coordinates,
            detour=storage.number(draft.detour, "travel.detour") or 0,
            decimals=draft.decimals,
            speed=storage.number(draft.speed, "travel.speed"),
            distances=draft.distances,
            durations=draft.durations,
        )


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
    x, y = draft.axes
    for index, kind in enumerate(draft.vehicles):
        yield "length", f"vehicles[{index}].width", kind.width
        yield "length", f"vehicles[{index}].length", kind.length
        yield "weight", f"vehicles[{index}].capacity", kind.capacity
    yield "coordinate", f"depot.{x}", draft.depot_x
    yield "coordinate", f"depot.{y}", draft.depot_y
    for index, customer in enumerate(draft.customers):
        place = f"customers[{index}]"
        yield "coordinate", f"{place}.{x}", customer.x
        yield "coordinate", f"{place}.{y}", customer.y
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

    def window(
        self,
        start: Time | None,
        end: Time | None,
        place: str,
        fields: tuple[str, str] = ("ready", "due"),
    ) -> tuple[int | float | None, int | float | None]:
        """Return two times between which something may begin; a clock has passed midnight."""
        first, last = fields
        if isinstance(end, Fraction) and isinstance(start, Fraction) and end < start:
            shown_start, shown_end, next_day = (
                clock_text(plain(time)) for time in (start, end, end + _MINUTES_PER_DAY)
            )
            raise self._locate(f"{place}.{last}").error(
                f"must not be before {first} ({shown_start}), got {shown_end}; if it is on the "
                f"next day, write {next_day}"
            )
        return self.time(start, f"{place}.{first}"), self.time(end, f"{place}.{last}")

    def time(self, value: Time | None, path: str) -> int | float | None:
        """Return a time, which stays a plain number."""
        if isinstance(value, Fraction):
            return plain(value)
        if value is not None and (not value.is_finite() or not 0 <= value <= MAX_TIME):
            raise self._locate(path).error(f"must be between 0 and 1e12, got {short(value)}")
        return self.number(value, path)

    def number(self, value: Decimal | None, path: str) -> int | float | None:
        """Return a plain number, if a float can carry it without rounding."""
        if value is None:
            return None
        if not value.is_finite() or not -_MAX_PLAIN_NUMBER <= value <= _MAX_PLAIN_NUMBER:
            raise self._locate(path).error(f"is too large: {short(value)}")
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
