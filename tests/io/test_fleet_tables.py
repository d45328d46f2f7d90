"""Fleets in tables: a row for each kind, and lists of names in cells."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings

from builders import real_values
from file_cases import parse_file
from fleet_cases import fleet_instances
from table_cases import Tables, Write, both, folder_of, with_change, workbook_of
from tailgate.io import write_csv_folder, write_json, write_xlsx
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance

CUSTOMERS = """\
customer,x,y,weight,leave out cost,vehicles,not with,together,position
Bakery,3,4,100,250,van,Chemist; Harbour,,
Chemist,6,8,200,,"12 t, van",,Harbour,first
Harbour,1,1,300,0.5,,,,last
"Miller, Sons & Co",2,2,50,,,Bakery,,
"""
ITEMS = 'customer,width,length\nBakery,1,1\nChemist,1,2\nHarbour,1,1\n"Miller, Sons & Co",1,1\n'
VEHICLES = """\
name,count,width,length,capacity,fixed cost,cost per distance,max stops
12 t,3,2.45,7.2,6000,120,0.9,
van,4,1.8,3.2,1200,60,0.5,6
"""
SETTINGS = "field,value\ndepot x,0\ndepot y,0\n"
TABLES: Tables = {
    "customers": CUSTOMERS,
    "items": ITEMS,
    "vehicles": VEHICLES,
    "settings": SETTINGS,
}
C, V = "customers", "vehicles"


def changed(table: str, before: str, after: str, tables: Tables = TABLES) -> Tables:
    """Return the tables of this page with one place changed."""
    return with_change(tables, table, before, after)


@both
def test_the_tables_mean_what_they_say(write: Write, tmp_path: Path) -> None:
    """A row for each kind; costs, kinds and customers in cells."""
    instance = parse_file(write(tmp_path, TABLES))
    lorry, van = instance.vehicles
    assert (lorry.name, lorry.count, lorry.width, lorry.max_stops) == ("12 t", 3, 245, None)
    assert (van.name, van.count, van.fixed_cost, van.max_stops) == ("van", 4, 60, 6)
    bakery, chemist, harbour, miller = instance.customers
    assert (bakery.leave_out_cost, bakery.vehicles) == (250, ("van",))
    assert bakery.not_with == ("Chemist", "Harbour")
    assert chemist.vehicles == ("12 t", "van")
    assert (chemist.together, chemist.position) == (("Harbour",), "first")
    assert (harbour.leave_out_cost, harbour.vehicles, harbour.position) == (0.5, None, "last")
    assert (miller.leave_out_cost, miller.not_with) == (None, ("Bakery",))


@both
def test_a_name_with_a_comma_is_one_name(write: Write, tmp_path: Path) -> None:
    """Alone it needs no quotes; beside others the semicolon sets them apart."""
    tables = changed(C, "Chemist; Harbour", '"Miller, Sons & Co"')
    assert parse_file(write(tmp_path, tables)).customers[0].not_with == ("Miller, Sons & Co",)
    tables = changed(C, "Chemist; Harbour", '"Miller, Sons & Co; Chemist"')
    names = ("Miller, Sons & Co", "Chemist")
    assert parse_file(write(tmp_path, tables)).customers[0].not_with == names


@both
@pytest.mark.parametrize(
    ("headings", "first", "last"),
    [
        ("Auslasskosten,Fahrzeuge,Nicht mit,Zusammen mit,Position", "zuerst", "Zuletzt"),
        ("Pénalité,Véhicules,Pas avec,Ensemble avec,Position", "premier", "DERNIER"),
        ("leave_out_cost,Vehicles,NOT_WITH,together,position", "First", "LAST"),
    ],
)
def test_headings_of_other_languages_give_the_same(
    write: Write, headings: str, first: str, last: str, tmp_path: Path
) -> None:
    """The tables of a German or French office need not be rewritten."""
    tables = changed(C, "leave out cost,vehicles,not with,together,position", headings)
    tables = changed(C, ",first", f",{first}", changed(C, ",last", f",{last}", tables))
    instance = parse_file(write(tmp_path, tables))
    assert replace(instance, name="x") == replace(parse_file(write(tmp_path, TABLES)), name="x")


def test_customers_by_their_numbers_are_found_however_they_are_sorted(tmp_path: Path) -> None:
    """Rules name customers, not rows."""
    tables = {
        "customers": "customer,x,y,weight,not with\n2,1,1,1,3\n1,2,2,2,\n3,3,3,3,1; 2\n",
        "items": "customer,width,length\n1,1,1\n2,1,1\n3,1,1\n",
        "vehicles": "count,width,length,capacity\n2,2,3,40\n",
        "settings": "depot x,0\ndepot y,0\n",
    }
    assert parse_file(folder_of(tmp_path, tables)).rules.apart == {(1, 3), (2, 3)}
    # A spreadsheet has numbers in such cells.
    path = workbook_of(tmp_path, tables)
    assert isinstance(openpyxl.load_workbook(path)["customers"]["E2"].value, (int, float))
    assert parse_file(path).rules.apart == {(1, 3), (2, 3)}


# Each row: the change; table, line and field that the message must name; a word of the problem.
REFUSED: list[tuple[Tables, str, int | None, str | None, str]] = [
    # kinds
    (changed(V, "van,4", ",4"), V, 3, "name", "where there are several kinds"),
    (changed(V, "van,4", "12 t,4"), V, 3, "name", "12 t"),
    (changed(V, "van,4", "van,-4"), V, 3, "count", "from 0 to"),
    (changed(V, "van,4", "van,many"), V, 3, "count", "whole number"),
    (changed(V, ",60,0.5", ",-60,0.5"), V, 3, "fixed cost", "between 0"),
    (changed(V, "1.8,3.2", "0,3.2"), V, 3, "width", "greater than 0"),
    (TABLES | {V: VEHICLES.replace("name,", "#,")}, V, 1, "name", "where there are several kinds"),
    # leaving out
    (changed(C, ",250,", ",-250,"), C, 2, "leave out cost", "between 0"),
    (changed(C, ",250,", ",inf,"), C, 2, "leave out cost", "finite"),
    (changed(C, ",250,", ",a lot,"), C, 2, "leave out cost", "must be a number"),
    # lists
    (changed(C, ",van,", ",vam,"), C, 2, "vehicles", 'did you mean "van"'),
    (changed(C, ",van,", ",;,"), C, 2, "vehicles", "names nothing"),
    (changed(C, "Chemist; Harbour", "Chemist; Harbor"), C, 2, "not with", 'mean "Harbour"'),
    (changed(C, "Chemist; Harbour", "Bakery"), C, 2, "not with", "itself"),
    (changed(C, "Chemist; Harbour", "Chemist; Chemist"), C, 2, "not with", "twice"),
    (changed(C, "Chemist; Harbour", '"""Chemist; Harbour"'), C, 2, "not with", "not a list of nam"),
    (changed(C, ",Harbour,first", ",Chemist,first"), C, 3, "together", "itself"),
    # positions
    (changed(C, ",first", ",middle"), C, 3, "position", "must be first or last, or empty"),
    # nobody may come
    (changed(C, "3,4,100,250", "3,4,1300,"), C, 2, None, "1200"),
]


@pytest.mark.parametrize(("tables", "table", "line", "field", "word"), REFUSED)
def test_a_mistake_is_named_with_table_line_and_column(
    tmp_path: Path, tables: Tables, table: str, line: int | None, field: str | None, word: str
) -> None:
    """A planner with several tables must learn which cell of which one is wrong."""
    folder = folder_of(tmp_path, tables)
    with pytest.raises(InputError) as caught:
        parse_file(folder)
    error = caught.value
    assert word in error.problem, str(error)
    assert (error.source, error.line, error.field) == (str(folder / f"{table}.csv"), line, field)
    assert len(str(error)) < 700


def test_more_kinds_than_any_depot_has_are_refused(tmp_path: Path) -> None:
    """A table of orders under the wrong name must not take hours."""
    rows = "".join(f"k{number},1,2,2,10\n" for number in range(1001))
    tables = TABLES | {V: f"name,count,width,length,capacity\n{rows}"}
    with pytest.raises(InputError, match=r"vehicles.csv:1002: there are more than 1000 kinds"):
        parse_file(folder_of(tmp_path, tables))


@settings(max_examples=60)
@given(fleet_instances())
def test_what_is_written_is_read_back(instance: Instance) -> None:
    """JSON, CSV folder, workbook and Python are the same instance, with the same fingerprint."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_csv_folder(instance, folder / "csv")
        write_xlsx(instance, folder / "book.xlsx")
        write_json(instance, folder / "plain.json")
        tables, workbook, plain = (
            parse_file(folder / name) for name in ("csv", "book.xlsx", "plain.json")
        )
    for read_back in (tables, workbook, plain):
        assert real_values(_with_sorted_info(read_back)) == real_values(_with_sorted_info(instance))
        assert read_back.sha256 == instance.sha256
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
