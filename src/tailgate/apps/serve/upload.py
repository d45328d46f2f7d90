"""Files that were dropped onto the page: one of any format, the tables of a folder, or a zip.

Nothing is ever written under a name that came with the files: they go into a folder of their own
for as long as they are read, under names that are made here.
"""

from __future__ import annotations

import base64
import binascii
import io
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tailgate.apps.serve.limits import MEGABYTE, Limits
from tailgate.io import read_draft
from tailgate.io.csv_folder import CUSTOMERS_FILE, ITEMS_FILE, VEHICLE_FILE
from tailgate.io.draft import Draft
from tailgate.io.xlsx_sheets import read_entry
from tailgate.io.xlsx_workbook import is_workbook
from tailgate.model.errors import InputError
from tailgate.model.json_document import JsonValue
from tailgate.model.validation import shown

MAX_FILES = 1_000
MAX_STEM_CHARACTERS = 100
_TABLES = (CUSTOMERS_FILE, ITEMS_FILE, VEHICLE_FILE)
_UNNAMED = "orders"
# Of the system, and of the programs that make archives.
_HIDDEN = (".", "__MACOSX")


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as it came: its name, perhaps with folders, and what is in it."""

    name: str
    content: bytes

    @property
    def path(self) -> PurePosixPath:
        """The name, taken apart; Windows writes folders its own way."""
        return PurePosixPath(self.name.replace("\\", "/"))

    @property
    def is_hidden(self) -> bool:
        """Whether nobody means this file."""
        return any(part.startswith(_HIDDEN) and part != ".." for part in self.path.parts)


@dataclass(frozen=True, slots=True)
class ReadUpload:
    """What was found in the files."""

    draft: Draft
    notes: tuple[str, ...] = ()


def uploaded_files(value: JsonValue, limits: Limits) -> list[UploadedFile]:
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
        files.append(UploadedFile(members["name"].string(), content))
    return files


def read_upload(files: Sequence[UploadedFile], limits: Limits) -> ReadUpload:
    """Read what the files hold, or say what is wrong with them."""
    if len(files) == 1 and files[0].path.suffix.casefold() == ".zip":
        files = _unpacked(files[0], limits)
    visible = [file for file in files if not file.is_hidden]
    tables = _tables(visible)
    # A vehicle alone goes to its reader, which says that the tables are missing.
    if len(visible) == 1:
        return _read_one(visible[0])
    if tables:
        return _read_tables(tables, visible)
    raise InputError(
        f"there are {len(visible)} files; drop in one benchmark, JSON or Excel file, or the files "
        f"{', '.join(_TABLES)} together, or a zip of them"
    )


def _tables(files: Sequence[UploadedFile]) -> dict[str, UploadedFile]:
    tables: dict[str, UploadedFile] = {}
    for file in files:
        name = file.path.name.casefold()
        if name in tables:
            raise InputError(f"{name} is there twice; give the files of one folder only")
        if name in _TABLES:
            tables[name] = file
    return tables


def _read_one(file: UploadedFile) -> ReadUpload:
    with tempfile.TemporaryDirectory(prefix="tailgate-upload-") as folder:
        stem = _plain(file.path.stem)
        suffix = file.path.suffix.casefold()
        # Only the endings that say something; all others hold benchmark text, or nothing.
        known = suffix in (".json", ".csv") or is_workbook(file.path)
        target = Path(folder) / f"{stem}{suffix if known else '.txt'}"
        target.write_bytes(file.content)
        return ReadUpload(_read(target, Path(folder)))


def _read_tables(tables: dict[str, UploadedFile], files: Sequence[UploadedFile]) -> ReadUpload:
    with tempfile.TemporaryDirectory(prefix="tailgate-upload-") as folder:
        named = next(iter(tables.values())).path.parent.name
        target = Path(folder) / _plain(named)
        target.mkdir()
        for name, file in tables.items():
            (target / name).write_bytes(file.content)
        others = sorted({file.path.name for file in files} - {f.path.name for f in tables.values()})
        notes = (f"not read: {', '.join(others)[:200]}",) if others else ()
        try:
            return ReadUpload(_read(target, target), notes)
        except InputError as error:
            if len(tables) == len(_TABLES):
                raise
            # What is missing may be among them under another name.
            raise InputError("; ".join((error.problem, *notes)), source=error.source) from error


def _read(target: Path, folder: Path) -> Draft:
    try:
        return read_draft(target).draft
    except InputError as error:
        # The folder exists for a moment only, and is nobody's business.
        source = Path(error.source).name if error.source else None
        problem = error.problem.replace(f"{folder}/", "").replace(f"{folder}\\", "")
        raise InputError(problem, source=source, line=error.line, field=error.field) from error


def _unpacked(file: UploadedFile, limits: Limits) -> list[UploadedFile]:
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
            return [UploadedFile(entry.filename, read_entry(archive, entry)) for entry in entries]
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


def _plain(name: str) -> str:
    """Return a name that is one on every system: letters, digits and a few marks."""
    kept = "".join(c if c.isalnum() or c in "-_ " else "-" for c in name)
    return kept[:MAX_STEM_CHARACTERS].strip(" -") or _UNNAMED
