"""Tasks that go wrong in the ways that workers must survive."""

from __future__ import annotations

import importlib
import os
import signal
import time
from pathlib import Path

GO = "go"
"""A file that lets tasks end that wait for it."""


def note(folder: str, name: str) -> int:
    """Write down that a task was begun, and return how often it has been."""
    path = Path(folder, name)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    return len(path.read_text(encoding="utf-8").splitlines())


def square(folder: str, number: int) -> int:
    """Take long enough that tasks overlap."""
    note(folder, f"square-{number}")
    time.sleep(0.05)
    return number * number


def killed(folder: str, name: str, times: int) -> str:
    """Be killed so often, and then succeed."""
    if note(folder, name) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return name


def broken(_folder: str) -> None:
    """Have a bug."""
    raise ZeroDivisionError("a bug")


def endless(folder: str, name: str) -> None:
    """Say that it has begun, and go on for ever."""
    note(folder, name)
    while True:
        time.sleep(0.05)


def hold(folder: str, number: int) -> int:
    """Say on which node of the cluster it is, and wait until it may go on."""
    node = importlib.import_module("ray").get_runtime_context().get_node_id()
    note(folder, f"node-{node}")
    while not Path(folder, GO).exists():
        time.sleep(0.05)
    return number


def begun(folder: Path, name: str, *, seconds: float = 60.0) -> int:
    """Wait until a task has begun and return its process."""
    path = folder / name
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if lines:
            return int(lines[-1])
        time.sleep(0.02)
    raise AssertionError(f"{name} was not begun in {seconds:g} s")


def is_gone(process: int, *, seconds: float = 20.0) -> bool:
    """Tell whether a process ends within so many seconds."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        status = Path(f"/proc/{process}/stat")
        if not status.exists() or status.read_text(encoding="utf-8").split()[2] == "Z":
            return True
        time.sleep(0.02)
    return False
