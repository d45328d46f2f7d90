"""A workbook (.xlsx) with three sheets: ``customers``, ``items`` and ``vehicle``.

The tables have the columns of a CSV folder; docs/formats.md describes them. Reading needs openpyxl,
of the extra ``xlsx``.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from tailgate.io.clock_times import CellTime, TimeReader, cell_problem, time_cell_text
from tailgate.io.csv_folder import customer_cells, item_cells
from tailgate.io.csv_table import (
    MAX_ROWS,
    NOTE_MARK,
    DecimalReader,
    Record,
    Table,
    heading_key,
    table_of,
)
from tailgate.io.draft import ParsedDraft, Place, parse_number
from tailgate.io.order_tables import (
    CUSTOMER_COLUMNS,
    ITEM_COLUMNS,
    MORE_CUSTOMER_COLUMNS,
    MORE_ITEM_COLUMNS,
    OrderTables,
)
from tailgate.io.text_file import (
    MAX_FILE_BYTES,
    MAX_FILE_MEGABYTES,
    name_from,
    read_bytes,
    source_text,
    writing,
)
from tailgate.io.vehicle_table import VehicleTable, vehicle_cells
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.validation import did_you_mean, shown

SHEETS = ("customers", "items", "vehicle")
MAX_PARTS = 1_000
"""Files that a workbook may be packed of."""
MAX_COLUMNS = 50

_ZIP_MARK = b"PK\x03\x04"
# A spreadsheet calculates with fifteen digits and shows no more; a sixteenth is rounding.
_NUMBER_FORMAT = ".15g"
_TIME_FIELDS = {
    heading_key(field) for field in ("ready", "due", "service", "depot ready", "depot due")
}
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
    sheets = _records_by_sheet(path)
    decimals = DecimalReader(_title("vehicle"))
    times = TimeReader(takes_dates=True)
    vehicle = VehicleTable(
        sheets["vehicle"], source=_sheet_source(path, "vehicle"), decimals=decimals, times=times
    )
    tables = OrderTables(
        _table(path, sheets, "customers", CUSTOMER_COLUMNS, MORE_CUSTOMER_COLUMNS),
        _table(path, sheets, "items", ITEM_COLUMNS, MORE_ITEM_COLUMNS),
        vehicle=_title("vehicle"),
        decimals=decimals,
        times=times,
    )
    draft = vehicle.draft(name_from(path), tables.customers(), overrides)

    def locate(path: str) -> Place:
        return tables.locate(path) or vehicle.locate(path)

    return ParsedDraft(draft, locate)


def write_xlsx(instance: Instance, path: PathLike) -> None:
    """Write a workbook; reading it back gives the same numbers, names and conventions."""
    workbook = _openpyxl(path).Workbook(write_only=True)
    cells = (customer_cells(instance), item_cells(instance), vehicle_cells(instance))
    for title, rows in zip(SHEETS, cells, strict=True):
        sheet = workbook.create_sheet(title)
        # The first column holds names, and a name may look like a number or a formula.
        for row in rows:
            sheet.append([_text_cell(sheet, row[0]), *(_cell(sheet, text) for text in row[1:])])
    with writing(path) as file:
        workbook.save(file)


# Writing.


def _cell(sheet: Any, text: str) -> Any:
    """Return a number as one that a spreadsheet calculates with, if it keeps every digit."""
    number = parse_number(text)
    # A workbook knows no negative zero.
    if number is None or text == "-0" or format(float(number), _NUMBER_FORMAT) != text:
        return _text_cell(sheet, text)
    return float(number)


def _text_cell(sheet: Any, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value=text or None)
    if text:
        # Otherwise a name that begins with = would become a formula.
        cell.data_type = "s"
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


def _records_by_sheet(path: PathLike) -> dict[str, list[Record]]:
    source = source_text(path)
    openpyxl = _openpyxl(path)
    try:
        with _repacked(path) as file, warnings.catch_warnings():
            # About styles and the like, which are of no interest here.
            warnings.simplefilter("ignore", UserWarning)
            workbook = openpyxl.load_workbook(
                file, read_only=True, data_only=True, keep_links=False
            )
            by_name = {sheet.title.strip().casefold(): sheet for sheet in workbook.worksheets}
            missing = [name for name in SHEETS if name not in by_name]
            if missing:
                hint = did_you_mean(missing[0], by_name)
                raise InputError(
                    f"the workbook lacks the sheet {' and '.join(missing)} (it needs the sheets "
                    f"{', '.join(SHEETS)}){hint}",
                    source=source,
                )
            return {name: _records(by_name[name], path, name) for name in SHEETS}
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


def _records(sheet: Any, path: PathLike, name: str) -> list[Record]:
    """Return the rows that are not blank, as text."""
    source, records = _sheet_source(path, name), list[Record]()
    rows: Iterable[tuple[object, ...]] = sheet.iter_rows(
        max_row=MAX_ROWS + 1, max_col=MAX_COLUMNS, values_only=True
    )
    for line, row in enumerate(rows, start=1):
        if line > MAX_ROWS:
            raise InputError(f"has more than {MAX_ROWS} rows", source=source, line=line)
        header = records[0][1] if records else []
        cells: list[str] = []
        for position, value in enumerate(row):
            if isinstance(value, CellTime):
                # In the sheet of the vehicle the field is in front of its value.
                named_by = cells[:1] if name == "vehicle" else header[position : position + 1]
                cells.append(_date_text(value, "".join(named_by), source, line, position))
            else:
                cells.append(_text_of(value, source, line))
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            records.append((line, cells))
    return records


def _date_text(value: CellTime, heading: str, source: str, line: int, position: int) -> str:
    """Return a time, or a date of a note; there is no other place for one."""
    if heading.startswith(NOTE_MARK):
        return str(value)
    from openpyxl.utils import get_column_letter

    if heading_key(heading) in _TIME_FIELDS:
        return time_cell_text(value)
    cell = f"{get_column_letter(position + 1)}{line}"
    raise Place(source, line, heading or None).error(cell_problem(value, cell))


def _text_of(value: object, source: str, line: int) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return format(value, _NUMBER_FORMAT)
    problem = f"{shown(str(value))} is neither a number nor text; type it again"
    raise Place(source, line, None).error(problem)


def _table(
    path: PathLike,
    sheets: dict[str, list[Record]],
    name: str,
    required: tuple[str, ...],
    optional: tuple[str, ...],
) -> Table:
    return table_of(
        sheets[name],
        source=_sheet_source(path, name),
        title=_title(name),
        separator="",
        required=required,
        optional=optional,
    )


def _title(name: str) -> str:
    return f"the sheet {name}"


def _sheet_source(path: PathLike, name: str) -> str:
    return f"{source_text(path)}, sheet {name}"
