"""The door to the compiled oracle: instances and routes in, verdicts and plans out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from tailgate import _core
from tailgate.errors import InputError
from tailgate.instance import Instance
from tailgate.loading.guess import CompiledGuess
from tailgate.loading.placements import placements_of
from tailgate.loading.result import LoadingResult, Query, Verdict
from tailgate.solution import Placement

NO_LIMIT = -1
_VERDICTS = {verdict.value: verdict for verdict in Verdict}
SINGLE_CUSTOMER_NODES = 2_000
SINGLE_CUSTOMER_SECONDS = 0.2
ALL_CUSTOMERS_SECONDS = 5.0
"""Enough for any customer's own items in practice; beyond it customers get the benefit of doubt."""


class LoadingOracle:
    """Decides for one instance which routes can be loaded, remembering what it has learnt.

    Safe to share between threads: calls wait for each other. Ctrl-C interrupts a long call.

    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> oracle = tailgate.LoadingOracle(instance)
    >>> oracle.check([1, 2, 4]).verdict.value, oracle.check([1, 4, 2]).verdict.value
    ('feasible', 'infeasible')
    """

    def __init__(
        self,
        instance: Instance,
        *,
        lifo: bool | None = None,
        cache_megabytes: int = 256,
        use_cache: bool = True,
    ) -> None:
        if not isinstance(instance, Instance):
            raise InputError("must be an Instance; tailgate.read() makes one", field="instance")
        if cache_megabytes < 0:
            raise InputError("must not be negative", field="cache_megabytes")
        self._instance = instance
        self.lifo = instance.conventions.lifo if lifo is None else lifo
        self._core = _core.LoadingOracle(
            width=instance.vehicle.width,
            length=instance.vehicle.length,
            customers=[
                [(item.width, item.length) for item in customer.items]
                for customer in instance.customers
            ],
            lifo=self.lifo,
            cache_bytes=cache_megabytes * 1024 * 1024,
            use_cache=use_cache,
        )

    @property
    def instance(self) -> Instance:
        """The one it decides for."""
        return self._instance

    def check(
        self,
        route: Sequence[int],
        *,
        max_nodes: int | None = None,
        time_limit: float | None = None,
    ) -> LoadingResult:
        """Can this route (customer numbers in visiting order) be loaded?"""
        try:
            stops = tuple(route)
        except TypeError as error:
            raise InputError("must be a sequence of customer numbers", field="route") from error
        if max_nodes is not None or time_limit is not None:
            _validate_limits(max_nodes, time_limit)
        try:
            answer = self._core.check(
                [customer - 1 for customer in stops],
                NO_LIMIT if max_nodes is None else max_nodes,
                NO_LIMIT if time_limit is None else time_limit,
            )
        except (IndexError, TypeError, ValueError) as error:
            self._explain(stops, error)
            raise
        return LoadingResult(
            _VERDICTS[answer.verdict],
            answer.decided_by,
            answer.seconds,
            answer.nodes,
            partial(self._placements, stops, answer),
            tuple([customer + 1 for customer in answer.core]),
            self._instance,
            stops,
        )

    @property
    def statistics(self) -> dict[str, float]:
        """Counts by verdict and by deciding stage, nodes, seconds, and bytes in the cache.

        `decided_feasible`, `decided_infeasible` and `decided_unknown` count the answers that were
        worked out: neither remembered nor inherited nor trivial.
        """
        return {
            name: value if name == "seconds" else int(value)
            for name, value in self._core.statistics().items()
        }

    def guess_cores(self, predictor: CompiledGuess, *, loadable: float) -> None:
        """Try only what a network takes for less likely than this as a smaller infeasible core.

        Only after proofs that took long. Cores may turn out larger; verdicts do not change.
        """
        self._core.set_guess(predictor.core, predictor.logit_at(loadable))

    def clear(self) -> None:
        """Forget cache and statistics; recorded queries stay until they are taken."""
        self._core.clear()

    def record_queries(self, on: bool) -> None:
        """Keep every question from now on, also those that other parts of the core ask, or stop.

        They take memory until they are taken.
        """
        self._core.record_queries(on)

    def take_queries(self) -> list[Query]:
        """Return the questions recorded since the last time, in the order they were asked."""
        return [
            Query(
                route=tuple([customer + 1 for customer in route]),
                verdict=_VERDICTS[verdict],
                decided_by=decided_by,
                nodes=nodes,
                seconds=seconds,
                max_nodes=None if max_nodes < 0 else max_nodes,
            )
            for route, verdict, decided_by, nodes, seconds, max_nodes in self._core.take_queries()
        ]

    @property
    def core(self) -> _core.LoadingOracle:
        """The compiled oracle, for other parts of the core that ask it themselves."""
        return self._core

    def _explain(self, stops: tuple[int, ...], error: Exception) -> None:
        """Say what is wrong with a route that the core has refused."""
        for customer in stops:
            if not isinstance(customer, int) or not 1 <= customer <= self._instance.n:
                raise InputError(
                    f"customer {customer} does not exist; customers are 1 to {self._instance.n}",
                    field="route",
                ) from error
        if len(set(stops)) != len(stops):
            raise InputError("a customer is visited twice", field="route") from error

    def _placements(self, route: Sequence[int], answer: _core.Answer) -> tuple[Placement, ...]:
        positions = answer.positions
        if not positions:
            return ()
        positions = self._core.pushed_together([customer - 1 for customer in route], positions)
        return placements_of(self._instance, route, positions, lifo=self.lifo)


def _validate_limits(max_nodes: int | None, time_limit: float | None) -> None:
    if max_nodes is not None and (not isinstance(max_nodes, int) or max_nodes < 0):
        raise InputError("must be a whole number, zero or more", field="max_nodes")
    if time_limit is not None and (not isinstance(time_limit, int | float) or not time_limit >= 0):
        raise InputError("must be a number of seconds, zero or more", field="time_limit")


def check_loading(
    instance: Instance,
    route: Sequence[int],
    *,
    lifo: bool | None = None,
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> LoadingResult:
    """Ask for one route; for many, keep a `LoadingOracle`.

    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> tailgate.check_loading(instance, [1, 2]).verdict
    <Verdict.FEASIBLE: 'feasible'>
    """
    oracle = LoadingOracle(instance, lifo=lifo, use_cache=False)
    return oracle.check(route, max_nodes=max_nodes, time_limit=time_limit)


def find_unloadable_customer(instance: Instance) -> int | None:
    """The first customer whose own items are proven not to fit into an empty truck."""
    oracle = LoadingOracle(instance, use_cache=False)
    deadline = time.monotonic() + ALL_CUSTOMERS_SECONDS
    for customer in range(1, instance.n + 1):
        result = oracle.check(
            [customer], max_nodes=SINGLE_CUSTOMER_NODES, time_limit=SINGLE_CUSTOMER_SECONDS
        )
        if result.verdict is Verdict.INFEASIBLE:
            return customer
        if time.monotonic() > deadline:
            return None
    return None
