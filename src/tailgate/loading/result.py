"""What the oracle answers."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from tailgate.instance import Instance
from tailgate.notebooks import InNotebooks
from tailgate.solution import Placement, Route


class Verdict(StrEnum):
    """The three answers; running out of time is *unknown*, never *infeasible*."""

    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


class Query(NamedTuple):
    """A question that was recorded, with its answer; `max_nodes` is None where there was no limit.

    An unknown without a limit on nodes ran out of time or was interrupted.
    """

    route: tuple[int, ...]
    verdict: Verdict
    decided_by: str
    nodes: int
    seconds: float
    max_nodes: int | None


class LoadingResult(InNotebooks):
    """One verdict, the stage that reached it, what it cost and, for a yes, the plan.

    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> result = tailgate.check_loading(instance, [1, 2])
    >>> result.route, [placement.stop_index for placement in result.placements]
    ((1, 2), [2, 1])
    """

    __slots__ = (
        "_make_placements",
        "_placements",
        "decided_by",
        "infeasible_core",
        "instance",
        "nodes",
        "route",
        "seconds",
        "verdict",
    )

    def __init__(
        self,
        verdict: Verdict,
        decided_by: str,
        seconds: float,
        nodes: int,
        make_placements: Callable[[], tuple[Placement, ...]],
        infeasible_core: tuple[int, ...] = (),
        instance: Instance | None = None,
        route: tuple[int, ...] = (),
    ) -> None:
        self.verdict = verdict
        self.decided_by = decided_by
        self.seconds = seconds
        self.nodes = nodes
        self.infeasible_core = infeasible_core
        """Stops of an infeasible route, perhaps backwards, that alone are infeasible already."""
        self.instance = instance
        """What was asked about, so that a notebook can draw the plan; so is ``route``."""
        self.route = route
        # Most callers want the verdict only; writing a plan down takes longer than finding it.
        self._make_placements = make_placements
        self._placements: tuple[Placement, ...] | None = None

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Where every item lies, in the order of loading; empty unless feasible."""
        if self._placements is None:
            self._placements = self._make_placements()
        return self._placements

    def __repr__(self) -> str:
        return (
            f"LoadingResult({self.verdict.value}, decided by {self.decided_by}, "
            f"{self.nodes} nodes, {self.seconds:.6f} s)"
        )


def planned_route(
    instance: Instance, customers: Sequence[int], placements: tuple[Placement, ...]
) -> Route:
    """Return the route with its plan and its totals."""
    stops = [instance.customer(number) for number in customers]
    return Route(
        customers=tuple(customers),
        cost=instance.route_cost(customers),
        weight=sum(customer.weight for customer in stops),
        area=sum(customer.area for customer in stops),
        placements=placements,
    )
