"""Ctrl-C and SIGTERM during a search: the first ends it early with what it has.

The second is answered with a sentence, and the third leaves at once.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self

from tailgate.apps.cli.signals import NUMBERS, PROGRAM


class Interrupts:
    """While it is entered, a signal interrupts the search in the main thread.

    It arrives twice, as ``cancel`` and as ``KeyboardInterrupt``: the one cannot get lost, the other
    gets through to the compiled core.
    """

    def __init__(self) -> None:
        self.cancel = threading.Event()
        self._count = 0
        self._may_raise = True
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        """Listen to the signals, but for those that whoever started us wants ignored."""
        if threading.current_thread() is threading.main_thread():
            for number in NUMBERS:
                if signal.getsignal(number) != signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._handle)
        PROGRAM.cannot_get_lost = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave the signals as they were."""
        PROGRAM.cannot_get_lost = False
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def search_is_over(self) -> None:
        """Let the result be printed in peace: from now on it takes three signals to leave."""
        self._may_raise = False

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        self._count += 1
        # Those that come after the search are counted on.
        PROGRAM.received += 1
        if self._count > 1:
            PROGRAM.answer(self._count)
            return
        self.cancel.set()
        if self._may_raise:
            raise KeyboardInterrupt
