"""A workbook (.xlsx) with a sheet for each table: customers, items, vehicles, settings, matrices.

The sheets are the tables of a CSV folder; docs/formats.md describes them. Reading needs openpyxl,
of the extra ``xlsx``.
"""

from __future__ import annotations

import io
import itertools
import warnings
import zipfile
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from tailgate.io.clock_times import CellTime, cell_problem, time_cell_text
from tailgate.io.csv_table import MAX_ROWS, CellReader, Record, Table, table_of
from tailgate.io.draft import DraftUnits, ParsedDraft, Place, parse_number
from tailgate.io.field_table import Fields, field_table
from tailgate.io.formula_guard import begins_formula, guarded, unguarded
from tailgate.io.headings import (
    CUSTOMER_HEADINGS,
    INFO_COLUMNS,
    ITEM_HEADINGS,
    NOTE_MARK,
    SETTING_AND_VEHICLE_HEADINGS,
    SETTING_HEADINGS,
    TIME_FIELDS,
    VEHICLE_HEADINGS,
    VEHICLE_NAME,
    Headings,
    info_name,
)
from tailgate.io.matrix_file import FIELDS, Matrices
from tailgate.io.matrix_rows import PlaceNames
from tailgate.io.matrix_square import MatrixSquare
from tailgate.io.order_tables import OrderTables
from tailgate.io.table_cells import Cells, NumberText, instance_cells
from tailgate.io.table_draft import MatrixSource, TableDraft, only_vehicle
from tailgate.io.text_file import (
    MAX_FILE_BYTES,
    MAX_FILE_MEGABYTES,
    name_from,
    read_bytes,
    source_text,
    write_bytes,
)
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.validation import did_you_mean, shown

MAX_PARTS = 1_000
"""Files that a workbook may be packed of."""
MAX_COLUMNS = 100

_SQUARE_HEADINGS = Headings((), ())
_FIELD_SHEETS = {"vehicle": SETTING_AND_VEHICLE_HEADINGS, "settings": SETTING_HEADINGS}
_SHEETS: dict[str, Headings] = {
    "customers": CUSTOMER_HEADINGS,
    "items": ITEM_HEADINGS,
    "vehicles": VEHICLE_HEADINGS,
    **_FIELD_SHEETS,
    **dict.fromkeys(FIELDS, _SQUARE_HEADINGS),
}
# Of columns, in characters.
_NARROWEST, _WIDEST, _ROWS_MEASURED = 8, 40, 100

_ZIP_MARK = b"PK\x03\x04"
# A spreadsheet calculates with fifteen digits and shows no more; a sixteenth is rounding.
_NUMBER_FORMAT = ".15g"
# What openpyxl lets through when a workbook is damaged.
_DAMAGE = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    SyntaxError,  # of either XML parser
    KeyError,
    ValueError,
    TypeError,
    IndexError,
    AttributeError,
    EOFError,
    NotImplementedError,
    OSError,
    zlib.error,
)


def is_workbook(path: PathLike) -> bool:
    """Tell a workbook by its name, whatever is in it."""
    return Path(path).suffix.casefold() in (".xlsx", ".xlsm")


def draft_xlsx(path: PathLike, overrides: ConventionOverrides) -> ParsedDraft:
    """Read a workbook and remember its rows."""
    workbook = _Sheets(path)
    cells = CellReader(workbook.title(workbook.settings))
    customers = workbook.table("customers", CUSTOMER_HEADINGS)
    items = workbook.table("items", ITEM_HEADINGS)
    orders = OrderTables(customers, items, settings=workbook.title(workbook.settings), cells=cells)
    settings = workbook.fields(workbook.settings, cells)
    vehicle, vehicle_name = settings, VEHICLE_NAME
    if workbook.has("vehicles"):
        vehicles = workbook.table("vehicles", VEHICLE_HEADINGS)
        vehicle, vehicle_name = only_vehicle(vehicles, cells), "name"
    tables = TableDraft(
        orders=orders,
        settings=settings,
        vehicle=vehicle,
        vehicle_name=vehicle_name,
        cells=cells,
        matrices=workbook.matrices(),
    )
    return tables.parsed(name_from(path), overrides)


def write_xlsx(instance: Instance, path: PathLike) -> None:
    """Write a workbook; reading it back gives the same numbers, names and conventions."""
    write_bytes(path, workbook_of(instance_cells(instance), path))


# Writing.


def workbook_of(tables: Mapping[str, Cells], path: PathLike) -> bytes:
    """Return a workbook with these sheets; complaints name ``path``."""
    workbook = _openpyxl(path).Workbook(write_only=True)
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
    for line, row in enumerate(rows):
        cells = [_cell(sheet, text) for text in row]
        for cell in cells if line == 0 else ():
            cell.font = Font(bold=True)
        sheet.append(cells)


def _cell(sheet: Any, text: str) -> Any:
    """Return a number as one that a spreadsheet calculates with, if it keeps every digit."""
    from openpyxl.cell import WriteOnlyCell

    number = parse_number(text) if isinstance(text, NumberText) else None
    # A workbook knows no negative zero.
    if number is not None and text != "-0" and format(float(number), _NUMBER_FORMAT) == text:
        return WriteOnlyCell(sheet, value=float(number))
    if not text:
        return WriteOnlyCell(sheet)
    is_formula = begins_formula(text)
    # A workbook says by itself what is text; only an apostrophe of ours needs another one.
    cell = WriteOnlyCell(sheet, value=text if is_formula else guarded(text))
    cell.data_type = "s"
    # Keeps it text even after somebody has edited it.
    cell.quotePrefix = is_formula
    return cell


# Reading.


def _openpyxl(path: PathLike) -> ModuleType:
    try:
        import openpyxl
    except ImportError as error:
        raise InputError(
            "is a workbook, which needs the extra xlsx: pip install 'tailgate[xlsx]' (or export "
            "its sheets as a CSV folder)",
            source=source_text(path),
        ) from error
    module: ModuleType = openpyxl
    return module


class _Sheets:
    """The sheets of a workbook that are of interest, as rows of text."""

    def __init__(self, path: PathLike) -> None:
        self._path = path
        self._records = self._read()

    @property
    def settings(self) -> str:
        """The sheet with depot, units and rules."""
        return "settings" if self.has("vehicles") else "vehicle"

    def has(self, name: str) -> bool:
        """Return whether there is a sheet of that name."""
        return name in self._records

    def table(self, name: str, headings: Headings) -> Table:
        """Return a sheet whose first row names the columns."""
        return table_of(
            self._records[name],
            headings,
            source=self.source(name),
            title=self.title(name),
            separator="",
        )

    def fields(self, name: str, cells: CellReader) -> Fields:
        """Return a sheet with a field in each row, which may be missing."""
        records, source = self._records.get(name, []), self.source(name)
        return field_table(records, _FIELD_SHEETS[name], cells, source=source, separator="")

    def matrices(self) -> MatrixSource | None:
        """Return what reads the sheets with matrices, if there are any."""
        sources = {field: self.source(field) for field in FIELDS if self.has(field)}

        def read(names: PlaceNames, units: DraftUnits) -> Matrices:
            squares = {
                field: MatrixSquare(self._records[field], source=source)
                for field, source in sources.items()
            }
            return Matrices(
                **{field: square.matrix(field, names, units) for field, square in squares.items()}
            )

        return MatrixSource(sources, read) if sources else None

    def title(self, name: str) -> str:
        """Return what messages call a sheet."""
        return f"the sheet {name}"

    def source(self, name: str) -> str:
        """Return workbook and sheet."""
        return f"{source_text(self._path)}, sheet {name}"

    def _read(self) -> dict[str, list[Record]]:
        source = source_text(self._path)
        openpyxl = _openpyxl(self._path)
        try:
            with _repacked(self._path) as file, warnings.catch_warnings():
                # About styles and the like, which are of no interest here.
                warnings.simplefilter("ignore", UserWarning)
                workbook = openpyxl.load_workbook(
                    file, read_only=True, data_only=True, keep_links=False
                )
                by_name = {sheet.title.strip().casefold(): sheet for sheet in workbook.worksheets}
                _check_sheets(by_name, source)
                return {
                    name: _records(by_name[name], headings, self.source(name))
                    for name, headings in _SHEETS.items()
                    if name in by_name
                }
        except InputError:
            raise
        except _DAMAGE as error:
            # The words of a library, which may quote the file: one line, and nothing but letters.
            said = "".join(c if c.isprintable() else " " for c in str(error)[:100])
            raise InputError(
                f"is not a workbook that can be read ({type(error).__name__}: {said}); "
                "open it in a spreadsheet and save it again as .xlsx",
                source=source,
            ) from error


def _check_sheets(present: Collection[str], source: str) -> None:
    """Complain about sheets that are missing, or contradict each other."""
    vehicle = () if "vehicles" in present else ("vehicle",)
    missing = [name for name in ("customers", "items", *vehicle) if name not in present]
    if missing:
        hint = did_you_mean(missing[0], present)
        raise InputError(
            f"the workbook lacks the sheet {' and '.join(missing)} (it needs the sheets customers, "
            f"items and vehicle, or vehicles with settings){hint}",
            source=source,
        )
    for one, other in (("vehicle", "vehicles"), ("vehicle", "settings")):
        if one in present and other in present:
            raise InputError(
                f"has the sheets {one} and {other}, which say the same; keep one of them (settings "
                "goes with vehicles)",
                source=source,
            )


def _repacked(path: PathLike) -> io.BytesIO:
    """Unpack a workbook with care and pack it again: a small file may hold a huge one."""
    source = source_text(path)
    content = read_bytes(path)
    if not content.startswith(_ZIP_MARK):
        raise InputError("is not a workbook, whatever its name says", source=source)
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as package, zipfile.ZipFile(packed, "w") as copy:
        # Of two entries with one name the last one counts.
        parts = list({part.filename: part for part in package.infolist()}.values())
        if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_FILE_BYTES:
            raise InputError(
                f"holds more than {MAX_FILE_MEGABYTES} MB when unpacked; take out what does not "
                "belong to the three tables",
                source=source,
            )
        for part in parts:
            copy.writestr(part.filename, read_entry(package, part))
    packed.seek(0)
    return packed


def read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Unpack no more of an entry than is stated; ``ZipFile.read`` might take a gigabyte."""
    with archive.open(entry) as file:
        return file.read(entry.file_size)


def _records(sheet: Any, headings: Headings, source: str) -> list[Record]:
    """Return the rows that are not blank, as text."""
    from openpyxl.utils import get_column_letter

    records = list[Record]()
    rows: Iterable[tuple[object, ...]] = sheet.iter_rows(
        max_row=MAX_ROWS + 1,
        max_col=None if headings is _SQUARE_HEADINGS else MAX_COLUMNS,
        values_only=True,
    )
    has_fields = headings in _FIELD_SHEETS.values()
    for line, row in enumerate(rows, start=1):
        if line > MAX_ROWS:
            raise InputError(f"has more than {MAX_ROWS} rows", source=source, line=line)
        header = records[0][1] if records else []
        cells: list[str] = []
        for position, value in enumerate(row):
            if isinstance(value, CellTime):
                # In a sheet of fields the field is in front of its value.
                named_by = "".join(cells[:1] if has_fields else header[position : position + 1])
                cell = f"{get_column_letter(position + 1)}{line}"
                cells.append(_time_text(value, named_by, headings, Place(source, line, None), cell))
            else:
                cells.append(_text_of(value, source, line))
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            records.append((line, cells))
    return records


def _time_text(value: CellTime, heading: str, headings: Headings, place: Place, cell: str) -> str:
    """Return a date or a time as text, where there may be one."""
    column = headings.column(heading)
    is_note = heading.startswith(NOTE_MARK) or column in INFO_COLUMNS or info_name(heading)
    if is_note or column in TIME_FIELDS:
        return time_cell_text(value)
    raise replace(place, field=heading or None).error(cell_problem(value, cell))


def _text_of(value: object, source: str, line: int) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return unguarded(value.strip())
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return format(value, _NUMBER_FORMAT)
    problem = f"{shown(str(value))} is neither a number nor text; type it again"
    raise Place(source, line, None).error(problem)
