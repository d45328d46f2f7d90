"""Very many orders and very large floors, in reasonable time and memory."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tailgate.io import read_solution, write
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.solver.loading import read
from tailgate.solver.search.solver import solve

FREE = Conventions(distance="truncated", fleet="at-most", single_customer_routes="allow", lifo=True)
HUGE = 10**9
MOST_MEGABYTES = 3_000


def thousand_orders() -> Instance:
    """Return 1,000 customers with 20 items each, for trailers in millimetres."""
    dice = random.Random(1)
    customers = tuple(
        Customer(
            dice.randint(0, 100_000),
            dice.randint(0, 100_000),
            dice.randint(1, 500),
            tuple(Item(dice.randint(200, 400), dice.randint(200, 500)) for _ in range(20)),
        )
        for _ in range(1_000)
    )
    return Instance(
        name="thousand",
        depot=(50_000, 50_000),
        customers=customers,
        vehicle=Vehicle(width=2_450, length=13_600, capacity=24_000),
        vehicle_count=100,
        conventions=FREE,
    )


def test_a_thousand_large_orders_are_read_quickly(tmp_path: Path) -> None:
    """In every format, and without a check of a million pairs."""
    instance = thousand_orders()
    for name in ("orders.json", "orders.txt", "orders"):
        started = time.process_time()
        write(instance, tmp_path / name)
        again = read(tmp_path / name, fleet="at-most", single_customer_routes="allow")
        assert time.process_time() - started < 10
        assert again.n == 1_000
        assert sum(len(customer.items) for customer in again.customers) == 20_000
        assert again.customers[-1].items == instance.customers[-1].items


MEASURED = """
import resource, sys
from tailgate.apps.cli.main import main
code = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.long
def test_a_thousand_large_orders_have_a_plan_within_a_minute(tmp_path: Path) -> None:
    """Not a good one; but a valid one, and memory left for others."""
    path, out = tmp_path / "orders.json", tmp_path / "plan.json"
    instance = thousand_orders()
    write(instance, path)
    argv = ["solve", str(path), "--time-limit", "60", "--quiet", "--out", str(out)]
    started = time.monotonic()
    program = subprocess.run(
        [sys.executable, "-c", MEASURED, *argv],
        capture_output=True,
        text=True,
        check=True,
    )
    assert time.monotonic() - started < 90
    assert int(program.stderr) < MOST_MEGABYTES
    solution = read_solution(out)
    assert solution.status == "feasible"
    assert not verify(read(path), solution)


def solved(instance: Instance) -> Solution:
    """Return the optimum, which the judge has seen."""
    result = solve(instance, time_limit=60)
    assert result.status == "optimal"
    assert result.solution is not None
    assert not verify(instance, result.solution)
    return result.solution


def on_huge_floor(*items: Item, trucks: int) -> Instance:
    """Return six customers in a row with these items each, and trucks of a billion by a billion."""
    return Instance(
        name="huge",
        depot=(0, 0),
        customers=tuple(Customer(place, 0, 1, items) for place in range(1, 7)),
        vehicle=Vehicle(width=HUGE, length=HUGE, capacity=10),
        vehicle_count=trucks,
        conventions=FREE,
    )


def test_items_of_size_one_on_a_huge_floor() -> None:
    """Nothing costs time or memory per unit of length."""
    assert solved(on_huge_floor(Item(1, 1), trucks=2)).objective == 12


def test_tiny_and_huge_items_together() -> None:
    """Three times a third and three single units do fit; one unit more does not."""
    third = HUGE // 3
    assert solved(on_huge_floor(Item(HUGE, third), trucks=6)).objective == 12 + 6
    # 3 * (third + 1) is more than the floor: two per truck.
    assert solved(on_huge_floor(Item(HUGE, third + 1), trucks=6)).objective == 12 + 8 + 4
    beside = on_huge_floor(Item(HUGE - 1, third), Item(1, 1), trucks=6)
    assert solved(beside).objective == 12 + 6
