"""One search: its parts are put together, run, and asked for their result."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from tailgate import _core
from tailgate.io import read_solution
from tailgate.io.text_file import source_text
from tailgate.model.aliases import PathLike
from tailgate.model.judge import verify
from tailgate.model.solution import Solution, Status
from tailgate.solver.column import Column
from tailgate.solver.column_generation import (
    ColumnGeneration,
    FirstColumns,
    RoutesFirst,
    Step,
    Watcher,
)
from tailgate.solver.recording import QueryRecorder
from tailgate.solver.routing.route_search import MAX_SEED
from tailgate.solver.screening import make_fleet_screen
from tailgate.solver.search.background import BackgroundSearch
from tailgate.solver.search.checkpoint import Checkpoint
from tailgate.solver.search.cost_rounding import CostRounding
from tailgate.solver.search.covering_floor import covering_oracle
from tailgate.solver.search.cuts.least_left_out import LeastLeftOut
from tailgate.solver.search.cutting import Separation
from tailgate.solver.search.enumeration_finish import EnumerationFinish
from tailgate.solver.search.incumbent import Incumbent, InvalidPlanError, named, solver_entry
from tailgate.solver.search.infeasibility import explain
from tailgate.solver.search.large_instance import LargeSearch, is_large
from tailgate.solver.search.monitor import PARTS, Monitor
from tailgate.solver.search.node_queue import NodeQueue
from tailgate.solver.search.node_solver import NodeSolver
from tailgate.solver.search.options import Focus, Options
from tailgate.solver.search.persistence import Persistence
from tailgate.solver.search.primal_heuristics import PrimalHeuristics
from tailgate.solver.search.result import SECONDS_PREFIX, Reason, SolveProgress, SolveResult
from tailgate.solver.search.stop_signal import StopSignal
from tailgate.solver.search.tree_search import TreeSearch
from tailgate.solver.search.variant import Variant
from tailgate.solver.time_limit import TimeLimit

ROUTES_FIRST: dict[Focus, RoutesFirst] = {
    "plans": RoutesFirst(share=0.7, most_seconds=math.inf),
    "balanced": RoutesFirst(share_while_it_pays=0.2),
    "proof": RoutesFirst(share=0.1),
}
"""How long better routes are looked for before the first relaxation."""
_NO_CHECKPOINT = "the exact search, which is what is stored, has not begun"


@dataclass(frozen=True, slots=True)
class Request:
    """How to search, how long, and whom to tell."""

    options: Options
    signal: StopSignal
    time_limit: TimeLimit
    on_progress: Callable[[SolveProgress], None] | None = None
    recorder: QueryRecorder | None = None
    checkpoint: Checkpoint | PathLike | None = None
    resume: PathLike | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """What is known before a search begins."""

    plan: Solution | PathLike | None = None
    """A plan of the original instance; nothing worse is returned."""
    columns: Sequence[Column] = ()
    """Routes of the instance that is solved, which are known to be loadable."""
    cuts: Sequence[LeastLeftOut] = ()
    """Rows that hold for the plans of interest alone."""
    lower_bound: float = 0.0
    """No plan of interest costs less."""
    seconds: float = 0.0
    """That were spent on the same question before."""
    unavoidable_cost: int | float = 0
    """Of the plans of interest; the gap is one of the rest of their costs."""


def run_search(variant: Variant, request: Request, start: Start | None = None) -> SolveResult:
    """Search for the best plan of an instance; the result is that of the original."""
    instance, options, limit = variant.instance, request.options, request.time_limit
    start = Start() if start is None else start
    if is_large(instance) and request.resume is None:
        outcome = _search_large(variant, request, start)
        if isinstance(outcome, SolveResult):
            return outcome
        start = outcome
    # The parts, from the lowest to the highest.
    generation = ColumnGeneration(
        make_fleet_screen(options.screen, instance, weights=options.weights),
        recorder=request.recorder,
    )
    rounding = CostRounding(instance)
    incumbent = Incumbent(instance, generation.oracles)
    queue = NodeQueue(incumbent, rounding)
    queue.raise_all(start.lower_bound)
    shared = (options, limit, generation, incumbent, queue)
    on_progress = _translated(variant, request.on_progress)
    monitor = Monitor(
        *shared,
        request.signal,
        on_progress,
        earlier_seconds=start.seconds,
        unavoidable_cost=start.unavoidable_cost,
    )
    persistence = Persistence(*shared, monitor, _checkpoint(variant, request))
    if request.resume is not None:
        persistence.restore(request.resume)
    if start.plan is not None:
        _take_plan(incumbent, variant, start.plan)
    first_columns = FirstColumns(
        generation,
        limit,
        seed=options.seed,
        watcher=_BeforeRootWatcher(monitor),
        routes=ROUTES_FIRST[options.focus],
    )
    # A path that cannot be written is found out at once.
    persistence.save()
    with ExitStack() as stack:
        stack.callback(_core.set_cancel_event, None)
        _core.set_cancel_event(request.signal)
        background = None
        if options.threads > 1:
            background = BackgroundSearch(instance, seed=(options.seed + 1) % MAX_SEED)
            stack.enter_context(background)
        heuristics = PrimalHeuristics(*shared, monitor, first_columns, background, start.columns)
        finish = EnumerationFinish(*shared, monitor, persistence, heuristics, rounding)
        covering = covering_oracle(instance, generation.oracles)
        separation = Separation(instance, covering, options.cuts, start.cuts)
        node_solver = NodeSolver(*shared, monitor, persistence, heuristics, finish, separation)
        reason = TreeSearch(*shared, monitor, persistence, heuristics, node_solver).run()
    monitor.report("end", "done")
    persistence.save()
    generation.record_queries("closing")
    return _result(reason, variant, monitor, persistence.failure)


def _search_large(variant: Variant, request: Request, start: Start) -> SolveResult | Start:
    """Look for a plan of a large instance; return what to begin the exact search with, if any."""
    options, limit = request.options, request.time_limit
    on_progress = _translated(variant, request.on_progress)
    large = LargeSearch(
        variant.instance, options, request.signal, limit, on_progress, start.seconds
    )
    columns = start.columns
    if start.plan is not None:
        _take_plan(large.incumbent, variant, start.plan)
        columns = large.columns_of_incumbent
    with ExitStack() as stack:
        stack.callback(_core.set_cancel_event, None)
        _core.set_cancel_event(request.signal)
        reason = large.run(columns)
    if reason is None:
        return replace(start, columns=large.columns, lower_bound=large.lower_bound)
    bound: int | float | None = large.lower_bound
    status: Status = "bound_only" if large.incumbent.cost is None else "feasible"
    infeasibility = None
    if reason == "proven" and status == "feasible":
        status = "optimal"
    elif reason == "proven":
        status, bound = "infeasible", None
        covering = covering_oracle(variant.instance, large.oracles)
        infeasibility = explain(variant.instance, covering)
    seconds = start.seconds + limit.elapsed
    statistics = dict.fromkeys((f"{SECONDS_PREFIX}{part}" for part in PARTS), 0.0)
    statistics[f"{SECONDS_PREFIX}heuristic"] = large.seconds_of_plans
    statistics[f"{SECONDS_PREFIX}generation"] = large.seconds_of_bound
    statistics["columns"] = len(large.columns)
    solver = solver_entry(seed=options.seed, seconds=seconds, options=options.to_dict())
    solution = None if bound is None else large.incumbent.solution(status, bound, solver)
    return SolveResult(
        status=status,
        reason=reason,
        lower_bound=bound,
        nodes=0,
        seconds=seconds,
        conventions=variant.original.conventions,
        exact_checks=0,
        solution=_original_plan(variant, solution),
        explanation="" if infeasibility is None else str(infeasibility),
        infeasibility=infeasibility,
        statistics=statistics,
        checkpoint_failure=_NO_CHECKPOINT if request.checkpoint is not None else "",
        instance=variant.original,
    )


def _checkpoint(variant: Variant, request: Request) -> Checkpoint | None:
    """Return the file of the search, which is one of the instance that is solved."""
    given = request.resume if request.checkpoint is None else request.checkpoint
    if given is None or isinstance(given, Checkpoint):
        return None if given is None else given.of(variant.instance)
    return Checkpoint(given, variant.instance)


def _take_plan(incumbent: Incumbent, variant: Variant, plan: Solution | PathLike) -> None:
    """Begin with a plan of the original; what is wrong with it is said in its own words."""
    if variant.is_same:
        incumbent.from_solution(plan)
        return
    source = None
    if not isinstance(plan, Solution):
        source, plan = source_text(plan), read_solution(plan)
    Incumbent(variant.original, ()).from_solution(plan, source=source)
    incumbent.from_solution(variant.from_original(plan), source=source)


def _translated(
    variant: Variant, on_progress: Callable[[SolveProgress], None] | None
) -> Callable[[SolveProgress], None] | None:
    """Return who hears of progress, in terms of the original."""
    if on_progress is None or variant.is_same:
        return on_progress

    def tell(progress: SolveProgress) -> None:
        plan = progress.new_plan
        on_progress(
            progress if plan is None else replace(progress, new_plan=variant.to_original(plan))
        )

    return tell


def _original_plan(variant: Variant, solution: Solution | None) -> Solution | None:
    """Return a plan as one of the original, having had it judged there."""
    if solution is None or variant.is_same:
        return solution
    read = variant.to_original(solution)
    violations = verify(variant.original, read)
    if violations:
        raise InvalidPlanError(
            f"the search found a plan that the judge refuses: {named(violations)}; this is a bug "
            "in Tailgate, please report it with the instance and the options"
        )
    return read


def _result(
    reason: Reason, variant: Variant, monitor: Monitor, checkpoint_failure: str
) -> SolveResult:
    """Return what is proven of the instance, and the best plan."""
    options, generation = monitor.options, monitor.generation
    incumbent, queue = monitor.incumbent, monitor.queue
    bound: float | None = queue.lower_bound
    status: Status = "bound_only" if incumbent.cost is None else "feasible"
    infeasibility = None
    if status == "feasible" and (reason == "proven" or queue.lower_bound >= incumbent.cutoff):
        status, reason = "optimal", "proven"
    elif reason == "proven":
        status, bound = "infeasible", None
        covering = covering_oracle(generation.instance, generation.oracles)
        infeasibility = explain(generation.instance, covering)
    statistics = {f"{SECONDS_PREFIX}{part}": value for part, value in monitor.seconds.items()}
    statistics["columns"] = generation.master.column_count
    statistics |= {f"screen_{name}": n for name, n in generation.screen.statistics.items()}
    solver = solver_entry(seed=options.seed, seconds=monitor.elapsed, options=options.to_dict())
    solution = None if bound is None else incumbent.solution(status, bound, solver)
    return SolveResult(
        status=status,
        reason=reason,
        lower_bound=bound,
        nodes=queue.nodes_done,
        seconds=monitor.elapsed,
        conventions=variant.original.conventions,
        exact_checks=generation.exact_checks,
        solution=_original_plan(variant, solution),
        explanation="" if infeasibility is None else str(infeasibility),
        infeasibility=infeasibility,
        statistics=statistics,
        checkpoint_failure=checkpoint_failure,
        instance=variant.original,
    )


@dataclass(eq=False)
class _BeforeRootWatcher(Watcher):
    """Keeps the bound that is found before the first node: it holds for every part."""

    monitor: Monitor

    def on_step(self, step: Step) -> None:
        """Keep the bound, and report it."""
        self.monitor.queue.raise_all(step.lower_bound)
        self.monitor.report("root", step.doing)
