"""The Python side of the compiled oracle: instances and routes in, verdicts and plans out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial

from tailgate import _core
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.solution import Placement
from tailgate.solver.loading.guess import CompiledGuess
from tailgate.solver.loading.result import LoadingResult, Query, Verdict, placements_of

NO_LIMIT = -1
_VERDICTS = {verdict.value: verdict for verdict in Verdict}
SINGLE_CUSTOMER_NODES = 2_000
SINGLE_CUSTOMER_SECONDS = 0.2
ALL_CUSTOMERS_SECONDS = 5.0
"""Enough for any customer's own items in practice; beyond it a customer counts as loadable."""


class LoadingOracle:
    """Decides for one instance which routes can be loaded, remembering what it has learnt.

    Safe to share between threads: calls wait for each other. Ctrl-C interrupts a long call.

    Parameters
    ----------
    instance : Instance
        The instance whose routes are checked.
    lifo : bool, optional
        Whether every stop unloads straight out of the door; by default as the instance's
        conventions say.
    cache_megabytes : int
        Memory for what is known of routes that were checked before.
    use_cache : bool
        Whether anything is remembered.

    Examples
    --------
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
        self.instance = instance
        self.lifo = instance.conventions.lifo if lifo is None else lifo
        self._smaller_floors: tuple[LoadingOracle, ...] = ()
        self._larger_floors: tuple[LoadingOracle, ...] = ()
        # Other parts of the core ask it themselves.
        self.core = _core.LoadingOracle(
            width=instance.vehicle.width,
            length=instance.vehicle.length,
            customers=[
                [(item.width, item.length, instance.may_turn(item)) for item in customer.items]
                for customer in instance.customers
            ],
            lifo=self.lifo,
            cache_bytes=cache_megabytes * 1024 * 1024,
            use_cache=use_cache,
        )

    def check(
        self, route: Sequence[int], *, max_nodes: int | None = None, time_limit: float | None = None
    ) -> LoadingResult:
        """Decide whether a route can be loaded.

        Parameters
        ----------
        route : sequence of int
            Customer numbers in the order of the visits.
        max_nodes : int, optional
            Nodes of the search trees, after which the verdict is unknown.
        time_limit : float, optional
            Seconds, after which the verdict is unknown.
        """
        try:
            stops = tuple(route)
        except TypeError as error:
            raise InputError("must be a sequence of customer numbers", field="route") from error
        if max_nodes is not None and (not isinstance(max_nodes, int) or max_nodes < 0):
            raise InputError("must be a whole number, zero or more", field="max_nodes")
        if time_limit is not None and not (isinstance(time_limit, int | float) and time_limit >= 0):
            raise InputError("must be a number of seconds, zero or more", field="time_limit")
        try:
            indices = [customer - 1 for customer in stops]
            answer = self._known_of_other_floors(indices) or self.core.check(
                indices,
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
            self.instance,
            stops,
            answer.in_any_order,
        )

    def learn_from(self, others: Iterable[LoadingOracle]) -> None:
        """Take over what oracles of other floors know, from now on.

        A plan for a floor that is no larger is a plan for this one. What cannot be loaded on a
        floor that is no smaller cannot be loaded here.

        Parameters
        ----------
        others : iterable of LoadingOracle
            Oracles for the same customers and the same rule of unloading.
        """
        mine, floors = self._floor, [(other, other._floor) for other in others if other is not self]
        self._smaller_floors = tuple(other for other, floor in floors if _fits(floor, mine))
        self._larger_floors = tuple(other for other, floor in floors if _fits(mine, floor))

    @property
    def _floor(self) -> tuple[int, int]:
        return self.instance.vehicle.width, self.instance.vehicle.length

    def _known_of_other_floors(self, indices: list[int]) -> _core.Answer | None:
        for oracles, verdict in (
            (self._smaller_floors, Verdict.FEASIBLE),
            (self._larger_floors, Verdict.INFEASIBLE),
        ):
            for other in oracles:
                answer = other.core.recall(indices)
                if answer.verdict == verdict:
                    return answer
        return None

    @property
    def statistics(self) -> dict[str, float]:
        """Counts by verdict and by deciding stage, nodes, seconds, and bytes in the cache.

        `decided_feasible`, `decided_infeasible` and `decided_unknown` count the answers that were
        computed: neither remembered, nor derived from another route, nor trivial.
        """
        return {
            name: value if name == "seconds" else int(value)
            for name, value in self.core.statistics().items()
        }

    def guess_cores(self, predictor: CompiledGuess, *, loadable: float) -> None:
        """Let a network choose which smaller infeasible cores are tried after long proofs.

        Cores may turn out larger; verdicts do not change.

        Parameters
        ----------
        predictor : CompiledGuess
            The network.
        loadable : float
            The probability of being loadable below which a smaller core is tried.
        """
        self.core.set_guess(predictor.core, predictor.logit_at(loadable))

    def clear(self) -> None:
        """Forget cache and statistics; recorded queries stay until they are taken."""
        self.core.clear()

    def record_queries(self, on: bool) -> None:
        """Keep every query, also those of other parts of the core, or stop keeping them.

        They take memory until ``take_queries`` returns them.

        Parameters
        ----------
        on : bool
            Whether queries are kept from now on.
        """
        self.core.record_queries(on)

    def take_queries(self) -> list[Query]:
        """Return the queries recorded since the last call, in their order."""
        return [
            Query(
                route=tuple([customer + 1 for customer in route]),
                verdict=_VERDICTS[verdict],
                decided_by=decided_by,
                nodes=nodes,
                seconds=seconds,
                max_nodes=None if max_nodes < 0 else max_nodes,
            )
            for route, verdict, decided_by, nodes, seconds, max_nodes in self.core.take_queries()
        ]

    def _explain(self, stops: tuple[int, ...], error: Exception) -> None:
        """Say what is wrong with a route that the core has refused."""
        for customer in stops:
            if not isinstance(customer, int) or not 1 <= customer <= self.instance.n:
                raise InputError(
                    f"customer {customer} does not exist; customers are 1 to {self.instance.n}",
                    field="route",
                ) from error
        if len(set(stops)) != len(stops):
            raise InputError("a customer is visited twice", field="route") from error

    def _placements(self, route: Sequence[int], answer: _core.Answer) -> tuple[Placement, ...]:
        positions = answer.positions
        if not positions:
            return ()
        positions = self.core.pushed_together([customer - 1 for customer in route], positions)
        return placements_of(self.instance, route, positions, lifo=self.lifo)


def _fits(floor: tuple[int, int], into: tuple[int, int]) -> bool:
    return floor[0] <= into[0] and floor[1] <= into[1]


def check_loading(
    instance: Instance,
    route: Sequence[int],
    *,
    lifo: bool | None = None,
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> LoadingResult:
    """Decide whether one route can be loaded; for many routes, keep a `LoadingOracle`.

    Parameters
    ----------
    instance : Instance
        The instance of the route.
    route : sequence of int
        Customer numbers in the order of the visits.
    lifo : bool, optional
        Whether every stop unloads straight out of the door; by default as the instance's
        conventions say.
    max_nodes : int, optional
        Nodes of the search trees, after which the verdict is unknown.
    time_limit : float, optional
        Seconds, after which the verdict is unknown.

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> tailgate.check_loading(instance, [1, 2]).verdict
    <Verdict.FEASIBLE: 'feasible'>
    """
    oracle = LoadingOracle(instance, lifo=lifo, use_cache=False)
    return oracle.check(route, max_nodes=max_nodes, time_limit=time_limit)


def find_unloadable_customer(instance: Instance) -> int | None:
    """The first customer who must be served, and whose own items are proven to fit no truck."""
    oracles = _oracles_of(instance)
    optional = instance.optional
    deadline = time.monotonic() + ALL_CUSTOMERS_SECONDS
    for customer in range(1, instance.n + 1):
        if customer in optional:
            continue
        if _fits_no_truck(instance, oracles, customer):
            return customer
        if time.monotonic() > deadline:
            return None
    return None


def may_fit_turned(instance: Instance, customer: int) -> bool:
    """Return whether a customer's own items may fit some truck if all of them could be turned."""
    turning = instance.with_conventions(turn="all")
    return not _fits_no_truck(turning, _oracles_of(turning), customer)


def _oracles_of(instance: Instance) -> list[LoadingOracle]:
    kinds = range(len(instance.vehicles))
    return [LoadingOracle(instance.of_kind(kind), use_cache=False) for kind in kinds]


def _fits_no_truck(instance: Instance, oracles: Sequence[LoadingOracle], customer: int) -> bool:
    return all(
        _cannot_be_loaded_alone(oracle, customer)
        for kind, oracle in enumerate(oracles)
        if instance.accepts(customer, kind)
    )


def _cannot_be_loaded_alone(oracle: LoadingOracle, customer: int) -> bool:
    result = oracle.check(
        [customer], max_nodes=SINGLE_CUSTOMER_NODES, time_limit=SINGLE_CUSTOMER_SECONDS
    )
    return result.verdict is Verdict.INFEASIBLE
