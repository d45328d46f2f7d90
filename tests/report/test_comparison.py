"""Plans side by side: figures, differences, and who rides with another truck."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tailgate.model.instance import Conventions, Customer, Instance, Item, Units, Vehicle
from tailgate.model.solution import LeftOut, Route, Solution
from tailgate.report.comparison import UNKNOWN, Comparison, comparison_titles
from tailgate.report.plan_changes import PlanChanges
from tailgate.report.plan_figures import PlanFigures

NAMES = ("Ada", "Ben", "Cem", "Dora")


def orders(names: tuple[str, ...] = NAMES) -> Instance:
    """Return customers in a row, one lorry and two vans."""
    return Instance(
        name="row",
        depot=(0, 0),
        customers=tuple(
            Customer(3 * i, 4 * i, 1, (Item(1, 1),), name=name, leave_out_cost=7)
            for i, name in enumerate(names, start=1)
        ),
        vehicles=(
            Vehicle(4, 6, 9, name="lorry", fixed_cost=30, cost_per_distance=1, count=1),
            Vehicle(2, 3, 3, name="van", fixed_cost=10, cost_per_distance=1, count=2),
        ),
        conventions=Conventions.PLANNER,
        units=Units(distance_unit="km", cost_unit="EUR"),
    )


def plan(instance: Instance, routes: list[tuple[str, tuple[int, ...]]], **changes: Any) -> Solution:
    """Return a plan whose routes cost ten each and are five long."""
    served = {number for _, route in routes for number in route}
    left_out = tuple(
        LeftOut(number, 7) for number in range(1, instance.n + 1) if number not in served
    )
    arguments: dict[str, Any] = {
        "instance_name": instance.name,
        "instance_sha256": instance.sha256,
        "conventions": instance.conventions,
        "status": "feasible",
        "objective": 10 * len(routes) + 7 * len(left_out),
        "lower_bound": 5,
        "gap": 0.5,
        "routes": tuple(
            Route(route, cost=10, weight=len(route), area=len(route), vehicle=kind, distance=5)
            for kind, route in routes
        ),
        "units": instance.units,
        "left_out": left_out,
    }
    return Solution(**(arguments | changes))


def figures(title: str, *routes: tuple[str, tuple[int, ...]], **changes: Any) -> PlanFigures:
    """Return a plan for the customers in a row."""
    instance = orders()
    return PlanFigures(title, plan(instance, list(routes), **changes), instance)


FIRST = figures("first", ("lorry", (1, 2, 3)), ("van", (4,)))


def row(comparison: Comparison, name: str) -> tuple[str, ...]:
    """Return one line of the table."""
    (found,) = (one for one in comparison.rows if one.name.strip() == name)
    return found.texts


def test_the_table_has_what_a_planner_asks_for() -> None:
    """Trucks by kind, distance, cost, what is left out, and how many customers moved."""
    other = figures("other", ("van", (1, 2)), ("van", (4,)))
    table = Comparison((FIRST, other))
    assert row(table, "cost") == ("20.00 EUR", "27.00 EUR")
    assert row(table, "more than the first") == (UNKNOWN, "+7.00 EUR (+35.0 %)")
    assert row(table, "trucks") == ("2", "2")
    assert row(table, "lorry") == ("1 of 1", "0 of 1")
    assert row(table, "van") == ("1 of 2", "2 of 2")
    assert row(table, "distance") == ("10 km", "10 km")
    assert row(table, "left out") == ("none", "1 for 7.00 EUR")
    assert row(table, "customers on another truck") == (UNKNOWN, "0")
    assert {one.name for one in table.rows}.isdisjoint({"duration", "waiting"})


def test_trucks_that_share_most_customers_are_the_same() -> None:
    """The numbers of trucks mean nothing: the same plan in another order has no changes."""
    turned = figures("turned", ("van", (4,)), ("lorry", (1, 2, 3)))
    changes = PlanChanges.between(FIRST, turned)
    assert changes.moved == []
    assert changes.change.unchanged == (1, 2)
    assert changes.sentences == ["no change"]


def test_a_customer_on_another_truck_has_moved() -> None:
    """A route that only another kind of truck takes over is named, too."""
    changes = PlanChanges.between(FIRST, figures("b", ("lorry", (1, 2)), ("van", (4, 3))))
    assert changes.moved == ["Cem"]
    assert changes.sentences == ["on another truck (1): Cem (truck 1, lorry → truck 2, van)"]
    changes = PlanChanges.between(FIRST, figures("c", ("van", (1, 2, 3)), ("van", (4,))))
    assert changes.moved == []
    assert changes.sentences == ["in another order, or by another vehicle (1): truck 1, van"]


def test_another_order_of_the_same_stops_is_no_move() -> None:
    """The driver changes his way; nobody loads another truck."""
    changes = PlanChanges.between(FIRST, figures("b", ("lorry", (3, 2, 1)), ("van", (4,))))
    assert (changes.moved, changes.change.reordered) == ([], (1,))


def test_customers_of_other_orders_are_known_by_name() -> None:
    """A cancelled stop shifts all numbers behind it."""
    tomorrow = orders(("Ada", "Cem", "Dora", "Eva"))
    other = PlanFigures("b", plan(tomorrow, [("lorry", (1, 2, 4)), ("van", (3,))]), tomorrow)
    changes = PlanChanges.between(FIRST, other)
    assert (changes.added, changes.change.gone, changes.moved) == (["Eva"], ("Ben",), [])


def test_orders_that_are_left_out_or_served_now_are_named() -> None:
    """That is what a planner has to tell the customers."""
    less = figures("less", ("lorry", (1, 2)), ("van", (4,)))
    assert PlanChanges.between(FIRST, less).now_left_out == ["Cem"]
    assert PlanChanges.between(less, FIRST).now_served == ["Cem"]


def test_without_orders_the_figures_are_those_of_the_solution() -> None:
    """Customers are numbers, and nobody knows how many trucks there are."""
    bare = replace(FIRST, instance=None)
    assert bare.kinds == {"lorry": (1, None), "van": (1, None)}
    assert bare.numbers == {"1": 1, "2": 2, "3": 3, "4": 4}
    assert bare.to_dict()["distance"] == 10
    other = replace(figures("other", ("lorry", (1, 2)), ("lorry", (3, 4))), instance=None)
    assert row(Comparison((bare, other)), "van") == ("1", "0")


def test_a_run_without_a_plan_has_a_bound_only() -> None:
    """It stands beside the others and says nothing about trucks."""
    none = figures("none", status="bound_only", objective=None, gap=None, left_out=())
    table = Comparison((FIRST, none))
    assert row(table, "cost") == ("20.00 EUR", UNKNOWN)
    assert row(table, "lower bound") == ("5.00 EUR", "5.00 EUR")
    assert row(table, "trucks") == ("2", UNKNOWN)
    assert table.changes == []


def test_costs_in_other_units_have_no_difference() -> None:
    """Kilometres are no euros."""
    euros = replace(FIRST, instance=None)
    units = Units(distance_unit="km")
    solution = replace(euros.solution, units=units)
    table = Comparison((euros, replace(euros, solution=solution)))
    assert "more than the first" not in {one.name for one in table.rows}


@pytest.mark.parametrize(
    ("names", "titles"),
    [(["a", "b"], ["a", "b"]), (["a", "a", "a"], ["a", "a (2)", "a (3)"])],
)
def test_plans_can_be_told_apart(names: list[str], titles: list[str]) -> None:
    """The same file may be named twice."""
    assert comparison_titles(names) == titles
