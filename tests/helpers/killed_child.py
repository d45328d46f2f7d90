"""Run a command again and again, each time killed one step on disk later; a program of its own.

A step is a file opened for writing, synchronised, renamed or removed, or a folder made, within
the folder of that run. Children are forked, so that the package is loaded only once.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR
_CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.truncate")


class Executioner:
    """Counts the steps within a folder, and kills this process at one of them."""

    def __init__(self, folder: Path, step: int) -> None:
        self._folder = str(folder)
        self._left = step
        self._fsync = os.fsync

    def watch(self) -> None:
        """Begin to count; there is no way back, but for the end of the process."""
        sys.addaudithook(self._look)
        os.fsync = self._sync

    def _look(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if not (isinstance(flags, int) and flags & _WRITING):
                return
        elif event in _CHANGES:
            path = arguments[0]
        else:
            return
        if isinstance(path, (str, os.PathLike)) and os.fspath(path).startswith(self._folder):
            self._step()

    def _sync(self, fd: Any) -> None:
        self._step()
        self._fsync(fd)

    def _step(self) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def run_child(command: Sequence[str], folder: Path, step: int) -> None:
    """Run the command in this process until that step; never returns."""
    from tailgate.apps.cli.main import main

    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    Executioner(folder, step).watch()
    code = main([word.replace("{folder}", str(folder)) for word in command])
    os._exit(code)


def run_all(plan: dict[str, Any]) -> None:
    """Fork a child for every step, until one is not killed; tell how each has ended."""
    for name in plan["modules"]:
        importlib.import_module(name)
    importlib.import_module(f"tailgate.apps.cli.{plan['command'][0].replace('-', '_')}")
    step = 1
    while True:
        folder = Path(plan["root"]) / str(step)
        if plan["given"] is None:
            folder.mkdir()
        else:
            shutil.copytree(plan["given"], folder)
        child = os.fork()
        if not child:
            run_child(plan["command"], folder, step)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        print(json.dumps([step, code]), flush=True)
        if code != -signal.SIGKILL:
            return
        step += plan["stride"]


if __name__ == "__main__":
    run_all(json.loads(sys.stdin.read()))
