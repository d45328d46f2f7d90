"""What the oracle answers: verdicts, and plans in the order of loading."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from tailgate.model.instance import Instance
from tailgate.model.notebook_display import NotebookDisplay
from tailgate.model.solution import Placement, Route


class Verdict(StrEnum):
    """The three answers; running out of time or memory is *unknown*, never *infeasible*."""

    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


MEMORY = "memory"
"""What has `decided` an unknown that no limit is to blame for."""


class Query(NamedTuple):
    """A recorded query with its answer; `max_nodes` is None where there was no limit.

    An unknown without a limit on nodes ran out of time or was interrupted; if ``decided_by`` is
    ``memory``, the searches could not go on within their memory.
    """

    route: tuple[int, ...]
    verdict: Verdict
    decided_by: str
    nodes: int
    seconds: float
    max_nodes: int | None


@dataclass(slots=True, eq=False, repr=False)
class LoadingResult(NotebookDisplay):
    """One verdict, the stage that reached it, its effort and, where feasible, the loading plan.

    Parameters
    ----------
    verdict : Verdict
        Whether the route can be loaded.
    decided_by : str
        The stage of the check that reached the verdict, such as ``dive`` or ``cache``; of an
        unknown, ``limit`` (of time or nodes, or an interrupt) or ``memory``.
    seconds : float
        How long the check took.
    nodes : int
        Nodes of the search trees.
    make_placements : callable
        Returns the plan; called when ``placements`` is first asked for.
    infeasible_core : tuple of int
        Stops of an infeasible route, perhaps backwards, that alone are infeasible already.
    instance : Instance, optional
        The instance of the route, so that a notebook can draw the plan.
    route : tuple of int
        The route that was checked.
    in_any_order : bool
        Whether the infeasible core is infeasible in any order of its stops.

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> result = tailgate.check_loading(instance, [1, 2])
    >>> result.route, [placement.stop_index for placement in result.placements]
    ((1, 2), [2, 1])
    """

    verdict: Verdict
    decided_by: str
    seconds: float
    nodes: int
    # Most callers want the verdict only; writing a plan down takes longer than finding it.
    make_placements: Callable[[], tuple[Placement, ...]]
    infeasible_core: tuple[int, ...] = ()
    instance: Instance | None = None
    route: tuple[int, ...] = ()
    in_any_order: bool = False
    _placements: tuple[Placement, ...] | None = field(default=None, init=False)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Where every item lies, in the order of loading; empty unless feasible."""
        if self._placements is None:
            self._placements = self.make_placements()
        return self._placements

    @property
    def is_memory_full(self) -> bool:
        """Whether it is unknown because the searches could not go on within their memory.

        More time or more nodes would not help. Otherwise an unknown has met a limit.
        """
        return self.verdict is Verdict.UNKNOWN and self.decided_by == MEMORY

    def __repr__(self) -> str:
        return (
            f"LoadingResult({self.verdict.value}, decided by {self.decided_by}, "
            f"{self.nodes} nodes, {self.seconds:.6f} s)"
        )


def placements_of(
    instance: Instance,
    route: Sequence[int],
    positions: Sequence[Sequence[tuple[int, int, bool]]],
    *,
    lifo: bool,
) -> tuple[Placement, ...]:
    """Return the plan that has these (x, y, turned), a list for every stop, in order of loading."""
    placed = [
        (stop_index, customer, item_number, item, position)
        for stop_index, (customer, own) in enumerate(zip(route, positions, strict=True), 1)
        for item_number, (item, position) in enumerate(
            zip(instance.customer(customer).items, own, strict=True), 1
        )
    ]
    # Loaded first: the last stop, and within a stop what is nearest to the cab. Without
    # LIFO the stops do not matter: from the cab to the door.
    placed.sort(key=lambda entry: (-entry[0] if lifo else 0, entry[4][1], entry[4][0]))
    return tuple(
        Placement(
            customer=customer,
            item=item_number,
            x=x,
            y=y,
            width=item.length if turned else item.width,
            length=item.width if turned else item.length,
            stop_index=stop_index,
            load_step=load_step,
            turned=turned,
        )
        for load_step, (stop_index, customer, item_number, item, (x, y, turned)) in enumerate(
            placed, 1
        )
    )


def planned_route(
    instance: Instance, customers: Sequence[int], placements: tuple[Placement, ...]
) -> Route:
    """Return the route with its plan and its totals."""
    stops = [instance.customer(number) for number in customers]
    route = Route(
        customers=tuple(customers),
        cost=0,
        weight=sum(customer.weight for customer in stops),
        area=sum(customer.area for customer in stops),
        placements=placements,
    )
    return on_the_road(instance, route)


def on_the_road(instance: Instance, route: Route) -> Route:
    """Return the route with its cost and, beyond format 1, with its length, times and costs.

    A route that cannot be driven in time has neither a schedule nor costs by cause.
    """
    cost = instance.route_cost(route.customers)
    if instance.is_format_1:
        return replace(route, cost=cost, vehicle="", distance=None, parts=None, schedule=None)
    costs = instance.costs
    return replace(
        route,
        cost=cost,
        vehicle=instance.vehicle.name,
        distance=costs.length(route.customers),
        parts=costs.parts(route.customers) if math.isfinite(cost) else None,
        schedule=instance.schedule(route.customers),
    )
