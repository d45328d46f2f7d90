"""The root relaxation: a bound on every plan of an instance."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from tailgate.model import validation
from tailgate.model.aliases import PathLike
from tailgate.model.instance import Instance
from tailgate.solver.column_generation.bound_result import BoundResult, Progress, Status
from tailgate.solver.column_generation.column_generation import ColumnGeneration
from tailgate.solver.column_generation.first_columns import FirstColumns
from tailgate.solver.column_generation.relaxation import Subproblem
from tailgate.solver.column_generation.trivial_infeasibility import is_trivially_infeasible
from tailgate.solver.column_generation.watcher import Step, Watcher
from tailgate.solver.master import MasterError, MasterSolution
from tailgate.solver.merged_kinds import MergedKinds
from tailgate.solver.recording import QueryRecorder
from tailgate.solver.screening import make_fleet_screen
from tailgate.solver.time_limit import TimeLimit

MAX_SECONDS = 1e9


def bound(
    instance: Instance,
    *,
    screen: str = "exact",
    weights: PathLike | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    record: PathLike | None = None,
) -> BoundResult:
    """Solve the root relaxation by column generation, and return its lower bound.

    Ctrl-C ends it early with the best bound so far.

    Parameters
    ----------
    instance : Instance
        What is relaxed.
    screen : {"exact", "neural", "lazy"}
        How routes are checked before they enter the master problem; all give the same value.
    weights : str or path-like, optional
        The network of the screens that ask one: a file, or the name of one in the package.
    time_limit : float, optional
        Seconds, after which the best bound so far is returned.
    seed : int
        Seed of the route search that finds the first columns.
    on_progress : callable, optional
        Called with the progress of every iteration.
    record : str or path-like, optional
        Parquet file for every loading query of the run (extra ``record``).

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> result = tailgate.bound(instance)
    >>> result.status, round(result.lower_bound, 3)
    ('converged', 291.0)
    """
    if time_limit is not None:
        validation.number(time_limit, "time_limit", low=0, high=MAX_SECONDS)
    limit = TimeLimit(time_limit)
    instance = MergedKinds.of(instance).instance
    fleet_screen = make_fleet_screen(screen, instance, weights=weights)
    with ExitStack() as stack:
        recorder = None
        if record is not None:
            recorder = QueryRecorder(record, instance, lifo=instance.conventions.lifo)
            stack.enter_context(recorder)
        generation = ColumnGeneration(fleet_screen, recorder=recorder)
        return RootRelaxation(generation, limit, seed=seed, on_progress=on_progress).run()


class RootRelaxation(Watcher):
    """One run at the root: whatever ends it, what was proven by then is the result."""

    def __init__(
        self,
        generation: ColumnGeneration,
        time_limit: TimeLimit,
        *,
        seed: int = 0,
        on_progress: Callable[[Progress], None] | None = None,
        first_columns: type[FirstColumns] = FirstColumns,
    ) -> None:
        self._generation = generation
        self._time_limit = time_limit
        self._first_columns = first_columns(generation, time_limit, seed=seed, watcher=self)
        self._on_progress = on_progress
        self._lower_bound = 0.0
        self._proven: MasterSolution | None = None

    def run(self) -> BoundResult:
        """Generate columns until no route improves, the time is over, or someone interrupts."""
        generation = self._generation
        status: Status
        try:
            status = self._solve()
        except KeyboardInterrupt:
            status = "interrupted"
        except MemoryError:
            status = "memory_limit"
        except MasterError:
            status = "lp_failure"
        generation.record_queries("pricing" if generation.iterations else "heuristic")
        return self._result(status)

    def _solve(self) -> Status:
        if is_trivially_infeasible(self._generation.instance):
            return "infeasible"
        self._first_columns.find()
        self._first_columns.improve()
        root = Subproblem(lower_bound=self._lower_bound)
        relaxation = self._generation.solve(root, self._time_limit, watcher=self)
        self._lower_bound = relaxation.lower_bound
        assert relaxation.outcome != "cut_off", "there is no cutoff here"
        return relaxation.outcome

    def on_step(self, step: Step) -> None:
        """Keep the bound, and report it."""
        self._lower_bound = max(self._lower_bound, step.lower_bound)
        if self._on_progress is None:
            return
        generation = self._generation
        self._on_progress(
            Progress(
                iteration=generation.iterations,
                lp_value=None if self._proven is None else self._proven.value,
                lower_bound=self._lower_bound,
                columns=generation.master.column_count,
                exact_checks=generation.exact_checks,
                seconds=self._time_limit.elapsed,
                doing=step.doing,
            )
        )

    def on_proven(self, solution: MasterSolution) -> None:
        """Keep the solution: its value is an LP value of proven routes."""
        self._proven = solution

    def _result(self, status: Status) -> BoundResult:
        generation, screen = self._generation, self._generation.screen
        instance = generation.instance
        checks, pricing = screen.checks, screen.pricing
        proven = None if status == "infeasible" else self._proven
        support = {} if proven is None else proven.support
        return BoundResult(
            status=status,
            lp_value=None if proven is None else proven.value,
            lower_bound=None if status == "infeasible" else self._lower_bound,
            iterations=generation.iterations,
            columns=generation.master.column_count,
            exact_checks=generation.exact_checks,
            checks_feasible=int(checks["decided_feasible"]),
            checks_infeasible=int(checks["decided_infeasible"]),
            checks_unknown=int(checks["decided_unknown"]),
            network_calls=screen.network_calls,
            false_positive_cuts=screen.false_positive_cuts,
            seconds={
                "total": self._time_limit.elapsed,
                **generation.stopwatch.seconds,
                "packing": checks["seconds"],
                "network": screen.network_seconds,
            },
            support=tuple((column.route, support[column]) for column in sorted(support)),
            vehicles=tuple(instance.vehicles[kind].name for kind, _ in sorted(support))
            if instance.has_kinds
            else (),
            left_out=() if proven is None else tuple(sorted(proven.left_out.items())),
            conventions=instance.conventions,
            statistics={
                **{f"pricing_{name}": value for name, value in pricing.items()},
                **{f"loading_{name}": value for name, value in checks.items()},
                **{f"screen_{name}": value for name, value in screen.statistics.items()},
            },
            cost_unit=instance.cost_unit,
        )
