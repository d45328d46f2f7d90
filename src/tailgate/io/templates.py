"""A small day's orders to overwrite: tables that show all that a planner may fill in."""

from __future__ import annotations

from typing import Any

from tailgate.io.csv_folder import csv_text
from tailgate.io.headings import NOTE_MARK
from tailgate.io.table_cells import Cells, instance_cells
from tailgate.io.xlsx_workbook import workbook_of
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import Conventions
from tailgate.model.instance import Customer, Instance, Item, Travel, Units, Vehicle

_PALLET, _SOFA = Item(80, 120, "pallet", turn=True), Item(95, 220, "sofa")
_CABINET, _TABLE = Item(60, 180, "cabinet"), Item(90, 160, "table")
# Name, latitude and longitude, opening hours, minutes of service, weight, items, address, phone,
# note.
_ORDERS = (
    (
        *("Atelier Bellecour", 45_7578, 4_8320, 8, 12, 20, 640, (_TABLE, _TABLE, _CABINET)),
        *("12 Place Bellecour, Lyon", "04 65 71 10 01", "ring at the yard"),
    ),
    (
        *("Hotel Gerland", 45_7300, 4_8290, 7, 11, 30, 1250, (_PALLET,) * 3 + (_SOFA,)),
        *("5 Avenue Tony Garnier, Lyon", "04 65 71 10 02", ""),
    ),
    (
        *("Mme Dupont", 45_7700, 4_8800, 8, 12, 15, 310, (_SOFA, _CABINET)),
        *("3 Rue Verte, Villeurbanne", "04 65 71 10 03", "second floor, lift"),
    ),
    (
        *("Cafe du Parc", 45_7790, 4_8560, 9, 16, 15, 220, (_TABLE,) * 4),
        *("40 Boulevard des Belges, Lyon", "04 65 71 10 04", ""),
    ),
    (
        *("School store", 45_7040, 4_8870, 8, 17, 25, 1800, (_PALLET,) * 5),
        *("8 Rue du Lycee, Venissieux", "04 65 71 10 05", "low bridge in the Rue Basse"),
    ),
    (
        *("Bureau Part-Dieu", 45_7605, 4_8600, 13, 17, 30, 940, (_TABLE, _CABINET, _CABINET)),
        *("17 Rue de la Villette, Lyon", "04 65 71 10 06", "loading bay at the back"),
    ),
)

# What some of them ask for: it may be left out, vans alone may come, with whom it shares no truck
# or one, and where it is on the route. Most customers ask for nothing.
_WISHES: dict[str, dict[str, Any]] = {
    "Hotel Gerland": {"not_with": ("School store",)},
    "Mme Dupont": {"vehicles": ("van",)},
    "Cafe du Parc": {"leave_out_cost": 150},
    "School store": {"position": "last"},
    "Bureau Part-Dieu": {"together": ("Atelier Bellecour",)},
}

_SETTING_NOTES = {
    "name": "shown on sheets and reports",
    "depot name": "shown on sheets and reports",
    "depot lat": "degrees north; or depot x and depot y on a flat map",
    "depot lon": "degrees east",
    "depot ready": "earliest departure",
    "depot due": "latest return; after midnight 25:30",
    "length unit": "of widths and lengths: a label",
    "weight unit": "of weights: a label",
    "distance unit": "km, m or mi",
    "time unit": "of service, max duration and cost per time: min",
    "cost unit": "a label",
    "metric": "great-circle (lat, lon) or euclidean (x, y); matrix with a table distances",
    "detour": "roads are longer than the crow flies: factor on distances",
    "speed": "distance units an hour, without stops",
    "rounding": "of distances: exact, rounded or truncated",
    "decimals": "of rounded distances, 0 to 3",
    "fleet": "at-most or exactly as many vehicles as there are",
    "single customer routes": "allow or forbid",
    "turn": "items that may be turned: as-given (those that say so), all or none",
    "lifo": "yes: unload straight out of the door, without moving other goods",
}


def template_instance() -> Instance:
    """Return the orders of the template."""
    return Instance(
        name="my orders",
        depot=(4_9180, 45_7310),
        customers=tuple(
            Customer(
                *(lon, lat, weight, items),
                name=name,
                ready=60 * opens,
                due=60 * closes,
                service=service,
                info=tuple((key, text) for key, text in zip(_INFO, info, strict=True) if text),
                **_WISHES.get(name, {}),
            )
            for name, lat, lon, opens, closes, service, weight, items, *info in _ORDERS
        ),
        vehicles=(
            Vehicle(
                *(245, 720, 6000),
                name="12 t",
                fixed_cost=120,
                cost_per_distance=0.9,
                cost_per_time=0.4,
                shift_start=6 * 60,
                shift_end=18 * 60,
                max_duration=9 * 60,
                max_distance=250,
                max_stops=12,
                count=2,
            ),
            Vehicle(
                *(180, 320, 1200),
                name="van",
                fixed_cost=60,
                cost_per_distance=0.5,
                cost_per_time=0.4,
                max_duration=9 * 60,
                count=2,
            ),
        ),
        conventions=Conventions(distance="rounded"),
        units=Units(
            *(100, 1, 10_000),
            length_unit="m",
            weight_unit="kg",
            distance_unit="km",
            time_unit="min",
            cost_unit="EUR",
            clock=True,
        ),
        depot_ready=6 * 60,
        depot_due=18 * 60,
        travel=Travel.great_circle(detour=1.3, decimals=1, speed=35),
        depot_name="Depot",
    )


_INFO = ("address", "phone", "note")


def template_tables() -> dict[str, Cells]:
    """Return the tables of the template by their names, the settings with what each means."""
    tables = instance_cells(template_instance())
    head, *settings = tables["settings"]
    # A table does not state it where it is the usual one.
    settings.append(["turn", "as-given"])
    tables["settings"] = [
        [*head, f"{NOTE_MARK} meaning"],
        *([field, value, _SETTING_NOTES[field]] for field, value in settings),
    ]
    return tables


def template_files() -> dict[str, str]:
    """Return the CSV files of the template by their names."""
    return {f"{name}.csv": csv_text(cells) for name, cells in template_tables().items()}


def template_workbook(path: PathLike = "template.xlsx") -> bytes:
    """Return the template as a workbook, which complaints call ``path``."""
    return workbook_of(template_tables(), path)
