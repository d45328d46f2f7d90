"""Ctrl-C at any line of the search: what it says is true, and what it stores can be resumed."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tailgate.research.generate import generate_instance
from tailgate.solver.search import enumeration_finish
from tailgate.solver.search.checkpoint import Checkpoint
from tailgate.solver.search.primal_heuristics import PrimalHeuristics
from tailgate.solver.search.result import SolveProgress, SolveResult
from tailgate.solver.search.solver import solve
from tailgate.solver.search.state import SearchState

FOLDER = str(Path(enumeration_finish.__file__).parent)
SPARED = ("checkpoint.py", "checkpoint_codec.py", "incumbent.py", "result.py", "memory.py")
"""Not the search itself, and of more lines than all the rest."""
OPTIMUM = 341


class Interruption:
    """Raises what Ctrl-C raises, before the so manieth line of the search."""

    def __init__(self, line: int) -> None:
        self._line = line
        self.lines = 0
        self.place = ""

    def __enter__(self) -> Interruption:
        """Begin to count."""
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the rest alone."""
        sys.settrace(None)

    def on_progress(self, progress: SolveProgress) -> None:
        """Stop at the end, as the command line does: a result in the making is not interrupted."""
        if progress.event == "end":
            sys.settrace(None)

    def _call(self, frame: FrameType, _event: str, _argument: object) -> Any:
        name = frame.f_code.co_filename
        return self._step if name.startswith(FOLDER) and not name.endswith(SPARED) else None

    def _step(self, frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            self.lines += 1
            if self.lines == self._line:
                sys.settrace(None)
                self.place = f"{frame.f_code.co_name}, line {frame.f_lineno}"
                raise KeyboardInterrupt
        return self._step


@pytest.fixture
def without_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out whatever finds the optimum early: what is lost of the tree must be missed."""
    monkeypatch.setattr(enumeration_finish, "FIRST_PATHS", 1)
    monkeypatch.setattr(enumeration_finish, "MORE_PATHS", 0)
    monkeypatch.setattr(PrimalHeuristics, "find_first_plan", lambda _: None)
    monkeypatch.setattr(PrimalHeuristics, "_improve", lambda *_: None)


def interrupted_at(line: int, path: Path) -> tuple[SolveResult | None, Interruption]:
    """Search until that line."""
    instance = generate_instance(7, 2, seed=15)
    with Interruption(line) as interruption:
        try:
            result = solve(instance, cuts=(), checkpoint=path, on_progress=interruption.on_progress)
        except KeyboardInterrupt:
            # Before the search has begun, or after it has ended.
            result = None
    return result, interruption


def check_every(lines: range, tmp_path: Path) -> None:
    """Interrupt at each of these lines, and resume."""
    instance = generate_instance(7, 2, seed=15)
    for line in lines:
        path = tmp_path / f"search-{line}"
        result, interruption = interrupted_at(line, path)
        if result is not None:
            assert result.status != "infeasible", interruption.place
            assert result.lower_bound is not None
            assert result.lower_bound <= OPTIMUM, interruption.place
            if result.status == "optimal":
                assert result.objective == OPTIMUM, interruption.place
        if path.exists():
            resumed = solve(instance, cuts=(), resume=path)
            assert (resumed.status, resumed.objective) == ("optimal", OPTIMUM), interruption.place


def test_a_search_that_is_killed_within_a_node_has_stored_what_it_knew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first node may take hours; each state that was written goes on to the same optimum."""
    instance = generate_instance(12, 3, seed=5)
    expected = solve(instance)
    assert expected.objective is not None
    written: list[SearchState] = []
    monkeypatch.setattr(Checkpoint, "is_due", True)
    monkeypatch.setattr(Checkpoint, "write", lambda _, state: written.append(state))
    solve(instance, checkpoint=tmp_path / "unused")
    monkeypatch.undo()
    within_root = [state for state in written if state.nodes_done == 0 and state.loadable_columns]
    assert len(within_root) > 2
    assert max(state.lower_bound for state in within_root) > 0
    for number, state in enumerate(within_root):
        assert state.lower_bound <= expected.objective
        path = tmp_path / f"search-{number}"
        Checkpoint(path, instance).write(state)
        resumed = solve(instance, resume=path)
        assert (resumed.status, resumed.objective) == ("optimal", expected.objective)


@pytest.mark.usefixtures("without_luck")
def test_an_interrupt_at_some_lines_leaves_nothing_wrong_behind(tmp_path: Path) -> None:
    """Nodes between two lists, rows of a trial in the master problem: there are many traps."""
    result, counted = interrupted_at(0, tmp_path / "search")
    assert result is not None
    assert (result.status, result.objective) == ("optimal", OPTIMUM)
    assert result.nodes > 1
    # Prime to whatever repeats itself in a node.
    step = counted.lines // 20 | 1
    check_every(range(7, counted.lines, step), tmp_path)


@pytest.mark.long
@pytest.mark.usefixtures("without_luck")
def test_an_interrupt_at_many_lines_leaves_nothing_wrong_behind(tmp_path: Path) -> None:
    """Ten times as many: most lines come again and again."""
    _, counted = interrupted_at(0, tmp_path / "search")
    check_every(range(1, counted.lines, counted.lines // 200 | 1), tmp_path)
