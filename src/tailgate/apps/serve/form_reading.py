"""A form as a draft: every cell that can be read, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import cast, get_args

from tailgate.apps.serve.form_cells import Cells, Problem
from tailgate.apps.serve.form_roads import read_roads, with_places
from tailgate.apps.serve.limits import Limits
from tailgate.apps.serve.order_form import UNITS
from tailgate.io.draft import (
    ONE,
    ZERO,
    Draft,
    DraftCustomer,
    DraftItem,
    DraftTravel,
    DraftUnits,
    DraftVehicle,
)
from tailgate.io.json_parts import CONVENTIONS_2, read_conventions
from tailgate.model import validation
from tailgate.model.customer import Position
from tailgate.model.json_document import JsonValue
from tailgate.model.limits import MAX_CUSTOMERS, MAX_ITEMS_PER_CUSTOMER
from tailgate.model.travel import MAX_DECIMALS, Coordinates, Metric
from tailgate.model.validation import shown

_NO_ROADS = (
    "needs a road matrix: drop its file onto the page (distances.csv, durations.csv, or the answer "
    "of a map service), or choose another way to measure"
)
_AXES: dict[str, tuple[str, ...]] = {"x/y": ("x", "y"), "lat/lon": ("lon", "lat"), "none": ()}
# What a form must have, and what an empty cell stands for where a program leaves it out.
_UNITS = (UNITS[:3], UNITS[3:])
_TRAVEL = ((), ("metric", "coordinates", "detour", "decimals", "speed", "roads"))
_VEHICLE = (
    ("width", "length", "capacity", "count"),
    (
        *("name", "fixed_cost", "cost_per_distance", "cost_per_time", "shift_start", "shift_end"),
        *("max_duration", "max_distance", "max_stops"),
    ),
)
_DEPOT = (("x", "y", "ready", "due"), ("name", "lat", "lon"))
_CUSTOMER = (
    ("name", "x", "y", "weight", "ready", "due", "service", "items"),
    (
        "place",
        "lat",
        "lon",
        "info",
        "leave_out_cost",
        "vehicles",
        "not_with",
        "together",
        "position",
    ),
)
_ITEM = (("name", "width", "length", "quantity"), ("turn",))
_DEFAULTS: dict[str, object] = {
    "metric": "euclidean",
    "coordinates": "x/y",
    "roads": None,
    "travel": {},
    "info": [],
}
_MOST_INFO_COLUMNS = 50

Members = dict[str, JsonValue]
Names = tuple[str, ...]


def _members(value: JsonValue, names: tuple[Names, Names]) -> Members:
    required, optional = names
    members = value.members(required=required, optional=optional)
    for name in optional:
        if name not in members:
            path = (*value.path, name)
            members[name] = JsonValue(_DEFAULTS.get(name, ""), path, value.document)
    return members


@dataclass(frozen=True, slots=True)
class RuleNames:
    """What rules may name."""

    kinds: set[str]
    customers: set[str]


@dataclass(slots=True)
class FormReading:
    """A draft as far as the cells could be read, and what is wrong with the others."""

    draft: Draft
    info: tuple[str, ...] = ()
    """What the info columns are called."""
    problems: list[Problem] = field(default_factory=list)
    unread_customers: set[int] = field(default_factory=set)
    """Customers, counted from 0, with a cell that could not be read."""

    @property
    def is_frame_read(self) -> bool:
        """Whether all but the customers could be read."""
        return not any(not problem.path.startswith("customers[") for problem in self.problems)


def read_form(root: JsonValue, limits: Limits) -> FormReading:
    """Read a form; what the page can never have sent raises ``InputError``."""
    required = ("name", "units", "conventions", "depot", "customers")
    # One kind alone may be a "vehicle", as it was when there were no others.
    kinds = "vehicle" if isinstance(root.value, dict) and "vehicle" in root.value else "vehicles"
    members = _members(root, ((*required, kinds), ("travel", "info")))
    return _FormReader(members, limits).reading()


class _FormReader:
    """Reads the parts of a form."""

    def __init__(self, members: Members, limits: Limits) -> None:
        self._members = members
        self._limits = limits
        kinds = (
            [members["vehicle"]]
            if "vehicle" in members
            else members["vehicles"].elements(most=limits.kinds)
        )
        if not kinds:
            members["vehicles"].fail("must hold a kind of trucks; add one")
        self._vehicles = [_members(kind, _VEHICLE) for kind in kinds]
        self._depot = _members(members["depot"], _DEPOT)
        self._customers = [
            _members(customer, _CUSTOMER)
            for customer in members["customers"].elements(most=limits.customers)
        ]
        names = members["info"].elements(most=_MOST_INFO_COLUMNS)
        self._info = tuple(name.string() for name in names)
        if len(set(self._info)) < len(self._info):
            members["info"].fail("has the same column twice")
        self._cells = Cells(self._moments())

    def _moments(self) -> Iterator[JsonValue]:
        for owner in (*self._customers, self._depot):
            yield from (owner["ready"], owner["due"])
        for kind in self._vehicles:
            yield from (kind["shift_start"], kind["shift_end"])

    def reading(self) -> FormReading:
        """Return what could be read."""
        cells, members = self._cells, self._members
        units = _members(members["units"], _UNITS)
        travel = self._travel()
        vehicles = [self._draft_vehicle(kind) for kind in self._vehicles]
        names = RuleNames({kind.name for kind in vehicles}, self._labels())
        customers: list[DraftCustomer] = []
        places: list[int] = [0]
        unread: set[int] = set()
        item_rows = 0
        for index, customer in enumerate(self._customers):
            before = len(cells.problems)
            customers.append(self._customer(customer, travel, names))
            places.append(self._place(customer, travel))
            if len(cells.problems) > before:
                unread.add(index)
            item_rows += len(customers[-1].items)
            if item_rows > self._limits.item_rows:
                most = self._limits.item_rows
                customer["items"].fail(f"there are more than {most} rows of items")
        depot_x, depot_y = self._coordinates(self._depot, travel)
        draft = Draft(
            name=cells.text(members["name"]),
            vehicles=vehicles,
            depot_x=depot_x,
            depot_y=depot_y,
            depot_ready=cells.moment(self._depot["ready"]) or ZERO,
            depot_due=cells.moment(self._depot["due"]),
            depot_name=cells.text(self._depot["name"]),
            customers=customers,
            conventions=read_conventions(members["conventions"], {}, CONVENTIONS_2),
            travel=travel if unread else with_places(travel, places),
            units=DraftUnits(**{name: cells.text(unit) for name, unit in units.items()}),
            clock=cells.times.clock,
        )
        return FormReading(draft, self._info, cells.problems, unread)

    def _travel(self) -> DraftTravel:
        cells = self._cells
        members = _members(self._members["travel"], _TRAVEL)
        metric = _choice(members["metric"], get_args(Metric))
        detour = cells.number_or_none(members["detour"])
        travel = DraftTravel(
            metric=cast(Metric, metric),
            coordinates=cast(Coordinates, _choice(members["coordinates"], get_args(Coordinates))),
            detour=ONE if detour is None else detour,
            decimals=cells.count_or_none(members["decimals"], MAX_DECIMALS, low=0) or 0,
            speed=cells.number_or_none(members["speed"]),
        )
        if not members["roads"].is_null:
            roads = read_roads(members["roads"], self._limits.customers + 1)
            return replace(travel, distances=roads.distances, durations=roads.durations)
        if metric == "matrix":
            cells.complain(members["metric"], _NO_ROADS)
        return travel

    def _place(self, customer: Members, travel: DraftTravel) -> int:
        """Return the row of a customer in the matrix; those that are typed in later have none."""
        matrix = travel.durations if travel.distances is None else travel.distances
        if matrix is None:
            return 0
        text = self._cells.text(customer["place"])
        if text.isascii() and text.isdecimal() and 1 <= int(text[:9]) < matrix.places:
            return int(text)
        self._cells.complain(
            customer["name"],
            f"is not in the road matrix, which is over {matrix.places} places; drop a matrix of "
            "all places onto the page, or remove the customer",
        )
        return 0

    def _coordinates(self, owner: Members, travel: DraftTravel) -> tuple[Decimal, Decimal]:
        """Return the coordinates that count; others may have been typed in before."""
        axes = _AXES[travel.coordinates]
        x, y = (self._cells.number(owner[axis]) for axis in axes) if axes else (ZERO, ZERO)
        return x, y

    def _labels(self) -> set[str]:
        """Return what customers are called, their numbers where they have no name."""
        names = (self._cells.text(customer["name"]) for customer in self._customers)
        return {name or str(number) for number, name in enumerate(names, start=1)}

    def _draft_vehicle(self, vehicle: Members) -> DraftVehicle:
        cells = self._cells
        return DraftVehicle(
            width=cells.number(vehicle["width"]),
            length=cells.number(vehicle["length"]),
            capacity=cells.number(vehicle["capacity"]),
            count=cells.count(vehicle["count"], MAX_CUSTOMERS, low=0),
            name=cells.text(vehicle["name"]),
            fixed_cost=cells.number_or_none(vehicle["fixed_cost"]) or ZERO,
            cost_per_distance=cells.number_or_none(vehicle["cost_per_distance"]),
            cost_per_time=cells.number_or_none(vehicle["cost_per_time"]),
            shift_start=cells.moment(vehicle["shift_start"]),
            shift_end=cells.moment(vehicle["shift_end"]),
            max_duration=cells.duration(vehicle["max_duration"]),
            max_distance=cells.number_or_none(vehicle["max_distance"]),
            max_stops=cells.count_or_none(vehicle["max_stops"], MAX_CUSTOMERS),
        )

    def _customer(self, members: Members, travel: DraftTravel, names: RuleNames) -> DraftCustomer:
        cells = self._cells
        x, y = self._coordinates(members, travel)
        items = members["items"].elements(most=MAX_ITEMS_PER_CUSTOMER)
        return DraftCustomer(
            x=x,
            y=y,
            weight=cells.number(members["weight"]),
            items=[self._item(item) for item in items],
            name=cells.text(members["name"]),
            ready=cells.moment(members["ready"]) or ZERO,
            due=cells.moment(members["due"]),
            service=cells.duration(members["service"]) or ZERO,
            info=self._customer_info(members["info"]),
            leave_out_cost=cells.number_or_none(members["leave_out_cost"]),
            vehicles=cells.names(members["vehicles"], names.kinds) or None,
            not_with=cells.names(members["not_with"], names.customers),
            together=cells.names(members["together"], names.customers),
            position=self._position(members["position"]),
        )

    def _position(self, value: JsonValue) -> Position | None:
        text = self._cells.text(value).casefold()
        if text in ("", *get_args(Position)):
            return cast(Position, text) if text else None
        self._cells.complain(value, f"must be first, last or nothing, got {shown(text)}")
        return None

    def _customer_info(self, value: JsonValue) -> dict[str, str]:
        texts = value.elements(most=_MOST_INFO_COLUMNS)
        if len(texts) != len(self._info):
            value.fail(f"must have {len(self._info)} elements, one for every column")
        stated = zip(self._info, map(self._cells.text, texts), strict=True)
        return {name: text for name, text in stated if text}

    def _item(self, value: JsonValue) -> DraftItem:
        cells = self._cells
        members = _members(value, _ITEM)
        return DraftItem(
            width=cells.number(members["width"]),
            length=cells.number(members["length"]),
            quantity=cells.count(members["quantity"], MAX_ITEMS_PER_CUSTOMER, default=1),
            name=cells.text(members["name"]),
            turn=cells.tick(members["turn"]),
        )


def _choice(value: JsonValue, choices: tuple[str, ...]) -> str:
    with value.placing_errors():
        return validation.choice(value.string(), "", choices)
