"""Branch-price-and-cut: from the bound of column generation to a proven optimum."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass

from tailgate import _core
from tailgate.model import validation
from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.solution import Solution, Status
from tailgate.solver.column_generation import (
    MAX_SECONDS,
    ColumnGeneration,
    FirstColumns,
    Step,
    Watcher,
)
from tailgate.solver.recording import QueryRecorder
from tailgate.solver.routing.route_search import MAX_SEED
from tailgate.solver.screening import make_fleet_screen
from tailgate.solver.search.background import BackgroundSearch
from tailgate.solver.search.checkpoint import Checkpoint
from tailgate.solver.search.cost_rounding import CostRounding
from tailgate.solver.search.cuts import CUTS
from tailgate.solver.search.cutting import Separation
from tailgate.solver.search.enumeration_finish import EnumerationFinish
from tailgate.solver.search.incumbent import Incumbent, solver_entry
from tailgate.solver.search.infeasibility import explain
from tailgate.solver.search.memory import MemoryLimit
from tailgate.solver.search.monitor import Monitor
from tailgate.solver.search.node_queue import NodeQueue
from tailgate.solver.search.node_solver import NodeSolver
from tailgate.solver.search.options import Options
from tailgate.solver.search.persistence import Persistence
from tailgate.solver.search.primal_heuristics import PrimalHeuristics
from tailgate.solver.search.result import SECONDS_PREFIX, Reason, SolveProgress, SolveResult
from tailgate.solver.search.stop_signal import StopSignal
from tailgate.solver.search.tree_search import TreeSearch
from tailgate.solver.time_limit import Cancel, TimeLimit


def solve(
    instance: Instance,
    *,
    time_limit: float | None = None,
    gap: float = 0.0,
    screen: str = "exact",
    weights: PathLike | None = None,
    seed: int = 0,
    threads: int = 1,
    node_limit: int | None = None,
    memory_limit: float | None = None,
    warm_start: Solution | PathLike | None = None,
    checkpoint: Checkpoint | PathLike | None = None,
    resume: PathLike | None = None,
    cuts: Collection[str] | None = None,
    on_progress: Callable[[SolveProgress], None] | None = None,
    cancel: Cancel | None = None,
    recorder: QueryRecorder | None = None,
) -> SolveResult:
    """Find the cheapest plan and prove it; or, at a limit, return the best plan and bound so far.

    Ctrl-C ends the search early in the same way as a limit.

    Parameters
    ----------
    instance : Instance
        What is solved.
    time_limit : float, optional
        Seconds, after which the best plan and bound so far are returned.
    gap : float
        The search ends when (objective - lower bound) / objective is at most this; 0 asks for
        the optimum.
    screen : {"exact", "neural", "lazy"}
        How routes are checked before they enter the master problem; all find the same optimum.
    weights : str or path-like, optional
        The network of the screens that ask one: a file, or the name of one in the package.
    seed : int
        Seed of the route search; the optimum does not depend on it.
    threads : int
        With two or more, plans are searched for beside the proof.
    node_limit : int, optional
        Nodes of the search tree, after which the best plan and bound so far are returned.
    memory_limit : float, optional
        Megabytes of the process, above which the best plan and bound so far are returned; by
        default most of what the machine has.
    warm_start : Solution or path-like, optional
        A solution, or its file, to begin with; nothing worse is returned.
    checkpoint : str or path-like, optional
        File in which the search is stored from time to time.
    resume : str or path-like, optional
        File with a stored search to go on with; it is also the checkpoint unless another is
        given.
    cuts : collection of str, optional
        The families of cuts in use; by default all.
    on_progress : callable, optional
        Called with a `SolveProgress` whenever something has happened.
    cancel : object, optional
        Has a method ``is_set``, such as a ``threading.Event``; the search ends when it returns
        true.
    recorder : QueryRecorder, optional
        Takes every loading query of column generation.

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> result = tailgate.solve(instance, time_limit=60)
    >>> result.status, result.objective, result.gap
    ('optimal', 291, 0.0)
    """
    if time_limit is not None:
        validation.number(time_limit, "time_limit", low=0, high=MAX_SECONDS)
    validation.number(gap, "gap", low=0, high=1)
    chosen = frozenset(CUTS) if cuts is None else frozenset(cuts)
    if not chosen <= frozenset(CUTS):
        unknown = ", ".join(sorted(chosen - frozenset(CUTS)))
        raise InputError(f"unknown: {unknown}; there are {', '.join(CUTS)}", field="cuts")
    options = Options(screen, weights, gap, seed, threads, node_limit, memory_limit, chosen)
    signal = StopSignal(cancel, MemoryLimit(memory_limit))
    limit = TimeLimit(time_limit, cancel=signal)

    # The parts, from the lowest to the highest.
    generation = ColumnGeneration(
        make_fleet_screen(screen, instance, weights=weights), recorder=recorder
    )
    oracle = generation.oracles[0]
    rounding = CostRounding(instance)
    incumbent = Incumbent(instance, oracle)
    queue = NodeQueue(incumbent, rounding)
    shared = (options, limit, generation, incumbent, queue)
    monitor = Monitor(*shared, signal, on_progress)
    path = resume if checkpoint is None else checkpoint
    file = path if isinstance(path, Checkpoint) or path is None else Checkpoint(path, instance)
    persistence = Persistence(*shared, monitor, file)
    if resume is not None:
        persistence.restore(resume)
    if warm_start is not None:
        incumbent.from_solution(warm_start)
    first_columns = FirstColumns(generation, limit, seed=seed, watcher=_BeforeRootWatcher(monitor))
    # A path that cannot be written is found out at once.
    persistence.save()
    with ExitStack() as stack:
        stack.callback(_core.set_cancel_event, None)
        _core.set_cancel_event(signal)
        background = None
        if threads > 1:
            background = BackgroundSearch(instance, seed=(seed + 1) % MAX_SEED)
            stack.enter_context(background)
        heuristics = PrimalHeuristics(*shared, monitor, first_columns, background)
        finish = EnumerationFinish(*shared, monitor, persistence, heuristics, rounding)
        separation = Separation(instance, oracle, chosen)
        node_solver = NodeSolver(*shared, monitor, persistence, heuristics, finish, separation)
        reason = TreeSearch(*shared, monitor, persistence, heuristics, node_solver).run()
    monitor.report("end", "done")
    persistence.save()
    generation.record_queries("closing")
    return _result(reason, monitor, persistence.failure)


def _result(reason: Reason, monitor: Monitor, checkpoint_failure: str) -> SolveResult:
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
        infeasibility = explain(generation.instance, generation.oracles[0])
    statistics = {f"{SECONDS_PREFIX}{part}": value for part, value in monitor.seconds.items()}
    statistics["columns"] = generation.master.column_count
    statistics |= {f"screen_{name}": n for name, n in generation.screen.statistics.items()}
    solver = solver_entry(seed=options.seed, seconds=monitor.elapsed, options=options.to_dict())
    return SolveResult(
        status=status,
        reason=reason,
        lower_bound=bound,
        nodes=queue.nodes_done,
        seconds=monitor.elapsed,
        conventions=generation.instance.conventions,
        exact_checks=generation.exact_checks,
        solution=None if bound is None else incumbent.solution(status, bound, solver),
        explanation="" if infeasibility is None else str(infeasibility),
        infeasibility=infeasibility,
        statistics=statistics,
        checkpoint_failure=checkpoint_failure,
        instance=generation.instance,
    )


@dataclass(eq=False)
class _BeforeRootWatcher(Watcher):
    """Keeps the bound that is found before the first node: it holds for every part."""

    monitor: Monitor

    def on_step(self, step: Step) -> None:
        """Keep the bound, and report it."""
        self.monitor.queue.raise_all(step.lower_bound)
        self.monitor.report("root", step.doing)
