"""The CSV folder: tables as spreadsheets export them, and every mistake a planner can make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from builders import instances, real_values, small_instance
from file_cases import parse_file, tuesday
from tailgate.io import write_csv_folder, write_json
from tailgate.io.csv_folder import draft_csv_folder
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Instance, Item
from tailgate.solver.loading import read

CUSTOMERS = """\
customer,x,y,weight,ready,due,service
Bakery,12.5,3,1840.5,30,120,15
Harbour,-4,22.75,7200,,,
"""
ITEMS = """\
customer,width,length,quantity,name
Bakery,0.8,1.2,4,pallet
Bakery,2.4,0.6,,shelf
Harbour,1.2,1,9,
"""
VEHICLE = """\
{
  "name": "tuesday",
  "width": 2.45,
  "length": 13.6,
  "capacity": 24000,
  "count": 2,
  "length_unit": "m",
  "weight_unit": "kg",
  "depot": {"x": 0, "y": 0, "due": 600},
  "conventions": {"fleet": "exactly"}
}
"""

INSTANCE = tuesday("Bakery", conventions=replace(Conventions.PLANNER, fleet="exactly"))


def folder_of(
    place: Path, customers: str = CUSTOMERS, items: str = ITEMS, vehicle: str = VEHICLE
) -> Path:
    """Write the three files as they are, byte for byte."""
    (place / "customers.csv").write_bytes(customers.encode("utf-8"))
    (place / "items.csv").write_bytes(items.encode("utf-8"))
    (place / "vehicle.json").write_bytes(vehicle.encode("utf-8"))
    return place


def test_the_folder_means_what_it_says(tmp_path: Path) -> None:
    """Quantities multiply, blanks take their defaults, decimals are exact."""
    assert parse_file(folder_of(tmp_path)) == INSTANCE
    assert read(tmp_path) == INSTANCE


def with_decimal_commas(text: str) -> str:
    """Return a table as a spreadsheet in most of Europe exports it."""
    return text.replace(",", ";").replace(".", ",")


@pytest.mark.parametrize(
    "export",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r\r\n"),
        lambda text: text.replace("\n", "\r"),
        with_decimal_commas,
        lambda text: "\ufeff" + with_decimal_commas(text).replace("\n", "\r\n"),
        lambda text: text.replace(",", "\t"),
        lambda text: with_decimal_commas(text).replace(";", "\t"),
        lambda text: "sep=;\r\n" + with_decimal_commas(text),
        lambda text: "sep=,\n" + text,
        lambda text: text + "\n\n,,,\n ,\n",
        lambda text: "\n" + text.replace("\n", "\n\n"),
        lambda text: text.replace(",", " , "),
        lambda text: text.replace("\n", ",,\n"),
        lambda text: '"' + text.replace(",", '","').replace("\n", '"\n"').removesuffix('"'),
        lambda text: text.replace("customer", "Customer").replace("width", " WIDTH "),
        lambda text: text.replace("weight", "Weight").replace("quantity", "quan-tity"),
        lambda text: text.removesuffix("\n"),
        lambda text: text.replace("0.8", ".8").replace("12.5", "+12.50"),
        lambda text: text.replace("7200", "7.2E+03").replace("9,", "9.0,"),
        lambda text: text.replace(",,,\n", "\n"),
    ],
)
def test_exports_of_spreadsheets_are_understood(
    tmp_path: Path, export: Callable[[str], str]
) -> None:
    """What a spreadsheet makes of the same table must give the same instance."""
    folder = folder_of(tmp_path, export(CUSTOMERS), export(ITEMS))
    assert parse_file(folder) == INSTANCE


def test_columns_may_stand_in_any_order(tmp_path: Path) -> None:
    """Columns go by their headings."""
    items = "length;name;customer;width\n1,2;pallet;Bakery;0,8\n1;;Harbour;1,2\n"
    instance = parse_file(folder_of(tmp_path, with_decimal_commas(CUSTOMERS), items))
    assert [c.items for c in instance.customers] == [
        (Item(80, 120, "pallet"),),
        (Item(120, 100),),
    ]


def test_columns_that_are_not_for_the_program_are_marked(tmp_path: Path) -> None:
    """An export has addresses and order numbers, too; two of them may even be called the same."""
    header, *rows = CUSTOMERS.splitlines()
    for mark in ("#Street,# Street", "#,#due"):
        lines = [f"{mark},{header}", *(f'"12, Mill Lane",1.5,{row}' for row in rows)]
        assert parse_file(folder_of(tmp_path, "\n".join(lines) + "\n")) == INSTANCE
    unmarked = CUSTOMERS.replace("service", "service,Street")
    with pytest.raises(
        InputError, match=r"'Street': .*to leave it out, write # before its heading"
    ):
        parse_file(folder_of(tmp_path, unmarked))


def test_quoted_text_may_contain_the_separator(tmp_path: Path) -> None:
    """Names such as "Smith, Jones" are common."""
    customers = CUSTOMERS.replace("Harbour", '"Smith, ""Jones"" & Co"')
    items = ITEMS.replace("Harbour", '"Smith, ""Jones"" & Co"')
    instance = parse_file(folder_of(tmp_path, customers, items))
    assert instance.customers[1].name == 'Smith, "Jones" & Co'


def test_weights_may_stand_with_the_items(tmp_path: Path) -> None:
    """A planner often knows what a pallet weighs, not what a customer weighs."""
    customers = "customer,x,y\nBakery,1,1\nHarbour,2,2\n"
    items = (
        "customer,width,length,quantity,weight\n"
        "Bakery,0.8,1.2,4,400.05\nBakery,1,1,,240.3\nHarbour,1.2,1,9,800\n"
    )
    instance = parse_file(folder_of(tmp_path, customers, items))
    assert [c.weight for c in instance.customers] == [18405, 72000]
    assert instance.units.weight_scale == 10
    # Both tables, in agreement.
    customers = "customer,x,y,weight\nBakery,1,1,1840.50\nHarbour,2,2,\n"
    assert parse_file(folder_of(tmp_path, customers, items)) == instance


def test_numbered_customers_keep_their_numbers(tmp_path: Path) -> None:
    """Rows sorted by distance or town: people still mean customer 3 by "3"."""
    customers = "customer,x,y,weight\n3,3,0,3\n1,1,0,1\n2,2,0,2\n"
    items = "customer,width,length\n2,2,2\n1,1,1\n3,0.3,3\n"
    instance = parse_file(folder_of(tmp_path, customers, items))
    assert [(c.x, c.weight, c.name) for c in instance.customers] == [
        (1, 1, ""),
        (2, 2, ""),
        (3, 3, ""),
    ]


def test_numbers_with_gaps_are_names(tmp_path: Path) -> None:
    """Today's customers out of a long list: 7 and 2 are what they are called."""
    customers = CUSTOMERS.replace("Bakery", "7").replace("Harbour", "2")
    items = ITEMS.replace("Bakery", "7").replace("Harbour", "2")
    instance = parse_file(folder_of(tmp_path, customers, items))
    assert [instance.label(number) for number in (1, 2)] == ["7", "2"]


def test_a_customer_without_items_says_so(tmp_path: Path) -> None:
    """A letter takes no room on the floor; a forgotten customer must not look the same."""
    items = ITEMS.replace("Harbour,1.2,1,9,", "Harbour,,,0,")
    assert parse_file(folder_of(tmp_path, items=items)).customers[1].items == ()


def test_the_folder_names_an_instance_without_a_name(tmp_path: Path) -> None:
    """Reports need something to call it."""
    folder = tmp_path / "week 12.3"
    folder.mkdir()
    folder_of(folder, vehicle=VEHICLE.replace('"name": "tuesday",', ""))
    assert parse_file(folder).name == "week 12.3"


LONG = "x" * 201
C, T, V = "customers.csv", "items.csv", "vehicle.json"


def change(file: str, before: str, after: str) -> dict[str, str]:
    """Return the files with one place changed."""
    text = {C: CUSTOMERS, T: ITEMS, V: VEHICLE}[file]
    assert text.count(before) == 1, before
    argument = {C: "customers", T: "items", V: "vehicle"}[file]
    return {argument: text.replace(before, after)}


# Each row: the change; file, line and field that the message must name; a word of the problem.
BAD_FOLDERS: list[tuple[dict[str, str], str, int | None, str | None, str]] = [
    # names
    (change(T, "Harbour,", "HARBOUR,"), T, 4, "customer", 'did you mean "Harbour"?'),
    (change(T, "Harbour,", "Hârbor,"), T, 4, "customer", 'did you mean "Harbour"?'),
    # headings
    (change(C, "customer,x", "shop,x"), C, 1, "'shop'", "not a known column"),
    (change(C, "30,120", "08:30,120"), C, 2, "ready", "600 (depot.due, line 9"),
    (change(C, "30,120", "8:30 PM,120"), C, 2, "ready", "'8:30 PM' is as a clock shows it"),
    (change(C, "30,120", "30,8h30"), C, 2, "due", "is not; write all times of day"),
    (change(C, "30,120", "8 a.m.,120"), C, 2, "ready", "makes it a fraction of a day"),
    (change(C, "30,120", "2026-01-02 08:00,120"), C, 2, "ready", "as a clock shows it, but 600"),
    (change(C, "weight,", "wieght,"), C, 1, "'wieght'", 'did you mean "weight"'),
    (change(T, "width,", "width (m),"), T, 1, "'width (m)'", 'did you mean "width"'),
    (change(C, ",y,", ",x,"), C, 1, "x", "duplicate column"),
    (change(T, "length,", "Width ,"), T, 1, "width", "duplicate column"),
    (change(T, "customer,width,length,", "customer,length,,"), T, 1, "width", "missing"),
    ({"items": ITEMS.split("\n", 1)[1]}, T, 1, "'Bakery'", "not a known column"),
    ({"items": "customer\n"}, T, 1, "width", "missing"),
    ({"customers": "sep=;\n"}, C, None, None, "no header"),
    # rows
    ({"customers": CUSTOMERS.split("\n")[0]}, C, 1, None, "no customer below"),
    (change(C, "Harbour", "Bakery"), C, 3, "customer", "customer 'Bakery' (first in line 2)"),
    (change(C, "Harbour", ""), C, 3, "customer", "empty"),
    (change(C, "Harbour", "Depot"), C, 3, "customer", "vehicle.json"),
    (change(C, "Harbour", "0"), C, 3, "customer", "vehicle.json"),
    ({"customers": CUSTOMERS.replace("Bakery", LONG), "items": ITEMS.replace("Bakery", LONG)},
     C, 2, "customer", "200"),
    (change(T, "Harbour", "Harbor"), T, 4, "customer", 'did you mean "Harbour"'),
    (change(T, "Harbour", ""), T, 4, "customer", "empty"),
    (change(T, "Harbour,1.2,1,9,\n", ""), C, 3, "customer", "no row in items.csv"),
    ({"items": ITEMS.split("\n")[0]}, C, 2, "customer", "no row in items.csv"),
    (change(C, "30,120,15", "30,120,15,9"), C, 2, None, "no heading"),
    (change(T, "Harbour,1.2,1,9,", "Harbour,1,2,1,9,,8"), T, 4, None, "no heading"),
    (change(T, "shelf", '"shelf'), T, 3, None, "CSV row"),
    (change(T, "shelf", '"shelf" x'), T, 3, None, "CSV row"),
    (change(T, "shelf", '"two\nlines"'), T, 3, "name", "line breaks"),
    (change(T, "shelf", "x" * 200_000), T, 3, None, "CSV row"),
    (change(T, "shelf", "x" * 201), T, 3, "name", "200"),
    # numbers
    (change(C, "12.5", ""), C, 2, "x", "empty"),
    (change(C, "12.5", "east"), C, 2, "x", "number"),
    (change(C, "12.5", "nan"), C, 2, "x", "finite"),
    (change(C, "12.5", "-Infinity"), C, 2, "x", "finite"),
    (change(C, "12.5", "#REF!"), C, 2, "x", "number"),
    (change(C, "12.5", "12.5 km"), C, 2, "x", "units are named in vehicle.json"),
    (change(C, "12.5", "1_2"), C, 2, "x", "number"),
    (change(C, "12.5", "1e400"), C, 2, "x", "out of range"),
    (change(C, "12.5", "1e9999999999"), C, 2, "x", "number"),
    (change(C, "12.5", "1" * 5000), C, 2, "x", "out of range"),
    (change(C, "12.5", '"12,5"'), C, 2, "x", "thousands"),
    (change(C, "7200", '"7,200"'), C, 3, "weight", "thousands"),
    (change(C, "7200", "-7200"), C, 3, "weight", "negative"),
    (change(C, "7200", ""), C, 3, "weight", "has no weight"),
    (change(C, "7200", "24000.1"), C, 3, "weight", "capacity 24000"),
    (change(C, "30,120", "130,120"), C, 2, "due", "before"),
    (change(C, "30,120", "30,1e13"), C, 2, "due", "between"),
    (change(C, "120,15", "120,-15"), C, 2, "service", "between"),
    (change(C, "120,15", "120,0:15"), C, 2, "service", "'0:15' is as a clock shows it"),
    (change(C, "12.5,3", "8:30,3"), C, 2, "x", "must be a number and nothing else"),
    (change(V, '"due": 600', '"due": "18:00"'), C, 2, "ready", "30 is a plain number"),
    (change(C, "120,15", "120,900"), C, 2, "service", "back at"),
    (change(T, "0.8", "0"), T, 2, "width", "greater than 0"),
    (change(T, "2.4,", "-2.4,"), T, 3, "width", "greater than 0"),
    (change(T, "2.4,", "2.5,"), T, 3, "width", "floor (2.45)"),
    (change(T, "0.6", "13.61"), T, 3, "length", "floor (13.6)"),
    (change(T, "0.6", ""), T, 3, "length", "empty"),
    (change(T, "0.6", "0.3333333333"), T, 3, "length", "decimal places"),
    (change(T, "1,9,", "1,-9,"), T, 4, "quantity", "from 0"),
    (change(T, "1,9,", "1,1.5,"), T, 4, "quantity", "whole"),
    (change(T, "1,9,", "1,1e9,"), T, 4, "quantity", "to 1000"),
    (change(T, "1,9,", "1,28,"), T, 4, "customer", "cover"),
    # vehicle
    (change(V, '"count": 2', '"count": 0'), V, 6, "count", "at least one vehicle"),
    (change(V, "2.45", "0"), V, 3, "width", "greater than 0"),
    (change(V, "2.45", '"2.45"'), V, 3, "width", "number"),
    (change(V, "2.45", "2,45"), V, 3, None, "a decimal point, not a comma"),
    (change(V, "24000", "NaN"), V, 5, "capacity", "finite"),
    (change(V, '"count"', '"vehicles"'), V, 6, "vehicles", "not a known field"),
    (change(V, '"length_unit": "m"', '"length_unit": 1'), V, 7, "length_unit", "text"),
    (change(V, '"x": 0, ', ""), V, 9, "depot", '"x"'),
    (change(V, '"y": 0', '"y": 1e99'), V, 9, "depot.y", "out of range"),
    (change(V, '"due": 600', '"due": 40'), C, 2, "ready", "back"),
    (change(V, '"due": 600', '"due": -1'), V, 9, "depot.due", "between 0"),
    (change(V, '"exactly"', '"all"'), V, 10, "conventions.fleet", "at-most"),
    (change(V, '"tuesday"', '"a\\u0007"'), V, 2, "name", "control"),
    ({"vehicle": "[]"}, V, 1, None, "object"),
    ({"vehicle": ""}, V, None, None, "empty"),
    # whole files
    ({"customers": ""}, C, None, None, "empty"),
    ({"items": "\r\n \r\n"}, T, None, None, "empty"),
    ({"items": ";;;\n;;\n"}, T, None, None, "no header"),
    ({"items": "PK\3\4\0\0"}, T, None, None, "binary"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "file", "line", "field", "word"), BAD_FOLDERS)
def test_a_mistake_is_named_with_file_line_and_column(
    tmp_path: Path, files: dict[str, str], file: str, line: int | None, field: str | None, word: str
) -> None:
    """A planner with three files must learn which cell of which one is wrong."""
    folder_of(tmp_path, **files)
    with pytest.raises(InputError) as caught:
        parse_file(tmp_path)
    error = caught.value
    assert word in error.problem, str(error)
    assert error.source == str(tmp_path / file)
    assert (error.line, error.field) == (line, field)
    assert len(str(error)) < 600


def test_columns_are_named_as_the_file_names_them(tmp_path: Path) -> None:
    """Who wrote "WIDTH" looks for "WIDTH"."""
    items = ITEMS.replace("width", "WIDTH").replace("2.4", "0")
    with pytest.raises(InputError) as caught:
        parse_file(folder_of(tmp_path, items=items))
    assert caught.value.field == "WIDTH"


def test_lines_are_right_after_blank_rows_and_line_breaks_in_cells(tmp_path: Path) -> None:
    """The line is that of the editor, not the number of the record."""
    items = "\n" + ITEMS.replace("\nBakery,2.4", '\n\n"\nBakery",2.4').replace("1,9", "1,x")
    with pytest.raises(InputError) as caught:
        parse_file(folder_of(tmp_path, items=items))
    assert caught.value.line == 7


def test_decimal_points_and_commas_do_not_mix(tmp_path: Path) -> None:
    """1.200 beside 0,8 is twelve hundred or one and a fifth; nobody should guess."""
    customers = with_decimal_commas(CUSTOMERS).replace("7200", "7.200")
    with pytest.raises(InputError, match=r"items.csv has a decimal comma in line 2") as caught:
        parse_file(folder_of(tmp_path, customers, with_decimal_commas(ITEMS)))
    assert caught.value.field == "weight"
    customers = with_decimal_commas(CUSTOMERS).replace("7200", "7.200,0")
    with pytest.raises(InputError, match="thousands"):
        parse_file(folder_of(tmp_path, customers))


def test_contradicting_weights_are_refused(tmp_path: Path) -> None:
    """Two tables that disagree are a mistake in one of them."""
    items = (
        "customer,width,length,quantity,weight\n"
        "Bakery,0.8,1.2,4,400\nBakery,1,1,,240\nHarbour,1.2,1,9,800\n"
    )
    with pytest.raises(InputError, match=r"customers.csv:2: weight: .* 1840.5 here, .* 1840 tog"):
        parse_file(folder_of(tmp_path, items=items))
    for cell, word in (("", "is empty, while"), ("-1", "negative"), ("1e99", "out of range")):
        broken = items.replace("240", cell)
        with pytest.raises(InputError, match=rf"items.csv:3: weight: .*{word}"):
            parse_file(folder_of(tmp_path, items=broken))
    heavy = items.replace("800", "8000")
    customers = CUSTOMERS.replace("1840.5", "").replace("7200", "")
    with pytest.raises(InputError, match=r"items.csv:4: weight: customer Harbour weighs 72000"):
        parse_file(folder_of(tmp_path, customers, heavy))


def test_items_that_cannot_be_loaded_together_are_refused(tmp_path: Path) -> None:
    """The first row of the customer's items is named."""
    items = ITEMS.replace("Harbour,1.2,1,9,", "Harbour,1.3,6,3,")
    folder_of(tmp_path, items=items)
    with pytest.raises(InputError, match=r"items.csv:4: customer: the items of customer Harbour"):
        read(tmp_path)


def test_incomplete_folders_are_named(tmp_path: Path) -> None:
    """Which file is missing, and is there one of nearly that name?"""
    with pytest.raises(InputError, match=r"lacks customers.csv and items.csv and vehicle.json"):
        read(tmp_path)
    folder_of(tmp_path)
    (tmp_path / "items.csv").rename(tmp_path / "Items.csv")
    with pytest.raises(InputError, match=r'lacks items.csv .* did you mean "Items.csv"'):
        read(tmp_path)
    (tmp_path / "Items.csv").unlink()
    with pytest.raises(InputError, match=r"lacks items.csv [^;]*$"):
        read(tmp_path)
    with pytest.raises(InputError, match="No such file"):
        draft_csv_folder(tmp_path / "missing", {})
    with pytest.raises(InputError, match="Not a directory"):
        draft_csv_folder(tmp_path / "customers.csv", {})
    (tmp_path / "items.csv").mkdir()
    with pytest.raises(InputError, match=r"items.csv: is a folder"):
        read(tmp_path)


def test_a_vehicle_is_not_read_from_a_table(tmp_path: Path) -> None:
    """The message has an example; another spelling of the right name is still recognised."""
    folder_of(tmp_path)
    (tmp_path / "vehicle.json").rename(tmp_path / "vehicle.csv")
    with pytest.raises(InputError, match=r'lacks vehicle.json .* a few lines such as {"width": 2'):
        read(tmp_path)
    with pytest.raises(InputError, match=r"write it instead of vehicle.csv: a few lines"):
        read(tmp_path)
    (tmp_path / "vehicle.csv").rename(tmp_path / "Vehicle.json")
    with pytest.raises(InputError, match=r'did you mean "Vehicle.json"'):
        read(tmp_path)


def test_tables_in_other_encodings_are_refused(tmp_path: Path) -> None:
    """Umlauts in an old encoding would become other letters; the message says how to export."""
    folder_of(tmp_path)
    text = CUSTOMERS.replace("Harbour", "Köln")
    (tmp_path / "customers.csv").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"customers.csv:3: byte 0xf6 is not UTF-8.*CSV UTF-8"):
        parse_file(tmp_path)
    (tmp_path / "customers.csv").write_bytes(text.encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        parse_file(tmp_path)


def test_a_folder_that_cannot_be_made_gives_a_message(tmp_path: Path) -> None:
    """Writing where a file stands in the way is a user's mistake."""
    (tmp_path / "taken").write_text("x")
    with pytest.raises(InputError, match="cannot be created"):
        write_csv_folder(INSTANCE, tmp_path / "taken")


def test_a_read_instance_is_the_same_after_a_round(tmp_path: Path) -> None:
    """For what came from a file, the round trip is exact, scales included."""
    for instance in (INSTANCE, small_instance()):
        write_csv_folder(instance, tmp_path / "csv")
        assert parse_file(tmp_path / "csv") == instance


@settings(max_examples=40)
@given(instance=instances())
def test_writing_and_reading_gives_the_same_instance(
    tmp_path_factory: pytest.TempPathFactory, instance: Instance
) -> None:
    """The writer is the inverse of the reader, whatever the names look like; JSON agrees."""
    folder = tmp_path_factory.mktemp("csv")
    write_csv_folder(instance, folder)
    again = parse_file(folder)
    assert real_values(again) == real_values(instance)
    assert again.sha256 == instance.sha256
    write_json(instance, folder / "a.json")
    assert parse_file(folder / "a.json") == again
