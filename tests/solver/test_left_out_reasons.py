"""Why orders stay and why there is no plan: no sentence says what is not so."""

from __future__ import annotations

import pytest

import tailgate
from tailgate.model.customer import Position
from tailgate.model.instance import Customer, Instance, Item, Vehicle

VAN = Vehicle(4, 10, 10, name="van")
SMALL = (Item(1, 1),)
FILLS_HALF = (Item(4, 5),)
TOO_LONG_FOR_TWO = (Item(3, 6),)


def day(*orders: Customer, vehicle: Vehicle = VAN, further: tuple[Vehicle, ...] = ()) -> Instance:
    """Return orders, and one vehicle for them or more."""
    return Instance("day", (0, 0), orders, vehicles=(vehicle, *further))


def reasons(instance: Instance) -> dict[int, str]:
    """Return why the best plan leaves orders out."""
    result = tailgate.solve(instance)
    assert result.status == "optimal"
    return {order.customer: order.reason for order in result.left_out}


def order(
    x: int,
    name: str,
    weight: int = 1,
    items: tuple[Item, ...] = SMALL,
    *,
    costs: int | None = 1000,
    together: tuple[str, ...] = (),
    position: Position | None = None,
) -> Customer:
    """Return an order that may be left out, unless it costs nothing to say that."""
    return Customer(
        x, 0, weight, items, name, leave_out_cost=costs, together=together, position=position
    )


def test_who_rides_with_others_is_kept_out_by_their_load() -> None:
    """The partner is not on board because it is left out, too: there is no quarrel to speak of."""
    told = reasons(
        day(order(9, "a", 6, costs=1, together=("b",)), order(8, "b", costs=1), order(7, "c", 5))
    )
    assert set(told) == {1, 2}
    for reason in told.values():
        assert "the capacity is used up" in reason
        assert "must not ride" not in reason
    full = reasons(
        day(
            order(9, "a", items=FILLS_HALF, costs=1, together=("b",)),
            order(8, "b", costs=1),
            order(7, "c", items=TOO_LONG_FOR_TWO),
        )
    )
    assert all("the floor is full" in reason for reason in full.values())


@pytest.mark.parametrize("position", ["first", "last"])
def test_a_place_that_is_taken_is_no_quarrel(position: Position) -> None:
    """Both want to be the first, and would ride together otherwise."""
    told = reasons(day(order(9, "a", costs=3, position=position), order(8, "b", position=position)))
    assert list(told) == [1]
    assert told[1].endswith(
        f"in every truck of this plan, another order must be the {position} stop"
    )


def test_the_most_stops_are_no_hours() -> None:
    """There is neither a clock nor a shift."""
    told = reasons(
        day(order(9, "a", costs=3), order(8, "b"), vehicle=Vehicle(4, 10, 10, max_stops=1))
    )
    assert "as many stops as there may be" in told[1]
    assert "hours" not in told[1]


def test_the_longest_way_is_no_hours() -> None:
    """What is not known to be so is not said."""
    far = Vehicle(4, 10, 10, max_distance=20)
    there = Customer(-9, 0, 1, SMALL, "a", leave_out_cost=3)
    told = reasons(day(there, order(9, "b"), vehicle=far))
    assert list(told) == [1]
    assert "hours" not in told[1]


def test_a_kind_that_stays_at_home_is_no_rule() -> None:
    """The order accepts all kinds, but there is no lorry today."""
    lorry = Vehicle(4, 10, 10, count=0, name="lorry")
    told = reasons(day(order(9, "a", 6, costs=3), order(8, "b", 6), further=(lorry,)))
    assert "in every truck" in told[1]
    assert "only" not in told[1]


def test_who_cannot_ride_together_is_told_so() -> None:
    """No plan serves them, so it is not for its cost that they stay."""
    told = reasons(
        day(
            order(9, "a", items=TOO_LONG_FOR_TWO, together=("b",)),
            order(8, "b", items=TOO_LONG_FOR_TWO),
            order(7, "c"),
        )
    )
    assert told == {
        1: "rides together with b, and no truck can serve them together",
        2: "rides together with a, and no truck can serve them together",
    }


def test_more_trucks_do_not_help_who_must_ride_together() -> None:
    """That they need two trucks is true, and of no use."""
    instance = day(
        order(9, "a", items=TOO_LONG_FOR_TWO, costs=None, together=("b",)),
        order(8, "b", items=TOO_LONG_FOR_TWO, costs=None),
        order(7, "c", costs=None),
    )
    told = tailgate.solve(instance)
    assert told.status == "infeasible"
    assert "customers a, b must ride together, and no truck can serve them together" in (
        told.explanation
    )
    assert "more trucks" not in told.explanation
    assert "need not ride together" in told.explanation


def test_three_may_not_fit_though_every_two_do() -> None:
    """Every order of the three is checked, on the floor of every kind."""
    third = (Item(3, 4),)
    instance = day(
        order(9, "a", items=third, costs=None, together=("b", "c")),
        order(8, "b", items=third, costs=None),
        order(7, "c", items=third, costs=None),
        further=(Vehicle(2, 20, 10, name="narrow"),),
    )
    told = tailgate.solve(instance).explanation
    assert "customers a, b, c must ride together" in told


def test_the_bound_of_what_is_proven_is_its_cost() -> None:
    """Not a cent less, because two large sums of floats were subtracted."""
    orders = tuple(Customer(3 * i, 7 - i, 1, SMALL, position="first") for i in range(1, 6))
    result = tailgate.solve(day(*orders), leave_out="number")
    assert result.status == "optimal"
    assert result.lower_bound == result.objective
