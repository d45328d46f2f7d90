"""Roads and hours of the model: schedules, limits that nobody can keep, and frames as matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Travel, Units, Vehicle
from tailgate.model.roads import shortest_round_trips

ROADS: list[list[float | None]] = [[0, 3, 9], [4, 0, 1], [9, 2, 0]]
"""The way to the second customer is shorter over the first, there and back."""


def two_customers(
    roads: list[list[float | None]] = ROADS, ready: float = 0, **vehicle: Any
) -> Instance:
    """Return an instance whose durations are its distances."""
    customers = (
        Customer(0, 0, 1, (Item(1, 1),), name="Ada", ready=ready, service=1),
        Customer(0, 0, 1, (Item(1, 1),), name="Bo", ready=ready),
    )
    return Instance(
        name="two",
        depot=(0, 0),
        customers=customers,
        vehicle=Vehicle(5, 5, 9, **vehicle),
        vehicle_count=2,
        units=Units(time_unit="min"),
        travel=Travel.from_matrix(roads),
    )


def test_a_truck_does_not_wait_for_a_customer_who_opens_late() -> None:
    """It leaves so that it comes when the door opens."""
    schedule = two_customers(ready=720, shift_start=360, shift_end=1000).schedule((1, 2))
    assert schedule is not None
    assert schedule.departure == 717
    assert [(stop.arrival, stop.start, stop.end) for stop in schedule.stops] == [
        (720, 720, 721),
        (722, 722, 722),
    ]
    assert (schedule.back, schedule.duration) == (731, 14)


def test_the_shortest_way_may_be_a_detour() -> None:
    """Roads break the triangle inequality."""
    legs = np.array(ROADS, dtype=np.float64)
    assert shortest_round_trips(legs).tolist() == [0, 7, 10]
    legs[0, 1] = math.inf
    assert shortest_round_trips(legs).tolist() == [0, 15, 15]


@pytest.mark.parametrize("limit", ["max_duration", "max_distance"])
def test_a_customer_beyond_the_limits_of_every_vehicle_is_refused(limit: str) -> None:
    """By name, and with the limit; but not one whom a detour reaches."""
    too_little: dict[str, Any] = {limit: 9}
    enough: dict[str, Any] = {limit: 10}
    with pytest.raises(InputError, match=f"customer Bo is .*{limit}") as caught:
        two_customers(**too_little)
    assert caught.value.field == f"vehicle.{limit}"
    assert two_customers(**enough).n == 2


def test_a_customer_without_a_road_is_refused() -> None:
    """There, or back; a road over another customer will do."""
    no_way_there: list[list[float | None]] = [[0, 3, None], [4, 0, None], [9, 2, 0]]
    no_way_back: list[list[float | None]] = [[0, 3, 9], [4, 0, 1], [None, None, 0]]
    for roads in (no_way_there, no_way_back):
        with pytest.raises(InputError, match="customer Bo cannot be reached, or not be left"):
            two_customers(roads)
    assert two_customers([[0, 3, None], [4, 0, 1], [9, 2, 0]]).has_missing_roads


def test_a_frame_must_have_its_places_in_one_order() -> None:
    """Its labels are not looked at otherwise: the order of the rows counts."""
    names = ["depot", "Ada", "Bo"]
    frame = pd.DataFrame(ROADS, index=names, columns=names)
    assert Travel.from_matrix(frame) == Travel.from_matrix(ROADS)
    with pytest.raises(InputError, match="the same labels in rows and columns"):
        Travel.from_matrix(frame[["Bo", "Ada", "depot"]])
