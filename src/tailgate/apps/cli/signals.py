"""SIGINT (Ctrl-C) and SIGTERM, from the first line of the program to its last.

Loaded before everything else, so that it imports next to nothing.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130
NUMBERS = (signal.SIGINT, signal.SIGTERM)

_SAID = b"tailgate: interrupted\n"
_STILL_ENDING = (
    b"tailgate: ending, with what was found so far; a third signal leaves at once without it\n"
)
_LEFT = b"tailgate: left at once\n"
_SHOW_CURSOR = b"\x1b[?25h\n"


class ProgramSignals:
    """What a signal does: while the program loads, it leaves; then the first ends the command.

    The second is answered with a sentence, for what was found is being written; the third leaves.
    """

    def __init__(self) -> None:
        self.received = 0
        self.cannot_get_lost = False
        """Someone else makes sure that the command ends."""
        self._process = 0
        self.is_working = False
        self._exit_code: int | None = None

    def listen(self) -> None:
        """Begin, but leave alone what whoever started us wants ignored."""
        self._process = os.getpid()
        for number in NUMBERS:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._handle)
        sys.unraisablehook = self._on_unraisable

    def command_begins(self) -> None:
        """From now on there is something to be ended with care."""
        self.is_working = True

    def command_is_done(self, exit_code: int) -> None:
        """From now on nothing is lost, and a signal changes nothing.

        Ignored rather than handled: Python puts the default back while it ends, which would kill.
        """
        for number in NUMBERS:
            if signal.getsignal(number) == self._handle:
                signal.signal(number, signal.SIG_IGN)
        self._exit_code = exit_code

    def answer(self, count: int) -> None:
        """Answer to the second signal, and leave at the third."""
        if count == 2:
            _say(_STILL_ENDING)
        elif count > 2:
            leave(_LEFT)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if os.getpid() != self._process:
            # A copy of this process, which has nothing to report.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        self.received += 1
        if self._exit_code is not None:
            os._exit(self._exit_code)
        if not self.is_working:
            # An exception would be turned into another one by what is being loaded.
            leave()
        if self.received == 1:
            raise KeyboardInterrupt
        self.answer(self.received)

    def _on_unraisable(self, what: sys.UnraisableHookArgs) -> None:
        """Leave where the exception came at a place that nothing can be raised from."""
        if not issubclass(what.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(what)
        elif not self.cannot_get_lost:
            leave()


def leave(last_words: bytes = _SAID) -> NoReturn:
    """End the process here and now."""
    if PROGRAM.is_working and os.isatty(2):
        # The live line hides the cursor.
        _say(_SHOW_CURSOR)
    _say(last_words)
    os._exit(INTERRUPTED)


def _say(words: bytes) -> None:
    """Write past Python's own file, which may be in the middle of something."""
    try:
        os.write(2, words)
    except OSError:  # nobody listens
        return


PROGRAM = ProgramSignals()
