"""A draft from tables: orders, settings, the vehicle, and roads if there is a matrix."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import get_args

from tailgate.io.csv_table import CellReader, Table
from tailgate.io.draft import (
    ONE,
    ZERO,
    Draft,
    DraftTravel,
    DraftUnits,
    DraftVehicle,
    ParsedDraft,
    Place,
)
from tailgate.io.field_table import Fields, fields_of_row
from tailgate.io.headings import UNITS
from tailgate.io.matrix_file import Matrices
from tailgate.io.matrix_rows import MatrixField, PlaceNames
from tailgate.io.order_tables import AXES, OrderTables
from tailgate.model.conventions import ConventionOverrides, Conventions
from tailgate.model.errors import InputError
from tailgate.model.limits import MAX_CUSTOMERS, MAX_KINDS
from tailgate.model.travel import MAX_DECIMALS, Coordinates, Metric
from tailgate.model.units import MAX_UNIT_CHARACTERS
from tailgate.model.validation import shown, text

_RULES = {
    "rounding": "distance",
    "fleet": "fleet",
    "single customer routes": "single_customer_routes",
    "lifo": "lifo",
    "turn": "turn",
}
"""By field, the name among the conventions."""
_KIND = re.compile(r"vehicles\[(\d+)\]")
_METRIC_OF: dict[Coordinates, Metric] = {"x/y": "euclidean", "lat/lon": "great-circle"}


def kinds_of(table: Table, cells: CellReader) -> list[Fields]:
    """Return the kinds of vehicles that a table of vehicles has, one in each row."""
    if not table.rows:
        raise table.error(table.header_line, None, "there is no vehicle below the header row")
    if len(table.rows) > MAX_KINDS:
        raise table.error(
            table.rows[MAX_KINDS].line,
            None,
            f"there are more than {MAX_KINDS} kinds of vehicles; give vehicles that are alike in "
            f"one row, and how many there are in the column {table.spelling['count']}",
        )
    return [fields_of_row(table, row, cells) for row in table.rows]


def draft_vehicle(fields: Fields, name: str) -> DraftVehicle:
    """Return the vehicle that a row or a sheet describes; ``name`` is the field of its name."""
    return DraftVehicle(
        width=fields.number("width"),
        length=fields.number("length"),
        capacity=fields.number("capacity"),
        count=fields.count("count", low=0, high=MAX_CUSTOMERS),
        name=fields.text(name),
        fixed_cost=fields.number_or_none("fixed cost") or ZERO,
        cost_per_distance=fields.number_or_none("cost per distance"),
        cost_per_time=fields.number_or_none("cost per time"),
        shift_start=fields.moment_or_none("shift start"),
        shift_end=fields.moment_or_none("shift end"),
        max_duration=fields.duration_or_none("max duration"),
        max_distance=fields.number_or_none("max distance"),
        max_stops=fields.count_or_none("max stops", low=1, high=MAX_CUSTOMERS),
    )


@dataclass(frozen=True, slots=True)
class MatrixSource:
    """The matrices beside the tables, which are read when the places have names."""

    sources: Mapping[MatrixField, str]
    """Files or sheets by what they hold."""
    read: Callable[[PlaceNames, DraftUnits], Matrices]

    @property
    def title(self) -> str:
        """What messages call them."""
        return " and ".join(dict.fromkeys(Path(one).name for one in self.sources.values()))

    def place(self, field: MatrixField) -> Place:
        """Return where a matrix is, or should be."""
        return Place(self.sources.get(field, next(iter(self.sources.values()))), None, field)


class SettingsReader:
    """Depot, units, travel and rules, as the table of settings has them."""

    def __init__(
        self, settings: Fields, orders: OrderTables, matrices: MatrixSource | None
    ) -> None:
        """Take the settings, and what the other tables say of the roads."""
        self._settings = settings
        self._labels = orders.labels
        self._coordinates = orders.coordinates
        self._matrices = matrices

    def draft(
        self, file_name: str, vehicles: list[DraftVehicle], overrides: ConventionOverrides
    ) -> Draft:
        """Return the draft without its customers."""
        settings = self._settings
        depot_x, depot_y = self._depot()
        units = DraftUnits(**{quantity: self._unit(quantity) for quantity in UNITS})
        return Draft(
            name=settings.text("name") or file_name,
            vehicles=vehicles,
            depot_x=depot_x,
            depot_y=depot_y,
            customers=[],
            conventions=self._conventions(overrides),
            depot_ready=settings.moment_or_none("depot ready") or ZERO,
            depot_due=settings.moment_or_none("depot due"),
            depot_name=settings.text("depot name"),
            travel=self._travel(units, overrides),
            units=units,
        )

    def _depot(self) -> tuple[Decimal, Decimal]:
        """Return the depot's coordinates, which must be of the customers' kind."""
        settings = self._settings
        for kind, axes in AXES.items():
            for axis in axes if kind != self._coordinates else ():
                field = f"depot {axis}"
                if field in settings:
                    own = " and ".join(sorted(AXES.get(self._coordinates, ())))
                    have = f"customers have {own}" if own else "customers have no coordinates"
                    raise settings.error(field, f"{have}; the depot must have the same")
        if self._coordinates == "none":
            return ZERO, ZERO
        x, y = (settings.number(f"depot {axis}") for axis in AXES[self._coordinates])
        return x, y

    def _travel(self, units: DraftUnits, overrides: ConventionOverrides) -> DraftTravel:
        settings = self._settings
        detour = settings.number_or_none("detour")
        travel = DraftTravel(
            metric=self._metric(),
            coordinates=self._coordinates,
            detour=ONE if detour is None else detour,
            decimals=settings.count_or_none("decimals", low=0, high=MAX_DECIMALS) or 0,
            speed=settings.number_or_none("speed"),
        )
        if self._matrices is not None:
            self._refuse_measuring(self._matrices, overrides)
            names = PlaceNames(self._labels, settings.text("depot name"))
            matrices = self._matrices.read(names, units)
            travel.distances, travel.durations = matrices.distances, matrices.durations
        return travel

    def _metric(self) -> Metric:
        """Return where distances come from, which the tables say and the settings may repeat."""
        metric: Metric = "matrix" if self._matrices is not None else _METRIC_OF[self._coordinates]
        stated = "-".join(self._settings.text("metric").casefold().split())
        if stated in ("", metric):
            return metric
        if self._matrices is not None:
            problem = f"contradicts {self._matrices.title}; leave out one of them"
        elif stated == "matrix":
            problem = "needs a table of distances or durations beside it"
        elif stated in get_args(Metric):
            axes = " and ".join(sorted(AXES[self._coordinates]))
            problem = f"must be {metric} where customers have {axes}, got {stated}"
        else:
            problem = f"must be one of {', '.join(get_args(Metric))}, got {shown(stated)}"
        raise self._settings.error("metric", problem)

    def _refuse_measuring(self, matrices: MatrixSource, overrides: ConventionOverrides) -> None:
        """Complain about what would change distances that are given."""
        for name in ("detour", "rounding", "decimals"):
            if name in self._settings:
                raise self._settings.error(
                    name, f"is for measured distances, not for {matrices.title}; leave it out"
                )
        if "distance" in overrides:
            raise matrices.place("distances").error(
                "is a matrix, and the convention distance (--distance) rounds measured distances; "
                "leave it out"
            )

    def _unit(self, quantity: str) -> str:
        field = f"{quantity} unit"
        try:
            return text(self._settings.text(field), "unit", max_characters=MAX_UNIT_CHARACTERS)
        except InputError as error:
            raise self._settings.error(field, error.problem) from error

    def _conventions(self, overrides: ConventionOverrides) -> Conventions:
        """Return the planner's conventions, changed by the settings, changed by the caller's."""
        settings = self._settings
        stated: dict[str, object] = {
            name: settings.text(field).casefold()
            for field, name in _RULES.items()
            if field != "lifo" and field in settings
        }
        lifo = settings.flag_or_none("lifo")
        if lifo is not None:
            stated["lifo"] = lifo
        try:
            return Conventions.from_dict(stated).overridden(overrides)
        except InputError as error:
            field = {name: field for field, name in _RULES.items()}.get(error.field or "", "")
            raise settings.error(field, error.problem) from error


@dataclass(frozen=True, slots=True)
class TableDraft:
    """All tables of an instance; ``vehicle_name`` is the field of a kind's own name."""

    orders: OrderTables
    settings: Fields
    vehicles: list[Fields]
    vehicle_name: str
    cells: CellReader
    matrices: MatrixSource | None = None

    def parsed(self, file_name: str, overrides: ConventionOverrides) -> ParsedDraft:
        """Return the draft, and where everything in it is."""
        if self.matrices is None:
            self.orders.require_coordinates()
        reader = SettingsReader(self.settings, self.orders, self.matrices)
        vehicles = [draft_vehicle(kind, self.vehicle_name) for kind in self.vehicles]
        draft = reader.draft(file_name, vehicles, overrides)
        draft.customers = self.orders.customers({kind.name for kind in vehicles})
        times = self.cells.times
        draft.clock = times.clock
        times.check_unit(draft.units.time, lambda: self.settings.place("time unit"))
        return ParsedDraft(draft, self._locate)

    def _locate(self, path: str) -> Place:
        place = self.orders.locate(path)
        if place is not None:
            return place
        owner, _, field = path.rpartition(".")
        field = field.replace("_", " ")
        kind = _KIND.fullmatch(owner)
        if kind is not None:
            column = self.vehicle_name if field == "name" else field
            return self.vehicles[int(kind[1])].place(column)
        if path == "vehicles":
            # About all of them together, which is a matter of how many there are.
            return self.vehicles[0].place("count")
        if owner == "units":
            return self.settings.place(f"{field} unit")
        if self.matrices is not None and field in ("distances", "durations"):
            return self.matrices.place("distances" if field == "distances" else "durations")
        return self.settings.place(f"{owner} {field}" if owner == "depot" else field)
