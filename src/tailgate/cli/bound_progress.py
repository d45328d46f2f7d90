"""What can be seen of column generation while it runs: one live line, or a log.

Rich is loaded where it is used: a log needs none of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tailgate.cli.output import counted, number_text, print_note, progress_is_welcome
from tailgate.column_generation import Progress

if TYPE_CHECKING:
    from rich.text import Text

Watcher = Callable[[Progress], None]
_NOT_YET = "-"


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


def progress_text(progress: Progress, seconds: float) -> str:
    """Return the state of the run in one line, what matters most first: it may be cut off."""
    bound = number_text(progress.lower_bound)
    lp_value = _NOT_YET if progress.lp_value is None else number_text(progress.lp_value)
    return (
        f"{seconds:.1f} s, iteration {progress.iteration}: bound {bound}, LP {lp_value}, "
        f"{counted(progress.columns, 'column')}, {counted(progress.exact_checks, 'check')}; "
        f"{progress.doing}"
    )


class _Log:
    """Prints a line whenever another step begins."""

    def __init__(self) -> None:
        self._step: tuple[int, str] | None = None

    def show(self, progress: Progress) -> None:
        """Print the state, unless the same step has merely got on."""
        step = (progress.iteration, progress.doing)
        if step != self._step:
            self._step = step
            print_note(progress_text(progress, progress.seconds))


class _LiveLine:
    """One line on a terminal, whose clock goes on between two reports."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._reported_at = time.monotonic()

    def show(self, progress: Progress) -> None:
        """Take the state to be shown from now on."""
        self._progress = progress
        self._reported_at = time.monotonic()

    def __rich__(self) -> Text:
        """Draw the line; rich asks for it several times a second."""
        from rich.text import Text

        progress = self._progress
        if progress is None:
            words = "starting; Ctrl-C stops"
        else:
            since = time.monotonic() - self._reported_at
            words = f"{progress_text(progress, progress.seconds + since)}; Ctrl-C stops"
        return Text(words, no_wrap=True, overflow="ellipsis")
