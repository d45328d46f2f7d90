"""The clock that everything looks at."""

from __future__ import annotations

import threading
import time

import pytest

from tailgate.solver.time_limit import TimeLimit


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a clock that is set by hand."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_a_limit_counts_down_and_never_below_zero(clock: list[float]) -> None:
    """Whoever asks for the rest passes it on to a solver, which knows no negative time."""
    limit = TimeLimit(5)
    assert (limit.elapsed, limit.remaining, limit.expired) == (0, 5, False)
    clock[0] += 4.5
    assert (limit.elapsed, limit.remaining, limit.expired) == (4.5, 0.5, False)
    clock[0] += 0.5
    assert (limit.remaining, limit.expired) == (0, True)
    clock[0] += 10
    assert (limit.elapsed, limit.remaining, limit.expired) == (15, 0, True)


def test_no_limit_never_expires(clock: list[float]) -> None:
    """Solvers take no limit for infinity, which not all of them understand."""
    limit = TimeLimit()
    clock[0] += 1e9
    assert (limit.elapsed, limit.remaining, limit.expired) == (1e9, None, False)


def test_a_limit_of_zero_is_over_at_once(clock: list[float]) -> None:
    """It is a limit, not the absence of one."""
    limit = TimeLimit(0)
    assert clock == [100]
    assert (limit.remaining, limit.expired) == (0, True)


def test_a_claim_counts_only_while_the_limit_has_not_struck(clock: list[float]) -> None:
    """Work that was cut off may claim to be complete."""
    event = threading.Event()
    limit, cancelled = TimeLimit(5), TimeLimit(cancel=event)
    assert limit.completed(True)
    assert not limit.completed(False)
    assert cancelled.completed(True)
    clock[0] += 5
    event.set()
    assert not limit.completed(True)
    assert not cancelled.completed(True)
