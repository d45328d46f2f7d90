"""Rows on edges: what they count, and the two ways to write how many trucks come to a set."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from cut_checks import draw_fractional
from route_enumeration import Stops
from tailgate.solver.column import columns_of
from tailgate.solver.master.edge_row import EdgeRow, edge_values, edges_of


def covering_solution(dice: random.Random, n: int) -> dict[Stops, float]:
    """Draw a fractional solution that visits everybody once, some by trucks of their own."""
    support = draw_fractional(dice, n)
    for stop in range(1, n + 1):
        left = 1 - sum(value for route, value in support.items() if stop in route)
        if left > 1e-9:
            support[stop,] = support.get((stop,), 0.0) + left
    return support


def entering(customers: frozenset[int], support: dict[Stops, float]) -> float:
    """Count how often a truck comes into the set from outside."""
    return sum(
        value
        for route, value in support.items()
        for before, stop in pairwise((0, *route))
        if stop in customers and before not in customers
    )


def test_a_route_has_an_edge_more_than_customers() -> None:
    """Out of the depot and back; to a single customer and back is the same edge twice."""
    assert edges_of((3, 1, 2)) == [(0, 3), (1, 3), (1, 2), (0, 2)]
    assert edges_of((3, 1, 2)) == edges_of((2, 1, 3))[::-1]
    assert edges_of((4,)) == [(0, 4), (0, 4)]


@pytest.mark.parametrize("seed", range(50))
def test_a_coefficient_counts_what_is_driven(seed: int) -> None:
    """Every traversal counts, in either direction."""
    dice = random.Random(seed)
    n = dice.randint(2, 8)
    edges = [(i, j) for j in range(1, n + 1) for i in range(j)]
    chosen = {edge: dice.randint(-2, 3) for edge in dice.sample(edges, dice.randint(1, len(edges)))}
    row = EdgeRow(frozenset(chosen.items()), lower=1.0)
    routes = [tuple(dice.sample(range(1, n + 1), dice.randint(1, n))) for _ in range(20)]
    for route in routes:
        expected = sum(chosen.get(edge, 0) for edge in edges_of(route))
        assert row.coefficient(route) == row.coefficient(route[::-1]) == expected
    assert row.coefficients(columns_of(0, routes)) == [row.coefficient(route) for route in routes]


@pytest.mark.parametrize("seed", range(100))
def test_both_ways_to_write_a_row_mean_the_trucks_that_enter(seed: int) -> None:
    """Whatever the number of edges decides, the row is violated by the trucks that are missing."""
    dice = random.Random(seed)
    n = dice.randint(1, 9)
    support = covering_solution(dice, n)
    customers = frozenset(dice.sample(range(1, n + 1), dice.randint(1, n)))
    trucks = dice.randint(1, 3)
    row = EdgeRow.trucks(customers, n, trucks)
    missing = trucks - entering(customers, support)
    if math.isinf(row.upper):
        assert row.lower == 2 * trucks
        assert row.violation(support) == pytest.approx(2 * missing)
    else:
        assert row.lower == -math.inf
        assert row.violation(support) == pytest.approx(missing)
    inside = len(customers) * (len(customers) - 1) // 2
    assert len(row.edges) == min(inside, len(customers) * (n + 1 - len(customers)))


def test_equal_rows_are_one() -> None:
    """The master problem keeps rows in a table."""
    row = EdgeRow.trucks([3, 1, 2], 9, 2)
    assert row == EdgeRow.trucks((1, 2, 3), 9, 2)
    assert len({row, EdgeRow.trucks({2, 3, 1}, 9, 2)}) == 1
    assert row != EdgeRow.trucks([1, 2, 3], 9, 3)
    assert row == EdgeRow.of([(1, 2), (1, 3), (2, 3)], upper=1.0)


def test_the_use_of_edges_adds_up() -> None:
    """Shares of routes that use the same edge, in whatever direction."""
    support: dict[Stops, float] = {(1, 2): 0.5, (2, 1, 3): 0.25, (3,): 0.75}
    assert edge_values(support) == {
        (0, 1): 0.5,
        (1, 2): 0.75,
        (0, 2): 0.75,
        (1, 3): 0.25,
        (0, 3): 1.75,
    }
