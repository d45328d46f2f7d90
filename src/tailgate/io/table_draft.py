"""A draft from tables: orders, settings, the vehicle, and roads if there is a matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import cast, get_args

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
from tailgate.io.order_tables import AXES, OrderTables
from tailgate.model.conventions import ConventionOverrides, Conventions
from tailgate.model.errors import InputError
from tailgate.model.limits import MAX_CUSTOMERS
from tailgate.model.matrix import Matrix
from tailgate.model.travel import MAX_DECIMALS, Coordinates, Metric
from tailgate.model.units import MAX_UNIT_CHARACTERS
from tailgate.model.validation import shown, text

_RULES = {
    "rounding": "distance",
    "fleet": "fleet",
    "single customer routes": "single_customer_routes",
    "lifo": "lifo",
}
"""By field, the name among the conventions."""
_METRIC_OF: dict[Coordinates, Metric] = {"x/y": "euclidean", "lat/lon": "great-circle"}


def only_vehicle(table: Table, cells: CellReader) -> Fields:
    """Return the one kind of vehicle that a table of vehicles has."""
    if not table.rows:
        raise table.error(table.header_line, None, "there is no vehicle below the header row")
    if len(table.rows) > 1:
        raise table.error(
            table.rows[1].line,
            None,
            f"there are {len(table.rows)} kinds of vehicles; a plan with several kinds is not "
            "possible yet: keep one row, and write how many there are of it into the column "
            f"{table.spelling['count']}",
        )
    return fields_of_row(table, table.rows[0], cells)


def draft_vehicle(fields: Fields, name: str) -> DraftVehicle:
    """Return the vehicle that a row or a sheet describes; ``name`` is the field of its name."""
    return DraftVehicle(
        width=fields.number("width"),
        length=fields.number("length"),
        capacity=fields.number("capacity"),
        count=fields.count("count", low=1, high=MAX_CUSTOMERS),
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
class TableMatrices:
    """The matrices beside the tables, and which files or sheets they are."""

    distances: Matrix | None = None
    durations: Matrix | None = None
    places: Mapping[str, Place] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return whether there is one."""
        return self.distances is not None or self.durations is not None

    @property
    def titles(self) -> list[str]:
        """What the files or sheets are called."""
        return list(dict.fromkeys(place.source for place in self.places.values()))


class SettingsReader:
    """Depot, units, travel and rules, as the table of settings has them."""

    def __init__(self, settings: Fields, coordinates: Coordinates, matrices: TableMatrices) -> None:
        """Take the settings, and what the other tables say of the roads."""
        self._settings = settings
        self._coordinates = coordinates
        self._matrices = matrices

    def draft(self, file_name: str, vehicle: DraftVehicle, overrides: ConventionOverrides) -> Draft:
        """Return the draft without its customers."""
        settings = self._settings
        depot_x, depot_y = self._depot()
        return Draft(
            name=settings.text("name") or file_name,
            vehicle=vehicle,
            depot_x=depot_x,
            depot_y=depot_y,
            customers=[],
            conventions=self._conventions(overrides),
            depot_ready=settings.moment_or_none("depot ready") or ZERO,
            depot_due=settings.moment_or_none("depot due"),
            depot_name=settings.text("depot name"),
            travel=self._travel(),
            units=DraftUnits(**{quantity: self._unit(quantity) for quantity in UNITS}),
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

    def _travel(self) -> DraftTravel:
        settings = self._settings
        metric = "-".join(settings.text("metric").casefold().split())
        if metric not in ("", *get_args(Metric)):
            listed = ", ".join(get_args(Metric))
            raise settings.error("metric", f"must be one of {listed}, got {shown(metric)}")
        if self._matrices:
            self._refuse_measuring(metric)
            metric = "matrix"
        elif metric == "matrix":
            raise settings.error("metric", "needs a table of distances or durations beside it")
        elif metric not in ("", _METRIC_OF[self._coordinates]):
            own = " and ".join(sorted(AXES[self._coordinates]))
            raise settings.error(
                "metric",
                f"must be {_METRIC_OF[self._coordinates]} where customers have {own}, got {metric}",
            )
        else:
            metric = _METRIC_OF[self._coordinates]
        detour = settings.number_or_none("detour")
        return DraftTravel(
            metric=cast(Metric, metric),
            coordinates=self._coordinates,
            detour=ONE if detour is None else detour,
            decimals=settings.count_or_none("decimals", low=0, high=MAX_DECIMALS) or 0,
            speed=settings.number_or_none("speed"),
            distances=self._matrices.distances,
            durations=self._matrices.durations,
        )

    def _refuse_measuring(self, metric: str) -> None:
        """Complain about what would change distances that are given."""
        settings, title = self._settings, " and ".join(self._matrices.titles)
        if metric not in ("", "matrix"):
            raise settings.error("metric", f"{metric} contradicts {title}; leave out one of them")
        for name in ("detour", "rounding", "decimals"):
            if name in settings:
                raise settings.error(
                    name, f"changes measured distances, not those of {title}; leave it out"
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
    """All tables of an instance; ``vehicle_name`` is the field of the vehicle's own name."""

    orders: OrderTables
    settings: Fields
    vehicle: Fields
    vehicle_name: str
    cells: CellReader
    matrices: TableMatrices = TableMatrices()

    def parsed(self, file_name: str, overrides: ConventionOverrides) -> ParsedDraft:
        """Return the draft, and where everything in it is."""
        if not self.matrices:
            self.orders.require_coordinates()
        reader = SettingsReader(self.settings, self.orders.coordinates, self.matrices)
        vehicle = draft_vehicle(self.vehicle, self.vehicle_name)
        draft = reader.draft(file_name, vehicle, overrides)
        draft.customers = self.orders.customers()
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
        if owner == "vehicle":
            return self.vehicle.place(self.vehicle_name if field == "name" else field)
        if owner == "units":
            return self.settings.place(f"{field} unit")
        if owner == "travel" and field in self.matrices.places:
            return self.matrices.places[field]
        return self.settings.place(f"{owner} {field}" if owner == "depot" else field)
