"""Format 2 in tables: roads, hours and money in a CSV folder and in a workbook."""

from __future__ import annotations

import csv
import datetime
import io
import tempfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings

from builders import REPOSITORY, real_values, small_instance
from file_cases import parse_file
from format_2_cases import format_2_instances
from table_cases import Tables, Write, both, folder_of, with_change, workbook_of
from tailgate.io import write_csv_folder, write_json, write_xlsx
from tailgate.model.errors import InputError
from tailgate.model.instance import (
    Conventions,
    Customer,
    Instance,
    Item,
    Travel,
    Units,
    Vehicle,
)

CUSTOMERS = """\
customer,lat,lon,weight,ready,due,service,address,info: Gate code
Mme Dupont,45.77,4.88,310,08:00,12:00,15,"12 rue Neuve, Lyon",
Chemical store,45.7,4.9,950.5,9:30,5 pm,0:20,,A 17
"""
ITEMS = """\
customer,width,length,quantity,name,turn
Mme Dupont,0.8,1.2,3,pallet,no
Chemical store,1.2,1,2,,
"""
VEHICLES = (
    "name,count,width,length,capacity,fixed cost,cost per distance,cost per time,"
    """\
shift start,shift end,max duration,max distance,max stops
12 t,3,2.45,7.2,6000,120,0.9,0.4,06:00,18:00,480,250,12
"""
)
SETTINGS = """\
field,value
name,tuesday
depot name,Hall 4
depot lat,45.75
depot lon,4.85
depot ready,06:00
depot due,18:00
length unit,m
weight unit,kg
distance unit,km
time unit,min
currency,EUR
detour,1.35
speed,35
rounding,rounded
decimals,1
"""
TABLES: Tables = {
    "customers": CUSTOMERS,
    "items": ITEMS,
    "vehicles": VEHICLES,
    "settings": SETTINGS,
}

INSTANCE = Instance(
    name="tuesday",
    depot=(485, 4575),
    customers=(
        Customer(
            *(488, 4577, 3100, (Item(80, 120, "pallet"),) * 3, "Mme Dupont", 480, 720, 15),
            info=(("address", "12 rue Neuve, Lyon"),),
        ),
        Customer(
            *(490, 4570, 9505, (Item(120, 100),) * 2, "Chemical store", 570, 1020, 20),
            info=(("Gate code", "A 17"),),
        ),
    ),
    vehicle=Vehicle(
        *(245, 720, 60000, "12 t", 120, 0.9, 0.4),
        shift_start=360,
        shift_end=1080,
        max_duration=480,
        max_distance=250,
        max_stops=12,
    ),
    vehicle_count=3,
    conventions=Conventions(distance="rounded"),
    units=Units(100, 10, 100, "m", "kg", "km", "min", "EUR", clock=True),
    depot_ready=360,
    depot_due=1080,
    travel=Travel.great_circle(detour=1.35, decimals=1, speed=35),
    depot_name="Hall 4",
)


def changed(table: str, before: str, after: str, tables: Tables = TABLES) -> Tables:
    """Return the tables of this page with one place changed."""
    return with_change(tables, table, before, after)


@both
def test_the_tables_mean_what_they_say(write: Write, tmp_path: Path) -> None:
    """Places on the globe, hours, shifts, costs and what only the driver wants to know."""
    assert parse_file(write(tmp_path, TABLES)) == INSTANCE


@both
def test_headings_of_other_languages_give_the_same(write: Write, tmp_path: Path) -> None:
    """The tables of a German or French office need not be rewritten."""
    tables = changed("customers", "customer,lat,lon,weight", "Kunde,Breite,Länge,Gewicht")
    tables = changed("customers", "ready,due,service,address", "von,bis,Dauer,Anschrift", tables)
    tables = changed(
        "items", "customer,width,length,quantity", "Client,Largeur,Longueur,Qté", tables
    )
    tables = changed("vehicles", "name,count,", "Fahrzeug,Anzahl,", tables)
    assert parse_file(write(tmp_path, tables)) == INSTANCE


def test_decimal_commas_reach_all_tables(tmp_path: Path) -> None:
    """A spreadsheet set to commas has them in settings and vehicles, too."""
    tables = {
        name: text.replace('"12 rue Neuve, Lyon"', "12 rue Neuve - Lyon")
        .replace(",", ";")
        .replace(".", ",")
        .replace("Neuve - Lyon", "Neuve, Lyon")
        for name, text in TABLES.items()
    }
    assert parse_file(folder_of(tmp_path, tables)) == INSTANCE


VEHICLE_JSON = """{
  "name": "tuesday", "vehicle_name": "12 t", "count": 3,
  "width": 2.45, "length": 7.2, "capacity": 6000,
  "fixed_cost": 120, "cost_per_distance": 0.9, "cost_per_time": 0.4,
  "shift_start": "06:00", "shift_end": "18:00",
  "max_duration": 480, "max_distance": 250, "max_stops": 12,
  "length_unit": "m", "weight_unit": "kg", "distance_unit": "km",
  "time_unit": "min", "cost_unit": "EUR",
  "depot": {"name": "Hall 4", "lat": 45.75, "lon": 4.85, "ready": "06:00", "due": "18:00"},
  "travel": {"metric": "great-circle", "detour": 1.35, "speed": 35,
             "rounding": "rounded", "decimals": 1},
  "conventions": {"fleet": "at-most"}
}"""


def with_vehicle_json(place: Path, text: str) -> Path:
    """Write the tables of orders, and the rest as JSON."""
    folder_of(place, {name: TABLES[name] for name in ("customers", "items")})
    (place / "vehicle.json").write_text(text, encoding="utf-8")
    return place


def test_vehicle_json_has_all_of_format_2(tmp_path: Path) -> None:
    """Who writes the vehicle with a program need not write two tables; null says nothing."""
    assert parse_file(with_vehicle_json(tmp_path, VEHICLE_JSON)) == INSTANCE
    text = VEHICLE_JSON.replace('"vehicle_name": "12 t"', '"vehicle_name": null')
    assert parse_file(with_vehicle_json(tmp_path, text)).vehicle.name == ""


@pytest.mark.parametrize(
    ("before", "after", "line", "field", "word"),
    [
        ('"lat": 45.75', '"x": 45.75', 9, "depot.x", "customers have lat and lon"),
        ('"lat": 45.75, ', "", 9, "depot", 'lacks the field "lat"'),
        ('"detour"', '"detuor"', 10, "travel.detuor", 'did you mean "detour"'),
        ('"detour": 1.35', '"file": "x"', 10, "travel.file", "not a known field"),
        ('"great-circle"', '"euclidean"', 10, "travel.metric", "must be great-circle"),
        ('"fleet": "at-most"', '"distance": "exact"', 11, "travel.rounding", "says the same as"),
        ('"fleet": "at-most"', '"lifo": "no"', 12, "conventions.lifo", "true or false"),
        ('"time_unit": "min"', '"time_unit": "h"', 8, "time_unit", "must be min"),
        ('"speed": 35', '"speed": 0', 10, "travel.speed", "above 0"),
        ('"max_stops": 12', '"max_stops": 0', 6, "max_stops", "between 1"),
        ('"06:00", "shift_end"', '"19:00", "shift_end"', 5, "shift_end", "write 42:00"),
        ('"fixed_cost": 120', '"fixed_cost": -1', 4, "fixed_cost", "between 0"),
        ('"count": 3', '"vehicles": []', 2, "vehicles", "write the tables vehicles.csv and settin"),
    ],
)
def test_a_mistake_in_vehicle_json_is_named_with_its_line(
    before: str, after: str, line: int, field: str, word: str, tmp_path: Path
) -> None:
    """The checks are those of the tables; the places are those of the file."""
    assert VEHICLE_JSON.count(before) == 1
    folder = with_vehicle_json(tmp_path, VEHICLE_JSON.replace(before, after))
    with pytest.raises(InputError) as caught:
        parse_file(folder)
    error = caught.value
    assert word in error.problem, str(error)
    assert (error.source, error.line, error.field) == (str(folder / "vehicle.json"), line, field)


def test_a_workbook_may_have_settings_and_vehicle_in_one_sheet(tmp_path: Path) -> None:
    """The sheet of format 1 takes the fields of format 2, too."""
    names, values = csv.reader(io.StringIO(VEHICLES))
    rows = [
        ("vehicle name" if name == "name" else name, value)
        for name, value in zip(names, values, strict=True)
    ]
    tables = {name: TABLES[name] for name in ("customers", "items")}
    tables["vehicle"] = SETTINGS + "".join(f"{name},{value}\n" for name, value in rows)
    assert parse_file(workbook_of(tmp_path, tables)) == INSTANCE


@both
def test_tables_without_a_field_of_format_2_are_format_1(write: Write, tmp_path: Path) -> None:
    """Whichever tables they are in: the fingerprint is that of format 1."""
    tables = {
        "customers": "customer,x,y,weight\nA,1,2,3\n",
        "items": "customer,width,length\nA,1,1\n",
        "vehicles": "count,width,length,capacity\n1,2,3,4\n",
        "settings": "depot x,0\ndepot y,0\n",
    }
    instance = parse_file(write(tmp_path, tables))
    assert instance.is_format_1
    plain = Instance("x", (0, 0), (Customer(1, 2, 3, (Item(1, 1),)),), Vehicle(2, 3, 4), 1)
    assert instance.sha256 == plain.sha256


@both
def test_lines_of_an_address_become_one(write: Write, tmp_path: Path) -> None:
    """People break addresses into lines within a cell."""
    tables = changed(
        "customers", "12 rue Neuve, Lyon", "12 rue Neuve,\n 69001\N{NO-BREAK SPACE}Lyon"
    )
    instance = parse_file(write(tmp_path, tables))
    assert dict(instance.customers[0].info) == {"address": "12 rue Neuve, 69001 Lyon"}


@both
def test_notes_beside_settings_are_left_out(write: Write, tmp_path: Path) -> None:
    """The template explains its settings in a third column."""
    tables = changed("settings", "field,value", "field,value,# meaning")
    tables = changed("settings", "detour,1.35", "detour,1.35,roads are longer", tables)
    tables = changed("settings", "speed,35", "# speed,50\nspeed,35", tables)
    assert parse_file(write(tmp_path, tables)) == INSTANCE


def test_cells_of_a_workbook_are_read_as_what_they_are(tmp_path: Path) -> None:
    """Times with a date, hours beyond midnight, minutes as a time, a date among the info."""
    path = workbook_of(tmp_path, changed("customers", "info: Gate code", "info: Ordered"))
    book = openpyxl.load_workbook(path)
    sheet, day = book["customers"], datetime.datetime(2026, 3, 4)
    sheet["E2"] = day.replace(hour=8)
    sheet["F2"] = day.replace(hour=12)
    sheet["G2"] = datetime.time(0, 15)
    sheet["F3"] = datetime.timedelta(hours=25, minutes=30)
    sheet["I2"] = datetime.date(2026, 3, 1)
    book.save(path)
    first, second = parse_file(path).customers
    assert (first.ready, first.due, first.service) == (480, 720, 15)
    assert second.due == 25 * 60 + 30
    assert dict(first.info)["Ordered"] == "2026-03-01"


C, T, V, S = "customers", "items", "vehicles", "settings"

# Each row: the change; table, line and field that the message must name; a word of the problem.
REFUSED: list[tuple[Tables, str, int | None, str | None, str]] = [
    # two columns with one meaning
    (changed(C, "lat,lon,weight", "lat,Breite,weight"), C, 1, "lat", "'lat' and 'Breite' mean lat"),
    (changed(C, "address,", "address,Anschrift,"), C, 1, "address", "write # before the heading"),
    (changed(C, "info: Gate code", "info: address"), C, 1, "address", "duplicate column"),
    (changed(C, "info: Gate code", "info:"), C, 1, "'info:'", "names nothing"),
    (changed(C, "info: Gate code", "Gate code"), C, 1, "'Gate code'", "on the sheets, info:"),
    (changed(T, ",turn", ",quantite"), T, 1, "quantity", "'quantity' and 'quantite' mean quan"),
    (changed(S, "rounding,rounded", "rounding,rounded\ndistance,exact"), S, 16, "distance",
     "duplicate field: rounding and distance mean rounding"),
    # coordinates
    (changed(C, "lat,lon,", "lat,x,"), C, 1, None, "coordinates of two kinds (x and lat)"),
    (changed(C, "lat,lon,", "lat,#,"), C, 1, "lon", 'the column "lon" is missing'),
    (changed(C, "lat,lon,", "#,#,"), C, 1, "x", "(or lat and lon, or a table of distances)"),
    (changed(C, "45.77", "95.77"), C, 2, "lat", "between -90 and 90"),
    (changed(C, "4.88", "-184.88"), C, 2, "lon", "between -180 and 180"),
    (changed(S, "depot lat,45.75", "depot x,45.75"), S, 4, "depot x", "customers have lat and lon"),
    (changed(S, "depot lat,45.75\n", ""), S, None, "depot lat", "is missing"),
    (changed(S, "depot lon,4.85", "depot lon,4.85\nmetric,euclidean"), S, 6, "metric",
     "must be great-circle where customers have lat and lon"),
    (changed(S, "depot lon,4.85", "depot lon,4.85\nmetric,matrix"), S, 6, "metric",
     "needs a table of distances"),
    (changed(S, "depot lon,4.85", "depot lon,4.85\nmetric,taxi"), S, 6, "metric", "one of euclid"),
    # clocks
    (changed(C, "08:00", "480"), C, 2, "ready", "480 is a plain number, but '06:00'"),
    (changed(C, "08:00", "8 Uhr"), C, 2, "ready", 'a time such as "08:00"'),
    (changed(C, "08:00", "13:00"), C, 2, "due", "if it is on the next day, write 36:00"),
    (changed(C, "08:00", "2026-01-02"), C, 2, "ready", "a date without a time"),
    (changed(C, "08:00,12:00", "2026-01-02 08:00,2026-01-03 01:00"), C, 2, "due", "another day"),
    (changed(S, "time unit,min", "time unit,h"), S, 11, "time unit", "must be min"),
    (changed(V, "06:00,18:00", "18:00,06:00"), V, 2, "shift end", "write 30:00"),
    (changed(V, "06:00,18:00", "06:00,07:45"), C, 2, "ready", "is back at 08:22:23"),
    # numbers
    (changed(S, "speed,35", "speed,0"), S, 14, "speed", "above 0"),
    (changed(S, "speed,35", "speed,fast"), S, 14, "speed", "must be a number"),
    (changed(S, "detour,1.35", "detour,0"), S, 13, "detour", "above 0"),
    (changed(S, "detour,1.35", "detour,-1"), S, 13, "detour", "above 0"),
    (changed(S, "decimals,1", "decimals,4"), S, 16, "decimals", "from 0 to 3"),
    (changed(S, "rounding,rounded", "rounding,up"), S, 15, "rounding", 'one of "truncated"'),
    (changed(S, "distance unit,km", "distance unit,miles"), S, 10, "distance unit", "km, m or mi"),
    (changed(V, ",120,", ",-120,"), V, 2, "fixed cost", "between 0"),
    (changed(V, ",0.9,", ",inf,"), V, 2, "cost per distance", "finite"),
    (changed(V, "12 t,3", "12 t,-1"), V, 2, "count", "from 0 to"),
    (changed(V, "12 t,3", "12 t,"), V, 2, "count", "whole number"),
    (changed(V, ",480,250,12", ",480,250,1.5"), V, 2, "max stops", "whole number"),
    # no kind of vehicle
    (TABLES | {V: VEHICLES.splitlines()[0]}, V, 1, None, "no vehicle below"),
    (changed(V, "name,count", "name,Count,trips"), V, 2, "trips", "several trips"),
    (changed(T, "pallet,no", "pallet,perhaps"), T, 2, "turn", "must be yes or no, got 'perhaps'"),
    (changed(S, "speed,35", "speed,35\nturn,yes"), S, 15, "turn", 'one of "as-given", "all", "no'),
    # columns of what is not there yet
    (changed(C, "info: Gate code", "pickup"), C, 3, "pickup", "pickups are not supported"),
    (changed(C, "info: Gate code", "Split delivery"), C, 3, "Split delivery", "split deliveries"),
    (changed(T, "name,turn", "name,height", changed(T, "pallet,no", "pallet,1.5")), T, 2, "height",
     "stacking is not supported"),
    # info
    (changed(C, "A 17", "x" * 1001), C, 3, "info: Gate code", "at most 1000 characters"),
    (changed(C, "12 rue Neuve", "12\x07"), C, 2, "address", "control characters"),
    # settings
    (changed(S, "detour,1.35", "detuor,1.35"), S, 13, "'detuor'", 'did you mean "detour"'),
    (changed(S, "detour,1.35", "detour,1.35,9"), S, 13, "detour", "more than one value"),
    (changed(S, "detour,1.35", "width,1.35"), S, 13, "'width'", "not a known field"),
    (changed(S, "decimals,1", "lifo,maybe"), S, 16, "lifo", "yes or no"),
]  # fmt: skip


@pytest.mark.parametrize(("tables", "table", "line", "field", "word"), REFUSED)
def test_a_mistake_is_named_with_table_line_and_column(
    tmp_path: Path, tables: Tables, table: str, line: int | None, field: str | None, word: str
) -> None:
    """A planner with five tables must learn which cell of which one is wrong."""
    folder = folder_of(tmp_path, tables)
    with pytest.raises(InputError) as caught:
        parse_file(folder)
    error = caught.value
    assert word in error.problem, str(error)
    assert (error.source, error.line, error.field) == (str(folder / f"{table}.csv"), line, field)
    assert len(str(error)) < 700


@pytest.mark.parametrize("table", [C, T, V, S])
def test_a_workbook_names_sheet_and_row_just_as_well(table: str, tmp_path: Path) -> None:
    """One mistake for each sheet; the rest is common to both formats."""
    mistake = {C: ("310", "heavy"), T: ("0.8", "wide"), V: ("2.45", "x"), S: (",35", ",fast")}[
        table
    ]
    path = workbook_of(tmp_path, changed(table, *mistake))
    with pytest.raises(InputError, match=rf"sheet {table}:\d+: \w+: must be a number"):
        parse_file(path)


def test_files_that_say_the_same_are_not_read_together(tmp_path: Path) -> None:
    """Which of the two would count is nobody's guess."""
    folder_of(tmp_path, TABLES)
    (tmp_path / "vehicle.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds vehicle.json and vehicles.csv, which say the"):
        parse_file(tmp_path)
    (tmp_path / "vehicles.csv").unlink()
    with pytest.raises(InputError, match=r"holds vehicle.json and settings.csv"):
        parse_file(tmp_path)
    with pytest.raises(InputError, match=r"the sheets vehicle and vehicles, which say the same"):
        parse_file(workbook_of(tmp_path, TABLES | {"vehicle": "name,x\n"}))


def test_settings_may_be_missing_where_nothing_is_to_be_said(tmp_path: Path) -> None:
    """The depot is what is missing then, not a file."""
    folder_of(tmp_path, TABLES)
    (tmp_path / "settings.csv").unlink()
    with pytest.raises(InputError, match=r"settings.csv: depot lon: is missing"):
        parse_file(tmp_path)


def test_the_documented_tables_say_what_the_documented_json_says(tmp_path: Path) -> None:
    """The documentation is a promise; vehicle.json and the two tables are the same there."""
    page = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")

    def write(name: str) -> None:
        after = page[page.index(f"\n`{name}`") :]
        (tmp_path / name).write_text(after.split("```")[1].partition("\n")[2], encoding="utf-8")

    for name in ("customers.csv", "items.csv", "vehicles.csv", "settings.csv"):
        write(name)
    instance = parse_file(tmp_path)
    assert not instance.is_format_1
    assert instance.vehicle.max_stops == 12
    assert dict(instance.customers[1].info) == {"Gate code": "A 17"}
    (tmp_path / "vehicles.csv").unlink()
    (tmp_path / "settings.csv").unlink()
    write("vehicle.json")
    assert parse_file(tmp_path) == instance


def test_a_folder_that_would_contradict_itself_is_not_written(tmp_path: Path) -> None:
    """Nothing of the planner's is removed, and nothing is written that reads as something else."""
    folder_of(tmp_path, TABLES)
    with pytest.raises(InputError, match=r"holds vehicles.csv and settings.csv, which would be re"):
        write_csv_folder(small_instance(), tmp_path)
    assert parse_file(tmp_path) == INSTANCE
    write_csv_folder(INSTANCE, tmp_path)
    assert parse_file(tmp_path) == INSTANCE


@settings(max_examples=60)
@given(format_2_instances())
def test_what_is_written_is_read_back(instance: Instance) -> None:
    """In both formats, whatever the names look like; JSON agrees."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_csv_folder(instance, folder / "csv")
        write_xlsx(instance, folder / "book.xlsx")
        write_json(instance, folder / "plain.json")
        tables, workbook, plain = (
            parse_file(folder / name) for name in ("csv", "book.xlsx", "plain.json")
        )
    assert real_values(_with_sorted_info(tables)) == real_values(_with_sorted_info(instance))
    assert tables.sha256 == instance.sha256
    assert workbook == tables
    assert _with_sorted_info(plain) == _with_sorted_info(tables)


def _with_sorted_info(instance: Instance) -> Instance:
    """Return the instance with the info of all customers in one order, as a table has it."""
    return replace(
        instance,
        customers=tuple(
            replace(customer, info=tuple(sorted(customer.info))) for customer in instance.customers
        ),
    )
