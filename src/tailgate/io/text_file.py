"""Reading whole text files safely, and writing files so that there is never half of one."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError

# A hundred thousand customers fit; what is larger is the wrong file, and would only eat memory.
MAX_FILE_MEGABYTES = 32
MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1_000_000

# The benchmark's files were carried between systems: one line may end with \r\r\n.
LINE_END = re.compile(r"\r*\n|\r")

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"

_TEMPORARY = ".tailgate-"


def read_text(path: PathLike) -> str:
    """Return the text of a file, line ends made uniform; refuse what cannot be a text file."""
    return text_of(read_bytes(path), source_text(path))


def text_of(content: bytes, source: str, megabytes: int = MAX_FILE_MEGABYTES) -> str:
    """Return the text of what was read, line ends made uniform; ``source`` is its name."""
    if len(content) > megabytes * 1_000_000:
        raise InputError(f"the limit is {megabytes} MB; this is more", source=source)
    if content.startswith(_UTF16_MARKS):
        raise InputError("the file is UTF-16 text; save it as UTF-8", source=source)
    if b"\0" in content:
        raise InputError("this is a binary file, not text", source=source)
    # Taken off by hand, so that the positions below are those of the text proper.
    content = content.removeprefix(_UTF8_MARK)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = len(LINE_END.split(content[: error.start].decode("utf-8")))
        raise InputError(
            f"byte 0x{content[error.start]:02x} is not UTF-8 text; save the file as UTF-8 "
            '(in a spreadsheet: "CSV UTF-8")',
            source=source,
            line=line,
        ) from error
    if not text.strip():
        raise InputError("the file is empty", source=source)
    return LINE_END.sub("\n", text)


def read_bytes(path: PathLike, megabytes: int = MAX_FILE_MEGABYTES) -> bytes:
    """Return what is in a file; refuse what is no file, or too large to be one of ours."""
    most = megabytes * 1_000_000
    source = source_text(path)
    try:
        # Asked before opening: a pipe that nobody writes to would keep us waiting for ever.
        status = Path(path).stat()
        if stat.S_ISREG(status.st_mode) and status.st_size <= most:
            with Path(path).open("rb") as file:
                # One byte more than allowed: the file may grow while it is read.
                content = file.read(most + 1)
        else:
            content = b""
    except (OSError, ValueError) as error:
        raise cannot_be_read(path, error) from error
    if stat.S_ISDIR(status.st_mode):
        raise InputError("is a folder, not a file", source=source)
    if not stat.S_ISREG(status.st_mode):
        raise InputError("is not a regular file", source=source)
    size = max(status.st_size, len(content))
    if size > most:
        problem = f"the file has {size / 1_000_000:.1f} MB; the limit is {megabytes} MB"
        raise InputError(problem, source=source)
    return content


def write_text(path: PathLike, text: str) -> None:
    """Write a text file so that a crash leaves the old one or the new one, never a half."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise cannot_be_written(path, error) from error
    write_bytes(path, content)


def write_bytes(path: PathLike, content: bytes) -> None:
    """Write a file so that a crash leaves the old one or the new one, never a half."""
    with writing(path) as file:
        file.write(content)


def write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files that mean something only together: all the old ones stay, or all are new.

    A crash in the moment of the change leaves a folder without the first of them, so that nobody
    takes old and new for one; what is missing is beside it, under names of `is_left_behind`.
    """
    target = folder
    fresh: dict[Path, Path] = {}
    aside: list[Path] = []
    try:
        with ExitStack() as undo:
            for name, text in texts.items():
                target = (folder / name).resolve()
                fresh[target] = _temporary_beside(target)
                undo.callback(fresh[target].unlink, missing_ok=True)
                with fresh[target].open("wb") as file:
                    file.write(text.encode("utf-8"))
                    _store(file)
                fresh[target].chmod(_permissions_for(target))
            for target in filter(Path.exists, fresh):
                aside.append(Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=target.parent)))
                undo.callback(aside[-1].rmdir)
                target.replace(aside[-1] / target.name)
                undo.callback((aside[-1] / target.name).replace, target)
            for target in reversed(fresh):
                fresh[target].replace(target)
                undo.callback(target.unlink)
            undo.pop_all()
        for old in aside:
            shutil.rmtree(old, ignore_errors=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise cannot_be_written(folder / target.name, error) from error


def is_left_behind(name: str) -> bool:
    """Tell whether a file in a folder is one that a crash has kept from getting its name."""
    return name.startswith(_TEMPORARY)


@contextmanager
def writing(path: PathLike) -> Iterator[IO[bytes]]:
    """Open a file as `replacing` does; what the system refuses is a complaint about the file."""
    try:
        with replacing(path) as file:
            yield file
    except (OSError, ValueError, RuntimeError) as error:
        raise cannot_be_written(path, error) from error


@contextmanager
def replacing(path: PathLike) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of the one at `path` when the block ends without an error.

    The caller turns the errors of the system into a complaint (`cannot_be_written`).
    """
    if _is_device(path):
        # Replacing /dev/null or a pipe by a file would be a nasty surprise.
        with Path(path).open("wb") as device:
            yield device
        return
    # A link is followed, so that it is the file that is replaced and not the link.
    target = Path(path).resolve()
    temporary = _temporary_beside(target)
    try:
        with temporary.open("wb") as file:
            yield file
            _store(file)
        # Closed by now: not every system renames a file that is open.
        temporary.chmod(_permissions_for(target))
        temporary.replace(target)
    finally:
        # Gone already if all went well.
        temporary.unlink(missing_ok=True)


def check_writable(path: PathLike) -> None:
    """Complain before any work is done about a folder into which nothing can be written.

    Tried, not asked for: what the permissions say does not hold for everybody and everywhere.
    """
    if _is_device(path):
        return
    try:
        with tempfile.NamedTemporaryFile(prefix=_TEMPORARY, dir=Path(path).resolve().parent):
            pass
    except (OSError, ValueError, RuntimeError) as error:
        raise cannot_be_written(path, error) from error


def cannot_be_written(path: PathLike, error: Exception) -> InputError:
    """Return the complaint about a file that the system did not let us write."""
    remedy = "; make its folder first" if isinstance(error, FileNotFoundError) else ""
    return InputError(f"cannot be written: {_reason(error)}{remedy}", source=source_text(path))


def cannot_be_read(path: PathLike, error: Exception) -> InputError:
    """Return the complaint about a file or folder that the system did not let us read."""
    remedy = ""
    if isinstance(error, FileNotFoundError):
        remedy = "; check its spelling and the folder you are in"
    return InputError(f"cannot be read: {_reason(error)}{remedy}", source=source_text(path))


def _reason(error: Exception) -> str:
    return (error.strerror or "") if isinstance(error, OSError) else str(error)


def _is_device(path: PathLike) -> bool:
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _temporary_beside(target: Path) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=_TEMPORARY, dir=target.parent)
    os.close(descriptor)
    return Path(name)


def _store(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _permissions_for(target: Path) -> int:
    """Return the mode an ordinary write would have left; mkstemp's is for its owner alone."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def source_text(path: PathLike) -> str:
    """Return a path for a message: as given, unless it could not be printed."""
    source = str(os.fspath(path))
    return source if source.isprintable() else ascii(source)


def name_from(path: PathLike, *, is_folder: bool = False) -> str:
    """Return a name after a file or folder, without characters that no format carries."""
    name = Path(path).resolve().name if is_folder else Path(path).stem
    return "".join(c if c.isprintable() else "?" for c in name).strip()[:200].strip()
