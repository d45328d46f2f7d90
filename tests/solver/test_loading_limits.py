"""Effort limits, interruption and threads: an answer cut short is unknown and leaves no trace."""

from __future__ import annotations

import math
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from builders import REPOSITORY
from interruption import interrupt_after
from loading_cases import assert_sound, hard_question, instance_of
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.research.experiments.loading.random_routes import RouteSampler
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import LoadingOracle, Verdict

HELPERS = REPOSITORY / "tests" / "helpers"
# The machine may be busy: what must take a moment is given a second.
GRACE_SECONDS = 1.0


def hard_instance() -> tuple[Instance, list[int]]:
    """Return an instance and a route that no limit in this file suffices for."""
    instance = instance_of(*hard_question())
    return instance, list(range(1, instance.n + 1))


def some_routes(seed: int) -> tuple[Instance, list[tuple[int, ...]]]:
    """Return an instance and routes of which some need a real search."""
    instance = generate_instance(16, 4, seed=seed)
    return instance, RouteSampler(instance, seed).sample_distinct(12)


@pytest.mark.parametrize("lifo", [True, False])
@pytest.mark.parametrize("limit", [0.05, 0.5])
def test_a_time_limit_is_kept_inside_one_long_query(limit: float, lifo: bool) -> None:
    """A limit looked at only between queries once overran by a minute."""
    instance, route = hard_instance()
    oracle = LoadingOracle(instance, lifo=lifo)
    started = time.perf_counter()
    result = oracle.check(route, time_limit=limit)
    elapsed = time.perf_counter() - started
    assert result.verdict is Verdict.UNKNOWN
    assert result.decided_by == "limit"
    assert limit <= elapsed <= limit + GRACE_SECONDS
    assert result.seconds <= elapsed


@pytest.mark.parametrize("limit", [1, 10, 1_000, 20_000])
def test_a_node_limit_is_kept(limit: int) -> None:
    """Nodes make an outcome that does not depend on the machine."""
    instance, route = hard_instance()
    result = LoadingOracle(instance).check(route, max_nodes=limit)
    assert result.verdict is Verdict.UNKNOWN
    assert result.decided_by == "limit"
    assert result.nodes <= limit
    again = LoadingOracle(instance).check(route, max_nodes=limit)
    assert again.nodes == result.nodes


def test_no_effort_gives_an_instant_answer_or_unknown() -> None:
    """Zero is a limit like any other: what is obvious is answered, the rest is unknown."""
    instance, routes = some_routes(seed=1)
    for max_nodes, time_limit in ((0, None), (None, 0.0), (0, 0.0)):
        oracle = LoadingOracle(instance, use_cache=False)
        for route in routes:
            started = time.perf_counter()
            result = oracle.check(route, max_nodes=max_nodes, time_limit=time_limit)
            assert time.perf_counter() - started < GRACE_SECONDS
            assert_sound(instance, route, result)
            if result.verdict is not Verdict.UNKNOWN:
                unlimited = LoadingOracle(instance).check(route, time_limit=20)
                assert unlimited.verdict in (result.verdict, Verdict.UNKNOWN)


@pytest.mark.parametrize("time_limit", [math.inf, 1e300, sys.float_info.max])
def test_an_endless_time_limit_is_no_limit(time_limit: float) -> None:
    """Callers write "no limit" as infinity; it must not wrap round to nothing."""
    instance = instance_of(2, 2, [[(1, 1)], [(2, 1)], [(1, 1)], [(1, 1)]])
    oracle = LoadingOracle(instance)
    assert oracle.check([2, 1, 3], time_limit=time_limit).verdict is Verdict.FEASIBLE
    assert oracle.check([1, 2, 3], time_limit=time_limit).verdict is Verdict.INFEASIBLE


@pytest.mark.parametrize("time_limit", [-0.5, math.nan, -math.inf])
def test_a_senseless_time_limit_is_refused(time_limit: float) -> None:
    """The complaint names the argument."""
    oracle = LoadingOracle(instance_of(2, 2, [[(1, 1)]]))
    with pytest.raises(InputError, match="time_limit"):
        oracle.check([1], time_limit=time_limit)


def test_a_negative_node_limit_is_refused() -> None:
    """The complaint names the argument."""
    oracle = LoadingOracle(instance_of(2, 2, [[(1, 1)]]))
    with pytest.raises(InputError, match="max_nodes"):
        oracle.check([1], max_nodes=-1)


@pytest.mark.parametrize("route", [[0], [3], [-1], [1, 1], [1, 2, 1]])
def test_a_route_that_cannot_be_is_refused(route: list[int]) -> None:
    """Customers are 1 to n, each at most once."""
    oracle = LoadingOracle(instance_of(2, 2, [[(1, 1)], [(1, 1)]]))
    with pytest.raises(InputError, match="route"):
        oracle.check(route)


@pytest.mark.parametrize("lifo", [True, False])
def test_after_an_aborted_query_verdicts_are_those_of_a_fresh_oracle(lifo: bool) -> None:
    """A trap met before: state left behind by a query that was cut off made later answers wrong."""
    dice = random.Random(7)
    instance, routes = some_routes(seed=2)
    oracle = LoadingOracle(instance, lifo=lifo)
    for _ in range(4):
        for route in routes:
            if dice.random() < 0.5:
                oracle.check(route, max_nodes=dice.randint(0, 300))
            else:
                oracle.check(route, time_limit=dice.uniform(0, 0.002))
    for route in routes:
        after_abort = oracle.check(route, max_nodes=20_000)
        fresh = LoadingOracle(instance, lifo=lifo).check(route, max_nodes=20_000)
        assert_sound(instance, route, after_abort, lifo=lifo)
        if Verdict.UNKNOWN in (after_abort.verdict, fresh.verdict):
            # What was learnt from other routes may settle more, never less.
            assert fresh.verdict is Verdict.UNKNOWN
        else:
            assert after_abort.verdict == fresh.verdict, route


def test_an_unknown_is_not_remembered_as_a_verdict() -> None:
    """The same route, asked again with more effort, is searched again."""
    instance, routes = some_routes(seed=3)
    oracle = LoadingOracle(instance)
    settled_later = 0
    for route in routes:
        first = oracle.check(route, max_nodes=1)
        second = oracle.check(route, max_nodes=50_000)
        if first.verdict is Verdict.UNKNOWN:
            assert second.decided_by != "cache"
            settled_later += second.verdict is not Verdict.UNKNOWN
    assert settled_later >= 1


def test_an_interrupt_ends_a_long_query_and_harms_no_later_one() -> None:
    """Ctrl-C raises KeyboardInterrupt; afterwards the oracle answers like a fresh one."""
    instance, hard_route = hard_instance()
    oracle = LoadingOracle(instance)
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.2):
        oracle.check(hard_route, time_limit=30)
    assert time.perf_counter() - started < 0.2 + GRACE_SECONDS
    dice = random.Random(1)
    for _ in range(30):
        route = dice.sample(hard_route, dice.randint(2, 8))
        result = oracle.check(route, max_nodes=20_000)
        assert_sound(instance, route, result)
        fresh = LoadingOracle(instance).check(route, max_nodes=20_000)
        if Verdict.UNKNOWN not in (result.verdict, fresh.verdict):
            assert result.verdict == fresh.verdict
    again = oracle.check(hard_route, max_nodes=1_000)
    assert again.verdict is Verdict.UNKNOWN


INTERRUPTED_PROGRAM = """
import sys
from loading_cases import hard_question, instance_of
from tailgate.solver.loading import LoadingOracle

instance = instance_of(*hard_question(width=int(sys.argv[2]), length=4 * int(sys.argv[2])))
oracle = LoadingOracle(instance, lifo=sys.argv[1] == "lifo")
print("asking", flush=True)
try:
    oracle.check(range(1, instance.n + 1))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to a process, which is a POSIX matter")
@pytest.mark.parametrize(
    ("rule", "width"),
    [
        ("lifo", 101),
        ("lifo", 2_450),
        ("lifo", 249_999_999),
        # Without LIFO the smallest of the three is found at once.
        ("unrestricted", 2_450),
        ("unrestricted", 249_999_999),
    ],
)
def test_ctrl_c_ends_a_long_query_within_a_second(rule: str, width: int) -> None:
    """As a person meets it: a process of its own, without any limit, and the real signal."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED_PROGRAM, rule, str(width)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": python_path()},
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "asking\n"
        # The first moments go into preparation, which must be interruptible, too.
        time.sleep(0.5)
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.perf_counter() - started < GRACE_SECONDS
        assert process.wait(timeout=10) == 0
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def test_threads_may_share_an_oracle() -> None:
    """Calls wait for each other; answers are those of one thread alone."""
    instance, routes = some_routes(seed=4)
    alone = LoadingOracle(instance)
    expected = {route: alone.check(route, max_nodes=20_000).verdict for route in routes}
    shared = LoadingOracle(instance)

    def ask(seed: int) -> int:
        order = list(routes)
        random.Random(seed).shuffle(order)
        for route in order:
            result = shared.check(route, max_nodes=20_000)
            assert_sound(instance, route, result)
            if Verdict.UNKNOWN not in (result.verdict, expected[route]):
                assert result.verdict == expected[route]
        return len(order)

    with ThreadPoolExecutor(max_workers=4) as pool:
        assert sum(pool.map(ask, range(8))) == 8 * len(routes)
    assert shared.statistics["queries"] == 8 * len(routes)


STATISTICS_PROGRAM = """
import threading
from loading_cases import hard_question, instance_of
from tailgate.solver.loading import LoadingOracle

instance = instance_of(*hard_question())
oracle = LoadingOracle(instance)
asker = threading.Thread(target=oracle.check, args=[range(1, instance.n + 1)],
                         kwargs={"time_limit": 1.0})
asker.start()
while asker.is_alive():
    oracle.statistics
    oracle.clear()
print("done")
"""


def test_looking_at_statistics_during_a_query_blocks_nobody() -> None:
    """A progress display reads them while another thread is inside a long query."""
    # In a process of its own: two threads that wait for each other for ever cannot be ended here.
    finished = subprocess.run(
        [sys.executable, "-c", STATISTICS_PROGRAM],
        capture_output=True,
        text=True,
        timeout=20,
        env=os.environ | {"PYTHONPATH": python_path()},
        check=False,
    )
    assert finished.stdout == "done\n", finished.stderr


def python_path() -> str:
    """Return a path on which a child process finds the helpers of these tests."""
    return os.pathsep.join([str(HELPERS), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"route": None}, "route"),
        ({"route": "12"}, "route"),
        ({"route": [1.5]}, "route"),
        ({"route": [0]}, "route"),
        ({"route": [1, 1]}, "route"),
        ({"route": [1], "max_nodes": -1}, "max_nodes"),
        ({"route": [1], "time_limit": "1"}, "time_limit"),
        ({"route": [1], "time_limit": float("nan")}, "time_limit"),
    ],
)
def test_a_query_that_makes_no_sense_is_refused_by_name(
    arguments: dict[str, Any], field: str
) -> None:
    """Whoever calls the oracle from code learns which argument is wrong, not how it is bound."""
    instance, _ = hard_instance()
    call = partial(LoadingOracle(instance).check, **arguments)
    with pytest.raises(InputError) as refusal:
        call()
    assert refusal.value.field == field
