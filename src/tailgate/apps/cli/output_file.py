"""Files that a command writes: checked before any work is done, so that nothing is destroyed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tailgate.io.text_file import check_writable
from tailgate.model.errors import InputError

_GENERATOR = b'name="generator" content="Tailgate '
_HEAD_BYTES = 2_000


def check_report_file(path: Path, *, folder_to_make: Path | None = None) -> None:
    """Refuse a report that could not be written, or would replace another file."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError("the report is HTML; name it .html", source=str(path), field="--report")
    check_file(path, "a report of Tailgate", _is_report, folder_to_make)


def check_folder_of(path: Path) -> None:
    """Refuse a path whose folder does not exist."""
    if not path.parent.is_dir():
        raise InputError(
            f"cannot be written: the folder {path.parent} does not exist; make it first",
            source=str(path),
        )


def check_file(
    path: Path, what: str, is_one: Callable[[Path], bool], folder_to_make: Path | None = None
) -> None:
    """Refuse a file that could not be written, or would replace one of another kind."""
    if path.is_dir():
        raise InputError("is a folder, not a file; name a file", source=str(path))
    if path.parent != folder_to_make:
        check_folder_of(path)
    if path.parent.is_dir():
        check_writable(path)
    # A device takes what it is given, and in an empty file nothing is lost.
    if path.is_file() and path.stat().st_size > 0 and not is_one(path):
        raise InputError(
            f"exists, and is not {what}; it is left as it is: choose another file",
            source=str(path),
        )


def _is_report(path: Path) -> bool:
    with path.open("rb") as file:
        return _GENERATOR in file.read(_HEAD_BYTES)
