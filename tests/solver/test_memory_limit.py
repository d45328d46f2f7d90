"""How much memory a search may use, and how it learns that it has taken more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tailgate.solver.search import memory
from tailgate.solver.search.memory import MemoryLimit, available_bytes, most_bytes, used_bytes

MEGABYTE = 1_000_000


TAKEN = """
from tailgate.solver.search.memory import used_bytes

before = used_bytes()
# Written to, for untouched pages are no memory yet.
taken = bytearray(b"x" * 64_000_000)
print(before, used_bytes(), len(taken))
"""


def test_what_is_taken_is_seen() -> None:
    """The resident memory grows with what is really used.

    In a process of its own: this one may hold memory that others have left, or lose some of it.
    """
    program = [sys.executable, "-c", TAKEN]
    said = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    before, after, taken = map(int, said.split())
    assert before > MEGABYTE
    assert taken == 64 * MEGABYTE
    assert after - before > 50 * MEGABYTE


def test_a_given_limit_is_in_megabytes() -> None:
    """It is exceeded when as much is in use, and not before."""
    used = used_bytes() / MEGABYTE
    assert not MemoryLimit(1.5 * used).is_exceeded
    assert MemoryLimit(0.5 * used).is_exceeded


def test_without_a_limit_it_is_most_of_what_can_be_had() -> None:
    """Neither none at all nor the whole machine."""
    assert 0 < MemoryLimit().limit_bytes < used_bytes() + available_bytes()
    assert not MemoryLimit().is_exceeded


def test_the_limit_of_a_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It kills who goes beyond, whatever the machine has."""
    container = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "_CONTAINER", (container, tmp_path / "none"))
    monkeypatch.setattr(memory, "_resource_limits", list)
    assert most_bytes() is None
    container.write_text("max\n", encoding="ascii")
    assert most_bytes() is None
    container.write_text("2000000\n", encoding="ascii")
    assert most_bytes() == 2_000_000
    assert MemoryLimit().is_exceeded
    # What the user says goes before: he may know better.
    assert not MemoryLimit(10**6).is_exceeded


def test_a_system_without_limits_of_its_own_still_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """No container and no resource limits, as on Windows: the machine's memory counts."""
    monkeypatch.setattr(memory, "_CONTAINER", ())
    monkeypatch.setattr(memory, "_resource_limits", list)
    assert most_bytes() is None
    monkeypatch.setattr(memory, "available_bytes", lambda: 0)
    assert MemoryLimit().is_exceeded
