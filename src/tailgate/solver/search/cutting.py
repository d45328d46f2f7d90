"""Rounds of cuts at one node: which rows to keep, which to separate, and when to give up."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.solver.column import route_values
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.master import MasterSolution
from tailgate.solver.pricing import SubsetRow
from tailgate.solver.search.cuts import CUTS, Cut, CutFamily, CutQuery, SubsetRows, widen
from tailgate.solver.search.cuts.least_left_out import LeastLeftOut
from tailgate.solver.time_limit import TimeLimit

IDLE_ROUNDS_OF_A_CUT = 2
CUT_ROUNDS_AT_ROOT = 60
CUT_ROUNDS_IN_TREE = 8
LEAST_PROGRESS = 0.02
"""Of the gap, over the last rounds; less does not pay."""
ROUNDS_OF_PROGRESS = 4
GAP_WITHOUT_PLAN = 0.05
"""Of the bound: counts as the gap as long as there is no plan."""
MAX_SUBSET_ROWS = 250
"""At a time: each makes the labels of pricing more."""
SECONDS_PER_FAMILY = 5.0
MANY_EDGE_ROWS = 5
"""Rows over edges cost pricing nothing: where there are so many, subset rows can wait."""


class Separation:
    """Looks for rows that hold for every plan and not for a fractional solution."""

    def __init__(
        self,
        instance: Instance,
        oracle: LoadingOracle,
        cuts: Collection[str],
        further: Iterable[LeastLeftOut] = (),
    ) -> None:
        """Take the names of families, and further families.

        What the oracle refuses, the vehicles of all kinds must refuse.
        """
        named = [family(instance, oracle) for name, family in CUTS.items() if name in cuts]
        self._families: list[LeastLeftOut | CutFamily[Cut]] = [*further, *named]

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
        for family in self._families:
            known = [*kept, *fresh]
            room = family.max_cuts_per_round
            if isinstance(family, SubsetRows):
                if edge_rows >= MANY_EDGE_ROWS:
                    continue
                room = min(room, MAX_SUBSET_ROWS - sum(isinstance(r, SubsetRow) for r in known))
            if room > 0:
                limit = time_limit.at_most(SECONDS_PER_FAMILY)
                found = family.separate(CutQuery(support, room, limit, known))
                edge_rows += len(found)
                fresh += found
        return kept, fresh


class CutRounds:
    """Remembers what the cuts of one node have done so far."""

    def __init__(self, separation: Separation, idle: dict[Cut, int], *, at_root: bool) -> None:
        """Take the families of cuts, and for how many rounds each cut has had no dual."""
        self._separation = separation
        self._idle = idle
        self._rounds_left = CUT_ROUNDS_AT_ROOT if at_root else CUT_ROUNDS_IN_TREE
        self._bounds: list[float] = []

    def is_worthwhile(self, bound: float, cutoff: float) -> bool:
        """Return whether another round may pay, after one that has led to this bound."""
        self._bounds.append(bound)
        self._rounds_left -= 1
        if self._rounds_left < 0:
            return False
        if len(self._bounds) <= ROUNDS_OF_PROGRESS:
            return True
        before = self._bounds[-1 - ROUNDS_OF_PROGRESS]
        gap = cutoff - before if math.isfinite(cutoff) else GAP_WITHOUT_PLAN * bound
        return bound - before > LEAST_PROGRESS * gap

    def next_cuts(
        self, cuts: Collection[Cut], solution: MasterSolution, time_limit: TimeLimit
    ) -> tuple[Cut, ...]:
        """Replace cuts that have had no dual for a while by violated ones; none: there are none."""
        rounds = {
            cut: 0 if cut in solution.row_duals else self._idle.get(cut, 0) + 1 for cut in cuts
        }
        self._idle.clear()
        self._idle.update(rounds)
        useful = [cut for cut in cuts if rounds[cut] <= IDLE_ROUNDS_OF_A_CUT]
        kept, fresh = self._separation.separate(route_values(solution.support), useful, time_limit)
        return (*kept, *fresh) if fresh else ()
