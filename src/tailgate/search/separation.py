"""Rounds of cuts: which rows to add to a master problem, and which to drop."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tailgate.instance import Instance
from tailgate.loading import LoadingOracle
from tailgate.pricing import SubsetRow
from tailgate.search.cuts import CUTS, Cut, widen
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]

MAX_CUTS = {"capacity": 20, "k-path": 10, "subset-row": 30}
"""Of each family in one round."""
MAX_SUBSET_ROWS = 250
"""At a time: each makes the labels of pricing more."""
SECONDS_PER_FAMILY = 5.0
MANY_EDGE_ROWS = 5
"""Rows over edges cost pricing nothing: where there are so many, subset rows can wait."""


class Separation:
    """Looks for rows that hold for every plan and not for a mixture of routes."""

    def __init__(self, instance: Instance, oracle: LoadingOracle, cuts: Collection[str]) -> None:
        # Rows over edges first.
        self._families = {name: CUTS[name](instance, oracle) for name in MAX_CUTS if name in cuts}

    def separate(
        self, support: Mapping[RoutePath, float], rows: Collection[Cut], time_limit: TimeLimit
    ) -> tuple[list[Cut], list[Cut]]:
        """Return the rows that stay, and violated ones that are new or wider than before."""
        kept: list[Cut] = []
        fresh: list[Cut] = []
        for row in rows:
            wider = widen(row, support) if isinstance(row, SubsetRow) else row
            (kept if wider == row else fresh).append(wider)
        edge_rows = 0
        for name, family in self._families.items():
            known = [*kept, *fresh]
            room = MAX_CUTS[name]
            if name == "subset-row":
                if edge_rows >= MANY_EDGE_ROWS:
                    continue
                room = min(room, MAX_SUBSET_ROWS - sum(isinstance(r, SubsetRow) for r in known))
            if room > 0:
                found = family.separate(
                    support,
                    max_cuts=room,
                    known=known,
                    time_limit=time_limit.at_most(SECONDS_PER_FAMILY),
                )
                edge_rows += len(found)
                fresh += found
        return kept, fresh
