"""How much memory a search may use, and how it learns that it is short."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tailgate.search import memory
from tailgate.search.memory import MemoryLimit, available_bytes, most_bytes, used_bytes

MEGABYTE = 1_000_000


TAKEN = """
from tailgate.search.memory import used_bytes

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
    """Short before it is exceeded, so that there is time to be sparing."""
    used = used_bytes() / MEGABYTE
    ample, short, exceeded = (
        MemoryLimit(10 * used),
        MemoryLimit(1.1 * used),
        MemoryLimit(0.5 * used),
    )
    assert (ample.is_short, ample.is_exceeded) == (False, False)
    assert (short.is_short, short.is_exceeded) == (True, False)
    assert (exceeded.is_short, exceeded.is_exceeded) == (True, True)
    assert exceeded.share == pytest.approx(2, rel=0.2)


def test_without_a_limit_it_is_most_of_what_can_be_had() -> None:
    """Neither none at all nor the whole machine."""
    available = available_bytes()
    limit = MemoryLimit().limit_bytes
    if available is None:
        pytest.skip("this system does not tell how much memory it has left")
    assert limit is not None
    assert limit < used_bytes() + available
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


def test_a_system_that_tells_nothing_has_no_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rather no guard than a wrong one."""
    for name in ("_OWN", "_MACHINE"):
        monkeypatch.setattr(memory, name, tmp_path / "none")
    monkeypatch.setattr(memory, "_CONTAINER", ())
    monkeypatch.setattr(memory, "_resource_limits", list)
    assert used_bytes() > MEGABYTE  # the most that ever was
    assert available_bytes() is None
    assert MemoryLimit().limit_bytes is None
    assert MemoryLimit().share == 0
    assert not MemoryLimit().is_exceeded
