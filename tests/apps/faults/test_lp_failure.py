"""The LP solver fails in the midst of a search: what is known by then is true, and told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tailgate.apps.cli.main import main
from tailgate.io import write
from tailgate.model.judge import verify
from tailgate.research.generate import generate_instance
from tailgate.solver.column_generation import bound
from tailgate.solver.master import MasterError, MasterSolution, RestrictedMaster
from tailgate.solver.search.solver import solve
from tailgate.solver.time_limit import TimeLimit

OPTIMUM = 341
FAILURE = "the LP solver HiGHS gave up"


@pytest.fixture
def instance_path(tmp_path: Path) -> str:
    """Return a file that is solved at once, though not by its first master problem."""
    path = tmp_path / "day.json"
    write(generate_instance(7, 2, seed=15), path)
    return str(path)


def fail_from(number: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let the solver give up on that master problem and on all after it; return who counts."""
    solve_master = RestrictedMaster.solve
    runs: list[int] = []

    def solve_or_fail(master: RestrictedMaster, time_limit: TimeLimit) -> MasterSolution | None:
        runs.append(len(runs) + 1)
        if runs[-1] >= number:
            raise MasterError(FAILURE)
        return solve_master(master, time_limit)

    monkeypatch.setattr(RestrictedMaster, "solve", solve_or_fail)
    return runs


@pytest.mark.parametrize("number", [1, 2, 3, 5, 8])
def test_a_search_ends_with_its_best_plan_and_bound(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that was found is lost, nothing unproven is claimed, and it can be resumed."""
    instance = generate_instance(7, 2, seed=15)
    path = tmp_path / "search.checkpoint"
    with monkeypatch.context() as failing:
        runs = fail_from(number, failing)
        result = solve(instance, cuts=(), checkpoint=path)
    if len(runs) < number:
        assert (result.status, result.objective) == ("optimal", OPTIMUM)
        return
    assert result.reason == "lp_failure"
    assert "the LP solver" in result.headline
    assert result.lower_bound is not None
    assert result.lower_bound <= OPTIMUM
    assert result.solution is not None
    assert not verify(instance, result.solution)
    resumed = solve(instance, resume=path)
    assert (resumed.status, resumed.objective) == ("optimal", OPTIMUM)


def test_the_bound_so_far_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the relaxation, too."""
    instance = generate_instance(7, 2, seed=15)
    value = bound(instance).lower_bound
    assert value is not None
    fail_from(3, monkeypatch)
    result = bound(instance)
    assert result.status == "lp_failure"
    assert result.lower_bound is not None
    assert 0 <= result.lower_bound <= value + 1e-6


def test_the_commands_say_so(
    instance_path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In words that a planner understands, and in JSON."""
    fail_from(2, monkeypatch)
    assert main(["solve", instance_path]) == 0
    assert "stopped by the LP solver" in capsys.readouterr().out
    fail_from(2, monkeypatch)
    assert main(["solve", instance_path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reason"] == "lp_failure"
    fail_from(2, monkeypatch)
    assert main(["bound", instance_path]) == 0
    assert "the LP solver failed in every way it was asked" in capsys.readouterr().out
