"""Files that were dropped onto the page: one of any format, the tables of a folder, or a zip.

Files with roads may be among them, or be dropped for the orders that are on the page.
"""

from __future__ import annotations

import base64
import binascii
import io
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from tailgate.apps.serve.dropped_file import DroppedFile, plain_name, reading_folder
from tailgate.apps.serve.limits import MEGABYTE, Limits
from tailgate.apps.serve.road_files import is_road_file, put_named_roads, with_roads
from tailgate.io import read_draft
from tailgate.io.csv_folder import (
    ALL_FILES,
    CUSTOMERS_FILE,
    ITEMS_FILE,
    SETTINGS_FILE,
    VEHICLE_FILE,
    VEHICLES_FILE,
)
from tailgate.io.draft import Draft
from tailgate.io.xlsx_sheets import read_entry
from tailgate.io.xlsx_workbook import is_workbook
from tailgate.model.errors import InputError
from tailgate.model.json_document import JsonValue
from tailgate.model.validation import shown

MAX_FILES = 1_000
_ORDER_TABLES = (CUSTOMERS_FILE, ITEMS_FILE, VEHICLE_FILE, VEHICLES_FILE, SETTINGS_FILE)
_USUAL_TABLES = (CUSTOMERS_FILE, ITEMS_FILE, VEHICLE_FILE)

_INSTANCE = b'"tailgate-instance-'


@dataclass(frozen=True, slots=True)
class ReadUpload:
    """What was found in the files."""

    draft: Draft
    notes: tuple[str, ...] = ()
    is_roads_only: bool = False
    """Whether the files have roads only, for the orders that were there before."""


def dropped_files(value: JsonValue, limits: Limits) -> list[DroppedFile]:
    """Take the files out of a request."""
    files = []
    total = 0
    for element in value.elements(most=MAX_FILES):
        members = element.members(required=("name", "content"))
        try:
            content = base64.b64decode(members["content"].string(), validate=True)
        except (binascii.Error, ValueError):
            members["content"].fail("must be the file's bytes as base64")
        total += len(content)
        if total > limits.upload_bytes:
            raise _too_large(limits)
        files.append(DroppedFile(members["name"].string(), content))
    return files


def read_upload(
    files: Sequence[DroppedFile], limits: Limits, present: Callable[[], Draft] | None = None
) -> ReadUpload:
    """Read what the files hold, or say what is wrong with them.

    ``present`` returns the orders on the page, for files that hold nothing but their roads.
    """
    if len(files) == 1 and files[0].suffix == ".zip":
        files = _unpacked(files[0], limits)
    visible = [file for file in files if not file.is_hidden]
    tables = _tables(visible)
    if len(visible) > 1 and any(name in tables for name in _ORDER_TABLES):
        return _read_tables(tables, visible)
    # Where one file says that it has orders, the others are beside it.
    orders = [file for file in visible if file.suffix == ".json" and _INSTANCE in file.content]
    if len(orders) != 1:
        orders = [file for file in visible if not is_road_file(file)]
    if present is not None and visible and all(_may_be_roads(file) for file in visible):
        return ReadUpload(with_roads(present(), visible), is_roads_only=True)
    if len(orders) == 1:
        return _read_one(orders[0], [file for file in visible if file is not orders[0]])
    if visible and not orders:
        raise InputError(
            "holds no orders; if it holds roads, drop it together with the orders, or after them",
            source=visible[0].path.name,
        )
    raise InputError(
        f"there are {len(visible)} files; drop in one benchmark, JSON or Excel file, or the files "
        f"{', '.join(_USUAL_TABLES)} together, or a zip of them"
    )


def _may_be_roads(file: DroppedFile) -> bool:
    """Tell whether a file may hold roads; a table may, if it is none that is known by its name."""
    is_square = file.suffix == ".csv" and file.base_name not in _ORDER_TABLES
    return is_square or is_road_file(file)


def _tables(files: Sequence[DroppedFile]) -> dict[str, DroppedFile]:
    tables: dict[str, DroppedFile] = {}
    for file in files:
        name = file.base_name
        if name in tables:
            raise InputError(f"{name} is there twice; give the files of one folder only")
        if name in ALL_FILES:
            tables[name] = file
    return tables


def _read_one(orders: DroppedFile, others: Sequence[DroppedFile]) -> ReadUpload:
    """Read orders that are one file, and the roads beside it."""
    with reading_folder() as folder:
        # Only the endings that say something; all others hold benchmark text, or nothing.
        known = orders.suffix in (".json", ".csv") or is_workbook(orders.path)
        target = folder / f"{plain_name(orders.path.stem)}{orders.suffix if known else '.txt'}"
        target.write_bytes(orders.content)
        if orders.suffix == ".json":
            # As on the command line: what they do not name is not theirs.
            named = put_named_roads(orders, others, folder)
            unread = [file for file in others if file is not named]
            return ReadUpload(read_draft(target).draft, _not_read(unread))
        draft = read_draft(target).draft
    return ReadUpload(with_roads(draft, others) if others else draft)


def _read_tables(tables: dict[str, DroppedFile], files: Sequence[DroppedFile]) -> ReadUpload:
    notes = _not_read([file for file in files if file not in tables.values()])
    with reading_folder() as folder:
        named = next(iter(tables.values())).path.parent.name
        target = folder / plain_name(named)
        target.mkdir()
        for name, file in tables.items():
            (target / name).write_bytes(file.content)
        try:
            return ReadUpload(read_draft(target).draft, notes)
        except InputError as error:
            if {CUSTOMERS_FILE, ITEMS_FILE} <= tables.keys() and (
                VEHICLE_FILE in tables or VEHICLES_FILE in tables
            ):
                raise
            # What is missing may be among them under another name.
            raise InputError("; ".join((error.problem, *notes)), source=error.source) from error


def _not_read(files: Sequence[DroppedFile]) -> tuple[str, ...]:
    names = sorted({file.path.name for file in files})
    return (f"not read: {', '.join(names)[:200]}",) if names else ()


def _unpacked(file: DroppedFile, limits: Limits) -> list[DroppedFile]:
    source = file.path.name
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            # As stated by the archive; no more than that is ever unpacked of an entry.
            if len(entries) > MAX_FILES or sum(e.file_size for e in entries) > limits.upload_bytes:
                raise _too_large(limits, source)
            for entry in entries:
                path = PurePosixPath(entry.filename.replace("\\", "/"))
                if path.is_absolute() or ".." in path.parts:
                    raise InputError(
                        f"names a file outside itself, {shown(entry.filename)}; it is not read",
                        source=source,
                    )
            return [DroppedFile(entry.filename, read_entry(archive, entry)) for entry in entries]
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        NotImplementedError,
        RuntimeError,  # encrypted
        EOFError,
        OSError,
        zlib.error,
    ) as error:
        raise InputError(f"cannot be unpacked: {error}; pack it again", source=source) from error


def _too_large(limits: Limits, source: str | None = None) -> InputError:
    most = limits.upload_bytes // MEGABYTE
    return InputError(f"is more than {most} MB; the page takes no more than that", source=source)
