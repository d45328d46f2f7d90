"""Generated fleets: kinds, orders that may be left out, rules; reproducible and solvable."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from seeds import with_seeds
from tailgate.io import json_instance_text, read_text_draft
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.research.generate import FleetOptions, RoadOptions, generate_instance
from tailgate.solver.loading import LoadingOracle, Verdict

FULL = FleetOptions(kinds=3, optional_percent=30, rules_percent=50)
DAY = RoadOptions(closed_percent=10, shift_hours=9, costs=(120, 0.9, 0.4))


def test_same_arguments_give_the_same_fleet() -> None:
    """Also on another platform, and in another version: some numbers are pinned."""
    first = generate_instance(12, 3, fleet=FULL, seed=1)
    assert first == generate_instance(12, 3, fleet=FULL, seed=1)
    assert first.name == "random-n12-c3-k3-o30-r50-s1"
    assert first.sha256 != generate_instance(12, 3, fleet=FULL, seed=2).sha256
    assert [(one.name, one.width, one.length, one.capacity) for one in first.vehicles] == [
        ("truck", 20, 40, 200),
        ("small truck", 19, 30, 120),
        ("van", 15, 24, 70),
    ]
    assert [one.cost_per_distance for one in first.vehicles] == [1, 0.8, 0.6]


def test_smaller_vehicles_cost_less_and_their_drivers_the_same() -> None:
    """Decimals stay decimals: 80 % of 0.9 is 0.72."""
    instance = generate_instance(12, 3, fleet=FULL, roads=DAY, seed=1)
    costs = [
        (one.fixed_cost, one.cost_per_distance, one.cost_per_time) for one in instance.vehicles
    ]
    assert costs == [(120, 0.9, 0.4), (96, 0.72, 0.4), (72, 0.54, 0.4)]
    assert {(one.shift_start, one.max_duration) for one in instance.vehicles} == {(360, 540)}


def test_options_leave_orders_and_each_other_alone() -> None:
    """One option must not shift what another one draws."""
    plain = generate_instance(20, 3, seed=5)
    kinds = generate_instance(20, 3, fleet=FleetOptions(kinds=2), seed=5)
    full = generate_instance(20, 3, fleet=FleetOptions(2, 40, 60), seed=5)
    optional = generate_instance(20, 3, fleet=FleetOptions(2, 40), seed=5)
    assert kinds.customers == plain.customers
    assert full.vehicles == optional.vehicles == kinds.vehicles
    for one, other in zip(full.customers, plain.customers, strict=True):
        assert (one.x, one.y, one.weight, one.items) == (
            other.x,
            other.y,
            other.weight,
            other.items,
        )
    grouped = {number for group in full.rules.groups for number in group}
    assert optional.optional - grouped == full.optional - grouped


def test_a_fleet_of_one_kind_is_that_of_an_instance_without_options() -> None:
    """Orders that may wait are the same orders, with the same trucks."""
    plain = generate_instance(15, 2, seed=9)
    assert replace(generate_instance(15, 2, fleet=FleetOptions(), seed=9), name="") == replace(
        plain, name=""
    )
    optional = generate_instance(15, 2, fleet=FleetOptions(optional_percent=100), seed=9)
    assert optional.vehicles == plain.vehicles
    assert optional.optional == set(range(1, 16))


def test_shares_are_about_what_was_asked_for() -> None:
    """On two hundred customers, by a wide margin."""
    fleet = FleetOptions(kinds=3, optional_percent=30, rules_percent=40)
    instance = generate_instance(200, 1, fleet=fleet, seed=3)
    assert 30 <= len(instance.optional) <= 90
    ruled = [
        one
        for one in instance.customers
        if one.vehicles or one.not_with or one.together or one.position
    ]
    assert 50 <= len(ruled) <= 110
    assert all(
        any(getattr(one, field) for one in ruled)
        for field in ("vehicles", "not_with", "together", "position")
    )
    assert all(one.count > 5 for one in instance.vehicles)


@with_seeds(12, 200)
def test_a_generated_fleet_can_serve_everybody(seeds: range) -> None:
    """By brute force: routes of all kinds, with proven loads, that keep every rule."""
    for seed in seeds:
        fleet = FleetOptions(kinds=2 + seed % 2, optional_percent=30, rules_percent=70)
        roads = DAY if seed % 3 == 0 else None
        instance = generate_instance(6, 2 + seed % 4, fleet=fleet, roads=roads, seed=seed)
        assert serves_everybody(instance), instance
        text = json_instance_text(instance)
        assert read_text_draft(text, "a.json", "a").to_instance().sha256 == instance.sha256


def serves_everybody(instance: Instance) -> bool:
    """Return whether a plan serves all customers with routes of two or more, and all vehicles."""
    routes: list[tuple[int, frozenset[int]]] = []
    for kind, vehicle in enumerate(instance.vehicles):
        view = instance.of_kind(kind)
        oracle = LoadingOracle(view, lifo=True)
        found: set[frozenset[int]] = set()
        for size in range(2, instance.n + 1):
            for route in permutations(range(1, instance.n + 1), size):
                if frozenset(route) in found or not view.is_allowed(route):
                    continue
                weight = sum(view.customer(number).weight for number in route)
                if weight > vehicle.capacity:
                    continue
                if oracle.check(route).verdict is Verdict.FEASIBLE:
                    found.add(frozenset(route))
        routes += [(kind, stops) for stops in found]

    def cover(left: frozenset[int], counts: tuple[int, ...]) -> bool:
        if not left:
            return not any(counts)
        return any(
            min(left) in stops
            and stops <= left
            and counts[kind] > 0
            and cover(left - stops, (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :]))
            for kind, stops in routes
        )

    counts = tuple(vehicle.count for vehicle in instance.vehicles)
    return cover(frozenset(range(1, instance.n + 1)), counts)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"kinds": 0}, "kinds"),
        ({"kinds": 4}, "kinds"),
        ({"optional_percent": 101}, "optional_percent"),
        ({"rules_percent": -1}, "rules_percent"),
    ],
)
def test_what_no_fleet_has_is_refused(arguments: dict[str, int], field: str) -> None:
    """At once, with the argument's name."""
    with pytest.raises(InputError) as caught:
        FleetOptions(**arguments)
    assert caught.value.field == field


def test_fewer_customers_than_the_kinds_need_are_refused() -> None:
    """Every kind has a route of two customers."""
    with pytest.raises(InputError, match=r"n: must be at least 6, got 5"):
        generate_instance(5, 2, fleet=FleetOptions(kinds=3), seed=1)
