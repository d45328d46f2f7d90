"""Branch-price-and-cut: from the bound of column generation to a proven optimum."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import get_args

from tailgate.model import validation
from tailgate.model.aliases import PathLike
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.solution import Solution
from tailgate.solver.column_generation import MAX_SECONDS
from tailgate.solver.recording import QueryRecorder
from tailgate.solver.search.checkpoint import Checkpoint
from tailgate.solver.search.cuts import CUTS
from tailgate.solver.search.incumbent import judged_plan
from tailgate.solver.search.leave_out import orders_of, solve_leaving_out
from tailgate.solver.search.left_out_reasons import with_reasons
from tailgate.solver.search.memory import MemoryLimit
from tailgate.solver.search.options import Focus, Options
from tailgate.solver.search.replanning import first_columns_of, kept_plan, with_change
from tailgate.solver.search.result import LeaveOut, SolveProgress, SolveResult
from tailgate.solver.search.search_run import Request, Start, run_search
from tailgate.solver.search.stop_signal import StopSignal
from tailgate.solver.search.variant import same, without_equal_kinds
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
    focus: Focus = "balanced",
    on_progress: Callable[[SolveProgress], None] | None = None,
    cancel: Cancel | None = None,
    recorder: QueryRecorder | None = None,
    leave_out: LeaveOut | None = None,
    keep: Solution | PathLike | None = None,
    keep_instance: Instance | None = None,
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
    focus : {"plans", "balanced", "proof"}
        Where most of the time goes: into better plans, into the proof that none is better, or
        wherever it brings more.
    on_progress : callable, optional
        Called with a `SolveProgress` whenever something has happened.
    cancel : object, optional
        Has a method ``is_set``, such as a ``threading.Event``; the search ends when it returns
        true.
    recorder : QueryRecorder, optional
        Takes every loading query of column generation.
    leave_out : {"cost", "number"}, optional
        Leave out as little as possible, by the cost of leaving orders out or by their number, and
        find the cheapest plan that leaves out as little. By number every order may be left out; by
        cost those that have such a cost. Without it, orders that have a cost are left out where
        that makes the whole plan cheaper.
    keep : Solution or path-like, optional
        A plan, or its file, to plan anew from. Its locked routes and the locked first stops of its
        routes stay; the rest is where the search begins. The result says what has changed.
    keep_instance : Instance, optional
        The instance of the plan to keep, where it is another one: customers are matched by their
        labels, those who are gone are dropped, and those who are new are inserted.

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
    validation.choice(focus, "focus", get_args(Focus))
    options = Options(screen, weights, gap, seed, threads, node_limit, memory_limit, chosen, focus)
    signal = StopSignal(cancel, MemoryLimit(memory_limit))
    limit = TimeLimit(time_limit, cancel=signal)
    request = Request(options, signal, limit, on_progress, recorder, checkpoint, resume)
    kept = None if keep is None else kept_plan(instance, keep, keep_instance)
    if leave_out is not None:
        validation.choice(leave_out, "leave_out", get_args(LeaveOut))
        plan = None
        if warm_start is not None:
            plan = judged_plan(orders_of(warm_start, instance, leave_out), warm_start)
        found = solve_leaving_out(instance, leave_out, request, plan=plan, kept=kept)
        return with_reasons(found)
    variant = without_equal_kinds(same(instance)) if kept is None else kept.variant
    columns = () if kept is None else first_columns_of(kept, variant)
    result = run_search(variant, request, Start(warm_start, columns))
    return with_reasons(result if kept is None else with_change(result, kept))
