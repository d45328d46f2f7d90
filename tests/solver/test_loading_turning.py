"""The oracle on items that may be turned, against brute force; plans are seen by the judge."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from brute_force import can_load
from builders import one_route
from seeds import with_seeds
from tailgate.io import write_json
from tailgate.model.conventions import TurnConvention
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.model.judge import verify
from tailgate.solver.loading import LoadingOracle, Verdict, read
from tailgate.solver.network import Predictor

TURNS: tuple[TurnConvention, ...] = ("as-given", "all", "none")


def turning_instance(seed: int | str, *, lifo: bool, turn: TurnConvention) -> Instance:
    """Draw three or four customers whose items may be turned, or not, each by its own word.

    Some of the items fit one way only, which is how they are given unless they may be turned.
    """
    dice = random.Random(f"turning {seed}")
    width, length = dice.choice(((4, 5), (5, 5), (6, 4), (3, 7)))
    customers = []
    for number in range(dice.choice((3, 3, 4))):
        items = []
        for _ in range(dice.choice((0, 1, 1, 2))):
            may_turn = dice.random() < 0.6
            sides = (dice.randint(1, 3), dice.randint(1, max(width, length) - 1))
            fitting = [
                (item_width, item_length)
                for item_width, item_length in (sides, sides[::-1])
                if item_width <= width and item_length <= length
            ]
            given = dice.choice((sides, sides[::-1]))
            if given not in fitting and (not may_turn or turn == "none"):
                given = fitting[0]
            items.append(Item(*given, turn=may_turn))
        if sum(item.area for item in items) > width * length:
            items = items[:1]
        customers.append(Customer(number, 1, 1, tuple(items)))
    return Instance(
        name=f"turning-{seed}",
        depot=(0, 0),
        customers=tuple(customers),
        vehicle=Vehicle(width, length, 100),
        conventions=Conventions(lifo=lifo, turn=turn),
    )


def may_turn(instance: Instance, item: Item) -> bool:
    """Return what the convention and the item say together."""
    return {"all": True, "none": False}.get(instance.conventions.turn, item.turn)


@pytest.mark.parametrize("lifo", [True, False])
@pytest.mark.parametrize("turn", TURNS)
@with_seeds(12, 300)
def test_verdicts_agree_with_brute_force(turn: TurnConvention, lifo: bool, seeds: range) -> None:
    """Items that may be turned beside others, in every order; a yes has a plan that is judged.

    A search may not know the answer; it must never give the wrong one.
    """
    known = 0
    for seed in seeds:
        instance = turning_instance(seed, lifo=lifo, turn=turn)
        oracle = LoadingOracle(instance)
        for route in permutations(range(1, instance.n + 1)):
            stops = [
                [
                    (item.width, item.length, may_turn(instance, item))
                    for item in instance.customer(number).items
                ]
                for number in route
            ]
            expected = can_load(
                instance.vehicle.width,
                instance.vehicle.length,
                [own for own in stops if own],
                lifo=lifo,
            )
            result = oracle.check(route, time_limit=5)
            if result.verdict is Verdict.UNKNOWN:
                continue
            known += 1
            assert (result.verdict is Verdict.FEASIBLE) == expected, (seed, route)
            if expected:
                assert verify(instance, one_route(instance, route, result.placements)) == []
    assert known


def test_an_item_is_turned_where_it_fits_no_other_way() -> None:
    """And lies as it is given where it may not be turned."""
    pipe = Item(4, 1, turn=True)
    instance = Instance(
        "pipe", (0, 0), (Customer(3, 4, 1, (pipe, Item(2, 1))),), Vehicle(3, 6, 10), 1
    )
    first, second = sorted(
        LoadingOracle(instance).check([1]).placements, key=lambda placement: placement.item
    )
    assert (first.width, first.length, first.turned) == (1, 4, True)
    assert (second.width, second.length, second.turned) == (2, 1, False)


def test_a_square_is_never_turned() -> None:
    """Turning it gains nothing, and costs whoever loads it a moment."""
    instance = Instance(
        "squares",
        (0, 0),
        (Customer(3, 4, 1, (Item(2, 2, turn=True),) * 4),),
        Vehicle(4, 4, 10),
        1,
    )
    placements = LoadingOracle(instance).check([1]).placements
    assert len(placements) == 4
    assert not any(placement.turned for placement in placements)


def test_items_that_cannot_be_loaded_together_are_refused_with_what_may_help(
    tmp_path: Path,
) -> None:
    """Turned they would fit into one truck; the message says so only where that is true."""
    customers = (Customer(3, 4, 1, (Item(2, 3), Item(3, 2), Item(1, 2))),)
    instance = Instance("order", (0, 0), customers, Vehicle(3, 5, 10), 1)
    path = tmp_path / "order.json"
    for sizes, helps in ((((3, 3), (2, 3)), True), (((2, 4), (2, 3)), False)):
        items = tuple(Item(*size) for size in sizes)
        write_json(replace(instance, customers=(replace(customers[0], items=items),)), path)
        with pytest.raises(
            InputError, match=r"cannot be loaded together.*split the order"
        ) as caught:
            read(path)
        assert ("let its items be turned (turn: yes)" in str(caught.value)) == helps
        if helps:
            assert read(path, turn="all").n == 1


@pytest.mark.parametrize("lifo", [True, False])
def test_nothing_is_turned_without_need(lifo: bool) -> None:
    """What fits in its place as it is given lies so: turning it is work for whoever loads it."""
    turned = 0
    for seed in range(40):
        instance = turning_instance(seed, lifo=lifo, turn="all")
        route = range(1, instance.n + 1)
        placements = LoadingOracle(instance).check(route, time_limit=5).placements
        for index, one in enumerate(placements):
            if not one.turned:
                continue
            turned += 1
            back = replace(one, width=one.length, length=one.width, turned=False)
            other = (*placements[:index], back, *placements[index + 1 :])
            assert verify(instance, one_route(instance, tuple(route), other)) != [], seed
    assert turned
    alone = Instance("alone", (0, 0), (Customer(3, 4, 1, (Item(2, 1),)),), Vehicle(3, 6, 10), 1)
    (placement,) = LoadingOracle(alone.with_conventions(turn="all")).check([1]).placements
    assert not placement.turned


@pytest.mark.parametrize("name", ["default", "paper"])
def test_a_network_is_shown_an_item_as_it_fits(name: str) -> None:
    """It knows nothing of turning, and a width beyond the floor would be a strange one."""
    turned, given = (
        Instance("one", (0, 0), (Customer(3, 4, 1, (item,)),) * 2, Vehicle(3, 6, 10), 2)
        for item in (Item(4, 1, turn=True), Item(1, 4))
    )
    probabilities = [Predictor(one, name).probability((1, 2)) for one in (turned, given)]
    assert probabilities[0] == probabilities[1]
