"""A folder of spreadsheet exports: customers, items, vehicles, settings, and perhaps matrices.

docs/formats.md describes the columns. ``vehicle.json`` may take the place of the tables of vehicles
and settings.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping
from pathlib import Path

from tailgate.io.csv_table import CellReader, read_records, read_table
from tailgate.io.draft import DraftUnits, ParsedDraft
from tailgate.io.field_table import Fields, field_table
from tailgate.io.formula_guard import guarded
from tailgate.io.headings import (
    CUSTOMER_HEADINGS,
    ITEM_HEADINGS,
    SETTING_HEADINGS,
    VEHICLE_HEADINGS,
    VEHICLE_NAME,
)
from tailgate.io.json_fields import vehicle_json_fields
from tailgate.io.json_instance_1 import depot_content, vehicle_content
from tailgate.io.matrix_file import FIELDS, Matrices, read_matrix_file, read_square
from tailgate.io.matrix_rows import PlaceNames
from tailgate.io.order_tables import OrderTables
from tailgate.io.table_cells import Cells, NumberText, instance_cells
from tailgate.io.table_draft import MatrixSource, TableDraft, kinds_of
from tailgate.io.text_file import (
    cannot_be_read,
    is_left_behind,
    name_from,
    source_text,
    write_texts,
)
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.json_document import format_json
from tailgate.model.validation import did_you_mean

CUSTOMERS_FILE = "customers.csv"
ITEMS_FILE = "items.csv"
VEHICLE_FILE = "vehicle.json"
VEHICLES_FILE = "vehicles.csv"
SETTINGS_FILE = "settings.csv"
MATRIX_FILE = "matrix.json"
_SQUARES = ("distances.csv", "durations.csv")
ALL_FILES = (
    *(CUSTOMERS_FILE, ITEMS_FILE, VEHICLE_FILE, VEHICLES_FILE, SETTINGS_FILE, MATRIX_FILE),
    *_SQUARES,
)
"""What a CSV folder may hold; other files are left alone."""

_CONTRADICTING = (
    *((VEHICLE_FILE, VEHICLES_FILE), (VEHICLE_FILE, SETTINGS_FILE)),
    *((MATRIX_FILE, square) for square in _SQUARES),
)
_VEHICLE_EXAMPLE = (
    '{"width": 2.45, "length": 7.2, "capacity": 6000, "count": 8, "depot": {"x": 0, "y": 0}}'
)


def draft_csv_folder(path: PathLike, overrides: ConventionOverrides) -> ParsedDraft:
    """Read a CSV folder and remember its lines."""
    _check_folder(path)
    folder = Path(path)
    has_json = (folder / VEHICLE_FILE).exists()
    settings_file = VEHICLE_FILE if has_json else SETTINGS_FILE
    cells = CellReader(settings_file)
    settings = (
        vehicle_json_fields(folder / VEHICLE_FILE, cells.times)
        if has_json
        else _settings(folder / SETTINGS_FILE, cells)
    )
    vehicles, vehicle_name = [settings], VEHICLE_NAME
    if not has_json:
        table = read_table(folder / VEHICLES_FILE, VEHICLE_HEADINGS)
        vehicles, vehicle_name = kinds_of(table, cells), "name"
    orders = OrderTables(
        read_table(folder / CUSTOMERS_FILE, CUSTOMER_HEADINGS),
        read_table(folder / ITEMS_FILE, ITEM_HEADINGS),
        settings=settings_file,
        cells=cells,
    )
    tables = TableDraft(
        orders=orders,
        settings=settings,
        vehicles=vehicles,
        vehicle_name=vehicle_name,
        cells=cells,
        matrices=_matrices(folder),
    )
    return tables.parsed(name_from(folder, is_folder=True), overrides)


def _settings(file: Path, cells: CellReader) -> Fields:
    """Read the table of settings; it may be missing."""
    records, separator = read_records(file) if file.exists() else ([], "")
    return field_table(
        records, SETTING_HEADINGS, cells, source=source_text(file), separator=separator
    )


def _matrices(folder: Path) -> MatrixSource | None:
    """Return what reads the matrices beside the tables, if there are any."""
    document = folder / MATRIX_FILE
    if document.exists():
        sources = dict.fromkeys(FIELDS, source_text(document))
        return MatrixSource(sources, lambda names, units: read_matrix_file(document, names, units))
    files = {field: folder / f"{field}.csv" for field in FIELDS}
    present = {field: file for field, file in files.items() if file.exists()}
    if not present:
        return None

    def read(names: PlaceNames, units: DraftUnits) -> Matrices:
        squares = {field: read_square(file) for field, file in present.items()}
        return Matrices(
            **{field: square.matrix(field, names, units) for field, square in squares.items()}
        )

    return MatrixSource({field: source_text(file) for field, file in present.items()}, read)


def _check_folder(path: PathLike) -> None:
    try:
        present = sorted(entry.name for entry in Path(path).iterdir())
    except (OSError, ValueError) as error:
        raise cannot_be_read(path, error) from error
    vehicle = VEHICLES_FILE if VEHICLES_FILE in present else VEHICLE_FILE
    known = (CUSTOMERS_FILE, ITEMS_FILE, vehicle)
    missing = [name for name in known if name not in present]
    if missing:
        hint = did_you_mean(missing[0], (name for name in present if name not in known))
        if missing == [VEHICLE_FILE] and not hint.lower().endswith('.json"?'):
            other = next((name for name in present if _is_vehicle_table(name)), None)
            instead = f" instead of {other}" if other else ""
            hint = f"; write it{instead}: a few lines such as {_VEHICLE_EXAMPLE}"
        if any(map(is_left_behind, present)):
            hint = "; writing it was cut short, so make it again"
        raise InputError(
            f"the folder lacks {' and '.join(missing)} (a CSV folder holds {CUSTOMERS_FILE}, "
            f"{ITEMS_FILE} and {VEHICLE_FILE}, or {VEHICLES_FILE} and {SETTINGS_FILE}){hint}",
            source=source_text(path),
        )
    refuse_both(present, source_text(path))


def refuse_both(names: Collection[str], source: str) -> None:
    """Complain about files of which each says what another says, too."""
    for one, other in _CONTRADICTING:
        if one in names and other in names:
            raise InputError(
                f"the folder holds {one} and {other}, which say the same in two ways; remove one "
                "of them, or use another folder",
                source=source,
            )


def _is_vehicle_table(name: str) -> bool:
    return Path(name).stem.casefold() in {"vehicle", "vehicles", "truck", "trucks"}


def write_csv_folder(instance: Instance, path: PathLike) -> None:
    """Write a CSV folder; reading it back gives the same numbers, names and conventions.

    Other files in the folder stay. A crash never leaves old and new tables that pass for one.
    """
    write_tables(folder_texts(instance), path)


def write_tables(texts: Mapping[str, str], path: PathLike) -> None:
    """Write the files of a CSV folder; refuse a folder whose other files contradict them."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be created: {reason}", source=source_text(path)) from error
    there = [name for name in ALL_FILES if (folder / name).exists()]
    superfluous = [name for name in there if name not in texts]
    if superfluous:
        raise InputError(
            f"holds {' and '.join(superfluous)}, which would be read together with the new files; "
            "remove it, or choose another folder",
            source=source_text(path),
        )
    write_texts(folder, texts)


def folder_texts(instance: Instance) -> dict[str, str]:
    """Return the files of a CSV folder by their names; the first is written last."""
    tables = instance_cells(instance)
    if instance.is_format_1:
        del tables["vehicle"]
        return {
            VEHICLE_FILE: format_json(_vehicle_content(instance)) + "\n",
            **{f"{name}.csv": csv_text(cells) for name, cells in tables.items()},
        }
    return {f"{name}.csv": csv_text(cells) for name, cells in reversed(tables.items())}


def _vehicle_content(instance: Instance) -> dict[str, object]:
    content: dict[str, object] = {
        "name": instance.name,
        **vehicle_content(instance),
    }
    for name in ("length_unit", "weight_unit", "distance_unit"):
        if getattr(instance.units, name):
            content[name] = getattr(instance.units, name)
    content["depot"] = depot_content(instance)
    content["conventions"] = instance.conventions.to_dict()
    return content


def csv_text(rows: Cells) -> str:
    """Return a table as CSV, in which no text begins a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([cell if isinstance(cell, NumberText) else guarded(cell) for cell in row])
    return text.getvalue()
