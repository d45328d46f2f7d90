"""Data sets of loading queries: true verdicts, each query once, and runs that go on."""

from __future__ import annotations

import json
import random
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from query_sets import make_small_dataset
from tailgate.apps.cli.main import main
from tailgate.model.errors import InputError
from tailgate.research.dataset.making import DatasetOptions, Done, jobs, make_dataset
from tailgate.research.dataset.query_source import QuerySource
from tailgate.research.generate import generate_instance
from tailgate.research.learning.dataset import MANIFEST_FILE, QUERIES_FOLDER, read_dataset
from tailgate.research.learning.query_file import (
    AskedQuery,
    checksum,
    ranges,
    read_queries,
    write_queries,
)
from tailgate.research.learning.query_key import canonical_key
from tailgate.research.learning.route_arrays import route_arrays
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.workers import LocalProcesses, Outcome, Task, ThisProcess

SMALL = DatasetOptions(
    instances=2, classes=(2, 3), least_customers=8, most_customers=9, seconds=1.0, seed=5
)

items = st.tuples(st.integers(1, 20), st.integers(1, 40))
routes = st.lists(st.lists(items, min_size=1, max_size=4), min_size=1, max_size=6)


# --- When two queries are one -------------------------------------------------------------------


@given(route=routes, dice=st.randoms(use_true_random=False))
def test_symmetric_queries_have_the_same_key(
    route: list[list[tuple[int, int]]], dice: random.Random
) -> None:
    """Training and test must not share a query in disguise."""
    other = [dice.sample(stop, len(stop)) for stop in route]
    if dice.random() < 0.5:
        other.reverse()
    assert canonical_key(other, 20, 40) == canonical_key(route, 20, 40)


@given(first=routes, second=routes)
def test_other_queries_have_other_keys(
    first: list[list[tuple[int, int]]], second: list[list[tuple[int, int]]]
) -> None:
    """What is dropped as a duplicate must be one."""
    plain = [[sorted(stop) for stop in route] for route in (first, second)]
    same = plain[0] in (plain[1], plain[1][::-1])
    assert (canonical_key(first, 20, 40) == canonical_key(second, 20, 40)) == same


def test_what_may_be_turned_is_part_of_a_query() -> None:
    """Either side may come first of such an item; a square is no other than one that may not."""
    keys = {
        canonical_key([[item]], 20, 40) for item in ((3, 2), (2, 3), (3, 2, False), (3, 2, True))
    }
    assert len(keys) == 3
    assert canonical_key([[(3, 2, True)]], 20, 40) == canonical_key([[(2, 3, True)]], 20, 40)
    assert canonical_key([[(2, 2, True)]], 20, 40) == canonical_key([[(2, 2)]], 20, 40)


def test_old_and_new_files_of_queries_are_read_together(tmp_path: Path) -> None:
    """A file of an older version says nothing of turning: nothing may be turned there."""
    instance = generate_instance(6, 2, seed=1)
    turning = instance.with_conventions(turn="all")
    paths = []
    for number, one in enumerate((instance, turning)):
        answer = LoadingOracle(one).check((1, 2))
        key = bytes([number]) * 16
        names = ("verdict", "decided_by", "nodes", "seconds")
        found = {name: getattr(answer, name) for name in names}
        asked = AskedQuery(key, (1, 2), is_cheap=True, phase="pricing", **found)
        paths.append(tmp_path / f"{number}.parquet")
        write_queries(paths[-1], one, 2, [asked])
    count = sum(len(instance.customer(number).items) for number in (1, 2))
    table = read_queries(paths)
    assert table.item_turns.tolist() == [False] * count + [True] * count
    assert table.select(np.array([1])).item_turns.tolist() == [True] * count
    assert route_arrays(table.select(np.array([0])))
    with pytest.raises(InputError, match="items that may be turned, of which the networks know no"):
        route_arrays(table)


def test_the_queries_of_orders_with_turning_have_true_verdicts() -> None:
    """Two that differ in nothing but what may be turned are two queries."""
    instance = generate_instance(7, 3, seed=4)
    turning = instance.with_conventions(turn="all")
    given, turned = (QuerySource(one, seed=1).ask(1.0) for one in (instance, turning))
    assert not {one.key for one in given if len(one.route) > 1} & {
        one.key for one in turned if len(one.route) > 1
    }
    oracle = LoadingOracle(turning, use_cache=False)
    for one in turned[:50]:
        if one.verdict is not Verdict.UNKNOWN:
            assert oracle.check(one.route, time_limit=5).verdict in (one.verdict, Verdict.UNKNOWN)


def test_the_floor_is_part_of_a_query() -> None:
    """The same items on a larger floor may fit."""
    assert canonical_key([[(5, 5)]], 20, 40) != canonical_key([[(5, 5)]], 40, 20)


# --- One instance ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked_queries() -> list[AskedQuery]:
    """Everything that comes up while a small instance is solved."""
    return QuerySource(generate_instance(12, 3, seed=3), seed=0).ask(4.0)


def test_verdicts_are_those_of_a_fresh_oracle(asked_queries: list[AskedQuery]) -> None:
    """A wrong label would be learned; and what is called cheap must be cheap without memory."""
    oracle = LoadingOracle(generate_instance(12, 3, seed=3), use_cache=False)
    for query in random.Random(0).sample(asked_queries, min(150, len(asked_queries))):
        answer = oracle.check(query.route, max_nodes=100_000, time_limit=2)
        if Verdict.UNKNOWN not in (answer.verdict, query.verdict):
            assert answer.verdict is query.verdict
            assert query.is_cheap == (answer.decided_by in {"trivial", "bounds", "dive"})


def test_each_query_is_kept_once(asked_queries: list[AskedQuery]) -> None:
    """Runs ask the same thing again and again."""
    assert len({query.key for query in asked_queries}) == len(asked_queries)


def test_both_verdicts_and_several_phases_are_there(asked_queries: list[AskedQuery]) -> None:
    """The heuristic and pricing ask different queries; a network meets both."""
    assert {Verdict.FEASIBLE, Verdict.INFEASIBLE} <= {query.verdict for query in asked_queries}
    assert {"heuristic", "pricing"} <= {query.phase for query in asked_queries}


# --- The plan -------------------------------------------------------------------------------------


def test_a_longer_plan_begins_like_a_shorter_one(tmp_path: Path) -> None:
    """So a finished data set can grow."""
    longer = jobs(DatasetOptions(instances=40, seed=3), tmp_path)
    assert longer[:10] == jobs(DatasetOptions(instances=10, seed=3), tmp_path)
    assert len({job.path for job in longer}) == 40


def test_a_plan_has_all_kinds_of_instances(tmp_path: Path) -> None:
    """Distributions, classes, time windows and sizes all occur."""
    planned = jobs(DatasetOptions(instances=80), tmp_path)
    assert {job.distribution for job in planned} == {"random", "clustered", "mixed"}
    assert {job.packing_class for job in planned} == {2, 3, 4, 5}
    assert {job.time_windows for job in planned} == {False, True}
    assert all(15 <= job.customers <= 40 for job in planned)


def test_another_seed_gives_other_instances(tmp_path: Path) -> None:
    """Seeds are what makes a second data set a second one."""
    first, second = (
        {job.name for job in jobs(DatasetOptions(instances=20, seed=seed), tmp_path)}
        for seed in (1, 2)
    )
    assert not first & second


# --- The folder -----------------------------------------------------------------------------------


def test_a_data_set_grows_and_keeps_what_it_has(tmp_path: Path) -> None:
    """Resuming must not repeat hours of work, nor change it."""
    first = make_dataset(tmp_path, SMALL)
    seen: list[Done] = []
    second = make_dataset(
        tmp_path,
        replace(SMALL, instances=3),
        on_progress=lambda _done, _all, last: seen.append(last),
    )
    assert len(seen) == 1
    assert second["files"][:2] == first["files"]
    assert second["instances"] == 3
    assert second["distinct"] > first["distinct"]
    assert second["id"] != first["id"]


def test_other_options_are_refused_in_the_same_folder(tmp_path: Path) -> None:
    """Two plans in one folder would be neither."""
    make_dataset(tmp_path, replace(SMALL, instances=1))
    with pytest.raises(InputError, match="begun with seed 5"):
        make_dataset(tmp_path, replace(SMALL, seed=6))


class InterruptedAfterOne(ThisProcess):
    """Workers of somebody who is in a hurry."""

    def run(self, tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        """Do the first task."""
        yield from super().run(list(tasks)[:1])
        raise KeyboardInterrupt


def test_an_interrupted_run_leaves_a_data_set(tmp_path: Path) -> None:
    """What was done before Ctrl-C can be used, and the rest follows later."""
    with pytest.raises(KeyboardInterrupt):
        make_dataset(tmp_path, SMALL, workers=InterruptedAfterOne())
    assert read_dataset(tmp_path).manifest["instances"] == 1
    assert make_dataset(tmp_path, SMALL)["instances"] == 2


def test_two_processes_solve_the_same_instances(tmp_path: Path) -> None:
    """Workers are spawned; the plan does not depend on them."""
    manifest = make_dataset(tmp_path, SMALL, workers=LocalProcesses(2))
    names = {Path(job.path).name for job in jobs(SMALL, tmp_path)}
    assert {entry["file"] for entry in manifest["files"]} == names


def test_the_manifest_counts_what_is_there(tmp_path: Path) -> None:
    """The figures of the data card must be right."""
    dataset = make_small_dataset(tmp_path / "set")
    table, manifest = dataset.queries, dataset.manifest
    assert manifest["rows"] == len(table)
    assert manifest["distinct"] == len(np.unique(table.keys))
    by_class = manifest["by_class"]
    for part in by_class.values():
        known = part["feasible"] + part["infeasible"]
        assert part["queries"] == known + part["unknown"]
        assert known == part["cheap"] + part["rest_feasible"] + part["rest_infeasible"]
        assert sum(part["decided_by"].values()) == sum(part["stops"].values()) == part["queries"]
    assert sum(part["queries"] for part in by_class.values()) == manifest["distinct"]
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    assert f"{manifest['distinct']:,} distinct" in card
    assert manifest["id"] in card


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """Nobody should train on half a file."""
    dataset = make_small_dataset(tmp_path / "set", instances=3)
    path = dataset.folder / QUERIES_FOLDER / dataset.manifest["files"][0]["file"]
    content = path.read_bytes()
    path.write_bytes(content[:-20])
    with pytest.raises(InputError, match="not the file that the manifest names"):
        read_dataset(dataset.folder)


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path) -> None:
    """The message says how to make one."""
    with pytest.raises(InputError, match="tailgate dataset"):
        read_dataset(tmp_path)


def test_published_instances_make_a_data_set_for_tests_only(tmp_path: Path) -> None:
    """Whatever folder their files come from, their names tell."""
    assert make_small_dataset(tmp_path / "a", name="2l_cvrp01").is_test_only
    assert not make_small_dataset(tmp_path / "b").is_test_only


def test_reading_gives_back_what_was_asked(tmp_path: Path) -> None:
    """Sizes, stops and verdicts survive the file, also in a selection."""
    table = make_small_dataset(tmp_path / "set", instances=3, queries=20).queries
    rows = np.random.default_rng(0).permutation(len(table))[:10]
    chosen = table.select(rows)
    stop_starts, item_starts = chosen.stop_starts, chosen.item_starts
    for number in range(len(chosen)):
        stops = [
            [tuple(size) for size in chosen.item_sizes[item_starts[stop] : item_starts[stop + 1]]]
            for stop in range(stop_starts[number], stop_starts[number + 1])
        ]
        sizes = [[(int(width), int(length)) for width, length in stop] for stop in stops]
        assert canonical_key(sizes, 20, 40).hex().encode() == chosen.keys[number]
    assert (chosen.verdict == table.verdict[rows]).all()


def test_ranges_are_laid_end_to_end() -> None:
    """The arithmetic below all selections, with empty ranges among them."""
    assert ranges(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]
    assert ranges(np.array([], dtype=int), np.array([], dtype=int)).tolist() == []


# --- The command ----------------------------------------------------------------------------------


def test_the_command_solves_files_and_prints_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """People want a network for their own instances."""
    file = tmp_path / "own.json"
    argv = ["generate", "-n", "8", "--class", "2", "--out", str(file)]
    assert main(argv) == 0
    capsys.readouterr()
    out = tmp_path / "set"
    assert (
        main(["dataset", "--from", str(file), "--out", str(out), "--seconds", "1", "--json"]) == 0
    )
    printed = json.loads(capsys.readouterr().out)
    assert printed["instances"] == 1
    assert list(printed["by_class"]) == ["0"]
    manifest = json.loads((out / MANIFEST_FILE).read_text(encoding="utf-8"))
    entry = manifest["files"][0]
    assert checksum(out / QUERIES_FOLDER / entry["file"]) == entry["sha256"]


@pytest.mark.parametrize(
    "argv",
    [
        ["--classes", "1"],
        ["--classes", "2;3"],
        ["--customers", "40-15"],
        ["--customers", "15"],
        ["--from", "a.json", "--instances", "3"],
        ["--processes", "0"],
    ],
)
def test_bad_options_are_refused(
    argv: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one message, before any work."""
    assert main(["dataset", "--out", str(tmp_path / "set"), *argv]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
