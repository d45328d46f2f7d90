"""k-path rows: as many trucks come to a set of customers as its loading takes.

The number of trucks comes from the shape of the items (`floor_loads`), from customers of whom no
two share a truck, and from sets that one truck is proven not to carry in any order: then two come
(k-path cuts after Kohl, Desrosiers, Madsen, Solomon and Soumis 1999; sets that cannot be loaded
after Iori, Salazar-Gonzalez and Vigo 2007).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations

import numpy as np

from tailgate.instance import Instance
from tailgate.loading import LoadingOracle, Verdict
from tailgate.master.edge_row import EdgeRow
from tailgate.search.cuts.family import Cut, CutFamily, RoutePath
from tailgate.search.cuts.floor_loads import floor_loads
from tailgate.search.cuts.loads import Load, shares, trucks_needed, weight_and_area
from tailgate.search.cuts.set_search import (
    Candidates,
    CustomerSet,
    SupportGraph,
    choose_rows,
    find_candidates,
    violated_sets,
)
from tailgate.time_limit import TimeLimit

MIN_VIOLATION = 0.02
"""In trucks."""

MAX_CLIQUES = 40
MAX_CHECKED_SETS = 60
"""In one round, whether one truck carries them."""
MAX_CUSTOMERS = 12
"""Of such a set: in larger ones sums of loads say as much."""
PAIR_NODES = 60
SET_NODES = 300
ORDER_NODES = 100
MAX_ORDERS = 60
"""Checks of orders of one set, at most: more than it takes to find one that can be loaded."""


class KPathRows(CutFamily):
    """Sets of customers into which too few trucks come for what is known of their loading."""

    def __init__(self, instance: Instance, oracle: LoadingOracle) -> None:
        super().__init__(instance, oracle)
        # Without LIFO one answer covers all orders.
        self._any_order = LoadingOracle(instance, lifo=False) if oracle.lifo else oracle
        self._loads: list[Load] = []
        self._needs_two: dict[CustomerSet, bool] = {}
        """Whether two trucks are proven to be needed, for the sets that were looked at."""

    def separate(
        self,
        support: Mapping[RoutePath, float],
        *,
        max_cuts: int,
        time_limit: TimeLimit,
        known: Collection[Cut] = (),
    ) -> list[EdgeRow]:
        """Try sums of loads first, then ask the oracle about sets that one truck might carry."""
        if not self._loads:
            self._loads = self._find_loads(time_limit)
        graph, share = SupportGraph(support, self.instance.n), shares(self._loads)
        candidates = find_candidates(graph, share, time_limit)
        sets = violated_sets(graph, candidates, share, min_violation=MIN_VIOLATION)
        needs = [(customers, trucks_needed(self._loads, customers)) for customers in sets]
        for customers in _doubtful_sets(graph, candidates):
            if time_limit.expired:
                break
            if self.needs_two_trucks(customers, time_limit):
                needs.append((customers, 2))
        return choose_rows(
            graph, needs, max_cuts=max_cuts, min_violation=MIN_VIOLATION, known=known
        )

    def _find_loads(self, time_limit: TimeLimit) -> list[Load]:
        """Return all loads; those of incompatible customers as far as the time goes."""
        plain = weight_and_area(self.instance)
        pairs = [
            pair
            for pair in combinations(range(1, self.instance.n + 1), 2)
            if trucks_needed(plain, pair) > 1
            or (not time_limit.expired and self._is_incompatible(pair))
        ]
        return [*plain, *floor_loads(self.instance), *clique_loads(self.instance.n, pairs)]

    def _is_incompatible(self, pair: tuple[int, int]) -> bool:
        return self.oracle.check(pair, max_nodes=PAIR_NODES).verdict is Verdict.INFEASIBLE

    def needs_two_trucks(self, customers: CustomerSet, time_limit: TimeLimit) -> bool:
        """Say whether it is proven that no truck carries all of these customers, in any order."""
        known = self._needs_two.get(customers)
        if known is None:
            known = self._is_too_much(tuple(sorted(customers)), time_limit)
            if not time_limit.expired:
                self._needs_two[customers] = known
        return known

    def _is_too_much(self, customers: RoutePath, time_limit: TimeLimit) -> bool:
        answer = self._any_order.check(
            customers, max_nodes=SET_NODES, time_limit=time_limit.remaining
        )
        if answer.verdict is Verdict.INFEASIBLE:
            return True
        if not self.oracle.lifo:
            return False
        return _NoOrder(self.oracle, time_limit).is_proven((), customers)


def _doubtful_sets(graph: SupportGraph, candidates: Candidates) -> list[CustomerSet]:
    """Return sets that fewer than two trucks enter, and that may be too much for one.

    The most promising first: full, and entered by few trucks.
    """
    sizes = candidates.sets.sum(axis=1)
    doubtful = np.flatnonzero(
        (sizes > 2)
        & (sizes <= MAX_CUSTOMERS)
        & (candidates.filled <= 1.0)
        & (candidates.entering < 2.0 - MIN_VIOLATION)
    )
    promise = np.round(candidates.filled - candidates.entering, 9)[doubtful]
    together = [frozenset(route) for route in graph.support]
    chosen: list[CustomerSet] = []
    for row in doubtful[np.argsort(-promise, kind="stable")]:
        if len(chosen) >= MAX_CHECKED_SETS:
            break
        customers = frozenset(np.flatnonzero(candidates.sets[row]).tolist())
        # What is part of a route in use can be loaded.
        if not any(customers <= route for route in together):
            chosen.append(customers)
    return chosen


class _NoOrder:
    """Goes through the orders of some customers until one cannot be ruled out."""

    def __init__(self, oracle: LoadingOracle, time_limit: TimeLimit) -> None:
        self._oracle = oracle
        self._time_limit = time_limit
        self._checks_left = MAX_ORDERS

    def is_proven(self, begun: RoutePath, rest: RoutePath) -> bool:
        """Say whether no order that begins like this can be loaded.

        What begins with customers that cannot be loaded in this order cannot be loaded.
        """
        if len(begun) > 1:
            self._checks_left -= 1
            verdict = self._oracle.check(
                begun, max_nodes=ORDER_NODES, time_limit=self._time_limit.remaining
            ).verdict
            if verdict is Verdict.INFEASIBLE:
                return True
        if not rest or self._checks_left <= 0:
            return False
        return all(
            self.is_proven((*begun, stop), (*rest[:place], *rest[place + 1 :]))
            for place, stop in enumerate(rest)
        )


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
