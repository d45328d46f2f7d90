"""A day with roads, hours and money, worked out by hand.

Roads in minutes and kilometres, in no direction the same. The market opens at noon, the mill in the
morning only:

- Market, then the farm: nobody is there before noon, so the truck leaves at 11:30 and is back at
  13:20 after 55 km: 50 + 0.5 x 55 + 0.4 x 110 = 121.5 EUR.
- The mill opens at 7: the truck leaves at 6:42, though it might at 6, and is back at 7:25:30 after
  26 km: 50 + 13 + 17.4 = 80.4 EUR.
"""

from __future__ import annotations

from typing import Any

from tailgate.model.costs import CostParts
from tailgate.model.instance import Customer, Instance, Item, Travel, Units, Vehicle
from tailgate.model.judge import ViolationKind
from tailgate.model.schedule import Schedule, StopTimes
from tailgate.model.solution import Placement, Route, Solution

ROAD_KINDS = {
    ViolationKind.NO_ROAD,
    ViolationKind.TIME_WINDOW,
    ViolationKind.SHIFT,
    ViolationKind.MAX_DURATION,
    ViolationKind.MAX_DISTANCE,
    ViolationKind.MAX_STOPS,
}
"""The route may not be driven so."""
STATEMENT_KINDS = {
    ViolationKind.WRONG_COST,
    ViolationKind.WRONG_COST_PART,
    ViolationKind.WRONG_DISTANCE,
    ViolationKind.WRONG_SCHEDULE,
    ViolationKind.WRONG_VEHICLE,
}
"""The route may be driven, but not as it is stated."""
BEYOND_FORMAT_1 = (ROAD_KINDS | STATEMENT_KINDS) - {
    ViolationKind.TIME_WINDOW,
    ViolationKind.WRONG_COST,
} | {ViolationKind.WRONG_CONVENTIONS, ViolationKind.WRONG_UNITS}

SIX, NOON, EVENING = 360, 720, 1080
MARKET, FARM, MILL = 1, 2, 3

Roads = list[list[float | None]]

KILOMETRES: Roads = [
    [0, 20, 30, 12],
    [22, 0, 10, 9],
    [25, 11, 0, None],
    [14, 8, 7, 0],
]
MINUTES: Roads = [
    [0, 30, 45, 18],
    [33, 0, 15, 14],
    [40, 16, 0, None],
    [20.5, 12, 11, 0],
]


def market_vehicle(**changes: Any) -> Vehicle:
    """Return the van of the day."""
    arguments: dict[str, Any] = {
        "name": "van",
        "fixed_cost": 50,
        "cost_per_distance": 0.5,
        "cost_per_time": 0.4,
        "shift_start": SIX,
        "shift_end": EVENING,
        "max_duration": 480,
        "max_distance": 250,
        "max_stops": 12,
    }
    return Vehicle(2, 4, 100, **(arguments | changes))


def market_day(**changes: Any) -> Instance:
    """Return the market, the farm and the mill, and two vans."""
    arguments: dict[str, Any] = {
        "name": "market day",
        "depot": (0, 0),
        "customers": (
            Customer(0, 0, 10, (Item(2, 1),), name="Market", ready=NOON, service=15),
            Customer(0, 0, 20, (Item(1, 1),), name="Farm", service=10),
            Customer(0, 0, 30, (Item(1, 2),), name="Mill", ready=420, due=540, service=5),
        ),
        "vehicle": market_vehicle(),
        "vehicle_count": 2,
        "units": Units(distance_unit="km", time_unit="min", cost_unit="EUR", clock=True),
        "depot_ready": SIX - 60,
        "depot_due": EVENING + 60,
        "travel": Travel.from_matrix(KILOMETRES, MINUTES),
    }
    return Instance(**(arguments | changes))


def market_plan(instance: Instance | None = None, **changes: Any) -> Solution:
    """Return the plan above, with every number that a file of format 2 states."""
    instance = market_day() if instance is None else instance
    arguments: dict[str, Any] = {
        "instance_name": instance.name,
        "instance_sha256": instance.sha256,
        "conventions": instance.conventions,
        "status": "feasible",
        "objective": 201.9,
        "lower_bound": 190,
        "gap": 11.9 / 201.9,
        "routes": (
            Route(
                customers=(MARKET, FARM),
                cost=121.5,
                weight=30,
                area=3,
                placements=(
                    Placement(FARM, 1, x=0, y=0, width=1, length=1, stop_index=2, load_step=1),
                    Placement(MARKET, 1, x=0, y=1, width=2, length=1, stop_index=1, load_step=2),
                ),
                vehicle="van",
                distance=55,
                parts=CostParts(fixed=50, distance=27.5, time=44),
                schedule=Schedule(
                    departure=690,
                    stops=(StopTimes(MARKET, 720, 720, 735), StopTimes(FARM, 750, 750, 760)),
                    back=800,
                    duration=110,
                ),
            ),
            Route(
                customers=(MILL,),
                cost=80.4,
                weight=30,
                area=2,
                placements=(
                    Placement(MILL, 1, x=0, y=0, width=1, length=2, stop_index=1, load_step=1),
                ),
                vehicle="van",
                distance=26,
                parts=CostParts(fixed=50, distance=13, time=17.4),
                schedule=Schedule(402, (StopTimes(MILL, 420, 420, 425),), 445.5, 43.5),
            ),
        ),
        "units": instance.units,
        "solver": {"version": "0", "seed": 1, "options": {}, "seconds": 0.5},
    }
    return Solution(**(arguments | changes))
