"""What must hold between questions where items may be turned, and what must be decided at once."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest

from loading_cases import assert_sound
from seeds import with_seeds
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solver.loading import LoadingOracle, LoadingResult, Verdict

NODES = 20_000


def random_truck(seed: int, *, lifo: bool) -> Instance:
    """Draw a nearly full floor with five to seven customers, most of whose items may be turned."""
    dice = random.Random(f"laws of turning {seed}")
    width, length = 10, 16
    room = dice.uniform(0.8, 1.0) * width * length
    customers = []
    for _ in range(dice.randint(5, 7)):
        items = []
        for _ in range(dice.randint(1, 3)):
            item = Item(dice.randint(2, 6), dice.randint(2, 9), turn=dice.random() < 0.7)
            if item.area <= room:
                room -= item.area
                items.append(item)
        customers.append(Customer(1, 1, 1, tuple(items)))
    return Instance(
        name=f"turning-laws-{seed}",
        depot=(0, 0),
        customers=tuple(customers),
        vehicle=Vehicle(width, length, 100),
        vehicle_count=1,
        conventions=Conventions(lifo=lifo),
    )


def exchanged(item: Item) -> Item:
    """Return the item as it is given the other way, if it may be turned."""
    return replace(item, width=item.length, length=item.width) if item.turn else item


def free(item: Item) -> Item:
    """Return the item as one that may be turned."""
    return replace(item, turn=True)


def stiff(item: Item) -> Item:
    """Return the item as one that may not be turned."""
    return replace(item, turn=False)


def with_items(instance: Instance, change: Callable[[Item], Item]) -> Instance:
    """Return the instance with every item changed."""
    return replace(
        instance,
        customers=tuple(
            replace(customer, items=tuple(change(item) for item in customer.items))
            for customer in instance.customers
        ),
    )


def verdict(instance: Instance, route: tuple[int, ...]) -> Verdict:
    """Ask an oracle that knows nothing; its plan goes to the judge."""
    result: LoadingResult = LoadingOracle(instance, use_cache=False).check(route, max_nodes=NODES)
    assert_sound(instance, route, result, lifo=instance.conventions.lifo)
    return result.verdict


@pytest.mark.parametrize("lifo", [True, False])
@with_seeds(25, 500)
def test_verdicts_of_related_questions_do_not_contradict_each_other(
    lifo: bool, seeds: range
) -> None:
    """Backwards, with items given the other way, and with more freedom: never a contradiction."""
    decided = 0
    for seed in seeds:
        instance = random_truck(seed, lifo=lifo)
        route = tuple(range(1, instance.n + 1))
        own = verdict(instance, route)
        if own is Verdict.UNKNOWN:
            continue
        decided += 1
        assert verdict(instance, route[::-1]) in {own, Verdict.UNKNOWN}, seed
        assert verdict(with_items(instance, exchanged), route) in {own, Verdict.UNKNOWN}, seed
        if own is Verdict.FEASIBLE:
            freer = with_items(instance, free)
            assert verdict(freer, route) is not Verdict.INFEASIBLE, seed
            for part in combinations(route, len(route) - 1):
                assert verdict(instance, part) is not Verdict.INFEASIBLE, (seed, part)
        else:
            stiffer = with_items(instance, stiff)
            assert verdict(stiffer, route) is not Verdict.FEASIBLE, seed
    assert decided > 0.8 * len(seeds)


def test_answers_are_those_of_a_fresh_oracle_after_a_limit() -> None:
    """A search that was cut off is kept, and goes on to the same verdict."""
    verdicts = set()
    for seed in range(30):
        instance = random_truck(seed, lifo=True)
        route = tuple(range(1, instance.n + 1))
        oracle = LoadingOracle(instance)
        for limit in (1, 10, 1_000):
            oracle.check(route, max_nodes=limit)
        result = oracle.check(route, max_nodes=NODES)
        assert_sound(instance, route, result, lifo=instance.conventions.lifo)
        if Verdict.UNKNOWN not in {result.verdict, verdict(instance, route)}:
            assert result.verdict is verdict(instance, route), seed
            verdicts.add(result.verdict)
    assert verdicts == {Verdict.FEASIBLE, Verdict.INFEASIBLE}


@pytest.mark.parametrize("lifo", [True, False])
def test_a_semitrailer_of_thirty_pallets_is_decided_at_once(lifo: bool) -> None:
    """Thirty of 800 x 1,200 mm fit 2,450 x 13,600 mm, also with three of 1,000 x 1,200."""
    for seed in range(5):
        dice = random.Random(f"pallets {seed}")
        pallets = [Item(800, 1200, turn=True)] * 27 + [Item(1000, 1200, turn=True)] * 3
        dice.shuffle(pallets)
        customers = tuple(
            Customer(1, 1, 1, tuple(pallets[first : first + 3])) for first in range(0, 30, 3)
        )
        instance = Instance(
            name="pallets",
            depot=(0, 0),
            customers=customers,
            vehicle=Vehicle(2450, 13600, 100),
            vehicle_count=1,
            conventions=Conventions(lifo=lifo),
        )
        route = tuple(range(1, 11))
        result = LoadingOracle(instance).check(route, max_nodes=2_000)
        assert_sound(instance, route, result, lifo=instance.conventions.lifo)
        assert result.verdict is Verdict.FEASIBLE, seed
