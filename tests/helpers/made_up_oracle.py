"""A street of customers, and a loading oracle whose answers are made up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tailgate.model.instance import Conventions, Customer, Instance, Vehicle
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.loading.result import LoadingResult

Stops = tuple[int, ...]
Answer = Callable[[Stops, int | None], Verdict]


def row(n: int) -> Instance:
    """Customers 10, 11, 12 and so on from the depot on one street: the more in one truck, the
    better.
    """
    return Instance(
        name="row",
        depot=(0, 0),
        customers=tuple(Customer(10 + number, 0, 1, ()) for number in range(n)),
        vehicle=Vehicle(width=1, length=1, capacity=n),
        vehicle_count=n,
        conventions=Conventions(distance="truncated"),
    )


class MadeUpOracle(LoadingOracle):
    """Answers as it is asked to, and remembers what it was asked."""

    def __init__(self, instance: Instance, answer: Answer) -> None:
        super().__init__(instance)
        self.answer = answer
        self.asked: list[tuple[Stops, int | None]] = []

    def check(
        self,
        route: Sequence[int],
        *,
        max_nodes: int | None = None,
        time_limit: float | None = None,
    ) -> LoadingResult:
        """Say what is to be said; an infeasible route has no smaller core."""
        del time_limit
        stops = tuple(route)
        self.asked.append((stops, max_nodes))
        verdict = self.answer(stops, max_nodes)
        return LoadingResult(
            verdict,
            "made up",
            seconds=0,
            nodes=0,
            make_placements=tuple,
            infeasible_core=stops if verdict is Verdict.INFEASIBLE else (),
        )
