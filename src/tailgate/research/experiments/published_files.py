"""Are these the published instances? Found by what is in them, whatever they are called."""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from tailgate.io.text_file import LINE_END, MAX_FILE_BYTES, read_bytes
from tailgate.model.errors import InputError, TailgateError
from tailgate.solver.loading import read

LIBRARY = "http://or.dei.unibo.it/library"
"""Of the operations research group of the University of Bologna, who made the instances."""

_CHECKSUMS = "published_files.sha256"
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?")
# Two digits of the instance and two of the class, as in 2l_cvrp0102.txt, at the end of the name.
_NAME = re.compile(r"(\d\d)[-_ ]?(0[1-5])$")
_ENDINGS = (".txt", ".dat", ".2lcvrp", "")


@dataclass(frozen=True, slots=True)
class Damaged:
    """A file that goes by the name of a published instance and is not it."""

    file: str
    name: str
    problem: str


@dataclass(frozen=True, slots=True)
class Examination:
    """What a folder holds of the publication."""

    found: dict[str, str]
    """The text of every instance, by its four digits."""
    damaged: tuple[Damaged, ...]
    others: tuple[str, ...]
    """Files that have nothing to do with it."""

    @property
    def missing(self) -> list[str]:
        """The four digits of those that are not there, or only damaged."""
        return [name for name in checksums() if name not in self.found]


def checksums() -> dict[str, str]:
    """Return the checksum of every published instance, by its four digits."""
    text = resources.files(__package__).joinpath(_CHECKSUMS).read_text(encoding="ascii")
    return dict(line.split() for line in text.splitlines())


def checksum(text: str) -> str:
    """Return the checksum of an instance's numbers, line by line.

    Words, blanks, blank lines and the way a line ends or a whole number is written differ between
    copies and mean nothing.
    """
    lines = []
    for line in LINE_END.split(text):
        numbers = [_plain(word) for word in line.split() if _NUMBER.fullmatch(word)]
        if numbers:
            lines.append(" ".join(numbers))
    return hashlib.sha256("\n".join(lines).encode("ascii")).hexdigest()


def _plain(number: str) -> str:
    whole, _, decimals = number.partition(".")
    decimals = decimals.rstrip("0")
    return f"{int(whole)}.{decimals}" if decimals else str(int(whole))


def examine(folder: Path) -> Examination:
    """Look at all files of a folder, those in folders and zip archives in it included."""
    if not folder.is_dir():
        raise InputError("is no folder", source=str(folder))
    names = {value: name for name, value in checksums().items()}
    found: dict[str, str] = {}
    suspects: list[tuple[str, str]] = []
    others = []
    for file, text in _texts(folder):
        name = names.get(checksum(text))
        called = _NAME.search(Path(file).stem)
        if name is not None:
            found.setdefault(name, text)
        elif called and "".join(called.groups()) in names.values():
            suspects.append((file, "".join(called.groups())))
        else:
            others.append(file)
    damaged = tuple(
        Damaged(file, name, _problem(folder / file)) for file, name in suspects if name not in found
    )
    return Examination(found, damaged, tuple(others))


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every file that may be an instance, with its path below the folder."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        file = str(path.relative_to(folder))
        if path.suffix.casefold() == ".zip":
            yield from _members(path, file)
        elif path.suffix.casefold() in _ENDINGS and path.stat().st_size <= MAX_FILE_BYTES:
            yield file, read_bytes(path).decode("utf-8", errors="replace")


def _members(path: Path, file: str) -> Iterator[tuple[str, str]]:
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                ending = Path(member.filename).suffix.casefold()
                if member.is_dir() or ending not in _ENDINGS or member.file_size > MAX_FILE_BYTES:
                    continue
                text = archive.read(member).decode("utf-8", errors="replace")
                yield f"{file}/{member.filename}", text
    except (zipfile.BadZipFile, RuntimeError) as error:
        raise InputError(f"is not a sound zip archive: {error}", source=str(path)) from error


def _problem(path: Path) -> str:
    """Say what is wrong with a file, as far as the reader can tell."""
    if not path.is_file():
        return "differs from the published file; download it again"
    try:
        instance = read(path, check_loading=False)
    except TailgateError as error:
        return f"{error}; download it again"
    return (
        f"is an instance with {instance.n} customers, but its numbers are not the published ones; "
        "download it again"
    )
