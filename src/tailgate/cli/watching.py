"""How a run is watched: one line on a terminal that changes, or a log.

Rich is loaded where it is used: a log needs none of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from tailgate.cli.output import print_note, progress_is_welcome

if TYPE_CHECKING:
    from rich.text import Text

_HINT = "Ctrl-C stops"


class Timed(Protocol):
    """What a run reports has the seconds so far."""

    @property
    def seconds(self) -> float:
        """Since it began."""


P = TypeVar("P", bound=Timed)
ToText = Callable[[P, float], str]
"""Puts what was reported into one line, what matters most first: it may be cut off."""


@contextmanager
def watching(
    to_text: ToText[P], step_of: Callable[[P], object], *, quiet: bool, verbose: bool
) -> Iterator[Callable[[P], None] | None]:
    """Yield what shows the progress where someone wants to see it, else None.

    A log gets a line whenever ``step_of`` what is reported changes.
    """
    if verbose:
        yield _Log(to_text, step_of).show
    elif progress_is_welcome(quiet=quiet):
        from rich.console import Console

        line = _LiveLine(to_text)
        with Console(stderr=True).status(line):
            yield line.show
    else:
        yield None


class _Log(Generic[P]):
    """Prints a line whenever another step begins."""

    def __init__(self, to_text: ToText[P], step_of: Callable[[P], object]) -> None:
        self._to_text = to_text
        self._step_of = step_of
        self._step: object = None

    def show(self, progress: P) -> None:
        """Print the state, unless the same step has merely got on."""
        step = self._step_of(progress)
        if step != self._step:
            self._step = step
            print_note(self._to_text(progress, progress.seconds))


class _LiveLine(Generic[P]):
    """One line on a terminal, whose clock goes on between two reports."""

    def __init__(self, to_text: ToText[P]) -> None:
        self._to_text = to_text
        self._progress: P | None = None
        self._reported_at = time.monotonic()

    def show(self, progress: P) -> None:
        """Take the state to be shown from now on."""
        self._progress = progress
        self._reported_at = time.monotonic()

    def __rich__(self) -> Text:
        """Draw the line; rich asks for it several times a second."""
        from rich.text import Text

        words = "starting"
        if self._progress is not None:
            since = time.monotonic() - self._reported_at
            words = self._to_text(self._progress, self._progress.seconds + since)
        return Text(f"{words}; {_HINT}", no_wrap=True, overflow="ellipsis")
