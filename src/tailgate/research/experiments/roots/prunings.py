"""``root-prunings``: roots with one way of saving work left out at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.instances import Chosen, Series, task_for_each
from tailgate.research.experiments.roots.measurement import measure, solve_with
from tailgate.research.experiments.roots.reference import wrong_values
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import Table, grouped
from tailgate.solver.column_generation import BoundResult, FirstColumns
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.pricing import Pricer, RoutePool
from tailgate.solver.screening import ExactScreen
from tailgate.solver.screening.screen import COLUMNS_PER_ROUND
from tailgate.solver.time_limit import TimeLimit
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 120.0, 20.0
INSTANCES = (
    *("0103", "0302", "0503", "0703", "0802", "0904", "1002", "1103", "1204", "1302"),
    *("1303", "1402", "1903"),
)
_COUNTS = {
    "loading checks": "exact_checks",
    "labels": "labels",
    "paths": "paths",
    "iterations": "iterations",
}


class WithoutCores(ExactScreen):
    """Forbids a refuted route as it is, not the part that is to blame."""

    def _check(self, route: RoutePath, max_nodes: int | None, time_limit: TimeLimit) -> Verdict:
        result = self.oracle.check(route, max_nodes=max_nodes, time_limit=time_limit.remaining)
        if result.verdict is Verdict.INFEASIBLE:
            self.pricer.forbid(route)
        return result.verdict


class OrderByOrder(ExactScreen):
    """Asks for all orders of the same customers in the same round."""

    def _first_looks(
        self, routes: Iterable[RoutePath], time_limit: TimeLimit
    ) -> tuple[RoutePath, ...]:
        columns: list[RoutePath] = []
        for route in routes:
            columns += super()._first_looks([route], time_limit)
            if time_limit.expired or len(columns) >= COLUMNS_PER_ROUND:
                break
        return tuple(columns)


class WithoutPairs(FirstColumns):
    """Does not look at pairs beforehand."""

    def _forbid_pairs(self) -> None:
        pass


class WithoutPool(FirstColumns):
    """Starts from one solution and not from all routes proven on the way to it."""

    def find(self, on_plan: Callable[[], None] | None = None) -> None:
        """Forget what is no part of the solution."""
        super().find(on_plan)
        self._generation.pricing.pools = [RoutePool(self._instance, [])]


@dataclass(frozen=True, slots=True)
class Variant:
    """What a run is made of."""

    screen: type[ExactScreen] = ExactScreen
    first_columns: type[FirstColumns] = FirstColumns
    walk_bounds: bool = True
    growing_neighbourhoods: bool = True

    def run(self, instance: Instance, seed: int, time_limit: float) -> BoundResult:
        """Solve the root relaxation of an instance."""
        pricer = Pricer(
            instance,
            walk_bounds=self.walk_bounds,
            growing_neighbourhoods=self.growing_neighbourhoods,
        )
        screen = self.screen(pricer, LoadingOracle(instance))
        return solve_with(screen, seed, time_limit, self.first_columns)


VARIANTS = {
    "everything": Variant(),
    "without cores": Variant(screen=WithoutCores),
    "all orders at once": Variant(screen=OrderByOrder),
    "without pairs": Variant(first_columns=WithoutPairs),
    "without pool": Variant(first_columns=WithoutPool),
    "without walk bounds": Variant(walk_bounds=False),
    "without growing neighbourhoods": Variant(growing_neighbourhoods=False),
}


def measure_variant(chosen: Chosen, variant: str, seed: int, time_limit: float, commit: str) -> Row:
    """Solve one relaxation with something left out."""

    def solve(instance: Instance, *, seed: int, time_limit: float, **_: Any) -> BoundResult:
        return VARIANTS[variant].run(instance, seed, time_limit)

    return measure(chosen, variant, seed, time_limit, commit, solve=solve)


class RootPrunings(Experiment):
    """Every variant on the same instances, in turns."""

    name: ClassVar[str] = "root-prunings"
    title: ClassVar[str] = "What the prunings are worth"
    explanation: ClassVar[str] = (
        "Some roots are solved again with one way of saving work left out at a time: infeasible "
        "cores, one order of the same customers per round, pairs beforehand, the pool of proven "
        "routes, bounds on walks, growing neighbourhoods. All must find the same LP value."
    )
    main_table: ClassVar[str] = "variants"
    series: ClassVar[Series] = Series(classes=(2, 3, 4), only=INSTANCES, quick_sizes=(8,))

    def tasks(self, setting: Setting) -> list[Task]:
        """All variants of an instance, one after the other."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        by_variant = [
            task_for_each(self.series, setting, measure_variant, limit, variant)
            for variant in VARIANTS
        ]
        return [task for one in zip(*by_variant, strict=True) for task in one]

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Sum up the variants."""
        del setting
        measured = list(rows.values())
        header = ("variant", "converged", "seconds", *_COUNTS)
        lines = tuple(
            (
                variant,
                f"{sum(row['status'] == 'converged' for row in group)} of {len(group)}",
                f"{sum(row['seconds'] for row in group):.1f}",
                *(f"{sum(row[name] for row in group):,}" for name in _COUNTS.values()),
            )
            for variant, group in grouped(measured, "screen")
        )
        return Report(
            tables=[Table("variants", "Sums over the instances", header, lines)],
            problems=[
                problem
                for _, group in grouped(measured, "instance")
                for problem in wrong_values(group)
            ],
        )
