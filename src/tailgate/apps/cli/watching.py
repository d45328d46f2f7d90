"""Shows how far ``tailgate solve`` or ``tailgate bound`` has come: one line that changes, or a log.

Rich is loaded where it is used: a log needs none of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tailgate.apps.cli.output import print_note, progress_is_welcome
from tailgate.model.cost_unit import CostUnit
from tailgate.model.rounding import counted, gap_text
from tailgate.solver.column_generation import Progress
from tailgate.solver.search.result import SolveProgress

if TYPE_CHECKING:
    from rich.text import Text

_HINT = "Ctrl-C stops"
_Progress = Progress | SolveProgress


@contextmanager
def watching(
    unit: CostUnit, *, quiet: bool, verbose: bool
) -> Iterator[Callable[[_Progress], None] | None]:
    """Yield what shows the progress where someone wants to see it, else None."""
    if verbose:
        yield _Log(unit).show
    elif progress_is_welcome(quiet=quiet):
        from rich.console import Console

        line = _LiveLine(unit)
        with Console(stderr=True).status(line):
            yield line.show
    else:
        yield None


class _Log:
    """Prints a line whenever another step begins."""

    def __init__(self, unit: CostUnit) -> None:
        self._unit = unit
        self._step: object = None

    def show(self, progress: _Progress) -> None:
        """Print the state, unless the same step goes on."""
        step = step_of(progress)
        if step != self._step:
            self._step = step
            print_note(progress_text(progress, progress.seconds, self._unit))


class _LiveLine:
    """One line on a terminal, whose clock goes on between two reports."""

    def __init__(self, unit: CostUnit) -> None:
        self._unit = unit
        self._progress: _Progress | None = None
        self._reported_at = time.monotonic()

    def show(self, progress: _Progress) -> None:
        """Take the state to be shown from now on."""
        self._progress = progress
        self._reported_at = time.monotonic()

    def __rich__(self) -> Text:
        """Draw the line; rich asks for it several times a second."""
        from rich.text import Text

        words = "starting"
        if self._progress is not None:
            seconds = self._progress.seconds + time.monotonic() - self._reported_at
            words = progress_text(self._progress, seconds, self._unit)
        return Text(f"{words}; {_HINT}", no_wrap=True, overflow="ellipsis")


def step_of(progress: Progress | SolveProgress) -> object:
    """Return what begins a new line of a log: another step, or a better plan."""
    if isinstance(progress, Progress):
        return progress.iteration, progress.doing
    return progress.nodes, progress.objective, progress.event, progress.doing


def progress_text(progress: Progress | SolveProgress, seconds: float, unit: CostUnit) -> str:
    """Return the state of a run in one line, what matters most first: it may be cut off."""
    effort = f"{counted(progress.columns, 'column')}, {counted(progress.exact_checks, 'check')}"
    if isinstance(progress, Progress):
        state = _state_of_relaxation(progress, unit)
        return (
            f"{seconds:.1f} s, iteration {progress.iteration}: {state}, {effort}; {progress.doing}"
        )
    nodes = f"{counted(progress.nodes, 'node')}, {progress.open_nodes:,} open"
    state = _state_of_search(progress, unit)
    return f"{seconds:.1f} s: {state}, {nodes}, {effort}; {progress.doing}"


def _state_of_relaxation(progress: Progress, unit: CostUnit) -> str:
    value = "-" if progress.lp_value is None else unit.cost_text(progress.lp_value)
    return f"bound {unit.bound_text(progress.lower_bound)}, LP {value}"


def _state_of_search(progress: SolveProgress, unit: CostUnit) -> str:
    bound = unit.bound_text(progress.lower_bound, progress.objective)
    if progress.objective is None or progress.gap is None:
        return f"bound {bound}, no plan yet"
    return f"bound {bound}, best {unit.cost_text(progress.objective)}, gap {gap_text(progress.gap)}"
