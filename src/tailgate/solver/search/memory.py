"""How much memory the process uses, and how much it may."""

from __future__ import annotations

from pathlib import Path

import psutil

_MEGABYTE = 1_000_000
SHARE_OF_MACHINE = 0.8
"""Of what can be had, for a search that was given no limit: others must live, too."""

# The limit of a container, in either version of control groups.
_CONTAINER = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def used_bytes() -> int:
    """Return the memory that the process takes now (resident set)."""
    return int(psutil.Process().memory_info().rss)


def unused_address_bytes() -> int:
    """Return what the process has reserved and does not use: a limit on addresses counts it."""
    memory = psutil.Process().memory_info()
    return int(memory.vms - memory.rss)


def available_bytes() -> int:
    """Return the memory that the machine could still give."""
    return int(psutil.virtual_memory().available)


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
    def limit_bytes(self) -> int:
        """How much it may be now."""
        return self._limit_beside(used_bytes())

    @property
    def is_exceeded(self) -> bool:
        """Whether it is time to stop."""
        used = used_bytes()
        return used >= self._limit_beside(used)

    def _limit_beside(self, used: int) -> int:
        if self._given is not None:
            return self._given
        # What others take meanwhile cannot be had.
        possible = used + available_bytes()
        most = most_bytes()
        return int(SHARE_OF_MACHINE * (possible if most is None else min(possible, most)))


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
