"""What can be seen of a search while it runs: one live line, or a log.

Rich is loaded where it is used: a log needs none of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tailgate.cli.output import counted, print_note, progress_is_welcome
from tailgate.search.result import SolveProgress, bound_text, cost_text, gap_text

if TYPE_CHECKING:
    from rich.text import Text

Watcher = Callable[[SolveProgress], None]
_HINT = "Ctrl-C stops"


@contextmanager
def watching(*, quiet: bool, verbose: bool) -> Iterator[Watcher | None]:
    """Yield what shows the progress where someone wants to see it, else None."""
    if verbose:
        yield _Log().show
    elif progress_is_welcome(quiet=quiet):
        from rich.console import Console

        line = _LiveLine()
        with Console(stderr=True).status(line):
            yield line.show
    else:
        yield None


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


class _Log:
    """Prints a line whenever another step begins or a better plan is found."""

    def __init__(self) -> None:
        self._step: tuple[object, ...] | None = None

    def show(self, progress: SolveProgress) -> None:
        """Print the state, unless the same step has merely got on."""
        step = (progress.nodes, progress.objective, progress.event, progress.doing)
        if step != self._step:
            self._step = step
            print_note(progress_text(progress, progress.seconds))


class _LiveLine:
    """One line on a terminal, whose clock goes on between two reports."""

    def __init__(self) -> None:
        self._progress: SolveProgress | None = None
        self._reported_at = time.monotonic()

    def show(self, progress: SolveProgress) -> None:
        """Take the state to be shown from now on."""
        self._progress = progress
        self._reported_at = time.monotonic()

    def __rich__(self) -> Text:
        """Draw the line; rich asks for it several times a second."""
        from rich.text import Text

        progress = self._progress
        if progress is None:
            words = f"starting; {_HINT}"
        else:
            since = time.monotonic() - self._reported_at
            words = f"{progress_text(progress, progress.seconds + since)}; {_HINT}"
        return Text(words, no_wrap=True, overflow="ellipsis")
