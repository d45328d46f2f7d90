"""Whether there is memory to load the program at all.

The linear algebra that numpy brings ends the process where it gets none, or sends it the signal of
Ctrl-C: neither can be turned into a message afterwards, so this checks before.
"""

from __future__ import annotations

import mmap
import os

from tailgate.model.errors import TailgateError

NEEDED_MEGABYTES = 130
"""Measured with one thread: numpy, HiGHS and the core take 110 of addresses."""
_MEGABYTE = 1_000_000

# Each thread takes addresses of its own, and Tailgate leaves nothing to them.
_THREADS = "OPENBLAS_NUM_THREADS"
_WORDS = ("failed to map segment", "cannot allocate memory", "memory allocation failed")


class TooLittleMemoryError(TailgateError):
    """The program cannot even be loaded."""


def check_memory_at_start() -> None:
    """Refuse to begin where a limit of this process leaves less than the program takes."""
    limit = _limit_bytes()
    if limit is None:
        return
    os.environ.setdefault(_THREADS, "1")
    try:
        mmap.mmap(-1, NEEDED_MEGABYTES * _MEGABYTE).close()
    except (OSError, MemoryError) as error:
        raise TooLittleMemoryError(
            f"too little memory: this process may use {limit // _MEGABYTE} MB, and the program "
            f"itself takes about {NEEDED_MEGABYTES} MB more than it has; raise the limit (ulimit "
            "-v, ulimit -d)"
        ) from error


def memory_remedy() -> str:
    """Say what helps a command that has run out of memory."""
    limit = _limit_bytes()
    if limit is None:
        return "try a smaller instance"
    return (
        f"this process may use {limit // _MEGABYTE} MB: raise the limit (ulimit -v, ulimit -d), or "
        "try a smaller instance"
    )


def is_lack_of_memory(error: ImportError) -> bool:
    """Return whether something could not be loaded for this reason."""
    words = str(error).casefold()
    return any(word in words for word in _WORDS)


def _limit_bytes() -> int | None:
    try:
        import resource
    except ImportError:  # not on this system
        return None
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return min((limit for limit in limits if limit != resource.RLIM_INFINITY), default=None)
