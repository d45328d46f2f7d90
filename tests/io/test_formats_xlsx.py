"""Workbooks: three sheets as planners keep them, read and written."""

from __future__ import annotations

import datetime
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings

from builders import REPOSITORY, instances, real_values, small_instance
from file_cases import parse_file
from tailgate.io import write_xlsx
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.loading import read

Rows = list[list[Any]]

CUSTOMERS: Rows = [
    ["Customer", "x", "y", "Weight", "due"],
    ["Bakery North", 12.5, 3, 1840.5, 120],
    [None, None, None, None, None],
    ["Harbour", -4, 22.75, 7200, None],
]
DATE = datetime.datetime(2026, 1, 2, 8, 30)
ITEMS: Rows = [
    ["customer", "width", "length", "quantity", "name"],
    ["Bakery North", 0.8, 1.2, 4, "pallet"],
    ["Harbour", 1.2, 0.1 + 0.2, 9, None],
]
VEHICLE: Rows = [
    ["field", "value"],
    ["name", "tuesday"],
    ["width", 2.45],
    ["length", 13.6],
    ["capacity", 24000],
    ["count", 2],
    ["Depot X", 0],
    ["depot_y", 0],
    ["length unit", "m"],
    ["fleet", "exactly"],
    ["LIFO", "no"],
]


def workbook(folder: Path, **sheets: Rows) -> Path:
    """Write a workbook with these sheets instead of the ordinary ones."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    ordinary = {"customers": CUSTOMERS, "items": ITEMS, "vehicle": VEHICLE}
    for title, rows in (ordinary | sheets).items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    path = folder / "orders.xlsx"
    book.save(path)
    return path


def changed(rows: Rows, line: int, column: int, value: object) -> Rows:
    """Return rows with one cell changed; lines count from one."""
    copy = [list(row) for row in rows]
    copy[line - 1][column] = value
    return copy


def test_a_workbook_is_read_as_a_spreadsheet_shows_it(tmp_path: Path) -> None:
    """Headings in any spelling, blank rows, and numbers to the digits that are shown."""
    instance = read(workbook(tmp_path, notes=[["anything", 1]]))
    assert instance.name == "tuesday"
    assert [customer.name for customer in instance.customers] == ["Bakery North", "Harbour"]
    units = instance.units
    bakery, harbour = instance.customers
    assert units.weight_text(bakery.weight) == "1840.5"
    assert (bakery.due, harbour.due) == (120, None)
    # 0.1 + 0.2 has a sixteenth digit that no spreadsheet shows.
    assert units.length_text(harbour.items[0].length) == "0.3"
    assert len(harbour.items) == 9
    assert instance.conventions.fleet == "exactly"
    assert not instance.conventions.lifo
    assert units.length_unit == "m"


@settings(max_examples=25)
@given(instances())
def test_what_is_written_is_read_back(instance: Instance) -> None:
    """Names that look like numbers or formulas included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.xlsx"
        write_xlsx(instance, path)
        again = parse_file(path)
    assert real_values(again) == real_values(instance)


@pytest.mark.parametrize("name", ["-0", "0", "-0.0", "1e3", "=1+1"])
def test_a_name_that_looks_like_a_number_stays(name: str, tmp_path: Path) -> None:
    """A workbook knows no negative zero, and would turn the name into another one."""
    path = tmp_path / "x.xlsx"
    write_xlsx(small_instance(name=name), path)
    assert parse_file(path).name == name


def test_a_date_in_a_note_is_no_mistake(tmp_path: Path) -> None:
    """The order's date beside the order is the most usual of all notes."""
    noted = [[*row, note] for row, note in zip(CUSTOMERS, ("# ordered", *3 * [DATE]), strict=True)]
    noted[2][-1] = None
    assert read(workbook(tmp_path, customers=noted)).n == 2


def test_a_name_never_becomes_a_formula(tmp_path: Path) -> None:
    """A customer called =1+1 must not be calculated by whoever opens the file."""
    instance = read(workbook(tmp_path))
    customers = (replace(instance.customers[0], name="=1+1"), *instance.customers[1:])
    write_xlsx(replace(instance, customers=customers), tmp_path / "out.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["customers"]
    assert sheet["A2"].value == "=1+1"
    assert sheet["A2"].data_type == "s"
    assert read(tmp_path / "out.xlsx").customers[0].name == "=1+1"


WRONG: list[tuple[str, Rows, str]] = [
    ("customers", changed(CUSTOMERS, 2, 1, "far"), r"sheet customers:2: x: must be a number"),
    ("customers", changed(CUSTOMERS, 2, 3, None), r"sheet customers:2: Weight: .* no weight"),
    ("customers", changed(CUSTOMERS, 4, 0, "Bakery North"), r":4: Customer: .*first in line 2"),
    ("customers", changed(CUSTOMERS, 1, 1, "xx"), r"customers:1: .*not a known column"),
    ("customers", [["customer", "x"]], r'the column "y" is missing'),
    ("customers", [], r"no header row"),
    ("customers", changed(CUSTOMERS, 4, 0, "Depot"), r"are in the sheet vehicle"),
    ("items", changed(ITEMS, 3, 0, "Harbor"), r'not in the sheet customers; did you mean "Harb'),
    ("items", changed(ITEMS, 3, 1, 3), r"sheet items:3: width: .* more than the vehicle's floor"),
    ("items", changed(ITEMS, 3, 1, "3 m"), r"units are named in the sheet vehicle"),
    (
        "items",
        changed(ITEMS, 3, 2, datetime.date(2026, 1, 2)),
        r"items:3: length: the cell C3 holds '2026-01-02', a date or a time: .* type the value ag",
    ),
    (
        "customers",
        changed(CUSTOMERS, 2, 0, datetime.date(2026, 3, 4)),
        r"customers:2: Customer: the cell A2 holds '2026-03-04', a date or a time",
    ),
    (
        "customers",
        changed(CUSTOMERS, 4, 4, datetime.time(8, 30)),
        r"customers:4: due: '08:30' is as a clock shows it, but 120 \(due, line 2\) is not; "
        r"write all times of day .*fraction of a day",
    ),
    (
        "customers",
        changed(CUSTOMERS, 2, 4, datetime.date(2026, 1, 2)),
        r"customers:2: due: '2026-01-02' is a date without a time; write the time alone, such as",
    ),
    (
        "customers",
        changed(changed(CUSTOMERS, 2, 4, DATE), 4, 4, DATE + datetime.timedelta(days=1)),
        r"customers:4: due: '2026-01-03 08:30' is of another day than 2026-01-02, .* plan is for",
    ),
    (
        "vehicle",
        [*VEHICLE, ["depot ready", datetime.time(7, 0)]],
        r"customers:2: due: 120 is a plain number, but '07:00' \(depot ready, line 12, .*vehicle",
    ),
    ("items", changed(ITEMS, 3, 3, True), r"quantity: must be a number"),
    ("items", changed(ITEMS, 3, 2, "#N/A"), r"length: must be a number"),
    ("vehicle", changed(VEHICLE, 3, 0, "widht"), r'vehicle:3: .*did you mean "width"'),
    ("vehicle", changed(VEHICLE, 3, 1, None), r"width: is missing"),
    ("vehicle", changed(VEHICLE, 3, 1, -1), r"vehicle:3: width: must be greater than 0"),
    ("vehicle", changed(VEHICLE, 6, 1, 1.5), r"vehicle:6: count: must be a whole number"),
    ("vehicle", changed(VEHICLE, 10, 1, "some"), r"vehicle:10: fleet: must be one of"),
    ("vehicle", changed(VEHICLE, 11, 1, "maybe"), r"vehicle:11: LIFO: must be yes or no"),
    ("vehicle", [*VEHICLE, ["width", 3]], r"vehicle:12: width: duplicate field"),
    ("vehicle", [*VEHICLE, ["depot due", 3, 4]], r"more than one value"),
    ("vehicle", [*VEHICLE, ["weight unit", "x" * 30]], r"weight unit: .* 20 characters"),
]


@pytest.mark.parametrize(("sheet", "rows", "words"), WRONG, ids=range(len(WRONG)))
def test_a_mistake_is_told_with_sheet_row_and_column(
    sheet: str, rows: Rows, words: str, tmp_path: Path
) -> None:
    """A planner looks for it in a spreadsheet."""
    path = workbook(tmp_path, **{sheet: rows})
    with pytest.raises(InputError, match=words):
        read(path)


def test_a_missing_sheet_is_named(tmp_path: Path) -> None:
    """With the one that was probably meant."""
    book = openpyxl.load_workbook(workbook(tmp_path))
    book["items"].title = "item"
    book.save(tmp_path / "orders.xlsx")
    with pytest.raises(InputError, match=r'lacks the sheet items .* did you mean "item"'):
        read(tmp_path / "orders.xlsx")


def test_a_damaged_workbook_is_refused(tmp_path: Path) -> None:
    """Wherever the damage is: never a traceback."""
    content = bytearray(workbook(tmp_path).read_bytes())
    sound = read(tmp_path / "orders.xlsx")
    for position in range(0, len(content), len(content) // 60):
        broken = bytearray(content)
        broken[position] ^= 0xFF
        (tmp_path / "broken.xlsx").write_bytes(broken)
        # Some bytes do not matter, such as the time of day in the package.
        assert _read_or_refused(tmp_path / "broken.xlsx") in (sound, "refused")


def _read_or_refused(path: Path) -> Instance | str:
    try:
        return read(path)
    except InputError as error:
        return "refused" if path.name in str(error) else str(error)


def test_without_openpyxl_the_extra_is_named(tmp_path: Path) -> None:
    """It is not among what every installation has."""
    (tmp_path / "openpyxl.py").write_text("raise ImportError")
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from tailgate.apps.cli.main import main\n"
        f"raise SystemExit(main(['solve', {str(tmp_path / 'a.xlsx')!r}]))"
    )
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04")
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 2
    assert "pip install 'tailgate[xlsx]'" in finished.stderr


def test_the_example_survives_the_way_through_a_workbook(tmp_path: Path) -> None:
    """A CSV folder and a workbook hold the same."""
    instance = read(REPOSITORY / "examples" / "garden_centres")
    write_xlsx(instance, tmp_path / "garden.xlsx")
    assert read(tmp_path / "garden.xlsx") == instance
