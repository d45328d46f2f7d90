"""What can be seen of a search while it runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from tailgate.cli.output import counted
from tailgate.cli.watching import watching
from tailgate.rounding import bound_text, cost_text, gap_text
from tailgate.search.result import SolveProgress


def watching_search(
    *, quiet: bool, verbose: bool
) -> AbstractContextManager[Callable[[SolveProgress], None] | None]:
    """Yield what shows the progress; a log has a line for every step and every better plan."""
    return watching(
        progress_text,
        lambda progress: (progress.nodes, progress.objective, progress.event, progress.doing),
        quiet=quiet,
        verbose=verbose,
    )


def progress_text(progress: SolveProgress, seconds: float) -> str:
    """Return the state of the search in one line, what matters most first: it may be cut off."""
    bound, best = bound_text(progress.lower_bound), "no plan yet"
    if progress.objective is not None and progress.gap is not None:
        cost = cost_text(progress.objective)
        best = f"best {cost}, gap {gap_text(progress.gap)}"
        if progress.lower_bound >= progress.objective:
            # Not told apart by the way they are rounded.
            bound = cost
    return (
        f"{seconds:.1f} s: bound {bound}, {best}, "
        f"{counted(progress.nodes, 'node')}, {progress.open_nodes:,} open, "
        f"{counted(progress.columns, 'column')}, {counted(progress.exact_checks, 'check')}; "
        f"{progress.doing}"
    )
