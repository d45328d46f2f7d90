"""Subset rows: of the routes that visit two or three of three customers, at most one is driven.

Jepsen, Petersen, Spoorendonk and Pisinger 2008, for sets of three; the memory is that of Pecin,
Pessoa, Poggi and Uchoa 2017: as small as it can be so that the routes at hand are counted in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tailgate.model.aliases import RoutePath
from tailgate.solver.pricing.subset_row import SubsetRow
from tailgate.solver.search.cuts.family import CutFamily, CutQuery

Triple = tuple[int, int, int]

MAX_CUTS = 100
MIN_VIOLATION = 0.05
MAX_CUTS_PER_CUSTOMER = 8
"""In one round: cuts on the same few customers say much the same, and burden the same labels."""

_POSITIVE = 1e-9
_TRIPLES_AT_ONCE = 20_000


class SubsetRows(CutFamily[SubsetRow]):
    """Triples of customers of whom routes of more than one altogether visit two or three."""

    max_cuts_per_round = 30

    def separate(self, query: CutQuery) -> list[SubsetRow]:
        """Look at all triples but those of known rows: these are to be widened instead."""
        if query.time_limit.expired:
            return []
        rows = [cut for cut in query.known if isinstance(cut, SubsetRow)]
        return separate(query.support, self.instance.n, max_cuts=query.max_cuts, known=rows)


def separate(
    support: Mapping[RoutePath, float],
    n: int,
    *,
    max_cuts: int = MAX_CUTS,
    min_violation: float = MIN_VIOLATION,
    known: Collection[SubsetRow] = (),
) -> list[SubsetRow]:
    """Return rows that a fractional solution violates by more than `min_violation`, worst first.

    All triples are looked at, but those of the rows in `known`: these are to be widened instead.
    """
    cuts: list[SubsetRow] = []
    uses: Counter[int] = Counter()
    left_out = {row.members for row in known}
    for members in _violated_triples(support, n, min_violation):
        if len(cuts) >= max_cuts:
            break
        if members in left_out or any(uses[stop] >= MAX_CUTS_PER_CUSTOMER for stop in members):
            continue
        uses.update(members)
        cuts.append(SubsetRow(members, smallest_memory(members, support)))
    return cuts


def widen(
    cut: SubsetRow, support: Mapping[RoutePath, float], *, min_violation: float = MIN_VIOLATION
) -> SubsetRow:
    """Return the row with all the memory it takes to count these routes in full.

    Unless they do not violate it even then: in this case it stays as it is.
    """
    if full_violation(cut.members, support) <= min_violation:
        return cut
    memory = smallest_memory(cut.members, support, at_least=cut.memory)
    return cut if memory == cut.memory else SubsetRow(cut.members, memory)


def full_violation(members: Triple, support: Mapping[RoutePath, float]) -> float:
    """Return by how much a fractional solution violates the row whose memory is everybody."""
    return (
        sum(value for route, value in support.items() if len(set(members).intersection(route)) > 1)
        - 1.0
    )


def smallest_memory(
    members: Triple, support: Mapping[RoutePath, float], *, at_least: Collection[int] = ()
) -> frozenset[int]:
    """Return a memory with which each of these routes that visits two members counts in full.

    A route counts if it remembers everybody between two members in a row. No customer can be
    spared, but for those in `at_least`.
    """
    kept = frozenset((*members, *at_least))
    ways = [way for route in support if (way := _between(members, route))]
    needed = kept.union(*(between[0] for between in ways if len(between) == 1))
    kept = needed
    # Routes with all three members have a choice: take the least first, then look at it again.
    choices = [between for between in ways if len(between) == 2]
    for between in sorted(choices, key=lambda between: min(len(way - needed) for way in between)):
        kept = kept.union(min((len(way - kept), sorted(way)) for way in between)[1])
    for customer in sorted(kept - needed):
        rest = kept - {customer}
        if all(any(way <= rest for way in between) for between in choices):
            kept = rest
    return kept


def _between(members: Triple, route: RoutePath) -> list[frozenset[int]]:
    """Return who is visited between a member and the next one; of three members, twice."""
    places = [place for place, stop in enumerate(route) if stop in members]
    return [frozenset(route[first + 1 : second]) for first, second in pairwise(places)]


def _violated_triples(
    support: Mapping[RoutePath, float], n: int, min_violation: float
) -> list[Triple]:
    """Return the triples whose row with full memory is violated, the worst first."""
    visits = np.zeros((len(support), n + 1))
    for row, route in enumerate(support):
        visits[row, list(route)] = 1.0
    values = np.fromiter(support.values(), float, len(support))
    triples = _candidates(visits, values, min_violation)
    violations = np.empty(len(triples))
    for start in range(0, len(triples), _TRIPLES_AT_ONCE):
        part = triples[start : start + _TRIPLES_AT_ONCE]
        counts = visits[:, part[:, 0]] + visits[:, part[:, 1]] + visits[:, part[:, 2]]
        violations[start : start + len(part)] = values @ (counts > 1.5) - 1.0
    violated = np.flatnonzero(violations > min_violation)
    # Ties in the order of the customers, so that the same solution always gives the same rows.
    # Rounded, for the order of the routes changes the last digits.
    order = np.lexsort((*triples[violated].T[::-1], -np.round(violations[violated], 9)))
    return [(int(i), int(j), int(k)) for i, j, k in triples[violated[order]]]


def _candidates(
    visits: npt.NDArray[np.float64], values: npt.NDArray[np.float64], min_violation: float
) -> npt.NDArray[np.int64]:
    """Return the triples whose three pairs share routes of more than one altogether.

    A route with all three is in three pairs, so this is more than the row counts. Every pair
    shares one at most: two of the pairs share something, and so the triple has a customer in the
    middle.
    """
    shared = (visits.T * values) @ visits
    np.fill_diagonal(shared, 0.0)
    found = [np.empty((0, 3), np.int64)]
    for middle in range(1, len(shared)):
        around = np.flatnonzero(shared[middle] > _POSITIVE)
        sums = (
            shared[middle, around][:, None]
            + shared[middle, around][None, :]
            + shared[np.ix_(around, around)]
        )
        first, second = np.nonzero(np.triu(sums > 1.0 + min_violation, k=1))
        triple = np.stack((around[first], around[second], np.full_like(first, middle)), axis=1)
        found.append(np.sort(triple, axis=1))
    return np.unique(np.concatenate(found), axis=0)
