"""Solves an instance in order to learn what is asked of the loading check on the way.

Two runs ask: the search for a proven optimum, and column generation in which every route that
prices out is checked, as in the exact pipeline of the paper. Queries that both leave open are
asked once more, with more effort; what is still open then stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.research.learning.query_file import AskedQuery
from tailgate.research.learning.query_key import canonical_key
from tailgate.solver.column_generation import ColumnGeneration, FirstColumns, Subproblem
from tailgate.solver.loading import LoadingOracle, LoadingResult, Query, Verdict
from tailgate.solver.pricing import Pricer
from tailgate.solver.recording import QueryRecorder
from tailgate.solver.screening import ExactScreen, FleetScreen
from tailgate.solver.search.solver import solve
from tailgate.solver.time_limit import TimeLimit

SEARCH_SHARE = 0.3
CANDIDATES_SHARE = 0.25
"""Of an instance's seconds; the rest is for the queries that stay open."""
CANDIDATE_NODES = 300
AGAIN_EFFORTS = ((20_000, 0.1), (500_000, 1.0))
"""Nodes and seconds for one query that was left open, in the first turn and in the second."""
CHEAP_STAGES = frozenset({"trivial", "bounds", "dive"})
CHEAP_NODES = 300
"""More than bounds and dives take; what they cannot settle costs a little of the search."""


class QuerySource:
    """All queries about the routes of one instance."""

    def __init__(self, instance: Instance, *, seed: int) -> None:
        self._instance = instance
        self._seed = seed
        self._items = [
            tuple((item.width, item.length, instance.may_turn(item)) for item in customer.items)
            for customer in instance.customers
        ]
        self._asked: dict[bytes, AskedQuery] = {}

    def ask(self, seconds: float) -> list[AskedQuery]:
        """Solve for about so long; return what was asked, in the order of the first time."""
        limit = TimeLimit(seconds)
        self._search(limit.at_most(SEARCH_SHARE * seconds))
        self._check_all_candidates(limit.at_most(CANDIDATES_SHARE * seconds))
        self._ask_again(limit)
        return self._judge_effort()

    def _search(self, limit: TimeLimit) -> None:
        result = solve(
            self._instance,
            time_limit=limit.remaining,
            seed=self._seed,
            recorder=_Collector(self._add),
        )
        if result.reason == "interrupted":
            raise KeyboardInterrupt

    def _check_all_candidates(self, limit: TimeLimit) -> None:
        screen = _EveryCandidate(Pricer(self._instance), LoadingOracle(self._instance))
        generation = ColumnGeneration(
            FleetScreen(self._instance, [screen]), recorder=_Collector(self._add)
        )
        FirstColumns(generation, limit, seed=self._seed + 1).find()
        generation.solve(Subproblem(), limit)
        generation.record_queries("pricing")

    def _ask_again(self, limit: TimeLimit) -> None:
        """Spend what is left of the time on open queries, in random order."""
        oracle = LoadingOracle(self._instance)
        stream = np.random.default_rng(self._seed)
        for max_nodes, seconds in AGAIN_EFFORTS:
            open_queries = [q for q in self._asked.values() if q.verdict is Verdict.UNKNOWN]
            for index in stream.permutation(len(open_queries)):
                if limit.expired:
                    return
                query = open_queries[index]
                answer = oracle.check(query.route, max_nodes=max_nodes, time_limit=seconds)
                self._asked[query.key] = replace(query, **_findings(answer))

    def _add(self, queries: Iterable[Query], phase: str) -> None:
        vehicle = self._instance.vehicle
        for query in queries:
            stops = [self._items[customer - 1] for customer in query.route]
            key = canonical_key(stops, vehicle.width, vehicle.length)
            known = self._asked.get(key)
            if known is not None and known.verdict is not Verdict.UNKNOWN:
                continue
            first_phase = phase if known is None else known.phase
            self._asked[key] = AskedQuery(key, query.route, phase=first_phase, **_findings(query))

    def _judge_effort(self) -> list[AskedQuery]:
        """Find out which answers from memory would have been cheap without it."""
        oracle = LoadingOracle(self._instance, use_cache=False)
        judged = []
        for query in self._asked.values():
            if query.decided_by in ("cache", "heredity"):
                alone = oracle.check(query.route, max_nodes=CHEAP_NODES)
                query = replace(query, is_cheap=alone.decided_by in CHEAP_STAGES)
            judged.append(query)
        return judged


def _findings(answer: Query | LoadingResult) -> dict[str, Any]:
    names = ("verdict", "decided_by", "nodes", "seconds")
    found = {name: getattr(answer, name) for name in names}
    return {**found, "is_cheap": answer.decided_by in CHEAP_STAGES}


class _EveryCandidate(ExactScreen):
    """Checks every route that prices out, not only until some are found."""

    def _look_at_all(
        self,
        routes: Iterable[RoutePath],
        columns: list[RoutePath],
        refused: set[frozenset[int]],
        time_limit: TimeLimit,
    ) -> None:
        routes = tuple(routes)
        for route in routes:
            if time_limit.expired:
                break
            self.oracle.check(route, max_nodes=CANDIDATE_NODES, time_limit=time_limit.remaining)
        super()._look_at_all(routes, columns, refused, time_limit)


class _Collector(QueryRecorder):
    """Takes what a run records, without a file."""

    def __init__(self, add: Callable[[Iterable[Query], str], None]) -> None:
        self._add = add

    def record(
        self,
        queries: Iterable[Query],
        *,
        kind: int = 0,
        phase: str,
        iteration: int,
        reduced_cost: Callable[[RoutePath], float] | None = None,
    ) -> None:
        """Pass them on."""
        del kind, iteration, reduced_cost
        self._add(queries, phase)
