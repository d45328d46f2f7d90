"""Independent tasks on processes of this machine: the same results, whoever dies on the way."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from builders import REPOSITORY
from tailgate.apps.cli.main import main
from tailgate.solver.workers import (
    ATTEMPTS,
    Done,
    LocalProcesses,
    Lost,
    Task,
    ThisProcess,
    choose_workers,
)
from work_tasks import begun, broken, endless, is_gone, killed, square

PARENT = """
import sys
from tailgate.solver.workers import LocalProcesses, Task
from work_tasks import endless
if __name__ == "__main__":
    list(LocalProcesses(1).run([Task("endless", endless, (sys.argv[1], "endless"))]))
"""


def squares(folder: Path, count: int) -> list[Task]:
    """Return tasks with different results."""
    return [Task(f"{number}", square, (str(folder), number)) for number in range(count)]


def test_it_makes_no_difference_who_works(tmp_path: Path) -> None:
    """One code path: only the order of the outcomes may differ."""
    here = list(ThisProcess().run(squares(tmp_path, 6)))
    there = list(LocalProcesses(2).run(squares(tmp_path, 6)))
    assert here == [Done(f"{number}", number * number) for number in range(6)]
    assert sorted(there, key=lambda outcome: outcome.key) == here


def test_a_killed_worker_costs_only_its_task(tmp_path: Path) -> None:
    """Hours of other tasks must not be lost with it, nor be done twice."""
    tasks = squares(tmp_path, 5)
    tasks.insert(1, Task("killed", killed, (str(tmp_path), "killed", 1)))
    outcomes = {outcome.key: outcome for outcome in LocalProcesses(2).run(tasks)}
    assert outcomes["killed"] == Done("killed", "killed", attempts=2)
    for number in range(5):
        assert outcomes[f"{number}"] == Done(f"{number}", number * number)
        lines = (tmp_path / f"square-{number}").read_text(encoding="utf-8").splitlines()
        assert len(lines) == 1


def test_a_task_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    """One that takes all memory would otherwise be tried for ever."""
    tasks = [Task("killed", killed, (str(tmp_path), "killed", 99)), *squares(tmp_path, 2)]
    outcomes = {outcome.key: outcome for outcome in LocalProcesses(1).run(tasks)}
    assert outcomes["killed"] == Lost("killed", ATTEMPTS)
    assert "died 3 times" in Lost("killed", ATTEMPTS).reason
    assert outcomes["1"] == Done("1", 1)


def test_a_bug_is_not_hidden(tmp_path: Path) -> None:
    """The exception of a task is raised where the results are wanted, and nothing is left."""
    tasks = [
        Task("endless", endless, (str(tmp_path), "endless")),
        Task("broken", broken, (str(tmp_path),)),
    ]
    with pytest.raises(ZeroDivisionError, match="a bug"):
        list(LocalProcesses(2).run(tasks))
    if (tmp_path / "endless").exists():
        assert is_gone(begun(tmp_path, "endless"))


def test_whoever_has_seen_enough_ends_the_rest(tmp_path: Path) -> None:
    """Ctrl-C closes the generator; no process may go on for hours after it."""
    tasks = [Task("endless", endless, (str(tmp_path), "endless")), *squares(tmp_path, 50)]
    outcomes = LocalProcesses(2).run(tasks)
    process = begun(tmp_path, "endless") if next(outcomes) else 0
    outcomes.close()
    assert is_gone(process)


def test_no_worker_outlives_a_killed_program(tmp_path: Path) -> None:
    """After a kill -9 nobody is there to end them."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)],
        env={"PYTHONPATH": f"{REPOSITORY / 'src'}:{REPOSITORY / 'tests' / 'helpers'}"},
    ) as program:
        process = begun(tmp_path, "endless")
        program.send_signal(signal.SIGKILL)
    assert is_gone(process)


def test_without_ray_the_message_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever gives an address must learn what to install."""
    monkeypatch.setitem(sys.modules, "ray", None)
    argv = ["dataset", "--quick", "--out", str(tmp_path / "set"), "--ray", "auto"]
    assert main(argv) == 2
    assert "pip install 'tailgate[ray]'" in capsys.readouterr().err


def test_an_address_means_a_cluster() -> None:
    """And no address, processes."""
    assert isinstance(choose_workers(2), LocalProcesses)
    assert not isinstance(choose_workers(2, "auto"), LocalProcesses)
