"""The vehicle, the depot and the rules as a table: a field in each row, and its value beside it."""

from __future__ import annotations

from decimal import Decimal

from tailgate.io.clock_times import TimeReader
from tailgate.io.csv_table import DecimalReader, Record, Row, Table, heading_key
from tailgate.io.draft import (
    ZERO,
    Draft,
    DraftCustomer,
    DraftUnits,
    DraftVehicle,
    Place,
    Time,
    count,
)
from tailgate.model.conventions import ConventionOverrides, Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.limits import MAX_CUSTOMERS
from tailgate.model.units import MAX_UNIT_CHARACTERS
from tailgate.model.validation import did_you_mean, shown, text

HEADINGS = ("field", "value")

_REQUIRED = ("width", "length", "capacity", "count", "depot x", "depot y")
_UNITS = ("length unit", "weight unit", "distance unit")
_RULES = ("distance", "fleet", "single customer routes", "lifo")
FIELDS = ("name", *_REQUIRED, "depot ready", "depot due", *_UNITS, *_RULES)

_YES_AND_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class VehicleTable:
    """What the sheet says, and where it says it."""

    def __init__(
        self,
        records: list[Record],
        *,
        source: str,
        decimals: DecimalReader,
        times: TimeReader,
    ) -> None:
        self._decimals = decimals
        self._times = times
        self._rows: dict[str, Row] = {}
        self._table = Table(source, source, "", 1, {}, ())
        known = {heading_key(field): field for field in FIELDS}
        for line, cells in records:
            spelled, value, *more = [*cells, ""][: max(2, len(cells))]
            key = heading_key(spelled)
            if not self._rows and (key, heading_key(value)) == HEADINGS:
                continue
            if any(more):
                raise self._error(line, spelled, "has more than one value beside it")
            if key not in known:
                listed = ", ".join(FIELDS)
                hint = did_you_mean(key, known)
                raise self._error(
                    line, shown(spelled), f"is not a known field (known here: {listed}){hint}"
                )
            field = known[key]
            if field in self._rows:
                raise self._error(line, spelled, "duplicate field")
            self._rows[field] = Row(line, {field: value})
            self._table.spelling[field] = spelled
        for field in _REQUIRED:
            if not self._cell(field):
                raise self._error(None, field, "is missing: write it into a row of its own")

    def draft(
        self, file_name: str, customers: list[DraftCustomer], overrides: ConventionOverrides
    ) -> Draft:
        """Return the draft of the sheet and of the customers that other sheets have."""
        vehicle = DraftVehicle(
            width=self._number("width"),
            length=self._number("length"),
            capacity=self._number("capacity"),
            count=count(
                self._cell("count"), self.locate("vehicle.count"), low=1, high=MAX_CUSTOMERS
            ),
        )
        ready, due = self._moment("depot ready"), self._moment("depot due")
        return Draft(
            name=self._cell("name") or file_name,
            vehicle=vehicle,
            depot_x=self._number("depot x"),
            depot_y=self._number("depot y"),
            customers=customers,
            conventions=self._conventions(overrides),
            depot_ready=ready or ZERO,
            depot_due=due,
            units=DraftUnits(
                length=self._unit("length unit"),
                weight=self._unit("weight unit"),
                distance=self._unit("distance unit"),
            ),
            clock=self._times.clock,
        )

    def _conventions(self, overrides: ConventionOverrides) -> Conventions:
        """Return the planner's conventions, changed by the sheet's, changed by the caller's."""
        stated: dict[str, object] = {}
        for field in _RULES:
            cell = self._cell(field).casefold()
            if field == "lifo" and cell:
                if cell not in _YES_AND_NO:
                    raise self._place(field).error(f"must be yes or no, got {shown(cell)}")
                stated[field] = _YES_AND_NO[cell]
            elif cell:
                stated[field.replace(" ", "_")] = cell
        try:
            return Conventions.from_dict(stated).overridden(overrides)
        except InputError as error:
            raise self._place((error.field or "").replace("_", " ")).error(error.problem) from error

    def locate(self, path: str) -> Place:
        """Return the row of a field of the model."""
        return self._place(path.removeprefix("vehicle.").replace(".", " "))

    def _place(self, field: str) -> Place:
        row = self._rows.get(field)
        return self._table.place(None if row is None else row.line, field or None)

    def _error(self, line: int | None, field: str, problem: str) -> InputError:
        return self._table.place(line, field).error(problem)

    def _cell(self, field: str) -> str:
        row = self._rows.get(field)
        return "" if row is None else row.cells[field]

    def _number(self, field: str) -> Decimal:
        return self._decimals.number(self._table, self._rows[field], field)

    def _moment(self, field: str) -> Time | None:
        if not self._cell(field):
            return None
        given = self._decimals.number_or_time(self._table, self._rows[field], field)
        return self._times.moment(given, lambda: self._place(field))

    def _unit(self, field: str) -> str:
        try:
            return text(self._cell(field), "unit", max_characters=MAX_UNIT_CHARACTERS)
        except InputError as error:
            raise self._place(field).error(error.problem) from error


def vehicle_cells(instance: Instance) -> list[list[str]]:
    """Return the sheet of an instance, its header row first."""
    units, vehicle, rules = instance.units, instance.vehicle, instance.conventions
    due = "" if instance.depot_due is None else str(instance.depot_due)
    values = {
        "name": instance.name,
        "width": units.length_text(vehicle.width),
        "length": units.length_text(vehicle.length),
        "capacity": units.weight_text(vehicle.capacity),
        "count": str(instance.vehicle_count),
        "depot x": units.coordinate_text(instance.depot[0]),
        "depot y": units.coordinate_text(instance.depot[1]),
        "depot ready": str(instance.depot_ready) if instance.depot_ready else "",
        "depot due": due,
        "length unit": units.length_unit,
        "weight unit": units.weight_unit,
        "distance unit": units.distance_unit,
        "distance": rules.distance,
        "fleet": rules.fleet,
        "single customer routes": rules.single_customer_routes,
        "lifo": "yes" if rules.lifo else "no",
    }
    return [list(HEADINGS), *([field, values[field]] for field in FIELDS if values[field])]
