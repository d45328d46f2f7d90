"""Sets of customers that few trucks enter in a fractional solution, though they may need more.

Heuristics in the manner of Lysgaard, Letchford and Eglese 2004: sets grow from many seeds, one
customer at a time, and the best are improved by single exchanges. All sets are worked on at once.
What is found is a suggestion; whoever makes a row of it computes the number of trucks exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.solver.master.edge_row import EdgeRow, edge_values
from tailgate.solver.search.cuts.family import CutQuery
from tailgate.solver.search.cuts.loads import Load, shares, trucks_needed
from tailgate.solver.time_limit import TimeLimit

CustomerSet = frozenset[int]
Sets = npt.NDArray[np.bool_]
"""One set in each line, one place in each column; the depot in none of them."""
Floats = npt.NDArray[np.float64]

MIN_VIOLATION = 0.02
"""In trucks."""
MAX_ROWS_PER_CUSTOMER = 10
"""In one round: sets that differ by one customer say much the same."""
MAX_EDGES = 5_000
"""A row with more is more work than it is worth."""

_LARGEST_GROWN = 60
_IMPROVED = 60
_IMPROVEMENTS = 12
_POSITIVE = 1e-7
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Candidates:
    """Sets that may need more trucks than they get."""

    sets: Sets
    entering: Floats
    """How many trucks enter each of them."""
    filled: Floats
    """How many trucks the load that fills most fills with each of them."""

    @property
    def trucks(self) -> Floats:
        """How many trucks must enter."""
        return _trucks(self.filled)


class SupportGraph:
    """The edges that a fractional solution uses, and how much of each."""

    def __init__(
        self, support: Mapping[RoutePath, float], n: int, optional: Collection[int] = ()
    ) -> None:
        """Take the routes in use; optional customers may be left out, in part or at all.

        A customer left out counts as if a truck came to it alone: of a set of which all but a few
        are served, so many trucks less may come.
        """
        self.n = n
        self.support = support
        self.values = np.zeros((n + 1, n + 1))
        for (first, second), value in edge_values(support).items():
            # Rounded, for the order of the routes changes the last digits, and these decide ties.
            self.values[first, second] = self.values[second, first] = round(value, 9)
        self.degrees = self.values.sum(axis=1)
        self.degrees[list(optional)] = 2.0

    def seeds(self) -> Sets:
        """Return what sets grow from: everybody, single customers, neighbours, routes, islands."""
        firsts, seconds = np.nonzero(np.triu(self.values[1:, 1:] > _POSITIVE))
        found = [range(1, self.n + 1), *self._islands(), *self.support]
        found += ([stop] for stop in range(1, self.n + 1))
        found += zip((firsts + 1).tolist(), (seconds + 1).tolist(), strict=True)
        sets = np.zeros((len(found), self.n + 1), np.bool_)
        for row, customers in enumerate(found):
            sets[row, list(customers)] = True
        return sets[_first_of_each(sets)]

    def _islands(self) -> list[list[int]]:
        """Return the customers that hang together without the depot."""
        linked = self.values > _POSITIVE
        linked[0] = False
        left = set(range(1, self.n + 1))
        islands = []
        while left:
            island = [left.pop()]
            for stop in island:
                reached = left.intersection(np.flatnonzero(linked[stop]).tolist())
                left -= reached
                island += sorted(reached)
            islands.append(island)
        return islands

    def touching(self, sets: Sets) -> Floats:
        """Return how often each place is linked with a member of each set."""
        touching: Floats = sets.astype(np.float64) @ self.values
        return touching

    def entering_one(self, customers: CustomerSet) -> float:
        """Return how many trucks enter one set."""
        stops = sorted(customers)
        inside = self.values[np.ix_(stops, stops)]
        return float(self.degrees[stops].sum() - inside.sum()) / 2.0

    def entering(self, sets: Sets) -> Floats:
        """Return how many trucks enter each set: half of the edges across its border."""
        crossing = sets @ self.degrees - (self.touching(sets) * sets).sum(axis=1)
        return np.asarray(crossing / 2.0, np.float64)


class SetSearch:
    """Sets that too few trucks enter for these loads, and the rows made of them."""

    def __init__(self, query: CutQuery, instance: Instance, loads: Sequence[Load]) -> None:
        self.query = query
        self._optional = instance.optional
        self.graph = SupportGraph(query.support, instance.n, self._optional)
        self._loads, self._share = loads, shares(loads)
        self.candidates = _find_candidates(self.graph, self._share, query.time_limit)

    def violated_sets(self) -> list[tuple[CustomerSet, int]]:
        """Return sets into which too few trucks come, the worst first, and what they need."""
        graph, share, candidates = self.graph, self._share, self.candidates
        missing = candidates.trucks - candidates.entering
        nearest = np.argsort(-missing, kind="stable")[:_IMPROVED]
        improved = _improve(graph, candidates.sets[nearest], share)
        sets = np.concatenate((candidates.sets[missing > MIN_VIOLATION], improved))
        sets = sets[_first_of_each(sets)]
        missing = _trucks(_filled(sets, share)) - graph.entering(sets)
        order = np.argsort(-np.round(missing, 9), kind="stable")
        violated = (np.flatnonzero(sets[row]) for row in order if missing[row] > MIN_VIOLATION)
        found = [frozenset(customers.tolist()) for customers in violated]
        return [(customers, trucks_needed(self._loads, customers)) for customers in found]

    def choose_rows(self, needs: Iterable[tuple[CustomerSet, int]]) -> list[EdgeRow]:
        """Return rows that so many trucks come to these sets, as far as they are violated."""
        graph, present = self.graph, set(self.query.known)
        rows: dict[EdgeRow, None] = {}
        uses: Counter[int] = Counter()
        for customers, trucks in needs:
            if len(rows) >= self.query.max_cuts:
                break
            if all(uses[stop] >= MAX_ROWS_PER_CUSTOMER for stop in customers):
                continue
            row = self._row(customers, trucks)
            if row is None:
                continue
            # The border counts every truck twice, on its way in and on its way out.
            per_truck = 2.0 if row.lower > 0 else 1.0
            if row.violation(graph.support) <= per_truck * MIN_VIOLATION or row in present:
                continue
            uses.update(customers)
            rows[row] = None
        return list(rows)

    def _row(self, customers: CustomerSet, trucks: int) -> EdgeRow | None:
        """Return the row that so many trucks come to a set; None if it has too many edges.

        Let m of the customers be left out. The others take all but m of the trucks at least, since
        each of the m would fit into a truck alone. So the edges inside the set, of which each truck
        that comes has one less than customers in it, are as few as if all were served. The edges
        across the border are fewer: they serve only where nobody may be left out.
        """
        inside, outside = len(customers), self.graph.n + 1 - len(customers)
        if customers.isdisjoint(self._optional):
            if inside * min((inside - 1) / 2, outside) > MAX_EDGES:
                return None
            return EdgeRow.trucks(customers, self.graph.n, trucks)
        if inside * (inside - 1) / 2 > MAX_EDGES:
            return None
        return EdgeRow.of(combinations(sorted(customers), 2), upper=float(inside - trucks))


def _find_candidates(graph: SupportGraph, share: Floats, time_limit: TimeLimit) -> Candidates:
    """Let sets grow by the customer that is linked best with them, or linked well and heavy."""
    heaviest = share.max(axis=0)
    found: list[Sets] = []
    entered: list[Floats] = []
    for pull in (np.zeros_like(heaviest), heaviest):
        sets = graph.seeds()
        touching, entering = graph.touching(sets), graph.entering(sets)
        for _ in range(_LARGEST_GROWN):
            found.append(sets)
            entered.append(entering)
            worth = np.where(sets | (touching <= _POSITIVE), -np.inf, touching + pull)
            worth[:, 0] = -np.inf
            chosen = worth.argmax(axis=1)
            growing = np.flatnonzero(worth[np.arange(len(sets)), chosen] > -np.inf)
            if not len(growing) or time_limit.expired:
                break
            sets, touching, chosen = sets[growing], touching[growing], chosen[growing]
            rows = np.arange(len(sets))
            entering = entering[growing] + graph.degrees[chosen] / 2 - touching[rows, chosen]
            sets[rows, chosen] = True
            touching += graph.values[chosen]
            first = _first_of_each(sets)
            sets, touching, entering = sets[first], touching[first], entering[first]
    sets, entering = np.concatenate(found), np.concatenate(entered)
    first = _first_of_each(sets)
    sets, entering = sets[first], entering[first]
    return Candidates(sets, entering, _filled(sets, share))


def _first_of_each(sets: Sets) -> npt.NDArray[np.intp]:
    """Return where each set comes first; comparing them as bytes is much faster."""
    packed = np.ascontiguousarray(np.packbits(sets, axis=1))
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    return np.sort(np.unique(keys, return_index=True)[1])


def _filled(sets: Sets, share: Floats) -> Floats:
    return np.asarray((sets.astype(np.float64) @ share.T).max(axis=1, initial=0.0), np.float64)


def _improve(graph: SupportGraph, sets: Sets, share: Floats) -> Sets:
    """Add or drop one customer at a time as long as more trucks are missing then."""
    missing = _trucks(_filled(sets, share)) - graph.entering(sets)
    for _ in range(_IMPROVEMENTS):
        sign = np.where(sets, -1.0, 1.0)
        entering = graph.entering(sets)[:, None] + sign * (graph.degrees / 2 - graph.touching(sets))
        filled = ((sets @ share.T)[:, None, :] + sign[:, :, None] * share.T[None, :, :]).max(axis=2)
        after = _trucks(filled) - entering
        after[:, 0] = -np.inf
        # A set of nobody needs no truck at all.
        after[sets & (sets.sum(axis=1, keepdims=True) == 1)] = -np.inf
        chosen = after.argmax(axis=1)
        best = after[np.arange(len(sets)), chosen]
        better = np.flatnonzero(best > missing + _ROUNDING)
        if not len(better):
            break
        sets = sets.copy()
        sets[better, chosen[better]] ^= True
        missing[better] = best[better]
    return sets


def _trucks(filled: Floats) -> Floats:
    """Return how many trucks must enter."""
    return np.asarray(np.maximum(1.0, np.ceil(filled - _ROUNDING)), np.float64)
