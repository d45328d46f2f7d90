"""A file that was dropped onto the page, and the folder in which it is read.

Nothing is ever written outside a folder of its own, which is there for as long as it is read.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tailgate.model.errors import InputError

MAX_STEM_CHARACTERS = 100
_UNNAMED = "orders"
# Of the system, and of the programs that make archives.
_HIDDEN = (".", "__MACOSX")


@dataclass(frozen=True, slots=True)
class DroppedFile:
    """A file as it came: its name, perhaps with folders, and what is in it."""

    name: str
    content: bytes

    @property
    def path(self) -> PurePosixPath:
        """The name, taken apart; Windows writes folders its own way."""
        return PurePosixPath(self.name.replace("\\", "/"))

    @property
    def base_name(self) -> str:
        """The name without its folders, in small letters."""
        return self.path.name.casefold()

    @property
    def suffix(self) -> str:
        """The ending with its dot, in small letters."""
        return self.path.suffix.casefold()

    @property
    def is_hidden(self) -> bool:
        """Whether nobody means this file."""
        return any(part.startswith(_HIDDEN) and part != ".." for part in self.path.parts)


@contextmanager
def reading_folder() -> Iterator[Path]:
    """Yield a folder for a moment; complaints name its files without it."""
    with tempfile.TemporaryDirectory(prefix="tailgate-upload-") as name:
        folder = Path(name)
        try:
            yield folder
        except InputError as error:
            # The folder is nobody's business.
            source = Path(error.source).name if error.source else None
            problem = error.problem
            for inner in (*(path for path in folder.rglob("*") if path.is_dir()), folder):
                problem = problem.replace(f"{inner}/", "").replace(f"{inner}\\", "")
            raise InputError(problem, source=source, line=error.line, field=error.field) from error


def plain_name(name: str) -> str:
    """Return a name that is one on every system: letters, digits and a few marks."""
    kept = "".join(c if c.isalnum() or c in "-_ " else "-" for c in name)
    return kept[:MAX_STEM_CHARACTERS].strip(" -") or _UNNAMED
