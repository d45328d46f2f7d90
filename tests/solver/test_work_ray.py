"""A real Ray cluster of several nodes on this machine: the results are those of local processes."""

from __future__ import annotations

import importlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builders import REPOSITORY, four_in_a_row
from tailgate.apps.cli.main import main
from tailgate.io import write
from tailgate.research.generate import generate_instance
from tailgate.research.learning.dataset import read_dataset
from tailgate.solver.workers import ATTEMPTS, Done, Lost, RayCluster, Task, ThisProcess
from work_tasks import GO, begun, broken, hold, is_gone, killed, square

# Ray's own files and sockets are not ours to close.
pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]

COUNTS = ("status", "lp_value", "lower_bound", "iterations", "columns", "exact_checks", "labels")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Start a head and two more nodes with a processor each; end them."""
    utilities = importlib.import_module("ray.cluster_utils")
    with pytest.MonkeyPatch.context() as patch:
        # The nodes know the package, but not these tests.
        patch.setenv("PYTHONPATH", str(REPOSITORY / "tests" / "helpers"))
        made = utilities.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        made.add_node(num_cpus=1)
        made.add_node(num_cpus=1)
        made.wait_for_nodes()
        yield made
        made.shutdown()


def test_a_cluster_gives_what_this_process_gives(cluster: Any, tmp_path: Path) -> None:
    """One code path, identical results."""
    tasks = [Task(f"{number}", square, (str(tmp_path), number)) for number in range(8)]
    there = sorted(RayCluster(cluster.address).run(tasks), key=lambda outcome: outcome.key)
    assert there == list(ThisProcess().run(tasks))


def test_a_killed_worker_costs_only_its_task(cluster: Any, tmp_path: Path) -> None:
    """The others are done once."""
    tasks = [Task(f"{number}", square, (str(tmp_path), number)) for number in range(4)]
    tasks.insert(1, Task("killed", killed, (str(tmp_path), "killed", 1)))
    tasks.append(Task("hopeless", killed, (str(tmp_path), "hopeless", 99)))
    outcomes = {outcome.key: outcome for outcome in RayCluster(cluster.address).run(tasks)}
    assert outcomes["killed"] == Done("killed", "killed", attempts=2)
    assert outcomes["hopeless"] == Lost("hopeless", ATTEMPTS)
    for number in range(4):
        assert outcomes[f"{number}"] == Done(f"{number}", number * number)
        lines = (tmp_path / f"square-{number}").read_text(encoding="utf-8").splitlines()
        assert len(lines) == 1


def test_a_bug_is_not_hidden(cluster: Any, tmp_path: Path) -> None:
    """It is the task's own exception that is raised."""
    with pytest.raises(ZeroDivisionError, match="a bug"):
        list(RayCluster(cluster.address).run([Task("broken", broken, (str(tmp_path),))]))


def test_an_experiment_counts_the_same_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    """Seconds differ; what is found and how much it takes does not."""
    instance = tmp_path / "tiny.json"
    write(generate_instance(8, 2, seed=1), instance)
    argv = ["experiment", "root-cg", "--repeats", "1", "--instances", str(instance), "--quiet"]
    assert main([*argv, "--out", str(tmp_path / "here")]) == 0
    assert main([*argv, "--out", str(tmp_path / "there"), "--ray", cluster.address]) == 0
    here, there = (_rows(tmp_path / place) for place in ("here", "there"))
    assert here
    assert here == there


def _rows(folder: Path) -> dict[str, list[Any]]:
    lines = (folder / "root-cg" / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    return {entry["key"]: [entry["row"][name] for name in COUNTS] for entry in entries}


def test_a_data_set_is_made_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    """Its files are written where the command was given, wherever the work was done."""
    argv = ["dataset", "--out", str(tmp_path), "--instances", "3", "--customers", "8-9"]
    argv += ["--seconds", "1", "--quiet", "--ray", cluster.address]
    assert main(argv) == 0
    assert read_dataset(tmp_path).manifest["instances"] == 3


def test_a_node_that_dies_costs_only_its_task(cluster: Any, tmp_path: Path) -> None:
    """A machine is switched off while it works; the others do not notice."""
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()

    def switch_off() -> None:
        worker = begun(tmp_path, f"node-{node.node_id}")
        cluster.remove_node(node, allow_graceful=False)
        # It outlives its node by a moment, in which it might still answer.
        is_gone(worker)
        (tmp_path / GO).touch()

    somebody = threading.Thread(target=switch_off)
    somebody.start()
    tasks = [Task(f"{number}", hold, (str(tmp_path), number)) for number in range(6)]
    outcomes = list(RayCluster(cluster.address).run(tasks))
    somebody.join()
    assert {outcome.value for outcome in outcomes if isinstance(outcome, Done)} == set(range(6))
    assert sorted(outcome.attempts for outcome in outcomes) == [1] * 5 + [2]


def test_no_cluster_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong address must not end in a traceback of hundreds of lines."""
    argv = ["dataset", "--quick", "--out", str(tmp_path / "set"), "--ray", "127.0.0.1:1"]
    assert main(argv) == 2
    assert "there is no Ray cluster at 127.0.0.1:1" in capsys.readouterr().err


def test_fleets_are_compared_on_a_cluster(
    cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What one truck more is worth does not depend on where the variants are solved."""
    path = str(tmp_path / "row.json")
    write(four_in_a_row().with_conventions(fleet="at-most"), path)
    words = ["what-if", path, "--vehicles", "1..3", "--json", "--quiet"]
    assert main(words) == 0
    here = json.loads(capsys.readouterr().out)["variants"]
    assert main([*words, "--ray", cluster.address]) == 0
    there = json.loads(capsys.readouterr().out)["variants"]
    keys = ("vehicles", "status", "objective", "lower_bound", "one_more_saves")
    assert [[one[key] for key in keys] for one in there] == [
        [one[key] for key in keys] for one in here
    ]
    assert [one["status"] for one in there] == ["infeasible", "optimal", "optimal"]
