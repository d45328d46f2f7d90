"""A workbook (.xlsx) with a sheet for each table: customers, items, vehicles, settings, matrices.

The sheets are the tables of a CSV folder; docs/formats.md describes them.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tailgate.io.csv_table import CellReader
from tailgate.io.draft import ParsedDraft, parse_number
from tailgate.io.formula_guard import begins_formula, guarded
from tailgate.io.headings import VEHICLE_NAME
from tailgate.io.order_tables import OrderTables
from tailgate.io.table_cells import Cells, NumberText, instance_cells
from tailgate.io.table_draft import TableDraft, kinds_of
from tailgate.io.text_file import name_from, source_text, write_bytes
from tailgate.io.xlsx_sheets import MAX_MATRIX_CELLS, NUMBER_FORMAT, WorkbookSheets, openpyxl_for
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance

# Of columns, in characters.
_NARROWEST, _WIDEST, _ROWS_MEASURED = 8, 40, 100


def is_workbook(path: PathLike) -> bool:
    """Tell a workbook by its name, whatever is in it."""
    return Path(path).suffix.casefold() in (".xlsx", ".xlsm")


def draft_xlsx(path: PathLike, overrides: ConventionOverrides) -> ParsedDraft:
    """Read a workbook and remember its rows."""
    workbook = WorkbookSheets(path)
    cells = CellReader(workbook.title(workbook.settings))
    customers = workbook.table("customers")
    items = workbook.table("items")
    orders = OrderTables(customers, items, settings=workbook.title(workbook.settings), cells=cells)
    settings = workbook.fields(workbook.settings, cells)
    vehicles, vehicle_name = [settings], VEHICLE_NAME
    if workbook.has("vehicles"):
        vehicles, vehicle_name = kinds_of(workbook.table("vehicles"), cells), "name"
    tables = TableDraft(
        orders=orders,
        settings=settings,
        vehicles=vehicles,
        vehicle_name=vehicle_name,
        cells=cells,
        matrices=workbook.matrices(),
    )
    return tables.parsed(name_from(path), overrides)


def write_xlsx(instance: Instance, path: PathLike) -> None:
    """Write a workbook; reading it back gives the same numbers, names and conventions."""
    travel = instance.travel
    matrices = sum(matrix is not None for matrix in (travel.distances, travel.durations))
    if matrices * (instance.n + 1) ** 2 > MAX_MATRIX_CELLS:
        raise InputError(
            f"a workbook has room for {MAX_MATRIX_CELLS} roads only; write a CSV folder or JSON",
            source=source_text(path),
        )
    write_bytes(path, workbook_of(instance_cells(instance), path))


def workbook_of(tables: Mapping[str, Cells], path: PathLike) -> bytes:
    """Return a workbook with these sheets; complaints name ``path``."""
    workbook = openpyxl_for(path).Workbook(write_only=True)
    for title, rows in tables.items():
        _write_sheet(workbook, title, rows)
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def _write_sheet(workbook: Any, title: str, rows: Cells) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    sheet = workbook.create_sheet(title)
    sheet.freeze_panes = "B2"
    for position, column in enumerate(itertools.zip_longest(*rows[:_ROWS_MEASURED], fillvalue="")):
        widest = max(map(len, column))
        letter = get_column_letter(position + 1)
        sheet.column_dimensions[letter].width = min(max(widest, _NARROWEST) + 2, _WIDEST)
    head = [_text_cell(sheet, text) for text in rows[0]]
    for cell in head:
        cell.font = Font(bold=True)
    sheet.append(head)
    for row in rows[1:]:
        sheet.append([_cell(sheet, text) for text in row])


def _cell(sheet: Any, text: str) -> Any:
    """Return a number as one that a spreadsheet calculates with, if it keeps every digit."""
    if not text:
        return None
    number = parse_number(text) if isinstance(text, NumberText) else None
    # A workbook knows no negative zero.
    if number is None or text == "-0" or format(float(number), NUMBER_FORMAT) != text:
        return _text_cell(sheet, text)
    return float(number)


def _text_cell(sheet: Any, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell

    is_formula = begins_formula(text)
    # A workbook says by itself what is text; only an apostrophe of ours needs another one.
    cell = WriteOnlyCell(sheet, value=text if is_formula else guarded(text))
    cell.data_type = "s"
    # Keeps it text even after somebody has edited it.
    cell.quotePrefix = is_formula
    return cell
