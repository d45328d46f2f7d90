"""What can be seen of column generation while it runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from tailgate.cli.output import counted
from tailgate.cli.watching import watching
from tailgate.column_generation import Progress
from tailgate.rounding import bound_text, cost_text

_NOT_YET = "-"


def watching_bound(
    *, quiet: bool, verbose: bool
) -> AbstractContextManager[Callable[[Progress], None] | None]:
    """Yield what shows the progress; a log has a line for every step of every iteration."""
    return watching(
        progress_text,
        lambda progress: (progress.iteration, progress.doing),
        quiet=quiet,
        verbose=verbose,
    )


def progress_text(progress: Progress, seconds: float) -> str:
    """Return the state of the run in one line, what matters most first: it may be cut off."""
    bound = bound_text(progress.lower_bound)
    lp_value = _NOT_YET if progress.lp_value is None else cost_text(progress.lp_value)
    return (
        f"{seconds:.1f} s, iteration {progress.iteration}: bound {bound}, LP {lp_value}, "
        f"{counted(progress.columns, 'column')}, {counted(progress.exact_checks, 'check')}; "
        f"{progress.doing}"
    )
