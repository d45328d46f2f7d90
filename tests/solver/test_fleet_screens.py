"""What kinds of vehicles learn from each other about loading."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest

from brute_force import can_load
from fleet_instances import fleet_instance
from seeds import with_seeds
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solver.column import Column
from tailgate.solver.column_generation.root_relaxation import bound
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.screening import make_fleet_screen
from tailgate.solver.time_limit import TimeLimit


def three_floors(*, lifo: bool = True) -> Instance:
    """Return a lorry that holds all, a van with a smaller floor, and a trailer as wide as long."""
    return Instance(
        name="three floors",
        depot=(0, 0),
        customers=tuple(Customer(number, 1, 1, (Item(3, 2),)) for number in range(1, 5)),
        vehicles=(
            Vehicle(4, 8, 10, name="lorry"),
            Vehicle(4, 4, 10, name="van", count=2),
            Vehicle(9, 3, 10, name="trailer"),
            Vehicle(4, 4, 5, name="light van"),
        ),
        conventions=Conventions(lifo=lifo),
    )


def test_kinds_with_the_same_floor_share_an_oracle() -> None:
    """What one of them has asked need not be asked again."""
    screen = make_fleet_screen("exact", three_floors())
    lorry, van, trailer, light = screen.oracles
    assert van is light
    assert len(screen.different_oracles) == 3
    assert len({id(oracle) for oracle in (lorry, van, trailer)}) == 3


def test_a_plan_for_a_smaller_floor_serves_a_larger_one() -> None:
    """And what does not fit on a larger floor does not fit on a smaller one; no check is made."""
    lorry, van, trailer, _ = make_fleet_screen("exact", three_floors()).oracles
    assert van.check((1, 2)).verdict is Verdict.FEASIBLE
    result = lorry.check((1, 2))
    assert result.verdict is Verdict.FEASIBLE
    assert len(result.placements) == 2
    assert lorry.statistics["queries"] == 0
    # Neither floor fits into the other.
    trailer.check((1, 2))
    assert trailer.statistics["queries"] == 1
    assert lorry.check((1, 2, 3, 4)).verdict is Verdict.FEASIBLE
    assert van.check((1, 2, 3)).verdict is Verdict.INFEASIBLE
    # The van's answer says nothing about the lorry.
    assert lorry.check((1, 2, 3)).verdict is Verdict.FEASIBLE
    assert van.check((4, 3, 2)).verdict is Verdict.INFEASIBLE


def test_a_refuted_sequence_is_forbidden_on_every_smaller_floor() -> None:
    """Its proof is as good there; larger floors and others must not hear of it."""
    screen = make_fleet_screen("exact", three_floors())
    lorry, van, trailer, light = screen.by_kind
    van.forbid((1, 2, 3))
    assert light.pricer.skips((1, 2, 3))
    assert not lorry.pricer.skips((1, 2, 3))
    assert not trailer.pricer.skips((1, 2, 3))
    lorry.forbid((1, 2, 4))
    assert van.pricer.skips((1, 2, 4))
    assert light.pricer.skips((1, 2, 4))


def test_without_lifo_a_refuted_set_is_forbidden_in_every_order() -> None:
    """No order of it, nor of any customers that hold it, is ever priced again on that floor."""
    lifo, free = (make_fleet_screen("exact", three_floors(lifo=one)) for one in (True, False))
    for screen in (lifo, free):
        screen.by_kind[0].forbid((1, 2, 3))
    for route in itertools.permutations(range(1, 5)):
        ordered = tuple(stop for stop in route if stop != 4)
        assert free.by_kind[0].pricer.skips(route)
        assert free.by_kind[1].pricer.skips(route)
        assert lifo.by_kind[0].pricer.skips(route) == (ordered in {(1, 2, 3), (3, 2, 1)})
    assert not free.by_kind[0].pricer.skips((4, 2, 1))


@pytest.mark.parametrize("lifo", [True, False])
@with_seeds(6, 100)
def test_floors_that_learn_from_each_other_agree_with_brute_force(lifo: bool, seeds: range) -> None:
    """Whatever was asked before, and of which floor."""
    for seed in seeds:
        dice = random.Random(seed)
        width, length = dice.choice(((4, 5), (5, 5), (6, 4)))
        floors = [
            (width, length),
            (width + 1, length),
            (width, length - 1),
            (width + 1, length + 1),
        ]
        customers = tuple(
            Customer(
                number, 0, 1, tuple(_item(dice, length - 1) for _ in range(dice.randint(0, 2)))
            )
            for number in range(4)
        )
        instance = Instance(
            name="floors",
            depot=(0, 0),
            customers=customers,
            vehicles=tuple(Vehicle(*floor, 9, name=str(i)) for i, floor in enumerate(floors)),
            conventions=Conventions(lifo=lifo),
        )
        oracles = make_fleet_screen("exact", instance).oracles
        routes = [*itertools.permutations(range(1, 5), 3), (1, 2), (2, 4), (1, 2, 3, 4)]
        asked = [(kind, route) for kind in range(4) for route in routes]
        for kind, route in dice.sample(asked, 60):
            stops = tuple(
                tuple((item.width, item.length) for item in customers[one - 1].items)
                for one in route
                if customers[one - 1].items
            )
            expected = can_load(*floors[kind], stops, lifo=lifo)
            verdict = oracles[kind].check(route).verdict
            assert verdict is (Verdict.FEASIBLE if expected else Verdict.INFEASIBLE)


def _item(dice: random.Random, longest: int) -> Item:
    return Item(dice.randint(1, 4), dice.randint(1, longest))


def test_an_oracle_alone_learns_from_nobody() -> None:
    """One kind of vehicle costs nothing."""
    oracle = LoadingOracle(three_floors().of_kind(0))
    oracle.learn_from([oracle])
    oracle.check((1, 2))
    assert oracle.statistics["queries"] == 1


def test_columns_of_all_kinds_in_use_are_proven() -> None:
    """Each by the screen of its kind."""
    instance = three_floors()
    screen = make_fleet_screen("neural", instance)
    for kind in range(4):
        screen.by_kind[kind]._doubt((1, 2, 3))
    support = {Column(kind, (1, 2, 3)): 0.25 for kind in range(4)}
    assert all(map(screen.is_in_doubt, support))
    refuted = screen.check_columns_in_use(support, TimeLimit())
    assert {column.kind for column in refuted} == {1, 3}
    assert not any(map(screen.is_in_doubt, support))


def test_queries_are_recorded_with_the_floor_of_their_kind(tmp_path: Path) -> None:
    """Who learns from them must know on which floor it was."""
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "queries.parquet"
    bound(three_floors(), record=path)
    rows = parquet.read_table(path).to_pylist()
    assert {(row["floor_width"], row["floor_length"]) for row in rows} == {(4, 8), (4, 4), (9, 3)}


def test_the_order_of_kinds_does_not_matter() -> None:
    """Nor does a kind that is split in two equal ones."""
    for seed in range(12):
        instance = fleet_instance(f"order-{seed}", "matrices", kinds=3)
        values = [bound(instance)]
        values.append(bound(replace(instance, vehicles=instance.vehicles[::-1])))
        (first, *others) = instance.vehicles
        if first.count > 1 and not any(one.vehicles for one in instance.customers):
            twin = replace(first, name="twin", count=1)
            less = replace(first, count=first.count - 1)
            values.append(bound(replace(instance, vehicles=(less, twin, *others))))
        assert len({value.status for value in values}) == 1
        if values[0].lp_value is not None:
            for value in values[1:]:
                assert value.lp_value == pytest.approx(values[0].lp_value, rel=1e-6, abs=1e-6)
