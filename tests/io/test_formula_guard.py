"""Text that a spreadsheet would run: it never leaves us bare, and comes back as it was."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from builders import small_instance
from file_cases import parse_file
from tailgate.io import write_csv_folder, write_xlsx
from tailgate.io.formula_guard import FORMULA_MARKS, begins_formula, guarded, unguarded

letters = st.sampled_from([*FORMULA_MARKS, "'", "a", "1", '"', ","]) | st.characters()


@given(st.text(letters))
@example("'=1+1")
@example("''")
def test_a_guarded_text_is_no_formula_and_comes_back(text: str) -> None:
    """Both at once, whatever apostrophes a name has of its own."""
    assert not begins_formula(guarded(text))
    assert unguarded(guarded(text)) == text


HOSTILE = ("=HYPERLINK(1)", "+1", "-2", "@SUM(A1)", "'=x", "''@y", "\N{FULLWIDTH EQUALS SIGN}z")


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_becomes_a_formula(name: str, tmp_path: Path) -> None:
    """Customers, items, info, units and the instance itself may be called anything."""
    instance = small_instance(name=name)
    first, *others = instance.customers
    first = replace(
        first,
        name=name,
        items=tuple(replace(item, name=name) for item in first.items),
        info=(("address", name), (name, name)),
    )
    units = replace(instance.units, length_unit=name, cost_unit=name)
    instance = replace(instance, customers=(first, *others), units=units, depot_name=name)
    write_csv_folder(instance, tmp_path / "csv")
    assert parse_file(tmp_path / "csv") == instance
    for file in (tmp_path / "csv").iterdir():
        for row in csv.reader(file.read_text("utf-8").splitlines()):
            # A coordinate below zero is a number and stays one.
            assert not any(map(begins_formula, filter(lambda cell: not _is_number(cell), row)))
            assert name not in row
    write_xlsx(instance, tmp_path / "book.xlsx")
    assert parse_file(tmp_path / "book.xlsx") == instance
    for sheet in openpyxl.load_workbook(tmp_path / "book.xlsx").worksheets:
        for cell in (cell for row in sheet for cell in row):
            assert cell.data_type != "f"
            if isinstance(cell.value, str) and begins_formula(cell.value):
                assert cell.quotePrefix


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_numbers_stay_numbers(tmp_path: Path) -> None:
    """An apostrophe before a negative coordinate would make text of it in a spreadsheet."""
    instance = small_instance(depot=(-3, 0))
    customers = (replace(instance.customers[0], x=-3), *instance.customers[1:])
    write_csv_folder(replace(instance, customers=customers), tmp_path)
    assert "1,-3,4,10" in (tmp_path / "customers.csv").read_text("utf-8")
