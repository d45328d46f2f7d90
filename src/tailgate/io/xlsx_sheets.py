"""The sheets of a workbook (.xlsx) as rows of text, unpacked with care.

It needs openpyxl, of the extra ``xlsx``.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Collection, Iterable
from types import ModuleType
from typing import Any

from tailgate.io.clock_times import CellTime, cell_problem, time_cell_text
from tailgate.io.csv_table import MAX_ROWS, CellReader, Record, Table, table_of
from tailgate.io.draft import DraftUnits, Place
from tailgate.io.field_table import Fields, field_table
from tailgate.io.formula_guard import unguarded
from tailgate.io.headings import (
    CUSTOMER_HEADINGS,
    INFO_COLUMNS,
    ITEM_HEADINGS,
    NOTE_MARK,
    SETTING_AND_VEHICLE_HEADINGS,
    SETTING_HEADINGS,
    TIME_FIELDS,
    VEHICLE_HEADINGS,
    Headings,
    info_name,
)
from tailgate.io.matrix_file import FIELDS, Matrices
from tailgate.io.matrix_rows import PlaceNames
from tailgate.io.matrix_square import MatrixSquare
from tailgate.io.table_draft import MatrixSource
from tailgate.io.text_file import MAX_FILE_BYTES, MAX_FILE_MEGABYTES, read_bytes, source_text
from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError
from tailgate.model.validation import did_you_mean, shown

MAX_PARTS = 1_000
"""Files that a workbook may be packed of."""
MAX_COLUMNS = 100
MAX_MATRIX_CELLS = 800_000
"""Of both matrices together; more would be more than a file may have when it is unpacked."""

NUMBER_FORMAT = ".15g"
"""A spreadsheet calculates with fifteen digits and shows no more; a sixteenth is rounding."""

_ZIP_MARK = b"PK\x03\x04"
_TABLES = {
    "customers": CUSTOMER_HEADINGS,
    "items": ITEM_HEADINGS,
    "vehicles": VEHICLE_HEADINGS,
}
_FIELD_TABLES = {"vehicle": SETTING_AND_VEHICLE_HEADINGS, "settings": SETTING_HEADINGS}
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


def openpyxl_for(path: PathLike) -> ModuleType:
    """Return the library; complaints name ``path``."""
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


class WorkbookSheets:
    """The sheets of a workbook that are of interest, as rows of text."""

    def __init__(self, path: PathLike) -> None:
        """Read them all."""
        self._path = path
        self._records = self._read()

    @property
    def settings(self) -> str:
        """The sheet with depot, units and rules."""
        return "settings" if self.has("vehicles") else "vehicle"

    def has(self, name: str) -> bool:
        """Return whether there is a sheet of that name."""
        return name in self._records

    def table(self, name: str) -> Table:
        """Return a sheet whose first row names the columns."""
        return table_of(
            self._records[name],
            _TABLES[name],
            source=self.source(name),
            title=self.title(name),
            separator="",
        )

    def fields(self, name: str, cells: CellReader) -> Fields:
        """Return a sheet with a field in each row, which may be missing."""
        records, source = self._records.get(name, []), self.source(name)
        return field_table(records, _FIELD_TABLES[name], cells, source=source, separator="")

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
        openpyxl = openpyxl_for(self._path)
        try:
            with _repacked(self._path) as file, warnings.catch_warnings():
                # About styles and the like, which are of no interest here.
                warnings.simplefilter("ignore", UserWarning)
                workbook = openpyxl.load_workbook(
                    file, read_only=True, data_only=True, keep_links=False
                )
                by_name = {sheet.title.strip().casefold(): sheet for sheet in workbook.worksheets}
                _check_sheets(by_name, source)
                records = {
                    name: _records(
                        by_name[name], self.source(name), headings, name in _FIELD_TABLES
                    )
                    for name, headings in (_TABLES | _FIELD_TABLES).items()
                    if name in by_name
                }
                for name in filter(by_name.__contains__, FIELDS):
                    columns = len(records["customers"]) + 2
                    records[name] = _square(by_name[name], self.source(name), columns)
                return records
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
                "belong to the tables, and give large matrices in a CSV folder or in JSON",
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


def _records(sheet: Any, source: str, headings: Headings, has_fields: bool) -> list[Record]:
    """Return the rows that are not blank, as text.

    ``has_fields`` says that the field is in front of its value, instead of above it.
    """
    records = list[Record]()
    for line, row in _rows(sheet, source, MAX_COLUMNS):
        header = records[0][1] if records else []
        cells: list[str] = []
        for position, value in enumerate(row):
            place = Place(source, line, None)
            if isinstance(value, CellTime):
                heading = "".join(cells[:1] if has_fields else header[position : position + 1])
                if _may_be_time(heading, headings):
                    cells.append(time_cell_text(value))
                    continue
                place = Place(source, line, heading or None)
            cells.append(_text_of(value, place, position))
        _add(records, line, cells)
    return records


def _square(sheet: Any, source: str, columns: int) -> list[Record]:
    """Return the rows of a matrix; wider ones are not read to their end."""
    records = list[Record]()
    for line, row in _rows(sheet, source, columns):
        if line * columns > 2 * MAX_MATRIX_CELLS:
            raise Place(source, line, None).error(
                "is larger than a workbook can hold; give the matrix in a CSV folder or in JSON"
            )
        place = Place(source, line, None)
        _add(records, line, [_text_of(value, place, i) for i, value in enumerate(row)])
    return records


def _rows(sheet: Any, source: str, columns: int) -> Iterable[tuple[int, tuple[object, ...]]]:
    """Yield the lines of a sheet."""
    rows = sheet.iter_rows(max_row=MAX_ROWS + 1, max_col=columns, values_only=True)
    for line, row in enumerate(rows, start=1):
        if line > MAX_ROWS:
            raise InputError(f"has more than {MAX_ROWS} rows", source=source, line=line)
        yield line, row


def _add(records: list[Record], line: int, cells: list[str]) -> None:
    """Add a row unless it is blank."""
    while cells and not cells[-1]:
        cells.pop()
    if cells:
        records.append((line, cells))


def _may_be_time(heading: str, headings: Headings) -> bool:
    """Return whether a date or a time is no mistake below a heading."""
    column = headings.column(heading)
    is_note = heading.startswith(NOTE_MARK) or column in INFO_COLUMNS or info_name(heading)
    return bool(is_note) or column in TIME_FIELDS


def _text_of(value: object, place: Place, position: int) -> str:
    """Return the text of a cell; ``position`` is its column, counted from 0."""
    if value is None:
        return ""
    if isinstance(value, str):
        return unguarded(value.strip())
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return format(value, NUMBER_FORMAT)
    if isinstance(value, CellTime):
        from openpyxl.utils import get_column_letter

        raise place.error(cell_problem(value, f"{get_column_letter(position + 1)}{place.line}"))
    problem = f"{shown(str(value))} is neither a number nor text; type it again"
    raise place.error(problem)
