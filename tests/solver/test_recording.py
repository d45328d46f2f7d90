"""Loading questions as a Parquet file: all of them, whole, and only when asked for."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from builders import REPOSITORY, small_instance
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.instance import Instance
from tailgate.research.generate import generate_instance
from tailgate.solver import recording
from tailgate.solver.loading import LoadingOracle, Query, Verdict
from tailgate.solver.recording import QueryRecorder

COLUMNS = {
    "instance": "string",
    "instance_sha256": "string",
    "lifo": "bool",
    "floor_width": "int32",
    "floor_length": "int32",
    "route": "list<element: int32>",
    "items_per_stop": "list<element: int32>",
    "item_widths": "list<element: int32>",
    "item_lengths": "list<element: int32>",
    "verdict": "string",
    "decided_by": "string",
    "nodes": "int64",
    "seconds": "double",
    "max_nodes": "int64",
    "phase": "string",
    "iteration": "int32",
    "reduced_cost": "double",
}


def query(*route: int, verdict: Verdict = Verdict.FEASIBLE, max_nodes: int | None = None) -> Query:
    """Return a recorded question of which only the route matters."""
    return Query(route, verdict, "dive", 7, 0.25, max_nodes)


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a Parquet file."""
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def random_routes(instance: Instance, count: int) -> list[tuple[int, ...]]:
    """Return short routes, some of them more than once."""
    dice = random.Random(instance.name)
    numbers = range(1, instance.n + 1)
    return [tuple(dice.sample(numbers, dice.randint(1, 4))) for _ in range(count)]


# The oracle.


def test_recorded_queries_are_what_was_asked_and_answered() -> None:
    """Labels of a data set: a shifted customer or a swapped verdict would spoil it in silence."""
    instance = generate_instance(12, 3, seed=1)
    oracle = LoadingOracle(instance)
    oracle.record_queries(True)
    expected = []
    for number, route in enumerate(random_routes(instance, 200)):
        max_nodes = None if number % 3 else number
        result = oracle.check(route, max_nodes=max_nodes)
        expected.append(
            Query(route, result.verdict, result.decided_by, result.nodes, result.seconds, max_nodes)
        )
    assert oracle.take_queries() == expected
    assert oracle.take_queries() == []
    assert {query.decided_by for query in expected} >= {"cache", "dive"}


def test_nothing_is_recorded_unless_asked_for() -> None:
    """A long run that nobody records must not fill the memory."""
    oracle = LoadingOracle(small_instance())
    oracle.check((1, 2))
    assert oracle.take_queries() == []
    oracle.record_queries(True)
    oracle.check((3, 4))
    oracle.record_queries(False)
    oracle.check((2, 3))
    assert [query.route for query in oracle.take_queries()] == [(3, 4)]


def test_questions_to_the_compiled_oracle_itself_are_recorded() -> None:
    """Other parts of the core ask it without coming through Python."""
    oracle = LoadingOracle(small_instance())
    oracle.record_queries(True)
    oracle.core.check([0, 1], max_nodes=-1, max_seconds=-1.0)
    (recorded,) = oracle.take_queries()
    assert recorded.route == (1, 2)
    assert recorded.max_nodes is None


def test_a_refused_question_is_not_recorded() -> None:
    """There is no answer to it."""
    oracle = LoadingOracle(small_instance())
    oracle.record_queries(True)
    with pytest.raises(InputError):
        oracle.check((1, 1))
    assert oracle.take_queries() == []


def test_counts_of_worked_out_answers_leave_out_what_was_known() -> None:
    """They are the exact checks that a run reports."""
    instance = generate_instance(12, 2, seed=3)
    oracle = LoadingOracle(instance)
    oracle.record_queries(True)
    for route in random_routes(instance, 300):
        oracle.check(route, max_nodes=30)
    known = {"cache", "heredity", "trivial"}
    queries = oracle.take_queries()
    assert known & {query.decided_by for query in queries}
    for verdict in Verdict:
        own = [query for query in queries if query.verdict is verdict]
        worked_out = sum(query.decided_by not in known for query in own)
        assert oracle.statistics[verdict.value] == len(own)
        assert oracle.statistics[f"decided_{verdict.value}"] == worked_out


def test_threads_may_record_and_take_at_once() -> None:
    """Each question arrives once, whoever takes it."""
    instance = generate_instance(10, 2, seed=5)
    oracle = LoadingOracle(instance)
    oracle.record_queries(True)
    taken: list[Query] = []

    def ask() -> None:
        for route in random_routes(instance, 100):
            oracle.check(route)
            taken.extend(oracle.take_queries())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken.extend(oracle.take_queries())
    assert sorted(query.route for query in taken) == sorted(4 * random_routes(instance, 100))


# The file.


def test_a_row_holds_the_whole_question(tmp_path: Path) -> None:
    """A data set must not need the instance files any more."""
    instance = small_instance()
    path = tmp_path / "queries.parquet"
    with QueryRecorder(path, instance, lifo=False) as recorder:
        recorder.record([query(3)], phase="heuristic", iteration=0)
        recorder.record(
            [query(4, 1, verdict=Verdict.UNKNOWN, max_nodes=300)],
            phase="pricing",
            iteration=2,
            reduced_cost=lambda route: -1.5 * len(route),
        )
    first, second = rows_of(path)
    assert first == {
        "instance": "small",
        "instance_sha256": instance.sha256,
        "lifo": False,
        "floor_width": 4,
        "floor_length": 6,
        "route": [3],
        "items_per_stop": [1],
        "item_widths": [2],
        "item_lengths": [2],
        "verdict": "feasible",
        "decided_by": "dive",
        "nodes": 7,
        "seconds": 0.25,
        "max_nodes": None,
        "phase": "heuristic",
        "iteration": 0,
        "reduced_cost": None,
    }
    assert second["route"] == [4, 1]
    assert second["items_per_stop"] == [2, 2]
    assert second["item_widths"] == [3, 1, 2, 2]
    assert second["item_lengths"] == [3, 2, 3, 2]
    assert second["verdict"] == "unknown"
    assert second["max_nodes"] == 300
    assert second["phase"] == "pricing"
    assert second["iteration"] == 2
    assert second["reduced_cost"] == -3


def test_items_that_may_be_turned_are_recorded_as_such(tmp_path: Path) -> None:
    """The same sizes have another verdict there; without such items the file is as it was."""
    first, *others = small_instance().customers
    items = (replace(first.items[0], turn=True), *first.items[1:])
    instance = small_instance(customers=(replace(first, items=items), *others))
    for number, (case, turns) in enumerate(
        ((instance, [0, 0, 1, 0]), (instance.with_conventions(turn="all"), [1, 1, 1, 1]))
    ):
        path = tmp_path / f"{number}.parquet"
        with QueryRecorder(path, case, lifo=True) as recorder:
            recorder.record([query(4, 1)], phase="pricing", iteration=1)
        (row,) = rows_of(path)
        assert row["item_turns"] == turns
        schema = pyarrow.parquet.read_schema(path)
        assert schema.metadata[b"format"] == b"tailgate-queries-2"
        assert str(schema.field("item_turns").type) == "list<element: int32>"
    path = tmp_path / "none.parquet"
    with QueryRecorder(path, instance.with_conventions(turn="none"), lifo=True) as recorder:
        recorder.record([query(4, 1)], phase="pricing", iteration=1)
    assert "item_turns" not in rows_of(path)[0]
    assert pyarrow.parquet.read_schema(path).metadata[b"format"] == b"tailgate-queries-1"


def test_columns_and_their_types_are_those_of_the_docs(tmp_path: Path) -> None:
    """Readers of the data set rely on docs/formats.md."""
    path = tmp_path / "queries.parquet"
    with QueryRecorder(path, small_instance(), lifo=True):
        pass
    schema = pyarrow.parquet.read_schema(path)
    assert {field.name: str(field.type) for field in schema} == COLUMNS
    assert schema.metadata[b"format"] == recording.FORMAT.encode()
    documented = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
    assert recording.FORMAT in documented
    assert all(f"`{name}`" in documented for name in COLUMNS)


def test_customers_without_items_and_large_floors_are_stored(tmp_path: Path) -> None:
    """Class 1 has empty lists, and a floor in millimetres large numbers."""
    instance = generate_instance(4, 1, seed=0)
    path = tmp_path / "queries.parquet"
    with QueryRecorder(path, instance, lifo=True) as recorder:
        recorder.record([query(2, 1), query()], phase="pricing", iteration=1)
    rows = rows_of(path)
    assert [row["items_per_stop"] for row in rows] == [
        [len(instance.customer(number).items) for number in (2, 1)],
        [],
    ]
    large = generate_instance(4, 2, seed=0, width=2_450_000, length=13_600_000)
    with QueryRecorder(path, large, lifo=True) as recorder:
        recorder.record([query(1)], phase="pricing", iteration=1)
    (row,) = rows_of(path)
    assert row["floor_length"] == 13_600_000
    assert row["item_widths"] == [item.width for item in large.customer(1).items]


def test_many_rows_are_written_in_groups_and_none_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run may ask millions of questions; they are not held in memory until its end."""
    monkeypatch.setattr(recording, "ROWS_PER_GROUP", 10)
    path = tmp_path / "queries.parquet"
    with QueryRecorder(path, small_instance(), lifo=True) as recorder:
        for iteration in range(7):
            queries = [query(1 + i % 4) for i in range(5)]
            recorder.record(queries, phase="pricing", iteration=iteration)
    assert pyarrow.parquet.ParquetFile(path).metadata.num_row_groups == 4
    assert [row["iteration"] for row in rows_of(path)] == [i for i in range(7) for _ in range(5)]


def test_the_file_appears_when_the_recording_ends(tmp_path: Path) -> None:
    """A reader never meets half a file, and an older one stays until then."""
    path = tmp_path / "queries.parquet"
    path.write_text("old", encoding="utf-8")
    with QueryRecorder(path, small_instance(), lifo=True) as recorder:
        recorder.record([query(1)], phase="pricing", iteration=1)
        assert path.read_text(encoding="utf-8") == "old"
    assert len(rows_of(path)) == 1
    assert list(tmp_path.iterdir()) == [path]


def record_and_end_with(path: Path, end: type[BaseException]) -> None:
    """Record two questions, then be interrupted."""
    with QueryRecorder(path, small_instance(), lifo=True) as recorder:
        recorder.record([query(1), query(2)], phase="pricing", iteration=1)
        raise end


@pytest.mark.parametrize("end", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupted_recording_keeps_what_it_has(
    tmp_path: Path, end: type[BaseException]
) -> None:
    """Hours of questions are not thrown away by Ctrl-C."""
    path = tmp_path / "queries.parquet"
    with pytest.raises(end):
        record_and_end_with(path, end)
    assert len(rows_of(path)) == 2
    assert list(tmp_path.iterdir()) == [path]


def test_a_path_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    """An hour of column generation must not end with a misspelt folder."""
    path = tmp_path / "missing" / "queries.parquet"
    with (
        pytest.raises(InputError, match=r"cannot be written: .*make its folder first"),
        QueryRecorder(path, small_instance(), lifo=True),
    ):
        pytest.fail("the block must not be entered")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("rows", [1, 100])
def test_a_full_disk_is_reported(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is noticed during the run or at its end."""
    monkeypatch.setattr(recording, "ROWS_PER_GROUP", 10)
    with (
        pytest.raises(InputError, match="cannot be written"),
        QueryRecorder("/dev/full", small_instance(), lifo=True) as recorder,
    ):
        recorder.record([query(1)] * rows, phase="pricing", iteration=1)


def test_without_pyarrow_the_message_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package is optional, and its absence has a remedy."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TailgateError, match=r"pip install 'tailgate\[record\]'"):
        QueryRecorder(tmp_path / "queries.parquet", small_instance(), lifo=True)


def test_pyarrow_is_loaded_only_by_those_who_record() -> None:
    """It is large, slow to load, and optional."""
    script = "import sys, tailgate.solver.recording; print('pyarrow' in sys.modules)"
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert finished.stdout.strip() == "False"
