"""Checkpoints: what is written can be read, whatever happens, and nothing else is believed."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builders import REPOSITORY, small_instance, small_solution, with_placement
from market_day import market_day, market_plan
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Instance
from tailgate.solver.column import Column
from tailgate.solver.master import EdgeRow
from tailgate.solver.pricing.subset_row import SubsetRow
from tailgate.solver.search import checkpoint_codec
from tailgate.solver.search.checkpoint import Checkpoint
from tailgate.solver.search.decisions import FLEET, EdgeUse, KindUse, Ride, Service
from tailgate.solver.search.node import Node
from tailgate.solver.search.state import SearchState

SUBSET = SubsetRow((1, 2, 3), frozenset({1, 2, 3, 4}))
EDGES = EdgeRow.of([(0, 1), (2, 3)], upper=1.0)
BORDER = EdgeRow(frozenset({((0, 2), 2), ((1, 4), -1)}), lower=2.5)

FORBIDDEN = EdgeUse((1, 2), "at-most", 0)
PYTHONPATH = os.pathsep.join([str(REPOSITORY / "tests" / "helpers"), str(Path(__file__).parent)])
"""Of a program that imports this file."""


def state(**changes: Any) -> SearchState:
    """Return a search of the small instance with something in every field."""
    arguments: dict[str, Any] = {
        "open_nodes": (
            Node((EdgeUse((1, 2), "at-most", 0), EdgeUse(FLEET, "at-least", 2)), 1 / 3, (SUBSET,)),
            Node((EdgeUse((0, 4), "at-least", 1),), 41.0000001, (EDGES, SUBSET, BORDER)),
            Node(),
        ),
        "lower_bound": 1 / 3,
        "incumbent": small_solution(status="feasible", lower_bound=0, gap=1),
        "infeasible_cores": (Column(0, (1, 4)), Column(0, (2, 3, 1))),
        "cores_in_any_order": (Column(0, (1, 4)),),
        "loadable_columns": (Column(0, (2, 3)), Column(0, (1,))),
        "nodes_done": 7,
        "seconds": 1.25,
        "options": {"seed": 3, "screen": "exact", "node_limit": None},
    }
    return SearchState(**(arguments | changes))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name the file."""
    return tmp_path / "search.checkpoint"


def test_what_is_written_can_be_read(path: Path) -> None:
    """Every field, to the last bit of a float."""
    instance = small_instance()
    checkpoint_codec.write(path, instance, state())
    found = checkpoint_codec.read(path, instance)
    assert found == state()
    # Not part of what makes a node equal to another.
    assert [node.cuts for node in found.open_nodes] == [(SUBSET,), (EDGES, SUBSET, BORDER), ()]


def test_decisions_and_routes_of_several_kinds_can_be_read(path: Path) -> None:
    """What branching decides of a fleet, and what is known of each kind."""
    base = small_instance()
    vehicle = replace(base.vehicle, name="lorry", count=1)
    instance = replace(base, vehicles=(vehicle, replace(vehicle, name="van", width=1_000)))
    row = EdgeRow(frozenset(), lower=1.5, left_out=frozenset({(1, 1.0), (3, 2.5)}))
    decisions = (
        KindUse(1, "at-most", 2),
        KindUse(0, "at-least", 1),
        Service(3, True),
        Service(1, False),
        Ride(2, 1, True),
        Ride(2, 0, False),
        EdgeUse((0, 1), "at-most", 1),
    )
    known = SearchState(
        (Node(decisions, 2.0, (row,)),),
        1.0,
        infeasible_cores=(Column(1, (1, 2)), Column(0, (3, 1))),
        loadable_columns=(Column(1, (1,)), Column(0, (2, 3))),
    )
    checkpoint_codec.write(path, instance, known)
    found = checkpoint_codec.read(path, instance)
    assert found == known
    assert found.open_nodes[0].cuts == (row,)


@pytest.mark.parametrize(
    "decision",
    [
        {"kind": 1, "sense": "at-most", "value": 2},
        {"kind": 0, "sense": "about", "value": 2},
        {"customer": 99, "served": True},
        {"customer": 1, "served": 1},
        {"customer": 1, "kind": 0, "taken": "yes"},
    ],
)
def test_a_decision_that_is_none_is_refused(path: Path, decision: dict[str, object]) -> None:
    """Of kinds and customers that there are not, and without a meaning."""
    instance = small_instance()
    checkpoint_codec.write(path, instance, state())
    document = json.loads(path.read_text())
    document["content"]["open_nodes"][0]["decisions"] = [decision]
    content = json.dumps(document["content"], separators=(",", ":"))
    document["sha256"] = hashlib.sha256(content.encode()).hexdigest()
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match="damaged"):
        checkpoint_codec.read(path, instance)


def test_a_plan_of_format_2_comes_back_with_its_times(path: Path) -> None:
    """The plan of a checkpoint is that of a solution file."""
    instance = market_day()
    known = SearchState((Node(),), 190.0, incumbent=market_plan())
    checkpoint_codec.write(path, instance, known)
    assert checkpoint_codec.read(path, instance).incumbent == market_plan()


def test_the_least_that_a_search_knows_can_be_written(path: Path) -> None:
    """At the very beginning, and at the very end, also where no plan exists."""
    instance = small_instance()
    for least in (SearchState((Node(),), 0.0), SearchState((), 44.0), SearchState((), math.inf)):
        checkpoint_codec.write(path, instance, least)
        assert checkpoint_codec.read(path, instance) == least


def test_bounds_without_a_number_are_understood(path: Path) -> None:
    """No bound at all is zero; an infinite one says that the node holds nothing."""
    instance = small_instance()
    nodes = (Node((), float("-inf")), Node((), float("inf")), Node((), 3.5))
    checkpoint_codec.write(path, instance, SearchState(nodes, float("-inf")))
    found = checkpoint_codec.read(path, instance)
    assert found.lower_bound == 0
    assert [node.lower_bound for node in found.open_nodes] == [0, 3.5]


def test_a_large_checkpoint_is_compressed(path: Path) -> None:
    """A hundred thousand routes are megabytes of digits."""
    instance = small_instance()
    large = state(loadable_columns=(Column(0, (1, 2, 3)),) * 130_000)
    checkpoint_codec.write(path, instance, large)
    assert path.read_bytes().startswith(b"\x1f\x8b")
    assert path.stat().st_size < 100_000
    assert checkpoint_codec.read(path, instance) == large
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="damaged: it breaks off"):
        checkpoint_codec.read(path, instance)
    path.write_bytes(path.read_bytes()[:1000] + b"garbage" + path.read_bytes()[1000:])
    with pytest.raises(InputError, match="damaged"):
        checkpoint_codec.read(path, instance)


@pytest.mark.parametrize("share", [0.01, 0.02, 0.2, 0.5, 0.9, 0.999])
def test_a_file_that_breaks_off_is_called_so(path: Path, share: float) -> None:
    """It cannot be ours alone, but a copy may be cut off by a full disk."""
    instance = small_instance()
    checkpoint_codec.write(path, instance, state())
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError) as caught:
        checkpoint_codec.read(path, instance)
    assert caught.value.source == str(path)
    words = "not a checkpoint" if share < 0.02 else "damaged: it breaks off"
    assert words in str(caught.value)


def test_every_flipped_bit_is_noticed(path: Path) -> None:
    """A bound or a core that is wrong by one digit would make a wrong proof."""
    instance = small_instance()
    checkpoint_codec.write(path, instance, state())
    content = path.read_bytes()
    for position in range(0, len(content), 37):
        changed = bytearray(content)
        changed[position] ^= 1
        path.write_bytes(bytes(changed))
        try:
            found = checkpoint_codec.read(path, instance)
        except InputError:
            continue
        # A blank outside of the content may be another one.
        assert found == state(), position


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not a checkpoint"),
        (b"\x00\x01\x02", "is not a checkpoint"),
        (b"\x1f\x8b\x00", "damaged"),
        (gzip.compress(b"hello", mtime=0), "is not a checkpoint"),
        (b"[]", "is not a checkpoint"),
        (b"[" * 100_000, "is not a checkpoint"),
        (b'{"format": "tailgate-solution-1"}', "is not a checkpoint, but a solution"),
        (b'{"format": "tailgate-instance-1"}', "is not a checkpoint, but an instance"),
        (b'{"format": 7}', "is not a checkpoint"),
        (b'{"format": "tailgate-checkpoint-2"}', "another version of Tailgate"),
        (b'{"format": "tailgate-checkpoint-1"}', "damaged: it has no content"),
        (b'{"format": "tailgate-checkpoint-1", "content": {}}', "damaged: its checksum"),
    ],
    ids=range(12),
)
def test_other_files_are_refused_for_what_they_are(path: Path, content: bytes, words: str) -> None:
    """One message with the file's name, never a traceback."""
    path.write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        checkpoint_codec.read(path, small_instance())
    assert caught.value.source == str(path)


def test_a_file_that_is_not_there_is_named_with_the_remedy(path: Path, tmp_path: Path) -> None:
    """The usual slip of the pen."""
    with pytest.raises(
        InputError, match=r"search\.checkpoint: there is no such file.*a checkpoint"
    ):
        checkpoint_codec.read(path, small_instance())
    with pytest.raises(InputError, match="not a regular file"):
        checkpoint_codec.read(tmp_path, small_instance())


def test_another_instance_or_convention_is_refused(path: Path) -> None:
    """Bounds of one problem say nothing of another."""
    instance = small_instance()
    checkpoint_codec.write(path, instance, state())
    with pytest.raises(InputError, match="belongs to another instance, 'small'"):
        checkpoint_codec.read(path, replace(instance, vehicle_count=3, name="other"))
    with pytest.raises(InputError, match="distance is 'truncated' there and 'exact' here, fleet"):
        checkpoint_codec.read(path, replace(instance, conventions=Conventions.PLANNER))
    # A name is only a name.
    assert checkpoint_codec.read(path, replace(instance, name="renamed")) == state()


def test_other_items_that_may_be_turned_are_another_problem(path: Path) -> None:
    """By the convention in either direction, and by the word of one item."""
    instance = small_instance()
    turning = instance.with_conventions(turn="all")
    checkpoint_codec.write(path, instance, state())
    # As older versions wrote it, which knew nothing of turning.
    assert "turn" not in json.loads(path.read_bytes())["content"]["conventions"]
    assert checkpoint_codec.read(path, instance) == state()
    with pytest.raises(InputError, match="problem: turn is 'as-given' there and 'all' here; state"):
        checkpoint_codec.read(path, turning)
    first, *others = instance.customers
    items = tuple(replace(item, turn=True) for item in first.items)
    with pytest.raises(InputError, match="belongs to another instance"):
        checkpoint_codec.read(
            path, replace(instance, customers=(replace(first, items=items), *others))
        )
    checkpoint_codec.write(path, turning, state(incumbent=None))
    assert checkpoint_codec.read(path, turning) == state(incumbent=None)
    with pytest.raises(InputError, match="problem: turn is 'all' there and 'as-given' here; state"):
        checkpoint_codec.read(path, instance)


def test_a_plan_with_turned_items_comes_back(path: Path) -> None:
    """It says how they lie, and the judge sees it."""
    turning = small_instance().with_conventions(turn="all")
    plan = with_placement(small_solution(turning), 1, 2, turned=True)
    plan = replace(plan, status="feasible", lower_bound=0, gap=1)
    checkpoint_codec.write(path, turning, state(incumbent=plan))
    assert checkpoint_codec.read(path, turning).incumbent == plan


def with_content(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the content and mend the checksum, as nobody but an enemy would."""
    document = json.loads(path.read_bytes())
    change(document["content"])
    text = json.dumps(document["content"], separators=(",", ":"))
    document["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(document), encoding="utf-8")


def setting(*keys: str | int, to: object) -> Callable[[dict[str, Any]], object]:
    """Return what sets one value deep in the content."""

    def change(content: Any) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = to

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.pop("rows"),
        lambda content: content.pop("instance"),
        lambda content: content.pop("open_nodes"),
        setting("lower_bound", to="high"),
        setting("lower_bound", to=1e999),
        setting("lower_bound", to=45),
        setting("nodes_done", to=-1),
        setting("infeasible_cores", to=[[1, 99]]),
        setting("infeasible_cores", to=[[1, 1]]),
        setting("infeasible_cores", to=[[]]),
        setting("infeasible_cores", to=[[2, 1]]),
        setting("cores_in_any_order", to=[2]),
        setting("cores_in_any_order", to=[-1]),
        setting("cores_in_any_order", to=0),
        setting("loadable_routes", to=[["1"]]),
        setting("loadable_routes", to={}),
        setting("open_nodes", 0, "decisions", 0, to=[2, 1, "at-most", 0]),
        setting("open_nodes", 0, "decisions", 0, to=[1, 2, "at-best", 0]),
        setting("open_nodes", 0, "decisions", 0, to=[1, 2]),
        setting("open_nodes", 0, "cuts", to=[99]),
        setting("open_nodes", 0, "cuts", to=[-1]),
        setting("open_nodes", 0, "lower_bound", to=None),
        setting("rows", 0, "members", to=[1, 2, 2]),
        setting("rows", 0, "memory", to=[1, 2]),
        setting("rows", 1, "edges", to=[[0, 1, 1], [0, 1, 1]]),
        setting("rows", 1, "edges", to=[[0, 1, 0.5]]),
        setting("options", to=3),
        setting("incumbent", "objective", to=43),
        setting("incumbent", "routes", to=[]),
        setting("incumbent", "conventions", "distance", to="exact"),
        setting("incumbent", to={"format": "tailgate-solution-1"}),
    ],
)
def test_nonsense_with_a_right_checksum_is_refused(
    path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    """Types, numbers of customers and contradictions are looked at all the same."""
    instance = small_instance()
    checkpoint_codec.write(path, instance, state())
    with_content(path, change)
    with pytest.raises(InputError, match="the checkpoint is damaged: "):
        checkpoint_codec.read(path, instance)


def test_the_judge_sees_the_plan_again(path: Path) -> None:
    """A plan that does not hold must not come back as an optimum."""
    instance = small_instance()
    wrong = with_placement(state().incumbent or small_solution(), 0, 1, y=1)
    checkpoint_codec.write(path, instance, state(incumbent=wrong))
    with pytest.raises(InputError, match=r"its plan is not valid: route 1: .*overlap"):
        checkpoint_codec.read(path, instance)


def test_a_path_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """At the first time; later the search goes on, for it is worth more than its checkpoint."""
    instance = small_instance()
    with pytest.raises(InputError, match="make its folder first"):
        Checkpoint(tmp_path / "no" / "where", instance).write(state())
    folder = tmp_path / "folder"
    folder.mkdir()
    kept = Checkpoint(folder / "search", instance)
    kept.write(state())
    (folder / "search").unlink()
    folder.rmdir()
    kept.write(state())
    assert "cannot be written" in kept.failure
    folder.mkdir()
    kept.write(state())
    assert kept.failure == ""


def test_checkpoints_are_written_now_and_then(path: Path) -> None:
    """Not at every step, and less often where it takes long."""
    instance = small_instance()
    patient = Checkpoint(path, instance, seconds_between=1e6)
    assert not patient.is_due
    hasty = Checkpoint(path, instance, seconds_between=0.0)
    assert hasty.is_due
    hasty.write(state())
    assert not hasty.is_due


WRITE_FOR_EVER = """
import sys
from itertools import count
from dataclasses import replace
from test_checkpoint import small_instance, state
from tailgate.solver.column import Column
from tailgate.solver.search import checkpoint_codec

instance = small_instance()
checkpoint_codec.GZIP_BYTES = 100_000
for number in count(1):
    # Large and small ones in turn, so that some are compressed.
    columns = (Column(0, (1, 2, 3)),) * (20_000 if number % 3 else 10)
    written = state(nodes_done=number, loadable_columns=columns)
    checkpoint_codec.write(sys.argv[1], instance, written)
    if number == 1:
        print("written", flush=True)
"""


def test_a_process_that_is_killed_leaves_a_whole_checkpoint(path: Path) -> None:
    """Kill -9 at any moment: the old one or the new one is there, and complete."""
    instance: Instance = small_instance()
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE_FOR_EVER, str(path)],
        stdout=subprocess.PIPE,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"written\n"
    process.stdout.close()
    # While it is being replaced all the time, every reader sees a whole one.
    seen: set[int] = set()
    while len(seen) < 5:
        seen.add(checkpoint_codec.read(path, instance).nodes_done)
    process.send_signal(signal.SIGKILL)
    process.wait()
    found = checkpoint_codec.read(path, instance)
    assert replace(found, nodes_done=7, loadable_columns=state().loadable_columns) == state()


def test_processes_killed_at_many_moments_leave_whole_checkpoints(path: Path) -> None:
    """The first write included: then there is no file at all."""
    instance = small_instance()
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    process = subprocess.Popen(
        [sys.executable, "-c", FORK_AND_WRITE, str(path)],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    assert process.stdout is not None
    outcomes = []
    with process.stdout as lines:
        for _line in lines:
            is_there = path.exists()
            outcomes.append(checkpoint_codec.read(path, instance).nodes_done if is_there else 0)
    assert process.wait() == 0
    assert len(outcomes) == 40
    assert outcomes == sorted(outcomes)
    assert outcomes[-1] > 0


FORK_AND_WRITE = """
import os, random, signal, sys, time
from test_checkpoint import small_instance, state
from tailgate.solver.column import Column
from tailgate.solver.search import checkpoint_codec

instance, dice, number = small_instance(), random.Random(1), 0
checkpoint_codec.GZIP_BYTES = 100_000
for generation in range(40):
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        while True:
            number += 1
            columns = (Column(0, (1, 2, 3)),) * (20_000 if number % 2 else 10)
            os.write(writer, b".")
            checkpoint_codec.write(
                sys.argv[1], instance, state(nodes_done=number, loadable_columns=columns)
            )
    os.close(writer)
    time.sleep(dice.random() * 0.08)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    begun = 0
    while piece := os.read(reader, 4096):
        begun += len(piece)
    os.close(reader)
    number += begun
    print(generation, flush=True)
    time.sleep(0.01)
"""
