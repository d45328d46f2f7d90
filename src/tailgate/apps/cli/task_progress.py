"""Shows how far many tasks have come: a bar with the time left, or a line per task in a log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tailgate.apps.cli.output import print_note, progress_is_welcome

Watcher = Callable[[int, int, str], None]
"""Takes how many tasks are done, how many there are, and a few words about the last one."""


@contextmanager
def watching_tasks(doing: str, *, quiet: bool, is_logged: bool = True) -> Iterator[Watcher]:
    """Show a bar on a terminal, else a line per task if that is wanted; nothing if quiet."""
    if progress_is_welcome(quiet=quiet):
        with _bar(doing) as show:
            yield show
    elif quiet or not is_logged:
        yield lambda _done, _total, _text: None
    else:
        started = time.monotonic()
        yield lambda done, total, text: print_note(
            f"{time.monotonic() - started:.0f} s, {done} of {total}: {text}"
        )


@contextmanager
def _bar(doing: str) -> Iterator[Watcher]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Remaining(),
        TextColumn("left; {task.fields[text]}"),
        console=Console(stderr=True),
        # Redrawn seldom: the display shares a core with what is measured.
        refresh_per_second=1,
        transient=True,
    )
    with bar:
        task = bar.add_task(doing, total=None, text="")
        yield lambda done, total, text: bar.update(task, completed=done, total=total, text=text)
