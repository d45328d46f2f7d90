"""The compiled core of Tailgate."""

from collections.abc import Sequence


class Answer:
    """What the oracle says of one route."""

    @property
    def verdict(self) -> str: ...

    @property
    def decided_by(self) -> str: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def positions(self) -> list[list[tuple[int, int]]]:
        """One list of (x, y) per stop, in visiting order; empty unless feasible."""

class LoadingOracle:
    """Decides whether routes can be loaded. Safe to share between threads."""

    def __init__(self, width: int, length: int, customers: Sequence[Sequence[tuple[int, int]]], lifo: bool, cache_bytes: int, use_cache: bool) -> None:
        """Customers are lists of (width, length); routes name them by index."""

    def check(self, route: Sequence[int], max_nodes: int, max_seconds: float) -> Answer:
        """Negative limits mean none."""

    def statistics(self) -> dict[str, float]: ...

    def clear(self) -> None: ...

def build_info() -> dict[str, str]:
    """How this extension was compiled."""
