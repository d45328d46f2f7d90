"""Kinds of vehicles, optional customers and rules: the root relaxation against full enumeration."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace

import pytest

from fleet_enumeration import FleetEnumeration
from fleet_instances import fleet_instance
from rich_instances import MATRIX_KINDS, TravelKind, all_travel_kinds
from search_parts import treat_as_large
from seeds import with_seeds
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.column import Column
from tailgate.solver.column_generation import BoundResult, ColumnGeneration, Subproblem
from tailgate.solver.column_generation.root_relaxation import bound
from tailgate.solver.master import EdgeRow, vehicle_limits
from tailgate.solver.merged_kinds import MergedKinds
from tailgate.solver.screening import make_fleet_screen
from tailgate.solver.time_limit import TimeLimit

SCREENS = ("exact", "neural", "lazy")
NEAR = 1e-6


def assert_agrees(instance: Instance, screen: str = "exact") -> None:
    """See that the LP value is that over all routes, and that its solution keeps the rows."""
    expected = FleetEnumeration(instance)
    root = bound(instance, screen=screen)
    if expected.lp_value is None:
        assert root.status == "infeasible", instance
        return
    assert root.status == "converged", instance
    assert root.lp_value == pytest.approx(expected.lp_value, rel=NEAR, abs=NEAR), instance
    assert root.lower_bound == pytest.approx(expected.lp_value, rel=NEAR, abs=NEAR), instance
    assert_rows_are_satisfied(instance, expected, root)


def assert_rows_are_satisfied(
    instance: Instance, expected: FleetEnumeration, root: BoundResult
) -> None:
    """See that the routes in use are feasible and serve whoever is not left out, at this cost."""
    kinds = [0] * len(root.support)
    if root.vehicles:
        kinds = [instance.kind_named(name) for name in root.vehicles]
    served: defaultdict[int, float] = defaultdict(float, dict(root.left_out))
    cost = sum(instance.leave_out_cost(one) * value for one, value in root.left_out)
    for kind, (route, value) in zip(kinds, root.support, strict=True):
        assert (kind, route) in expected.routes, instance
        cost += value * expected.routes[kind, route]
        for customer in route:
            served[customer] += value
    assert cost == pytest.approx(root.lp_value, rel=NEAR, abs=NEAR)
    for customer in range(1, instance.n + 1):
        assert served[customer] == pytest.approx(1, abs=NEAR)


@all_travel_kinds
@with_seeds(24, 600)
def test_equal_to_enumeration(travel: TravelKind, seeds: range) -> None:
    """Several kinds with their own floors, limits and costs, customers left out, and all rules."""
    for seed in seeds:
        assert_agrees(fleet_instance(seed, travel), SCREENS[seed % 3])


@pytest.mark.parametrize("travel", ["lines", "matrices"])
@with_seeds(12, 200)
def test_first_duals_and_smoothing_change_nothing(
    travel: TravelKind, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever duals pricing is asked with, also those of walks by several kinds."""
    treat_as_large(monkeypatch)
    for seed in seeds:
        assert_agrees(fleet_instance(f"large-{seed}", travel), SCREENS[seed % 3])


@pytest.mark.parametrize("travel", MATRIX_KINDS)
@with_seeds(6, 100)
def test_trucks_under_way_go_on_as_they_began(travel: TravelKind, seeds: range) -> None:
    """A vehicle with first stops begins with them, and nobody else comes to these customers."""
    for seed in seeds:
        instance = fleet_instance(f"locked-{seed}", travel, kinds=2, rules=False)
        dice = random.Random(seed)
        stops = dice.sample(range(1, instance.n + 1), min(instance.n, dice.randint(1, 2)))
        truck = replace(
            instance.vehicles[0], count=1, first_stops=tuple(map(instance.label, stops))
        )
        try:
            locked = replace(instance, vehicles=(truck, *instance.vehicles[1:]))
        except InputError:
            continue
        assert_agrees(locked)


class RestrictedEnumeration(FleetEnumeration):
    """The plans of a part of the search tree."""

    def __init__(self, instance: Instance, part: Subproblem) -> None:
        super().__init__(instance)
        self.part = part

    @property
    def lp_value(self) -> float | None:
        """The least cost over the columns that the part allows, with its rows."""
        part = self.part
        return self.solve_lp(
            allowed=lambda kind, customers: not customers & part.refused_by(kind),
            limits=part.vehicle_limits,
            slack_limits={
                **dict.fromkeys(part.served, (0.0, 0.0)),
                **dict.fromkeys(part.left_out, (1.0, 1.0)),
            },
        )


def draw_part(instance: Instance, dice: random.Random) -> Subproblem:
    """Draw decisions of a search: who is served, by which kinds, and how many vehicles leave."""
    optional = sorted(instance.optional)
    served = frozenset(one for one in optional if dice.random() < 0.3)
    left_out = frozenset(one for one in optional if one not in served and dice.random() < 0.3)
    for group in instance.rules.groups:
        if left_out & group:
            left_out, served = left_out | group, served - group
    refused = frozenset(
        (one, kind)
        for one in range(1, instance.n + 1)
        for kind in range(len(instance.vehicles))
        if dice.random() < 0.15
    )
    limits = None
    if dice.random() < 0.5:
        own = vehicle_limits(instance)
        fewest = [dice.randint(low, high) for low, high in own]
        limits = tuple(
            (low, dice.randint(low, high)) for low, (_, high) in zip(fewest, own, strict=True)
        )
    return Subproblem(served=served, left_out=left_out, refused=refused, vehicle_limits=limits)


@pytest.mark.parametrize("travel", ["lines", "matrices", "globe-speed"])
@with_seeds(20, 400)
def test_parts_of_the_solutions(travel: TravelKind, seeds: range) -> None:
    """Decisions of a search on customers and vehicles, one after another on the same columns."""
    for seed in seeds:
        instance = MergedKinds.of(fleet_instance(f"part-{seed}", travel)).instance
        generation = ColumnGeneration(make_fleet_screen(SCREENS[seed % 3], instance))
        dice = random.Random(seed)
        for _ in range(4):
            part = draw_part(instance, dice)
            expected = RestrictedEnumeration(instance, part).lp_value
            relaxation = generation.solve(part, TimeLimit())
            if expected is None:
                assert relaxation.outcome == "infeasible", (instance, part)
                continue
            assert relaxation.outcome == "converged", (instance, part)
            assert relaxation.solution is not None
            near = pytest.approx(expected, rel=NEAR, abs=NEAR)
            assert relaxation.solution.value == near, (instance, part)
            assert relaxation.lower_bound == near, (instance, part)


@with_seeds(20, 400)
def test_a_limit_on_what_is_left_out(seeds: range) -> None:
    """A row over customers left out, with and without edges, as cuts and searches use it."""
    compared = 0
    for seed in seeds:
        instance = MergedKinds.of(fleet_instance(f"limit-{seed}", "matrices")).instance
        if not instance.optional:
            continue
        weights = {one: 1.0 + one % 2 for one in instance.optional}
        most = sum(weights.values()) * random.Random(seed).choice((0, 0.3, 0.6))
        row = EdgeRow(frozenset(), upper=most, left_out=frozenset(weights.items()))
        expected = FleetEnumeration(instance).solve_lp(left_out_limit=(weights, most))
        generation = ColumnGeneration(make_fleet_screen("exact", instance))
        relaxation = generation.solve(Subproblem(rows=(row,)), TimeLimit())
        if expected is None:
            assert relaxation.outcome == "infeasible", instance
            continue
        compared += 1
        assert relaxation.outcome == "converged", instance
        assert relaxation.lower_bound == pytest.approx(expected, rel=NEAR, abs=NEAR), instance
    assert compared > 0


def column(kind: int, *route: int) -> Column:
    """Return a column."""
    return Column(kind, route)


def test_kinds_that_differ_in_name_alone_are_one() -> None:
    """Two equal kinds in an instance, with all that follows for names."""
    instance = fleet_instance("merged", "lines", kinds=1, optional=False, rules=False)
    (vehicle,) = instance.vehicles
    twins = (replace(vehicle, name="a", count=1), replace(vehicle, name="b", count=2))
    customers = tuple(replace(one, vehicles=("b", "a")) for one in instance.customers)
    split = replace(instance, customers=customers, vehicles=twins)
    merged = MergedKinds.of(split)
    assert [one.count for one in merged.instance.vehicles] == [3]
    assert merged.members == ((0, 1),)
    columns = merged.told_apart([column(0, 1), column(0, 2), column(0, 3)])
    assert [kind for kind, _ in columns] == [0, 1, 1]
    assert merged.merged(columns) == [column(0, 1), column(0, 2), column(0, 3)]
    assert MergedKinds.of(instance).instance is instance
