"""A day with lorries and vans, rules and an order that stays, worked out by hand.

Dairy, Estate and Farm lie on one road, 5, 12 and 13 from the depot, Bakery and Chemist on another,
5 and 10 from it; the Garage is too far to be worth the way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tailgate.model.costs import CostParts
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.model.judge import ViolationKind
from tailgate.model.schedule import Schedule, StopTimes
from tailgate.model.solution import LeftOut, Placement, Route, Solution

BAKERY, CHEMIST, DAIRY, ESTATE, FARM, GARAGE = range(1, 7)
LORRY = Vehicle(4, 6, 100, "lorry", fixed_cost=10, cost_per_distance=2, count=2)
VAN = Vehicle(2, 4, 30, "van", fixed_cost=3, cost_per_distance=1, count=2)
CUSTOMERS = (
    Customer(3, 4, 10, (Item(1, 1),), "Bakery"),
    Customer(6, 8, 20, (Item(2, 2),), "Chemist", not_with=("Farm",)),
    Customer(0, 5, 30, (Item(2, 3),), "Dairy", position="first"),
    Customer(0, 12, 5, (Item(2, 1),), "Estate", together=("Farm",)),
    Customer(0, 13, 5, (Item(4, 1),), "Farm", position="last"),
    Customer(30, 40, 1, (Item(1, 1),), "Garage", leave_out_cost=25.5),
)
FLEET_KINDS = {
    ViolationKind.ACCESS,
    ViolationKind.FIRST_STOPS,
    ViolationKind.LEFT_OUT_AND_VISITED,
    ViolationKind.LEFT_OUT_TWICE,
    ViolationKind.NOT_WITH,
    ViolationKind.POSITION,
    ViolationKind.TOGETHER,
    ViolationKind.WRONG_LEAVE_OUT_COST,
    ViolationKind.WRONG_LOCK,
}
"""What only a plan with kinds of vehicles, rules, or customers left out can get wrong."""


def fleet_day(changes: dict[int, dict[str, Any]] | None = None, **others: Any) -> Instance:
    """Return the day, with changes of some customers by number, and of anything else."""
    customers = tuple(
        replace(customer, **(changes or {}).get(number, {}))
        for number, customer in enumerate(CUSTOMERS, start=1)
    )
    arguments: dict[str, Any] = {
        "name": "day",
        "depot": (0, 0),
        "customers": customers,
        "vehicles": (LORRY, VAN),
    }
    return Instance(**(arguments | others))


def fleet_plan(instance: Instance | None = None) -> Solution:
    """Return its plan: two lorries and a van leave, and the Garage waits."""
    instance = instance or fleet_day()
    routes = (
        Route(
            customers=(DAIRY, ESTATE, FARM),
            cost=62,
            weight=40,
            area=12,
            placements=(
                Placement(FARM, 1, 0, 0, 4, 1, 3, 1),
                Placement(ESTATE, 1, 0, 1, 2, 1, 2, 2),
                Placement(DAIRY, 1, 2, 1, 2, 3, 1, 3),
            ),
            vehicle="lorry",
            distance=26,
            parts=CostParts(10, 52, 0),
            schedule=Schedule(
                departure=0,
                stops=(
                    StopTimes(DAIRY, 5, 5, 5),
                    StopTimes(ESTATE, 12, 12, 12),
                    StopTimes(FARM, 13, 13, 13),
                ),
                back=26,
                duration=26,
            ),
        ),
        Route((CHEMIST,), 50, 20, 4, (Placement(CHEMIST, 1, 0, 0, 2, 2, 1, 1),), "lorry"),
        Route((BAKERY,), 13, 10, 1, (Placement(BAKERY, 1, 0, 0, 1, 1, 1, 1),), "van"),
    )
    return Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status="feasible",
        objective=150.5,
        lower_bound=None,
        gap=None,
        routes=routes,
        units=instance.units,
        left_out=(LeftOut(GARAGE, 25.5),),
    )
