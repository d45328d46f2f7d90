"""How much memory the process uses, and how much it may."""

from __future__ import annotations

import os
from pathlib import Path

_MEGABYTE = 1_000_000
SHARE_OF_MACHINE = 0.8
"""Of what can be had, for a search that was given no limit: others must live, too."""
SHORT = 0.8
"""From this share of the limit on, memory is short."""

_OWN = Path("/proc/self/statm")
_MACHINE = Path("/proc/meminfo")
# The limit of a container, in either version of control groups.
_CONTAINER = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def used_bytes() -> int:
    """Return the memory that the process takes now (resident set); 0 where that is not known."""
    pages = _own_pages()
    return _peak_bytes() if pages is None else pages[1] * os.sysconf("SC_PAGE_SIZE")


def unused_address_bytes() -> int:
    """Return what the process has reserved and does not use: a limit on addresses counts it."""
    pages = _own_pages()
    return 0 if pages is None else (pages[0] - pages[1]) * os.sysconf("SC_PAGE_SIZE")


def _own_pages() -> tuple[int, int] | None:
    """Return how many pages are reserved, and how many of them are in memory."""
    try:
        reserved, resident = _OWN.read_text(encoding="ascii").split()[:2]
        return int(reserved), int(resident)
    except (OSError, ValueError):
        return None


def available_bytes() -> int | None:
    """Return the memory that the machine could still give; ``None`` where that is not known."""
    try:
        for line in _MACHINE.read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(":")
            if name == "MemAvailable":
                return int(value.split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def most_bytes() -> int | None:
    """Return what the process is allowed, by a container or the system; ``None`` for no limit."""
    limits = []
    for path in _CONTAINER:
        try:
            limits.append(int(path.read_text(encoding="ascii")))
        except (OSError, ValueError):
            # Not there, or "max".
            continue
    limits.extend(_resource_limits())
    return min(limits, default=None)


class MemoryLimit:
    """What a search may use: so many megabytes, or else most of what can be had."""

    def __init__(self, megabytes: int | float | None = None) -> None:
        self._given = None if megabytes is None else int(megabytes * _MEGABYTE)

    @property
    def limit_bytes(self) -> int | None:
        """How much it may be now; ``None`` if nothing is known about it."""
        if self._given is not None:
            return self._given
        # What others take meanwhile cannot be had.
        available = available_bytes()
        possible = [] if available is None else [used_bytes() + available]
        most = most_bytes()
        if most is not None:
            possible.append(most)
        return int(SHARE_OF_MACHINE * min(possible)) if possible else None

    @property
    def share(self) -> float:
        """How much of the limit is in use: 1 is all of it."""
        limit = self.limit_bytes
        return 0.0 if limit is None else used_bytes() / max(1, limit)

    @property
    def is_short(self) -> bool:
        """Whether it is time to be sparing."""
        return self.share >= SHORT

    @property
    def is_exceeded(self) -> bool:
        """Whether it is time to stop."""
        return self.share >= 1.0


def _resource_limits() -> list[int]:
    try:
        import resource
    except ImportError:  # not on this system
        return []
    addresses, data = (
        resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    )
    limits = [] if data == resource.RLIM_INFINITY else [data]
    if addresses != resource.RLIM_INFINITY:
        limits.append(max(0, addresses - unused_address_bytes()))
    return limits


def _peak_bytes() -> int:
    """Return the most that was ever in use: better than nothing where the system has no /proc."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Kilobytes, but for one system.
    return peak if os.uname().sysname == "Darwin" else peak * 1024
