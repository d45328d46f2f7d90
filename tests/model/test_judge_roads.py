"""The judge on roads, hours and money: the rules of format 2, and all that its solutions state."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from builders import REPOSITORY, one_route, small_instance, small_solution, with_route
from market_day import (
    BEYOND_FORMAT_1,
    FARM,
    KILOMETRES,
    MARKET,
    MILL,
    MINUTES,
    NOON,
    ROAD_KINDS,
    SIX,
    STATEMENT_KINDS,
    market_day,
    market_plan,
    market_vehicle,
)
from rich_instances import TravelKind, all_routes, all_travel_kinds, rich_instance
from seeds import with_seeds
from tailgate.model.clock import Clock
from tailgate.model.conventions import DistanceConvention
from tailgate.model.costs import CostParts, RouteCosts
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Customer, Instance, Travel, Units, Vehicle
from tailgate.model.judge import Violation, ViolationKind, verify
from tailgate.model.matrix import Matrix
from tailgate.model.roads import Roads
from tailgate.model.schedule import Schedule, StopTimes
from tailgate.model.solution import Route, Solution
from tailgate.solver.loading import planned_route

Kind = ViolationKind
Mutation = Callable[[Solution], Solution]


def kinds(instance: Instance, solution: Solution) -> set[str]:
    """Return the kinds of all violations."""
    return {violation.kind for violation in verify(instance, solution)}


def only(instance: Instance, solution: Solution) -> Violation:
    """Return the single violation."""
    (violation,) = verify(instance, solution)
    return violation


def stating(route: int, **changes: Any) -> Mutation:
    """Return a change of what one route states of its schedule, counted from 0."""

    def change(solution: Solution) -> Solution:
        schedule = solution.routes[route].schedule
        assert schedule is not None
        return with_route(solution, route, schedule=replace(schedule, **changes))

    return change


def stating_stop(route: int, stop: int, **changes: Any) -> Mutation:
    """Return a change of what one route states of one stop, both counted from 0."""

    def change(solution: Solution) -> Solution:
        schedule = solution.routes[route].schedule
        assert schedule is not None
        stops = list(schedule.stops)
        stops[stop] = replace(stops[stop], **changes)
        return stating(route, stops=tuple(stops))(solution)

    return change


def stating_part(**changes: Any) -> Mutation:
    """Return a change of the costs of the first route."""

    def change(solution: Solution) -> Solution:
        parts = solution.routes[0].parts
        assert parts is not None
        return with_route(solution, 0, parts=replace(parts, **changes))

    return change


# Each row: the kind, a change of a single number, and words of the message.
MUTATIONS: list[tuple[Kind, Mutation, str]] = [
    (
        Kind.WRONG_SCHEDULE,
        stating(0, departure=689),
        "the departure is stated as 11:29, but in the schedule of least duration it is 11:30",
    ),
    (Kind.WRONG_SCHEDULE, stating(0, back=801), "the return is stated as 13:21"),
    (
        Kind.WRONG_SCHEDULE,
        stating(1, duration=43),
        "the duration is stated as 43 min, but in the schedule of least duration it is 43.5 min",
    ),
    (
        Kind.WRONG_SCHEDULE,
        stating_stop(0, 1, arrival=749),
        "the arrival at customer 2 (Farm) is stated as 12:29",
    ),
    (
        Kind.WRONG_SCHEDULE,
        stating_stop(1, 0, start=421),
        "the start of service at customer 3 (Mill) is stated as 07:01",
    ),
    (
        Kind.WRONG_SCHEDULE,
        stating_stop(0, 0, end=NOON),
        "the end of service at customer 1 (Market) is stated as 12:00",
    ),
    (
        Kind.WRONG_SCHEDULE,
        # A second is a tick, and less than that is no time at all: a clock would not show it.
        stating(1, back=445.5 + 1e-6),
        "the return is stated as 445.500001, but in the schedule of least duration it is 445.5",
    ),
    (Kind.WRONG_SCHEDULE, stating_stop(0, 1, customer=MILL), "not the customers of the route"),
    (Kind.WRONG_SCHEDULE, stating(0, stops=()), "not the customers of the route"),
    (
        Kind.WRONG_DISTANCE,
        lambda s: with_route(s, 0, distance=54),
        "the distance is stated as 54 km, but the tour has 55 km",
    ),
    (
        Kind.WRONG_COST_PART,
        stating_part(fixed=51),
        "the fixed cost is stated as 51 EUR, but it is 50 EUR",
    ),
    (
        Kind.WRONG_COST_PART,
        stating_part(distance=27.4),
        "the cost of distance is stated as 27.4 EUR, but it is 27.5 EUR",
    ),
    (
        Kind.WRONG_COST_PART,
        stating_part(time=43.6),
        "the cost of time is stated as 43.6 EUR, but it is 44 EUR",
    ),
    (
        Kind.WRONG_COST,
        lambda s: with_route(s, 1, cost=80.3),
        "the cost is stated as 80.3 EUR, but the tour has 80.4 EUR",
    ),
    (
        Kind.WRONG_OBJECTIVE,
        lambda s: replace(s, objective=201.8, gap=11.8 / 201.8),
        "the objective is 201.8 EUR, but the routes cost 201.9 EUR",
    ),
    (
        Kind.WRONG_VEHICLE,
        lambda s: with_route(s, 0, vehicle="lorry"),
        "names the vehicle 'lorry', but that of the instance is called 'van'",
    ),
    (
        Kind.WRONG_UNITS,
        lambda s: replace(s, units=replace(s.units, time_unit="h", clock=False)),
        "the times are stated in h, but those of the instance are in min",
    ),
    (
        Kind.WRONG_UNITS,
        lambda s: replace(s, units=replace(s.units, cost_unit="USD")),
        "the costs are stated in USD, but those of the instance are in EUR",
    ),
    (
        Kind.WRONG_CONVENTIONS,
        lambda s: replace(s, conventions=replace(s.conventions, distance="rounded")),
        "the convention is 'rounded', but the distances of a matrix are taken as they are",
    ),
    (Kind.NON_FINITE, lambda s: with_route(s, 0, distance=math.inf), "the distance is inf"),
    (Kind.NON_FINITE, stating_part(time=math.nan), "the cost of time is nan"),
    (Kind.NON_FINITE, stating(0, departure=-math.inf), "the departure is -inf"),
    (
        Kind.NON_FINITE,
        stating_stop(1, 0, arrival=math.nan),
        "the arrival at customer 3 (Mill) is nan",
    ),
]

# Each row: the kind, what makes the plan break a rule of its instance, and the message.
BROKEN_RULES: list[tuple[Kind, dict[str, Any], str]] = [
    (
        Kind.SHIFT,
        {"vehicle": market_vehicle(shift_end=799)},
        "is back at the depot at 13:20, after its shift ends at 13:19",
    ),
    (
        Kind.TIME_WINDOW,
        {"depot_due": 799},
        "is back at the depot at 13:20, after its due time 13:19",
    ),
    (
        Kind.MAX_DURATION,
        {"vehicle": market_vehicle(max_duration=109.5)},
        "takes 110 min at the least, more than max_duration 109.5 min",
    ),
    (
        Kind.MAX_DISTANCE,
        {"vehicle": market_vehicle(max_distance=54.9)},
        "is 55 km long, more than max_distance 54.9 km",
    ),
    (
        Kind.MAX_STOPS,
        {"vehicle": market_vehicle(max_stops=1)},
        "visits 2 customers, more than the 1 of max_stops",
    ),
]


def test_the_plan_worked_out_by_hand_is_valid() -> None:
    """The truck to the market does not wait there from six o'clock on."""
    assert verify(market_day(), market_plan()) == []


def test_the_model_says_what_was_worked_out_by_hand() -> None:
    """The file that a solver writes states the same numbers."""
    instance, solution = market_day(), market_plan()
    for route in solution.routes:
        assert planned_route(instance, route.customers, route.placements) == route
    assert instance.costs.total([route.customers for route in solution.routes]) == 201.9


@pytest.mark.parametrize(
    ("kind", "mutate", "words"),
    MUTATIONS,
    ids=[f"{number}-{kind}" for number, (kind, _, _) in enumerate(MUTATIONS)],
)
def test_a_wrong_number_is_named(kind: Kind, mutate: Mutation, words: str) -> None:
    """One number is changed, and that one is named: none of the others hides it."""
    instance = market_day()
    violation = only(instance, mutate(market_plan(instance)))
    assert violation.kind == kind
    assert words in violation.message


@pytest.mark.parametrize(
    ("kind", "changes", "message"), BROKEN_RULES, ids=[str(kind) for kind, _, _ in BROKEN_RULES]
)
def test_a_broken_rule_is_named(kind: Kind, changes: dict[str, Any], message: str) -> None:
    """The plan is right in all its numbers, but the day has another rule."""
    instance = market_day(**changes)
    violation = only(instance, market_plan(instance))
    assert (violation.kind, violation.message) == (kind, message)
    assert violation.route == 1


def test_every_kind_beyond_format_1_is_provoked() -> None:
    """A new kind of violation must come with a plan that provokes it; the road is just below."""
    provoked = {kind for kind, _, _ in MUTATIONS} | {kind for kind, _, _ in BROKEN_RULES}
    assert provoked | {Kind.NO_ROAD} >= BEYOND_FORMAT_1


def test_a_road_that_cannot_be_driven_is_named() -> None:
    """The bridge from the farm to the mill is closed."""
    instance = market_day(vehicle_count=1)
    solution = one_route(instance, (MARKET, FARM, MILL))
    found = [one for one in verify(instance, solution) if one.kind == Kind.NO_ROAD]
    (violation,) = found
    assert violation.message == "there is no road from customer 2 (Farm) to customer 3 (Mill)"
    assert violation.customer == MILL
    roads = [row[:] for row in KILOMETRES], [row[:] for row in MINUTES]
    for matrix in roads:
        matrix[FARM][0] = None
    closed = market_day(travel=Travel.from_matrix(*roads), depot_due=None)
    found = [one for one in verify(closed, market_plan(closed)) if one.kind == Kind.NO_ROAD]
    assert [one.message for one in found] == [
        "there is no road from customer 2 (Farm) to the depot"
    ]


def test_a_late_customer_is_named_with_the_time_of_the_clock() -> None:
    """The mill closes at nine, and the truck comes from the market in the afternoon."""
    instance = market_day(vehicle_count=1)
    found = {one.kind: one for one in verify(instance, one_route(instance, (FARM, MARKET, MILL)))}
    violation = found[Kind.TIME_WINDOW]
    assert violation.message == "reaches customer 3 (Mill) at 12:29, after its due time 09:00"
    assert violation.customer == MILL


def test_a_departure_before_the_shift_or_the_hours_of_the_depot_is_wrong() -> None:
    """Leaving later does not help the farm: the truck leaves when the first of both begins."""
    for changes, opening in (
        ({}, SIX),
        ({"depot_ready": SIX + 30}, SIX + 30),
        ({"vehicle": market_vehicle(shift_start=SIX + 5)}, SIX + 5),
        ({"vehicle": market_vehicle(shift_start=None)}, SIX - 60),
    ):
        instance = market_day(**changes)
        (route,) = (planned_route(instance, (FARM,), ()),)
        assert route.schedule is not None
        assert route.schedule.departure == opening
        solution = one_route(instance, (FARM,))
        right = replace(solution, routes=(replace(route, weight=20, area=1),))
        ignored = {Kind.MISSING_CUSTOMER, Kind.MISSING_ITEM}
        assert kinds(instance, right) <= ignored
        early = replace(
            route.schedule,
            departure=opening - 1,
            stops=(StopTimes(FARM, opening + 44, opening + 44, opening + 54),),
            back=opening + 94,
        )
        wrong = with_route(right, 0, schedule=early)
        assert kinds(instance, wrong) - ignored == {Kind.WRONG_SCHEDULE}


def test_a_schedule_that_waits_elsewhere_is_not_the_one_of_the_format() -> None:
    """It keeps every window and takes as long; the format says which of them is written."""
    instance = market_day()
    later = Schedule(
        departure=700,
        stops=(StopTimes(MARKET, 730, 730, 745), StopTimes(FARM, 760, 760, 770)),
        back=810,
        duration=110,
    )
    solution = with_route(market_plan(instance), 0, schedule=later)
    assert kinds(instance, solution) == {Kind.WRONG_SCHEDULE}


def test_waiting_that_cannot_be_avoided_stays() -> None:
    """The mill before the market: the truck must be at the mill by nine, and waits for noon."""
    instance = market_day(vehicle_count=1, vehicle=market_vehicle(fixed_cost=0))
    route = planned_route(instance, (MILL, MARKET, FARM), ())
    assert route.schedule == Schedule(
        departure=540 - 18,
        stops=(
            StopTimes(MILL, 540, 540, 545),
            StopTimes(MARKET, 557, NOON, 735),
            StopTimes(FARM, 750, 750, 760),
        ),
        back=800,
        duration=278,
    )
    solution = one_route(instance, route.customers)
    solution = replace(solution, routes=(route,), objective=route.cost)
    assert kinds(instance, solution) == {Kind.MISSING_ITEM}
    assert route.cost == 0.5 * (12 + 8 + 10 + 25) + 0.4 * 278


def test_what_is_not_stated_is_not_missed() -> None:
    """A program that knows solution format 1 may solve an instance of format 2."""
    instance = market_day()
    solution = market_plan(instance)
    routes = tuple(
        replace(route, vehicle="", distance=None, parts=None, schedule=None)
        for route in solution.routes
    )
    bare = replace(solution, routes=routes, units=Units())
    assert bare.is_format_1
    assert verify(instance, bare) == []
    assert kinds(instance, with_route(bare, 0, cost=55)) == {Kind.WRONG_COST}
    late = replace(one_route(instance, (MARKET, MILL)), units=Units())
    assert late.is_format_1
    assert Kind.TIME_WINDOW in kinds(instance, late)


def test_statements_about_an_instance_of_format_1_are_judged_alike() -> None:
    """There times are floats: only what is beyond their rounding is wrong."""
    instance = small_instance()
    solution = small_solution(instance)
    routes = [
        replace(
            route,
            distance=instance.costs.length(route.customers),
            parts=instance.costs.parts(route.customers),
            schedule=instance.schedule(route.customers),
        )
        for route in solution.routes
    ]
    stated = replace(solution, routes=tuple(routes))
    assert not stated.is_format_1
    assert verify(instance, stated) == []
    schedule = routes[0].schedule
    assert schedule is not None
    near = replace(schedule, departure=schedule.departure + 1e-10)
    assert verify(instance, with_route(stated, 0, schedule=near)) == []
    far = replace(schedule, departure=schedule.departure + 1e-6)
    assert kinds(instance, with_route(stated, 0, schedule=far)) == {Kind.WRONG_SCHEDULE}
    assert kinds(instance, with_route(stated, 0, distance=20.0000001)) == {Kind.WRONG_DISTANCE}


def test_a_distance_that_nobody_knows_cannot_be_stated() -> None:
    """A matrix of durations alone is enough where only time is paid for."""
    instance = market_day(
        travel=Travel.from_matrix(durations=MINUTES),
        vehicle=market_vehicle(cost_per_distance=0, max_distance=None),
    )
    routes = tuple(
        planned_route(instance, route.customers, route.placements) for route in market_plan().routes
    )
    assert [route.distance for route in routes] == [None, None]
    solution = market_plan(instance, routes=routes, objective=161.4, gap=None, lower_bound=None)
    assert verify(instance, solution) == []
    violation = only(instance, with_route(solution, 0, distance=0))
    assert violation.kind == Kind.WRONG_DISTANCE
    assert "has durations only" in violation.message


def test_costs_are_sums_of_exact_numbers() -> None:
    """Fifty tenths are five: exact costs have the tolerance of a float, and whole ones none."""
    tenth: list[list[float | None]] = [[0, 0.1], [0.2, 0]]
    customers = (Customer(0, 0, 0, ()),)
    instance = Instance(
        "tenths", (0, 0), customers, Vehicle(1, 1, 1), 1, travel=Travel.from_matrix(tenth)
    )
    solution = one_route(instance, (1,))
    assert solution.objective == 0.3
    assert verify(instance, solution) == []
    dusty = replace(with_route(solution, 0, cost=0.1 + 0.2), objective=0.1 + 0.2)
    assert verify(instance, dusty) == []
    assert kinds(instance, with_route(solution, 0, cost=0.30000001)) == {Kind.WRONG_COST}
    million: list[list[float | None]] = [[0, 10**9], [10**9, 0]]
    whole = replace(instance, travel=Travel.from_matrix(million))
    right = one_route(whole, (1,))
    assert verify(whole, right) == []
    assert kinds(whole, with_route(right, 0, cost=2 * 10**9 + 1)) == {Kind.WRONG_COST}


def test_limits_are_exact_where_times_are() -> None:
    """A tenth and two tenths are no more than three tenths, and a hair more is too much."""
    roads: list[list[float | None]] = [[0, 0.1], [0.2, 0]]
    customers = (Customer(0, 0, 0, ()),)

    def limited(**limits: Any) -> Instance:
        return Instance(
            "tenths",
            (0, 0),
            customers,
            Vehicle(1, 1, 1, **limits),
            1,
            travel=Travel.from_matrix(roads),
        )

    for name in ("max_duration", "max_distance", "shift_end"):
        fits = limited(**{name: 0.3})
        assert verify(fits, one_route(fits, (1,))) == []
    for name in ("max_duration", "max_distance"):
        with pytest.raises(InputError, match=name):
            limited(**{name: 0.2999999999})


@pytest.mark.parametrize("distance", ["rounded", "truncated"])
def test_a_matrix_is_not_rounded(distance: DistanceConvention) -> None:
    """The instance itself refuses it, and so does the reader of ``--distance``."""
    with pytest.raises(InputError, match='must be "exact" with a matrix') as caught:
        market_day().with_conventions(distance=distance)
    assert caught.value.field == "conventions.distance"


def test_a_measured_day_is_judged_under_the_convention_of_the_solution() -> None:
    """Distances with one decimal place, a detour and a speed: 5 x 1.25 = 6.25 km."""
    customers = (Customer(3, 4, 0, ()),)
    instance = Instance(
        "measured",
        (0, 0),
        customers,
        Vehicle(1, 1, 1, cost_per_distance=2, cost_per_time=1),
        1,
        units=Units(distance_unit="km", time_unit="min"),
        travel=Travel.euclidean(detour=1.25, decimals=1, speed=36),
    )
    # 6.25 km at 36 km/h are 625 s; 6.3 km are 630 s, 6.2 km are 620 s.
    cases: list[tuple[DistanceConvention, float, int]] = [
        ("exact", 6.25, 625),
        ("rounded", 6.3, 630),
        ("truncated", 6.2, 620),
    ]
    for distance, length, seconds in cases:
        other = instance.with_conventions(distance=distance)
        route = planned_route(other, (1,), ())
        assert route.distance == pytest.approx(2 * length, rel=1e-15)
        assert route.schedule is not None
        assert route.schedule.duration == pytest.approx(2 * seconds / 60, rel=1e-15)
        solution = replace(one_route(other, (1,)), routes=(route,))
        # Judged under its own convention, whatever that of the instance is.
        assert verify(instance, solution) == []
        elsewhere = replace(
            solution, conventions=Conventions("truncated" if distance != "truncated" else "exact")
        )
        assert kinds(instance, elsewhere) == {
            Kind.WRONG_COST,
            Kind.WRONG_COST_PART,
            Kind.WRONG_DISTANCE,
            Kind.WRONG_OBJECTIVE,
            Kind.WRONG_SCHEDULE,
        }


@all_travel_kinds
@with_seeds(12, 200)
def test_judge_and_model_agree_on_every_route(travel: TravelKind, seeds: range) -> None:
    """Two implementations: limits, schedules, costs and their parts of every small route."""
    judged = 0
    for seed in seeds:
        instance = rich_instance(seed, travel)
        customers = list(all_routes(instance, 3))
        routes = tuple(planned_route(instance, route, ()) for route in customers)
        solution = Solution(
            instance_name=instance.name,
            instance_sha256=instance.sha256,
            conventions=instance.conventions,
            status="feasible",
            objective=0,
            lower_bound=None,
            gap=None,
            routes=routes,
            units=instance.units,
        )
        found: dict[int | None, set[str]] = {}
        for violation in verify(instance, solution):
            found.setdefault(violation.route, set()).add(violation.kind)
        for index, route in enumerate(routes, start=1):
            own = found.get(index, set())
            where = (instance.name, route.customers, own)
            assert not own & STATEMENT_KINDS, where
            assert (not own & ROAD_KINDS) == instance.is_allowed(route.customers), where
            judged += route.schedule is not None
    assert judged > 10 * len(seeds)


@with_seeds(30, 400)
def test_no_departure_gives_a_shorter_day(seeds: range) -> None:
    """All departures tick by tick, against the schedule that judge and model agree on."""
    tried = 0
    for seed in seeds:
        for travel in ("distances", "durations", "matrices"):
            instance = rich_instance(f"departures-{seed}", travel, most=4)
            if instance.clock.tick is None or instance.clock.tick < Fraction(1, 2):
                continue
            for route in all_routes(instance, 3):
                schedule = instance.schedule(route)
                assert _least(instance, route) == (
                    None if schedule is None else (schedule.duration, schedule.departure)
                )
                tried += 1
    assert tried > 20 * len(seeds)


def _least(instance: Instance, route: tuple[int, ...]) -> tuple[Any, Any] | None:
    """Return the least duration and the first departure that has it, by trying all."""
    vehicle = instance.vehicle
    opening = max(instance.depot_ready, vehicle.shift_start or 0)
    closing = min(
        math.inf if end is None else end for end in (instance.depot_due, vehicle.shift_end)
    )
    latest = max(customer.due or customer.ready for customer in instance.customers) + opening
    best = None
    for half in range(2 * int(opening), 2 * int(latest) + 2):
        departure = clock = half / 2
        for start, number in pairwise((0, *route, 0)):
            clock += instance.duration(start, number)
            customer = instance.customer(number) if number else None
            if clock > (closing if customer is None else _or_never(customer.due)):
                break
            if customer is not None:
                clock = max(clock, customer.ready) + customer.service
        else:
            if clock < math.inf and (best is None or clock - departure < best[0]):
                best = (clock - departure, departure)
    return best


def _or_never(due: float | None) -> float:
    return math.inf if due is None else due


latitudes = st.integers(-90 * 10**5, 90 * 10**5)
longitudes = st.integers(-180 * 10**5, 180 * 10**5)


@given(
    points=st.lists(st.tuples(longitudes, latitudes), min_size=2, max_size=4),
    unit=st.sampled_from(("km", "m", "mi", "")),
    distance=st.sampled_from(("exact", "rounded", "truncated")),
    decimals=st.integers(0, 3),
    detour=st.sampled_from((1, 1.3, 1.35)),
)
def test_judge_and_model_agree_all_over_the_globe(
    points: list[tuple[int, int]],
    unit: str,
    distance: DistanceConvention,
    decimals: int,
    detour: float,
) -> None:
    """At the poles, across the date line, for opposite places and for the same one."""
    depot, *others = points
    instance = Instance(
        "globe",
        depot,
        tuple(Customer(x, y, 0, ()) for x, y in others),
        Vehicle(1, 1, 1),
        1,
        Conventions(distance=distance),
        Units(coordinate_scale=10**5, distance_unit=unit),
        travel=Travel.great_circle(detour=detour, decimals=decimals),
    )
    order = tuple(range(1, instance.n + 1))
    solution = replace(one_route(instance, order), routes=(planned_route(instance, order, ()),))
    assert verify(instance, solution) == []


@pytest.mark.parametrize(
    ("start", "end", "kilometres"),
    [
        # A quarter of the equator, from pole to pole, and across the date line.
        ((0, 0), (90, 0), 6371.0088 * math.pi / 2),
        ((0, -90), (0, 90), 6371.0088 * math.pi),
        ((179, 0), (-179, 0), 6371.0088 * math.radians(2)),
        # Lyon to Paris, by the haversine formula of another program.
        ((4.8357, 45.764), (2.3522, 48.8566), 391.5),
    ],
)
def test_known_distances_on_the_globe(
    start: tuple[float, float], end: tuple[float, float], kilometres: float
) -> None:
    """The sphere has a radius of 6371.0088 km."""
    scale = 10**4
    depot, place = ((round(x * scale), round(y * scale)) for x, y in (start, end))
    instance = Instance(
        "globe",
        depot,
        (Customer(*place, 0, ()),),
        Vehicle(1, 1, 1),
        1,
        units=Units(coordinate_scale=scale),
        travel=Travel.great_circle(),
    )
    solution = one_route(instance, (1,))
    assert verify(instance, solution) == []
    assert solution.objective == pytest.approx(2 * kilometres, rel=1e-3)
    if kilometres != 391.5:
        assert solution.objective == pytest.approx(2 * kilometres, rel=1e-14)


def test_neighbours_on_the_globe_are_not_lost_in_rounding() -> None:
    """Two doors a metre apart, in metres: a float formula that subtracts badly would be off."""
    instance = Instance(
        "doors",
        (4_835_701, 45_764_003),
        (Customer(4_835_702, 45_764_007, 0, ()), Customer(4_835_709, 45_764_001, 0, ())),
        Vehicle(1, 1, 1),
        1,
        units=Units(coordinate_scale=10**6, distance_unit="m"),
        travel=Travel.great_circle(),
    )
    for order in ((1, 2), (2, 1)):
        assert verify(instance, one_route(instance, order)) == []


@given(
    points=st.lists(
        st.tuples(st.integers(-(10**7), 10**7), st.integers(-(10**7), 10**7)),
        min_size=2,
        max_size=4,
    ),
    scale=st.sampled_from((1, 10, 10**4, 10**9)),
    distance=st.sampled_from(("exact", "rounded", "truncated")),
    decimals=st.integers(0, 3),
    detour=st.sampled_from((1, 1.3, 1.35, 0.1, 29.999)) | st.floats(0.001, 30),
    speed=st.none() | st.sampled_from((35, 36, 7.5)) | st.floats(1, 1000),
)
def test_judge_and_model_agree_on_every_measured_length(
    points: list[tuple[int, int]],
    scale: int,
    distance: DistanceConvention,
    decimals: int,
    detour: float,
    speed: float | None,
) -> None:
    """Roots in integers there, in decimals that are mended here: rounded to the same side."""
    depot, *others = points
    instance = Instance(
        "plane",
        depot,
        tuple(Customer(x, y, 0, ()) for x, y in others),
        Vehicle(1, 1, 1, cost_per_distance=1, cost_per_time=1 if speed else None),
        1,
        Conventions(distance=distance),
        Units(coordinate_scale=scale),
        travel=Travel.euclidean(detour=detour, decimals=decimals, speed=speed),
    )
    order = tuple(range(1, instance.n + 1))
    solution = replace(one_route(instance, order), routes=(planned_route(instance, order, ()),))
    assert verify(instance, solution) == []


def test_stored_steps_of_a_matrix_are_what_the_judge_reads() -> None:
    """Seconds are sixtieths of a minute, exactly: three legs of 20 s are a minute."""
    seconds = Matrix.of([[0, 20, 20], [20, 0, 20], [20, 20, 0]], "durations", step=Fraction(1, 60))
    instance = Instance(
        "seconds",
        (0, 0),
        (Customer(0, 0, 0, (), due=0.5), Customer(0, 0, 0, ())),
        Vehicle(1, 1, 1, cost_per_time=6, max_duration=1),
        1,
        units=Units(time_unit="min"),
        travel=Travel("matrix", "none", durations=seconds),
    )
    route = planned_route(instance, (1, 2), ())
    assert (route.cost, route.schedule and route.schedule.back) == (6, 1)
    solution = replace(one_route(instance, (1, 2)), routes=(route,))
    assert verify(instance, solution) == []


numbers = st.floats() | st.integers(-(10**24), 10**24)


@given(
    customers=st.lists(st.integers(-1, 5), max_size=4),
    stops=st.lists(st.tuples(st.integers(-1, 5), numbers, numbers, numbers), max_size=4),
    values=st.tuples(*[numbers] * 7),
    vehicle=st.sampled_from(("", "van", "lorry")),
)
@example(customers=[1], stops=[(1, 0.0, 0.0, 3e306)], values=(0.0,) * 7, vehicle="")
def test_no_statement_makes_the_judge_fail(
    customers: list[int],
    stops: list[tuple[int, float, float, float]],
    values: tuple[float, ...],
    vehicle: str,
) -> None:
    """Whatever a solution states, the answer is a list of violations and never an exception."""
    route = Route(
        customers=tuple(customers),
        cost=values[0],
        weight=0,
        area=0,
        vehicle=vehicle,
        distance=values[1],
        parts=CostParts(*values[2:5]),
        schedule=Schedule(values[5], tuple(StopTimes(*stop) for stop in stops), *values[5:]),
    )
    instance = market_day()
    for violation in verify(instance, market_plan(instance, routes=(route,))):
        assert violation.message
        assert violation.kind in set(Kind)


# What the model works out of an instance, and the judge therefore must not ask for.
WORKED_OUT = {
    "accepts",
    "arcs",
    "clock",
    "costs",
    "distance",
    "distance_matrix",
    "duration",
    "has_missing_roads",
    "has_time_windows",
    "is_allowed",
    "is_hopeless",
    "is_symmetric",
    "is_within_limits",
    "kind_named",
    "of_kind",
    "optional",
    "roads",
    "route_cost",
    "rules",
    "schedule",
    "total_cost",
    "vehicle",
    "why_hopeless",
}


def test_the_judge_does_not_mention_what_the_model_has_worked_out() -> None:
    """It computes from the source: a mistake in the model's roads must not be its own."""
    files = sorted((REPOSITORY / "src" / "tailgate" / "model" / "judge").glob("*.py"))
    assert len(files) > 8
    mentioned = set()
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                owner = node.value
                name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
                if name.lstrip("_") == "instance":
                    mentioned.add(node.attr)
    assert "customer" in mentioned
    assert not mentioned & WORKED_OUT


@all_travel_kinds
def test_the_judge_works_without_the_roads_clock_and_costs_of_the_model(
    travel: TravelKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even by a detour: whatever would compute them is taken away first."""
    instance = next(
        one
        for one in (rich_instance(seed, travel) for seed in range(100))
        if any(one.is_allowed(route) for route in all_routes(one, 2))
    )
    order = next(route for route in all_routes(instance, 2) if instance.is_allowed(route))
    route = planned_route(instance, order, ())
    solution = replace(one_route(instance, order), routes=(route,))
    before = verify(instance, solution)
    assert not {one.kind for one in before} & (ROAD_KINDS | STATEMENT_KINDS)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    for owner in (Clock, RouteCosts, Roads):
        for name in [one for one in vars(owner) if callable(getattr(owner, one))]:
            if not name.startswith("__") or name == "__init__":
                monkeypatch.setattr(owner, name, refuse)
    for name in WORKED_OUT & set(dir(Instance)):
        monkeypatch.setattr(Instance, name, property(refuse))
    assert verify(instance, solution) == before
