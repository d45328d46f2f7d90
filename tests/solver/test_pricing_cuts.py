"""The pricer with prices on edges, subset rows and forbidden edges, against all routes."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import pytest
from test_pricing_enumeration import (
    TOLERANCE,
    ByArea,
    contains,
    draw_duals,
    draw_sequence,
    rules,
)

from route_enumeration import Cost, Stops
from rules import Rule
from seeds import with_seeds
from tailgate.model.instance import Conventions, Instance
from tailgate.solver.column import columns_of
from tailgate.solver.pricing import Pricer, SubsetRow
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import tiny_instance

Edge = tuple[int, int]

QUESTIONS_PER_INSTANCE = 5


def coefficient(row: SubsetRow, route: Iterable[int]) -> int:
    """Return the row's coefficient by its definition: half visits, forgotten outside."""
    halves = count = 0
    for customer in route:
        if customer not in row.memory:
            halves = 0
        elif customer in row.members:
            halves += 1
            if halves == 2:
                halves, count = 0, count + 1
    return count


def edges_of(route: Stops) -> list[Edge]:
    """Return the edges from the depot to the depot, smaller number first."""
    return [(min(edge), max(edge)) for edge in pairwise((0, *route, 0))]


def draw_row(dice: random.Random, n: int) -> SubsetRow:
    """Draw three customers and a memory between none but themselves and all."""
    members = tuple(sorted(dice.sample(range(1, n + 1), 3)))
    assert len(members) == 3
    share = dice.choice((0, 0.3, 0.7, 1))
    others = [customer for customer in range(1, n + 1) if dice.random() < share]
    return SubsetRow(members, frozenset((*members, *others)))


def draw_edges(dice: random.Random, n: int, most: int) -> list[Edge]:
    """Draw some edges, the depot's among them."""
    edges = [(a, b) for b in range(1, n + 1) for a in range(b)]
    return dice.sample(edges, min(len(edges), dice.randint(0, most)))


class Question:
    """Duals of all kinds, and forbidden edges."""

    def __init__(self, dice: random.Random, n: int) -> None:
        self.visits = draw_duals(dice, n)
        scale = max(1.0, max(map(abs, self.visits)))
        self.edges = {
            edge: dice.uniform(-0.5, 0.5) * scale
            for edge in draw_edges(dice, n, dice.choice((0, 9)))
        }
        count = 0 if n < 3 else dice.choice((0, 1, 2, 4, 12, 70))
        penalties = (0.0, dice.uniform(0, 0.1) * scale, dice.uniform(0, 2) * scale, 1.0)
        self.rows = [(draw_row(dice, n), dice.choice(penalties)) for _ in range(count)]
        self.forbidden = frozenset(draw_edges(dice, n, dice.choice((0, 3))))

    def put_to(self, pricer: Pricer) -> None:
        """Tell the pricer."""
        pricer.set_forbidden_edges(self.forbidden)
        pricer.set_duals(self.visits, edge_prices=self.edges, subset_rows=self.rows)

    def reduced_costs(self, routes: Mapping[Stops, Cost]) -> dict[Stops, float]:
        """Return what the routes without forbidden edge cost under these duals."""
        return {
            route: cost
            - sum(self.visits[customer - 1] for customer in route)
            - sum(self.edges.get(edge, 0.0) for edge in edges_of(route))
            + sum(penalty * coefficient(row, route) for row, penalty in self.rows)
            for route, cost in routes.items()
            if self.forbidden.isdisjoint(edges_of(route))
        }


def draw_threshold(dice: random.Random, reduced: Sequence[float]) -> float:
    """Draw zero, or a threshold below, above or amid the reduced costs."""
    if not reduced:
        return dice.choice((0.0, 50.0))
    least, most = min(reduced), max(reduced)
    return dice.choice(
        (0.0, least + 0.5, dice.choice(reduced), most + 5, least - 1, (least + most) / 2)
    )


def assert_pricing(pricer: Pricer, reduced: Mapping[Stops, float], threshold: float) -> None:
    """See that the answer is right, that nothing cheaper is missing, and the bound holds."""
    least = min(reduced.values(), default=math.inf)
    priced = pricer.price(threshold, max_routes=10_000, time_limit=TimeLimit())
    assert priced.complete
    for route, reduced_cost in zip(priced.routes, priced.reduced_costs, strict=True):
        assert reduced_cost == pytest.approx(reduced[route], abs=TOLERANCE)
        assert reduced_cost <= reduced[route] + 1e-12 * max(1, abs(reduced[route])) + 1e-8
        assert reduced_cost < threshold
    assert list(priced.reduced_costs) == sorted(priced.reduced_costs)
    if least < threshold - TOLERANCE:
        assert priced.routes
        assert priced.reduced_costs[0] == pytest.approx(least, abs=TOLERANCE)
    elif least >= threshold:
        assert priced.bound >= threshold - TOLERANCE
    assert priced.bound <= least + TOLERANCE


def allowed_routes(
    routes: Mapping[Stops, Cost], forbidden: Sequence[Stops], *, lifo: bool
) -> dict[Stops, Cost]:
    """Return the routes without forbidden sequence."""
    return {
        route: cost
        for route, cost in routes.items()
        if not any(contains(route, sequence, lifo=lifo) for sequence in forbidden)
    }


def cases(kind: str, rule: Rule, seeds: range) -> Iterable[tuple[random.Random, Instance, Pricer]]:
    """Yield tiny instances with a pricer, some of which save less work than others."""
    for seed in seeds:
        dice = random.Random(seed)
        name = f"{kind}-{rule.conventions}-{rule.time_windows}-{seed}"
        instance = tiny_instance(name, **rule._asdict(), most=6)
        pricer = Pricer(
            instance,
            walk_bounds=dice.random() < 0.8,
            growing_neighbourhoods=dice.random() < 0.8,
        )
        yield dice, instance, pricer


@rules
@with_seeds(6, 12)
def test_pricing_with_cuts_finds_the_cheapest_route(rule: Rule, seeds: range) -> None:
    """A penalty forgotten or paid twice makes a wrong bound; so does an edge taken or left out."""
    for dice, instance, pricer in cases("cuts", rule, seeds):
        routes: dict[Stops, Cost] = ByArea(instance).routes
        forbidden: list[Stops] = []
        for _ in range(QUESTIONS_PER_INSTANCE):
            question = Question(dice, instance.n)
            question.put_to(pricer)
            if instance.n > 1 and dice.random() < 0.5:
                forbidden.append(draw_sequence(dice, instance))
                pricer.forbid(forbidden[-1])
            left = allowed_routes(routes, forbidden, lifo=rule.conventions.lifo)
            reduced = question.reduced_costs(left)
            for _ in range(3):
                assert_pricing(pricer, reduced, draw_threshold(dice, list(reduced.values())))


def test_a_route_counts_in_a_row_by_its_visits_within_the_memory() -> None:
    """The master's coefficients are those of the definition, in both directions of a route."""
    n, dice = 8, random.Random(1)
    counted = 0
    for _ in range(300):
        row = draw_row(dice, n)
        routes = [tuple(dice.sample(range(1, n + 1), dice.randint(1, n))) for _ in range(20)]
        expected = [coefficient(row, route) for route in routes]
        assert row.coefficients(columns_of(0, routes)) == expected
        backwards = [route[::-1] for route in routes]
        assert row.coefficients(columns_of(0, backwards)) == expected
        counted += sum(expected)
        # With everybody in the memory it is the plain subset row.
        plain = SubsetRow(row.members, frozenset(range(1, n + 1)))
        assert plain.coefficients(columns_of(0, routes)) == [
            len(set(route) & set(row.members)) // 2 for route in routes
        ]
    assert counted > 1000


@pytest.mark.parametrize(
    ("members", "memory"),
    [((1, 3, 2), {1, 2, 3}), ((1, 1, 2), {1, 2}), ((1, 2), {1, 2}), ((1, 2, 3), {1, 2, 4})],
)
def test_a_row_must_make_sense(members: tuple[int, int, int], memory: set[int]) -> None:
    """Two rows that are the same must be equal, and a memory without members is a mistake."""
    with pytest.raises(ValueError, match="members"):
        SubsetRow(members, frozenset(memory))


def test_prices_must_make_sense() -> None:
    """A price that the pricer cannot take must not be changed silently to one that it can."""
    instance = tiny_instance("prices", Conventions(), time_windows=False)
    while instance.n < 3:
        instance = tiny_instance(f"{instance.name}-again", Conventions(), time_windows=False)
    pricer = Pricer(instance)
    visits = [1.0] * instance.n
    row = SubsetRow((1, 2, 3), frozenset((1, 2, 3)))
    with pytest.raises(ValueError, match="smaller number first"):
        pricer.set_duals(visits, edge_prices={(2, 1): 1.0})
    for edge, price in (((1, 99), 1.0), ((0, 1), math.nan), ((0, 1), 1e12)):
        with pytest.raises(ValueError, match="edge"):
            pricer.set_duals(visits, edge_prices={edge: price})
    for penalty in (-1.0, math.nan):
        with pytest.raises(ValueError, match="penalty"):
            pricer.set_duals(visits, subset_rows=[(row, penalty)])
    with pytest.raises(ValueError, match="edge"):
        pricer.set_forbidden_edges([(0, 0)])
    pricer.set_duals(visits, edge_prices={(0, 1): -1e12}, subset_rows=[(row, 1e12)])
    assert pricer.price(math.inf, max_routes=10, time_limit=TimeLimit()).complete
