"""Commands in this process whose search is replaced, and commands in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tailgate.apps.cli.main import main
from tailgate.model.instance import Instance

PROGRAM = [sys.executable, "-m", "tailgate"]


def answer_with(
    command: ModuleType, search: str, result: Any, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """Put a result in the place of a command's search, and return what the search was asked.

    The result may also be a function, which is then called in place of the search.
    """
    asked: dict[str, Any] = {}

    def answer(instance: Instance, **options: Any) -> Any:
        asked.update(options, instance=instance)
        return result(instance, **options) if callable(result) else result

    monkeypatch.setattr(command, search, answer)
    return asked


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that must be refused in one line, and return that line."""
    assert main(list(words)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """Run a command that ends with a code, and return what it has printed."""
    assert main(list(words)) == code
    return capsys.readouterr().out


def logged(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Run a command with a log, whose lines are returned; its result stays clean JSON."""
    assert main([*words, "--verbose", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["status"] in ("converged", "optimal")
    assert captured.err
    return captured.err.splitlines()


def started(*words: str, program: list[str] = PROGRAM) -> subprocess.Popen[str]:
    """Start a command in a process of its own."""
    return subprocess.Popen(
        [*program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(process: subprocess.Popen[str], is_reached: Callable[[str], bool]) -> None:
    """Read the log of a process up to a line."""
    assert process.stderr is not None
    for line in process.stderr:
        if is_reached(line):
            return
    raise AssertionError("the process ended too early")


def started_search(instance_path: str, *options: str) -> subprocess.Popen[str]:
    """Start a long search, and wait until it has a plan."""
    process = started("solve", instance_path, "--verbose", *options)
    wait_for(process, lambda line: ", best " in line)
    return process


def ended(process: subprocess.Popen[str], code: int) -> tuple[str, str]:
    """Return the output and the log of a process that must end with a code, and in order."""
    output, errors = process.communicate(timeout=60)
    assert process.returncode == code, errors
    assert "Traceback" not in errors
    return output, errors
