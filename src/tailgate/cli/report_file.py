"""The file of an HTML report: what may be replaced by one, and what a search leaves for it."""

from __future__ import annotations

from pathlib import Path

from tailgate.errors import InputError
from tailgate.search.result import SolveProgress
from tailgate.text_file import check_writable

_GENERATOR = b'name="generator" content="Tailgate '
_HEAD_BYTES = 2_000


class History:
    """Bound and best plan at every moment at which a search has told of them."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.moments: list[tuple[float, float, float | None]] = []

    def add(self, progress: SolveProgress) -> None:
        """Take note of one moment."""
        self.moments.append((progress.seconds, progress.lower_bound, progress.objective))


def check_report_file(path: Path, *, folder_to_make: Path | None = None) -> None:
    """Refuse, before any work is done, a report that could not be written or would destroy."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{path}: the report is HTML; name it .html", field="--report")
    if path.is_dir():
        raise InputError(f"{path}: is a folder, not a file; name a file", field="--report")
    if path.parent != folder_to_make and not path.parent.is_dir():
        raise InputError(
            f"{path}: the folder {path.parent} does not exist; make it first", field="--report"
        )
    if path.parent.is_dir():
        check_writable(path)
    if path.is_file() and path.stat().st_size > 0:
        with path.open("rb") as file:
            is_ours = _GENERATOR in file.read(_HEAD_BYTES)
        if not is_ours:
            raise InputError(
                f"{path}: exists, and is not a report of Tailgate; it is left as it is: choose "
                "another file",
                field="--report",
            )
