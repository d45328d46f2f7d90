"""How early a place can be reached and how late it can be left: bounds that refuse nothing fair."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Customer, Instance, Travel, Vehicle


def instance_with(seed: int, customers: int = 5) -> Instance | None:
    """Return customers with windows on roads that break every rule, if all can be served."""
    random = np.random.default_rng(seed)
    values = random.integers(1, 30, (customers + 1, customers + 1)).tolist()
    for i in range(customers + 1):
        values[i][i] = 0
    for _ in range(3):
        i, j = (int(one) for one in random.integers(0, customers + 1, 2))
        values[i][j] = None if i != j else 0
    ready = random.integers(0, 40, customers)
    try:
        return Instance(
            "bounds",
            (0, 0),
            tuple(
                Customer(
                    *(0, 0, 0, ()),
                    ready=int(ready[i]),
                    due=int(ready[i] + random.integers(5, 40)),
                    service=int(random.integers(0, 5)),
                )
                for i in range(customers)
            ),
            Vehicle(1, 1, 1),
            customers,
            depot_due=int(random.integers(60, 120)),
            travel=Travel.from_matrix(values, values),
        )
    except InputError:
        return None


@settings(max_examples=150)
@given(st.integers(0, 10**6))
def test_a_latest_start_is_the_last_one_that_is_back_in_time(seed: int) -> None:
    """One tick later, and the vehicle is late by every way."""
    instance = instance_with(seed)
    assume(instance is not None)
    assert instance is not None
    clock = instance.clock
    for number, latest in enumerate(clock.latest_starts()[1:], start=1):
        for start, is_kept in ((latest, True), (latest + 1, False)):
            if start == -math.inf or start > clock.due[number]:
                continue
            back = clock.earliest_arrivals(number, start + clock.service[number])[0]
            assert (back <= clock.due[0]) == is_kept


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_arrivals_are_those_of_the_best_chain(seed: int) -> None:
    """Compared with all chains of up to five customers."""
    instance = instance_with(seed, 4)
    assume(instance is not None)
    assert instance is not None
    clock = instance.clock
    best = dict.fromkeys(range(1, 5), math.inf)

    def drive(place: int, leaving: float, seen: frozenset[int]) -> None:
        for other in set(best) - seen:
            arrival = leaving + clock.duration(place, other)
            best[other] = min(best[other], arrival)
            if arrival < math.inf and not clock.is_late(other, arrival):
                begin = max(arrival, clock.ready[other])
                drive(other, begin + clock.service[other], seen | {other})

    drive(0, clock.ready[0], frozenset())
    assert clock.earliest_arrivals(0, clock.ready[0])[1:] == list(best.values())


@pytest.mark.parametrize("due", [None, 50])
def test_a_depot_that_never_closes_is_no_limit(due: int | None) -> None:
    """Infinity minus infinity is no number, and must not come into it."""
    instance = Instance(
        "open",
        (0, 0),
        (Customer(3, 4, 0, (), due=20), Customer(6, 8, 0, ())),
        Vehicle(1, 1, 1),
        1,
        depot_due=due,
    )
    latest = instance.clock.latest_starts()
    assert latest[1] == 20
    assert latest[2] == (math.inf if due is None else 40)


@pytest.mark.parametrize(
    ("travel", "conventions"),
    [
        (Travel.euclidean(speed=1e-6, detour=10**6), Conventions()),
        (Travel.euclidean(detour=10**6, decimals=3), Conventions(distance="rounded")),
        (Travel.from_matrix([[0, 1e9, 1], [1.0, 0, 1], [1.0, 1, 0]], speed=1e-6), Conventions()),
    ],
)
def test_roads_that_no_sum_can_hold_are_refused(travel: Travel, conventions: Conventions) -> None:
    """Integers of 64 bits would overflow, and floats would round."""
    far = 10**9
    with pytest.raises(InputError, match="cannot be added up exactly"):
        Instance(
            "far",
            (0, 0),
            (Customer(far, far, 0, ()), Customer(-far, far, 0, ())),
            Vehicle(1, 1, 1),
            2,
            conventions,
            travel=travel,
        )
