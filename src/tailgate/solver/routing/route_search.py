"""The Python side of the compiled route search: an instance in, proven routes out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tailgate import _core
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.column import Column, views_of
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

    It chooses the kind of vehicle of each route, and whom to leave out among those who may be. It
    goes on where the last ``run`` stopped, and is deterministic for a seed, fresh oracles and
    limits on iterations. Routes are customer numbers in visiting order.
    """

    def __init__(
        self,
        instance: Instance,
        oracles: LoadingOracle | Sequence[LoadingOracle],
        *,
        seed: int = 0,
        max_nodes: int = DEFAULT_MAX_NODES,
        max_pool: int = DEFAULT_MAX_POOL,
    ) -> None:
        """Prepare a search; ``max_nodes`` limits one loading check, ``max_pool`` the pool.

        ``oracles`` has one for every kind of vehicle; kinds with the same floor may share one.
        """
        if not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
            raise InputError(f"must be a whole number from 0 to {MAX_SEED}", field="seed")
        for argument, value in (("max_nodes", max_nodes), ("max_pool", max_pool)):
            if not isinstance(value, int) or value < 1:
                raise InputError("must be a whole number, one or more", field=argument)
        by_kind = (oracles,) if isinstance(oracles, LoadingOracle) else tuple(oracles)
        self._instance = instance
        self._core = _core.RouteSearch(
            oracles=[oracle.core for oracle in by_kind],
            kinds=[_as_seen_by(view) for view in views_of(instance)],
            leave_out_costs=_leave_out_costs(instance),
            apart=sorted(instance.rules.apart),
            groups=sorted(map(sorted, instance.rules.groups)),
            first_stops=_first_stops(instance),
            lifo=by_kind[0].lifo,
            seed=seed,
            max_nodes=max_nodes,
            max_pool=max_pool,
        )

    def doubt(self, predictor: CompiledGuess, *, below: float, kind: int = 0) -> None:
        """Skip most routes of a kind that a network takes for less likely loadable than this.

        Only where it pays, and as long as the network is right: some are checked nevertheless.
        Every route that is kept is proven, whatever the network says.
        """
        self._core.set_doubts(kind, predictor.core, predictor.logit_at(below))

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
        columns: Iterable[Column],
        *,
        proven: bool = False,
        max_nodes: int = DEFAULT_PROOF_NODES,
    ) -> bool:
        """Take over a solution from elsewhere, before or between runs; true if it is the new best.

        Whoever is in none of its routes is left out. The search then goes on from there. Unless ``proven`` says that somebody has done so, the
        oracle must first prove every route within ``max_nodes``; proven routes enter the pool in
        any case. ``InputError`` names a broken rule other than loading.
        """
        if not isinstance(max_nodes, int) or max_nodes < 1:
            raise InputError("must be a whole number, one or more", field="max_nodes")
        try:
            routes = [(kind, list(route)) for kind, route in columns]
            return self._core.offer(routes, proven, max_nodes)
        except ValueError as error:
            raise InputError(str(error), field="routes") from error

    @property
    def routes(self) -> list[Column] | None:
        """The best solution that keeps every rule; ``None`` if none was found yet."""
        routes = self._core.routes()
        return None if routes is None else _columns(routes)

    @property
    def cost(self) -> int | float | None:
        """The cost of ``routes`` and of whom they leave out."""
        routes = self.routes
        if routes is None:
            return None
        return self._instance.total_cost(routes, self.left_out)

    @property
    def left_out(self) -> tuple[int, ...]:
        """The customers whom the best solution leaves out."""
        return tuple(self._core.left_out() or ())

    @property
    def pool(self) -> list[Column]:
        """Distinct proven routes of good solutions, complete or not; the best first.

        A route and its reverse count as the same where the direction makes no difference.
        """
        return _columns(self._core.pool())

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


def _columns(routes: Iterable[tuple[int, Sequence[int]]]) -> list[Column]:
    return [Column(kind, tuple(stops)) for kind, stops in routes]


def _as_seen_by(view: Instance) -> _core.RoutingProblem:
    """Return an instance of one kind of vehicle as the core takes it."""
    conventions, customers = view.conventions, view.customers
    roads = RoadArguments(view)
    return _core.RoutingProblem(
        costs=roads.costs,
        durations=roads.durations,
        weights=[0, *(customer.weight for customer in customers)],
        areas=[0, *(customer.area for customer in customers)],
        capacity=view.vehicle.capacity,
        floor_area=view.vehicle.area,
        vehicles=view.vehicle_count,
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
        accepts=_accepts(view),
    )


def _accepts(view: Instance) -> list[bool]:
    """Return whom the vehicles may serve, by place; empty if they may serve everybody."""
    accepts = [view.accepts(number, 0) for number in range(1, view.n + 1)]
    return [] if all(accepts) else [True, *accepts]


def _leave_out_costs(instance: Instance) -> list[float]:
    """Return the costs by place, infinite for who must be served; empty if all must."""
    optional = instance.optional
    if not optional:
        return []
    numbers = range(1, instance.n + 1)
    costs = (float(instance.leave_out_cost(i)) if i in optional else math.inf for i in numbers)
    return [math.inf, *costs]


def _first_stops(instance: Instance) -> list[list[int]]:
    """Return the stops with which vehicles begin, by kind; empty if none begins with any."""
    stops = [list(map(instance.number_of, kind.first_stops)) for kind in instance.vehicles]
    return stops if any(stops) else []
