"""How much the page takes: sizes, counts and times."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

MEGABYTE = 1_000_000


def _processors_to_spare() -> int:
    """Return how many searches may run at once, so that the machine stays usable."""
    return max(1, (os.cpu_count() or 1) - 1)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server refuses to go beyond."""

    upload_bytes: int = 32 * MEGABYTE
    """Of all files that are dropped in together, as they are and unpacked."""
    customers: int = 2_000
    item_rows: int = 40_000
    kinds: int = 100
    """Of trucks."""
    running_jobs: int = field(default_factory=_processors_to_spare)
    requests: int = 200
    """Under way at once; more are turned away, so that the others stay quick."""
    waiting_jobs: int = 20
    stored_jobs: int = 500
    seconds: int = 24 * 3600
    """Of one job."""

    @property
    def body_bytes(self) -> int:
        """Of a request: files travel as base64, which makes four bytes of three."""
        return 4 * self.upload_bytes // 3 + MEGABYTE

    def to_dict(self) -> dict[str, int]:
        """Return what the page must know."""
        names = ("upload_bytes", "customers", "item_rows", "running_jobs", "seconds")
        return {name: getattr(self, name) for name in names}
