"""Rounds of cuts: which rows to add to a master problem, and which to drop."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tailgate.instance import Instance
from tailgate.loading import LoadingOracle
from tailgate.master import Row
from tailgate.pricing import SubsetRow
from tailgate.search.cuts import subset_rows

RoutePath = tuple[int, ...]
MAX_SUBSET_ROWS = 250
SUBSET_ROWS_PER_ROUND = 30


class Separation:
    """Looks for rows that hold for every plan and not for a mixture of routes."""

    def __init__(self, instance: Instance, oracle: LoadingOracle, cuts: Collection[str]) -> None:
        self._instance = instance
        self._oracle = oracle
        self._cuts = frozenset(cuts)

    def separate(
        self, support: Mapping[RoutePath, float], rows: Collection[Row]
    ) -> tuple[list[Row], list[Row]]:
        """Return the rows that stay, perhaps widened, and violated new ones."""
        kept: list[Row] = []
        fresh: list[Row] = []
        for row in rows:
            if isinstance(row, SubsetRow):
                wider = subset_rows.widen(row, support)
                (kept if wider == row else fresh).append(wider)
            else:
                kept.append(row)
        if "subset-row" in self._cuts:
            known = [row for row in (*kept, *fresh) if isinstance(row, SubsetRow)]
            room = min(SUBSET_ROWS_PER_ROUND, MAX_SUBSET_ROWS - len(known))
            if room > 0:
                fresh += subset_rows.separate(support, self._instance.n, max_cuts=room, known=known)
        return kept, fresh
