"""k-path rows: as many trucks come to a set of customers as its loading takes.

The number of trucks comes from the shape of the items (`floor_loads`), from customers of whom no
two share a truck, and from proofs that the trucks which loads ask for cannot carry them, however
they are divided (`splitting`). Kohl, Desrosiers, Madsen, Solomon and Soumis 1999 have such rows
for time windows; for one truck Iori, Salazar-Gonzalez and Vigo 2007 cut off sets that do not fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import combinations

import numpy as np

from tailgate.model.instance import Instance
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.master.edge_row import EdgeRow
from tailgate.solver.search.cuts.family import CutFamily, CutQuery
from tailgate.solver.search.cuts.floor_loads import floor_loads
from tailgate.solver.search.cuts.kind_groups import kind_groups
from tailgate.solver.search.cuts.loads import Load, trucks_needed, weight_and_area
from tailgate.solver.search.cuts.set_search import MIN_VIOLATION, CustomerSet, SetSearch
from tailgate.solver.search.cuts.splitting import MAX_CUSTOMERS, MAX_REMEMBERED, Splitting
from tailgate.solver.time_limit import TimeLimit

MAX_CLIQUES = 40
PAIR_NODES = 60
ALONE_NODES = 300
MAX_ATTEMPTS = 40
"""At a proof that loads alone do not give, in one round."""
MAX_SECONDS = 1.0
"""Of such attempts in one round."""
LEAST_FILLED = 0.7
"""Trucks that the loads leave emptier on average are not worth an attempt."""


class KPathRows(CutFamily[EdgeRow]):
    """Sets of customers into which too few trucks come for what is known of their loading."""

    max_cuts_per_round = 10

    def __init__(self, instance: Instance, oracle: LoadingOracle) -> None:
        super().__init__(instance, oracle)
        self._known: tuple[list[Load], Splitting] | None = None
        self._attempts: dict[tuple[CustomerSet, int], bool] = {}

    def separate(self, query: CutQuery) -> list[EdgeRow]:
        """Try sums of loads first; then sets that would be violated if they needed one more."""
        if self._known is None:
            loads = self._find_loads(query.time_limit)
            self._known = loads, Splitting(self.oracle, loads)
        loads, splitting = self._known
        search = SetSearch(query, self.instance, loads)
        needs = search.violated_sets()
        limit = query.time_limit.at_most(MAX_SECONDS)
        for customers in self._doubtful_sets(search):
            if limit.expired:
                break
            trucks = trucks_needed(loads, customers)
            proven = self._attempts.get((customers, trucks))
            if proven is None:
                proven = splitting.needs_more_than(trucks, customers, limit)
                if not limit.expired:
                    self._remember(customers, trucks, proven)
            if proven:
                needs.append((customers, trucks + 1))
        needs.sort(key=lambda need: search.graph.entering_one(need[0]) - need[1])
        return search.choose_rows(needs)

    def _remember(self, customers: CustomerSet, trucks: int, proven: bool) -> None:
        if len(self._attempts) >= MAX_REMEMBERED:
            self._attempts.clear()
        self._attempts[customers, trucks] = proven

    def _find_loads(self, time_limit: TimeLimit) -> list[Load]:
        """Return all loads; those of incompatible customers as far as the time goes."""
        plain = weight_and_area(self.instance)
        pairs = [
            pair
            for pair in combinations(range(1, self.instance.n + 1), 2)
            if trucks_needed(plain, pair) > 1
            or self._are_kept_apart(pair)
            or (not time_limit.expired and self._is_incompatible(pair))
        ]
        return [*plain, *floor_loads(self.instance), *clique_loads(self.instance.n, pairs)]

    def _are_kept_apart(self, pair: tuple[int, int]) -> bool:
        """Say whether rules, or the kinds of vehicles that may come, keep two customers apart."""
        instance = self.instance
        kinds = range(len(instance.vehicles))
        return pair in instance.rules.apart or not any(
            all(instance.accepts(number, kind) for number in pair) for kind in kinds
        )

    def _is_incompatible(self, pair: tuple[int, int]) -> bool:
        return self.oracle.check(pair, max_nodes=PAIR_NODES).verdict is Verdict.INFEASIBLE

    @cached_property
    def _servable(self) -> CustomerSet:
        """Who fits into a truck alone, as far as somebody who may be left out must be proven to."""
        optional = self.instance.optional
        return frozenset(
            number
            for number in kind_groups(self.instance)[0].customers
            if number not in optional or self._fits_alone(number)
        )

    def _fits_alone(self, number: int) -> bool:
        check = self.oracle.check((number,), max_nodes=ALONE_NODES)
        return check.verdict is Verdict.FEASIBLE

    def _doubtful_sets(self, search: SetSearch) -> list[CustomerSet]:
        """Return sets that may need one truck more than loads say, and would be violated then.

        The most promising first: their trucks are full, and much would be missing.
        """
        candidates = search.candidates
        sizes, trucks = candidates.sets.sum(axis=1), candidates.trucks
        missing = trucks + 1.0 - candidates.entering
        filled = candidates.filled / trucks
        doubtful = np.flatnonzero(
            (sizes > 2)
            & (sizes <= MAX_CUSTOMERS)
            & (filled >= LEAST_FILLED)
            & (missing > MIN_VIOLATION)
        )
        promise = np.round(missing * (filled - LEAST_FILLED), 9)[doubtful]
        together = [frozenset(route) for route in search.graph.support]
        chosen: list[CustomerSet] = []
        for row in doubtful[np.argsort(-promise, kind="stable")]:
            if len(chosen) >= MAX_ATTEMPTS:
                break
            customers = frozenset(np.flatnonzero(candidates.sets[row]).tolist())
            # What is part of a route in use can be loaded. A proof rests on customers who fit into
            # a truck alone: so one that is left out saves at most one truck.
            if customers <= self._servable and not any(customers <= route for route in together):
                chosen.append(customers)
        return chosen


def clique_loads(n: int, incompatible: Iterable[tuple[int, int]]) -> list[Load]:
    """Return loads of one truck each for customers of whom no two share a truck.

    Cliques of three or more, from every customer the one who is incompatible with most comes next.
    """
    apart = np.zeros((n + 1, n + 1), np.bool_)
    for first, second in incompatible:
        apart[first, second] = apart[second, first] = True
    degrees = apart.sum(axis=1)
    cliques: dict[tuple[int, ...], None] = {}
    for start in range(1, n + 1):
        clique, candidates = [start], apart[start].copy()
        while candidates.any():
            chosen = int(np.where(candidates, degrees, -1).argmax())
            clique.append(chosen)
            candidates &= apart[chosen]
        if len(clique) > 2:
            cliques[tuple(sorted(clique))] = None
    largest = sorted(cliques, key=lambda clique: (-len(clique), clique))[:MAX_CLIQUES]
    return [Load(1, tuple(int(stop in clique) for stop in range(n + 1))) for clique in largest]
