"""How the time is divided between plans and proof: by what each has brought lately.

Both are measured in the same coin, the gap: a plan that is cheaper by one closes it as much as a
bound that is higher by one. Who closes more of it in a second gets more seconds.
"""

from __future__ import annotations

import math

from tailgate.solver.column_generation import MANY_CUSTOMERS
from tailgate.solver.search.options import Focus

SHARES: dict[Focus, float] = {"plans": 0.8, "balanced": 0.25, "proof": 0.1}
"""Of the time, for plans."""
LEAST_SHARE = 0.1
MOST_SHARE = 0.6
MEMORY = 0.7
"""What was before counts for so much less with every look."""


class TimeDivision:
    """The share of plans; fixed, or that which plans have in closing the gap."""

    def __init__(self, focus: Focus, customers: int) -> None:
        """Begin with a quarter, unless something else was asked for."""
        self.share = SHARES[focus]
        # With fewer customers the proof is mostly over before the division matters.
        self._is_fixed = focus != "balanced" or customers < MANY_CUSTOMERS
        self._plans = self._proof = _Yield()

    def note_plans(self, seconds: float, before: float, after: float) -> None:
        """Take note of the cost of the best plan before and after so many seconds for plans."""
        self._plans = self._plans.with_more(seconds, before - after)
        self._divide()

    def note_proof(self, seconds: float, before: float, after: float) -> None:
        """Take note of the bound before and after so many seconds for the proof."""
        self._proof = self._proof.with_more(seconds, after - before)
        self._divide()

    def _divide(self) -> None:
        if self._is_fixed:
            return
        plans, proof = self._plans.rate, self._proof.rate
        if plans == math.inf:
            self.share = MOST_SHARE
        elif plans + proof > 0:
            self.share = min(MOST_SHARE, max(LEAST_SHARE, plans / (plans + proof)))


class _Yield:
    """Seconds, and what they have brought; the older, the less it counts."""

    def __init__(self, seconds: float = 0.0, gain: float = 0.0) -> None:
        self._seconds = seconds
        self._gain = gain

    def with_more(self, seconds: float, gain: float) -> _Yield:
        # The first plan, where there was none, is worth any time; the first bound is none of both.
        gain = 0.0 if math.isnan(gain) else max(0.0, gain)
        return _Yield(MEMORY * self._seconds + seconds, MEMORY * self._gain + gain)

    @property
    def rate(self) -> float:
        return self._gain / self._seconds if self._seconds > 0 else 0.0
