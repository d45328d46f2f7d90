"""How to search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tailgate.model.aliases import PathLike
from tailgate.solver.search.cuts import CUTS

Focus = Literal["plans", "balanced", "proof"]
"""Where most of the time goes: into plans, into the proof, or wherever it brings more."""


@dataclass(frozen=True, slots=True)
class Options:
    """What `solve` was asked for, apart from files and callbacks."""

    screen: str = "exact"
    weights: PathLike | None = None
    gap: float = 0.0
    seed: int = 0
    threads: int = 1
    node_limit: int | None = None
    memory_limit: float | None = None
    """In megabytes."""
    cuts: frozenset[str] = frozenset(CUTS)
    focus: Focus = "balanced"

    def to_dict(self) -> dict[str, object]:
        """Return what solution files say of it."""
        return {
            "screen": self.screen,
            "gap": self.gap,
            "threads": self.threads,
            "cuts": sorted(self.cuts),
            "focus": self.focus,
        }
