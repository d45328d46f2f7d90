"""The Python side of the compiled route search: an instance in, proven routes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tailgate import _core
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.loading import CompiledGuess, LoadingOracle
from tailgate.solver.road_arguments import RoadArguments

NO_LIMIT = -1
MAX_SEED = 2**64 - 1
DEFAULT_MAX_NODES = 100
"""Of one loading check: enough to find most plans, few enough to fail a thousand times."""
DEFAULT_MAX_POOL = 20_000
DEFAULT_PROOF_NODES = 100_000
"""Of one route of a solution from elsewhere, which is worth more effort than a candidate."""


class Improvement(NamedTuple):
    """A new best solution: seconds and iterations of search until then, and its cost."""

    seconds: float
    iteration: int
    cost: float


class RouteSearch:
    """Ruin-and-recreate with the loading oracle inside: every route it keeps is proven loadable.

    It goes on where the last ``run`` stopped, and is deterministic for a seed, a fresh oracle and
    limits on iterations. Routes are customer numbers in visiting order.
    """

    def __init__(
        self,
        instance: Instance,
        oracle: LoadingOracle,
        *,
        seed: int = 0,
        max_nodes: int = DEFAULT_MAX_NODES,
        max_pool: int = DEFAULT_MAX_POOL,
    ) -> None:
        """Prepare a search; ``max_nodes`` limits one loading check, ``max_pool`` the pool."""
        if not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
            raise InputError(f"must be a whole number from 0 to {MAX_SEED}", field="seed")
        for argument, value in (("max_nodes", max_nodes), ("max_pool", max_pool)):
            if not isinstance(value, int) or value < 1:
                raise InputError("must be a whole number, one or more", field=argument)
        self._instance = instance
        conventions, customers = instance.conventions, instance.customers
        roads = RoadArguments(instance)
        self._core = _core.RouteSearch(
            oracle=oracle.core,
            costs=roads.costs,
            durations=roads.durations,
            weights=[0, *(customer.weight for customer in customers)],
            areas=[0, *(customer.area for customer in customers)],
            capacity=instance.vehicle.capacity,
            floor_area=instance.vehicle.area,
            vehicles=instance.vehicle_count,
            whole_fleet=conventions.fleet == "exactly",
            min_stops=2 if conventions.single_customer_routes == "forbid" else 1,
            ready_times=roads.ready,
            due_times=roads.due,
            service_times=roads.service,
            time_tolerance=roads.time_tolerance,
            waiting_cost=roads.waiting_cost,
            max_duration=roads.max_duration,
            distances=roads.distances,
            max_distance=roads.max_distance,
            max_stops=roads.max_stops,
            lifo=oracle.lifo,
            seed=seed,
            max_nodes=max_nodes,
            max_pool=max_pool,
        )

    def doubt(self, predictor: CompiledGuess, *, below: float) -> None:
        """Skip most routes that a network takes for less likely to be loadable than this.

        Only where it pays, and as long as the network is right: some are checked nevertheless.
        Every route that is kept is proven, whatever the network says.
        """
        self._core.set_doubts(predictor.core, predictor.logit_at(below))

    def run(self, *, iterations: int | None = None, time_limit: float | None = None) -> None:
        """Search on, for so many iterations or seconds, whichever ends first."""
        if iterations is None and time_limit is None:
            raise InputError(
                "or time_limit must be given: the search has no end", field="iterations"
            )
        if iterations is not None and (not isinstance(iterations, int) or iterations < 0):
            raise InputError("must be a whole number, zero or more", field="iterations")
        if time_limit is not None and not (isinstance(time_limit, int | float) and time_limit >= 0):
            raise InputError("must be a number of seconds, zero or more", field="time_limit")
        self._core.run(
            NO_LIMIT if iterations is None else iterations,
            NO_LIMIT if time_limit is None else time_limit,
        )

    def offer(
        self,
        routes: Iterable[Sequence[int]],
        *,
        proven: bool = False,
        max_nodes: int = DEFAULT_PROOF_NODES,
    ) -> bool:
        """Take over a solution from elsewhere, before or between runs; true if it is the new best.

        The search then goes on from there. Unless ``proven`` says that somebody has done so, the
        oracle must first prove every route within ``max_nodes``; proven routes enter the pool in
        any case. ``InputError`` names a broken rule other than loading.
        """
        if not isinstance(max_nodes, int) or max_nodes < 1:
            raise InputError("must be a whole number, one or more", field="max_nodes")
        try:
            return self._core.offer([list(route) for route in routes], proven, max_nodes)
        except ValueError as error:
            raise InputError(str(error), field="routes") from error

    @property
    def routes(self) -> list[tuple[int, ...]] | None:
        """The best solution that keeps every rule; ``None`` if none was found yet."""
        routes = self._core.routes()
        return None if routes is None else [tuple(route) for route in routes]

    @property
    def cost(self) -> int | float | None:
        """The cost of ``routes``."""
        routes = self.routes
        if routes is None:
            return None
        return self._instance.costs.total(routes)

    @property
    def pool(self) -> list[tuple[int, ...]]:
        """Distinct proven routes of good solutions, complete or not; the best first.

        A route and its reverse count as the same where the direction makes no difference.
        """
        return [tuple(route) for route in self._core.pool()]

    @property
    def improvements(self) -> list[Improvement]:
        """The best cost over time."""
        return [Improvement(*step) for step in self._core.improvements()]

    @property
    def statistics(self) -> dict[str, float]:
        """Iterations, checks that went to the oracle, skipped routes, node limit, seconds."""
        return {
            name: value if name == "seconds" else int(value)
            for name, value in self._core.statistics().items()
        }
