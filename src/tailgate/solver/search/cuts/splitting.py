"""Proofs that so many trucks cannot carry some customers, however they are divided.

Sums of loads leave few ways to divide customers who all but fill their trucks. Each way is refuted
by a part that cannot be loaded in any order; what is learnt of that part refutes others as well.
One way that cannot be refuted ends the attempt: it proves nothing either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from tailgate.model.aliases import RoutePath
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.search.cuts.loads import Load, shares
from tailgate.solver.time_limit import TimeLimit

CustomerSet = frozenset[int]

MAX_CUSTOMERS = 14
"""There are two to the power of this many ways to divide them."""
MAX_CHECKS = 60
"""Of the loading of parts, for one set of customers."""
SET_NODES = 300
ORDER_NODES = 100
MAX_ORDERS = 60
"""Checks of orders of one part, at most: more than it takes to find one that can be loaded."""

CACHE_MEGABYTES = 32
MAX_REMEMBERED = 20_000
"""Parts that could not be refuted."""
MAX_CORES = 1_000
"""All of them are looked at for every part."""

_ROUNDING = 1e-9


class Splitting:
    """Divides customers among trucks on paper, and remembers what cannot be loaded."""

    def __init__(self, oracle: LoadingOracle, loads: Sequence[Load]) -> None:
        self._oracle = oracle
        # Without LIFO one answer covers all orders.
        self._any_order = (
            LoadingOracle(oracle.instance, lifo=False, cache_megabytes=CACHE_MEGABYTES)
            if oracle.lifo
            else oracle
        )
        self._share = shares(loads)
        self._too_much: dict[CustomerSet, None] = {}
        self._not_refuted: set[CustomerSet] = set()
        self._checks_left = 0

    def needs_more_than(self, trucks: int, customers: CustomerSet, time_limit: TimeLimit) -> bool:
        """Say whether it is proven that so many trucks cannot carry all of these customers."""
        if len(customers) > MAX_CUSTOMERS:
            return False
        self._checks_left = MAX_CHECKS
        return self._is_refuted(trucks, tuple(sorted(customers)), time_limit)

    def _is_refuted(self, trucks: int, customers: RoutePath, time_limit: TimeLimit) -> bool:
        if not customers or time_limit.expired:
            return False
        if trucks == 1:
            return self._is_too_much(frozenset(customers), time_limit)
        for part in self._parts(trucks, customers):
            rest = tuple(stop for stop in customers if stop not in part)
            if not self._is_too_much(part, time_limit) and not self._is_refuted(
                trucks - 1, rest, time_limit
            ):
                return False
        return True

    def _parts(self, trucks: int, customers: RoutePath) -> Iterator[CustomerSet]:
        """Yield what the truck of the first customer may carry by all sums, the evenest first."""
        chosen = _choices(len(customers))
        share = self._share[:, list(customers)].T
        # Weight and area come first and rule most of it out.
        for columns in (slice(0, 2), slice(None)):
            part = chosen @ share[:, columns]
            rest = (share[:, columns].sum(axis=0) - part) / (trucks - 1)
            fullest = np.maximum(part, rest).max(axis=1)
            fitting = fullest <= 1.0 + _ROUNDING
            chosen, fullest = chosen[fitting], fullest[fitting]
        numbers = np.array(customers)
        for row in np.argsort(fullest, kind="stable"):
            yield frozenset(numbers[chosen[row] > 0.5].tolist())

    def _is_too_much(self, customers: CustomerSet, time_limit: TimeLimit) -> bool:
        """Say whether no truck carries all of these, in any order, by all that is known."""
        if customers in self._not_refuted:
            return False
        filled = self._share[:, list(customers)].sum(axis=1)
        if filled.max() > 1.0 + _ROUNDING or any(core <= customers for core in self._too_much):
            return True
        if self._checks_left <= 0 or time_limit.expired:
            return False
        self._checks_left -= 1
        stops = tuple(sorted(customers))
        answer = self._any_order.check(stops, max_nodes=SET_NODES, time_limit=time_limit.remaining)
        if answer.verdict is Verdict.INFEASIBLE:
            self._remember(frozenset(answer.infeasible_core) or customers)
            return True
        if self._oracle.lifo and _NoOrder(self._oracle, time_limit).is_proven((), stops):
            self._remember(customers)
            return True
        if not time_limit.expired:
            if len(self._not_refuted) >= MAX_REMEMBERED:
                self._not_refuted.clear()
            self._not_refuted.add(customers)
        return False

    def _remember(self, core: CustomerSet) -> None:
        if len(self._too_much) >= MAX_CORES:
            del self._too_much[next(iter(self._too_much))]
        self._too_much[core] = None


@cache
def _choices(size: int) -> npt.NDArray[np.float64]:
    """Return all choices of so many customers with the first of them, one in each line."""
    rest = np.arange(2 ** (size - 1))[:, None] >> np.arange(size - 1)
    return np.hstack((np.ones((len(rest), 1)), rest & 1))


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
