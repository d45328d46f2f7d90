"""Reading and writing whole text files safely."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
from pathlib import Path

from tailgate.errors import InputError

# A hundred thousand customers fit; what is larger is the wrong file, and would only eat memory.
MAX_FILE_MEGABYTES = 32
MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1_000_000

# The benchmark's files were carried between systems: one line may end with \r\r\n.
LINE_END = re.compile(r"\r*\n|\r")

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file, line ends made uniform; refuse what cannot be a text file."""
    content = _read_bytes(path)
    source = source_text(path)
    if not content.strip():
        raise InputError("the file is empty", source=source)
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
    return LINE_END.sub("\n", text)


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    source = source_text(path)
    try:
        # Asked before opening: a pipe that nobody writes to would keep us waiting for ever.
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode) and status.st_size <= MAX_FILE_BYTES:
            with open(path, "rb") as file:
                # One byte more than allowed: the file may grow while it is read.
                content = file.read(MAX_FILE_BYTES + 1)
        else:
            content = b""
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read: {reason}", source=source) from error
    if stat.S_ISDIR(status.st_mode):
        raise InputError("is a folder, not a file", source=source)
    if not stat.S_ISREG(status.st_mode):
        raise InputError("is not a regular file", source=source)
    if status.st_size > MAX_FILE_BYTES or len(content) > MAX_FILE_BYTES:
        megabytes = max(status.st_size, len(content)) / 1_000_000
        raise InputError(
            f"the file has {megabytes:.1f} MB; the limit is {MAX_FILE_MEGABYTES} MB",
            source=source,
        )
    return content


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a file so that a crash leaves the old one or the new one, never a half."""
    try:
        if _is_device(path):
            # Replacing /dev/null or a pipe by a file would be a nasty surprise.
            with open(path, "w", encoding="utf-8", newline="\n") as device:
                device.write(text)
        else:
            # A link is followed, so that it is the file that is replaced and not the link.
            _replace(Path(path).resolve(), text)
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be written: {reason}", source=source_text(path)) from error


def _replace(target: Path, text: str) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=".tailgate-", dir=target.parent)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _permissions_for(target))
        os.replace(temporary, target)
    finally:
        # Gone already if all went well.
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _is_device(path: str | os.PathLike[str]) -> bool:
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _permissions_for(target: Path) -> int:
    """Return the mode an ordinary write would have left; mkstemp's is for its owner alone."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def source_text(path: str | os.PathLike[str]) -> str:
    """Return a path for a message: as given, unless it could not be printed."""
    source = str(os.fspath(path))
    return source if source.isprintable() else ascii(source)


def name_from(path: str | os.PathLike[str], *, keep_suffix: bool = False) -> str:
    """Return a name for an instance after its file, without characters that no format carries."""
    resolved = Path(os.path.abspath(path))
    name = resolved.name if keep_suffix else resolved.stem
    return "".join(c if c.isprintable() else "?" for c in name).strip()[:200].strip()
