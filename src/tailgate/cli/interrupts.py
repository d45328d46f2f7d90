"""Ctrl-C and SIGTERM: the first ends a search early with what it has, the second leaves at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import Any, Self

from tailgate.cli.exit_codes import ExitCode

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SHOW_CURSOR = "\x1b[?25h"


class Interrupts:
    """While it is entered, a signal interrupts the search in the main thread.

    It is told twice, by ``cancel`` and as ``KeyboardInterrupt``: the one cannot get lost, the other
    gets through to the compiled core.
    """

    def __init__(self) -> None:
        self.cancel = threading.Event()
        self._may_raise = True
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        """Listen to the signals, but for those that whoever started us wants ignored."""
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) != signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave the signals as they were."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def search_is_over(self) -> None:
        """Let the result be told in peace: from now on it takes two signals to leave."""
        self._may_raise = False

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        if self.cancel.is_set():
            _leave_at_once()
        self.cancel.set()
        if self._may_raise:
            raise KeyboardInterrupt


def _leave_at_once() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        # The live line hides it.
        os.write(sys.stderr.fileno(), f"{_SHOW_CURSOR}\n".encode())
    os._exit(int(ExitCode.INTERRUPTED))
