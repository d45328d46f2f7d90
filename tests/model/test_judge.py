"""The judge: a valid solution passes, and every way to break it is named."""

from __future__ import annotations

import decimal
import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import small_instance, small_solution, with_placement, with_route
from file_cases import places_only
from fleet_day import FLEET_KINDS
from market_day import BEYOND_FORMAT_1
from tailgate.model import errors
from tailgate.model.conventions import DistanceConvention
from tailgate.model.instance import Conventions, Customer, Instance, Item, Units, Vehicle
from tailgate.model.judge import MAX_PAIRS_NAMED, ViolationKind, verify
from tailgate.model.route import PLACEMENT_INTEGERS
from tailgate.model.solution import Placement, Route, Solution

Kind = ViolationKind
Mutation = Callable[[Solution], Solution]


def kinds(instance: Instance, solution: Solution) -> set[str]:
    """Return the kinds of all violations."""
    return {violation.kind for violation in verify(instance, solution)}


def swap_routes_of_1_and_2(solution: Solution) -> Solution:
    """Visit customer 2 first and draw the same floor, numbered for the new order."""
    first = solution.routes[0]
    stops = {2: 1, 1: 2}
    return with_route(
        solution,
        0,
        customers=(2, 1),
        placements=tuple(replace(p, stop_index=stops[p.customer]) for p in first.placements),
    )


def merge_all(solution: Solution) -> Solution:
    """Put every customer on the first route; the rest goes wrong by itself."""
    return replace(
        solution,
        routes=(replace(solution.routes[0], customers=(1, 2, 3, 4), cost=41, weight=100),),
    )


# Each row: the kind that the mutation is for, the mutation, and all kinds that it must show.
MUTATIONS: list[tuple[Kind, Mutation, set[Kind]]] = [
    (
        Kind.WRONG_INSTANCE,
        lambda s: replace(s, instance_sha256="0" * 64),
        {Kind.WRONG_INSTANCE},
    ),
    (
        Kind.WRONG_STATUS,
        # Optimal is claimed, but the bound is below the objective.
        lambda s: replace(s, lower_bound=43, gap=1 / 44),
        {Kind.WRONG_STATUS},
    ),
    (Kind.WRONG_STATUS, lambda s: replace(s, status="infeasible"), {Kind.WRONG_STATUS}),
    (
        Kind.WRONG_STATUS,
        lambda s: replace(s, objective=None, lower_bound=None, gap=None),
        {Kind.WRONG_STATUS},
    ),
    (
        Kind.WRONG_STATUS,
        lambda s: replace(
            s, status="bound_only", routes=(), objective=None, lower_bound=None, gap=None
        ),
        {Kind.WRONG_STATUS},
    ),
    (Kind.WRONG_STATUS, lambda s: replace(s, lower_bound=None, gap=None), {Kind.WRONG_STATUS}),
    (Kind.NON_FINITE, lambda s: replace(s, objective=math.nan), {Kind.NON_FINITE}),
    (Kind.NON_FINITE, lambda s: replace(s, lower_bound=-math.inf), {Kind.NON_FINITE}),
    (Kind.NON_FINITE, lambda s: replace(s, gap=math.inf), {Kind.NON_FINITE}),
    (Kind.NON_FINITE, lambda s: with_route(s, 0, cost=math.nan), {Kind.NON_FINITE}),
    (
        Kind.WRONG_VEHICLE_COUNT,
        lambda s: replace(s, routes=s.routes[:1]),
        {Kind.WRONG_VEHICLE_COUNT, Kind.MISSING_CUSTOMER, Kind.WRONG_OBJECTIVE},
    ),
    (
        Kind.WRONG_VEHICLE_COUNT,
        lambda s: replace(s, routes=(*s.routes, s.routes[1])),
        {Kind.WRONG_VEHICLE_COUNT, Kind.VISITED_TWICE, Kind.WRONG_OBJECTIVE},
    ),
    (
        Kind.EMPTY_ROUTE,
        lambda s: replace(s, routes=(*s.routes, Route((), 0, 0, 0))),
        {Kind.EMPTY_ROUTE, Kind.WRONG_VEHICLE_COUNT},
    ),
    (
        Kind.SINGLE_CUSTOMER_ROUTE,
        lambda s: replace(
            with_route(
                s,
                0,
                customers=(2,),
                weight=20,
                area=8,
                placements=(replace(s.routes[0].placements[0], stop_index=1),),
            ),
        ),
        {Kind.SINGLE_CUSTOMER_ROUTE, Kind.MISSING_CUSTOMER},
    ),
    (
        Kind.UNKNOWN_CUSTOMER,
        lambda s: with_route(s, 0, customers=(1, 2, 5)),
        {Kind.UNKNOWN_CUSTOMER},
    ),
    (
        Kind.UNKNOWN_CUSTOMER,
        # The depot is no customer, not even in the middle of a tour.
        lambda s: with_route(s, 0, customers=(1, 2, 0)),
        {Kind.UNKNOWN_CUSTOMER},
    ),
    (
        Kind.VISITED_TWICE,
        lambda s: with_route(
            s,
            1,
            customers=(3, 4, 3),
            cost=24,
            weight=100,
            area=19,
            placements=tuple(
                replace(p, stop_index=3) if p.customer == 3 else p for p in s.routes[1].placements
            ),
        ),
        {Kind.VISITED_TWICE, Kind.OVERWEIGHT, Kind.WRONG_LOAD_STEP, Kind.LIFO},
    ),
    (
        Kind.MISSING_CUSTOMER,
        lambda s: with_route(
            s,
            1,
            customers=(4,),
            weight=40,
            area=11,
            placements=tuple(
                replace(p, stop_index=1) for p in s.routes[1].placements if p.customer == 4
            ),
        ),
        {Kind.MISSING_CUSTOMER, Kind.SINGLE_CUSTOMER_ROUTE},
    ),
    (
        Kind.OVERWEIGHT,
        merge_all,
        {
            Kind.OVERWEIGHT,
            Kind.WRONG_VEHICLE_COUNT,
            Kind.WRONG_AREA,
            Kind.WRONG_OBJECTIVE,
            Kind.MISSING_ITEM,
            Kind.TIME_WINDOW,
            Kind.WRONG_COST,
        },
    ),
    (
        Kind.TIME_WINDOW,
        swap_routes_of_1_and_2,
        {Kind.TIME_WINDOW, Kind.LIFO, Kind.WRONG_LOAD_STEP},
    ),
    (Kind.WRONG_WEIGHT, lambda s: with_route(s, 0, weight=31), {Kind.WRONG_WEIGHT}),
    (Kind.WRONG_AREA, lambda s: with_route(s, 1, area=14), {Kind.WRONG_AREA}),
    (Kind.WRONG_COST, lambda s: with_route(s, 0, cost=21), {Kind.WRONG_COST}),
    (
        Kind.WRONG_COST,
        # A truncated cost is an integer: nearly right is wrong.
        lambda s: with_route(s, 0, cost=20.000000001),
        {Kind.WRONG_COST},
    ),
    (
        Kind.WRONG_OBJECTIVE,
        lambda s: replace(s, objective=45, lower_bound=45),
        {Kind.WRONG_OBJECTIVE},
    ),
    (
        Kind.BOUND_ABOVE_OBJECTIVE,
        lambda s: replace(s, lower_bound=45),
        {Kind.BOUND_ABOVE_OBJECTIVE},
    ),
    (Kind.WRONG_GAP, lambda s: replace(s, gap=0.01), {Kind.WRONG_GAP}),
    (
        Kind.WRONG_GAP,
        lambda s: replace(s, status="feasible", lower_bound=None),
        {Kind.WRONG_GAP},
    ),
    (
        Kind.UNKNOWN_ITEM,
        lambda s: with_placement(s, 0, 2, item=3),
        {Kind.UNKNOWN_ITEM, Kind.MISSING_ITEM},
    ),
    (
        Kind.UNKNOWN_ITEM,
        # An item of a customer whom the other vehicle visits.
        lambda s: with_placement(s, 0, 2, customer=3, item=1),
        {Kind.UNKNOWN_ITEM, Kind.MISSING_ITEM},
    ),
    (
        Kind.DUPLICATE_ITEM,
        lambda s: with_route(
            s,
            1,
            placements=(
                *s.routes[1].placements,
                Placement(3, 1, x=2, y=3, width=2, length=2, stop_index=1, load_step=4),
            ),
        ),
        {Kind.DUPLICATE_ITEM},
    ),
    (
        Kind.MISSING_ITEM,
        lambda s: with_route(s, 0, placements=s.routes[0].placements[:2]),
        {Kind.MISSING_ITEM},
    ),
    (
        Kind.WRONG_ITEM_SIZE,
        # Customer 3's item drawn lengthwise, without a word of its being turned.
        lambda s: with_placement(s, 1, 2, width=1, length=3),
        {Kind.WRONG_ITEM_SIZE},
    ),
    (Kind.TURNED_ITEM, lambda s: with_placement(s, 1, 2, turned=True), {Kind.TURNED_ITEM}),
    (Kind.OUTSIDE_FLOOR, lambda s: with_placement(s, 1, 2, y=5), {Kind.OUTSIDE_FLOOR}),
    (Kind.OUTSIDE_FLOOR, lambda s: with_placement(s, 1, 2, x=-1), {Kind.OUTSIDE_FLOOR}),
    (Kind.OUTSIDE_FLOOR, lambda s: with_placement(s, 1, 2, x=3), {Kind.OUTSIDE_FLOOR}),
    (
        Kind.OUTSIDE_FLOOR,
        lambda s: with_placement(s, 0, 0, y=-1),
        {Kind.OUTSIDE_FLOOR},
    ),
    (
        Kind.OUTSIDE_FLOOR,
        # A size below zero must not slip through the comparisons.
        lambda s: with_placement(s, 1, 2, width=-2),
        {Kind.OUTSIDE_FLOOR, Kind.WRONG_ITEM_SIZE},
    ),
    (Kind.OVERLAP, lambda s: with_placement(s, 1, 2, y=2), {Kind.OVERLAP}),
    (
        Kind.LIFO,
        # Customer 2 (second stop) moves to the door, customer 1 to the cab.
        lambda s: with_placement(
            with_placement(with_placement(s, 0, 0, y=4), 0, 1, y=1), 0, 2, y=2
        ),
        {Kind.LIFO, Kind.WRONG_LOAD_STEP},
    ),
    (
        Kind.WRONG_STOP_INDEX,
        lambda s: with_placement(s, 0, 2, stop_index=2),
        {Kind.WRONG_STOP_INDEX},
    ),
    (
        Kind.WRONG_LOAD_STEP,
        lambda s: with_placement(s, 0, 2, load_step=2),
        {Kind.WRONG_LOAD_STEP},
    ),
    (
        Kind.WRONG_LOAD_STEP,
        # A customer's item that stands before another of the same customer goes in after it.
        lambda s: with_placement(
            with_placement(
                with_placement(with_placement(s, 1, 0, load_step=2), 1, 1, y=4, x=2, load_step=1),
                1,
                2,
                load_step=3,
            ),
            1,
            0,
            y=0,
        ),
        {Kind.WRONG_LOAD_STEP},
    ),
    (
        Kind.WRONG_LOAD_STEP,
        # First stop loaded first, though nothing stands in its way.
        lambda s: with_placement(
            with_placement(with_placement(s, 1, 2, x=3, y=3, load_step=1), 1, 0, load_step=2),
            1,
            1,
            load_step=3,
        ),
        {Kind.WRONG_LOAD_STEP, Kind.OUTSIDE_FLOOR},
    ),
]


def test_the_hand_built_solution_is_valid() -> None:
    """The mutations below mean something only if what they mutate is right."""
    assert verify(small_instance(), small_solution()) == []


@pytest.mark.parametrize(
    ("kind", "mutate", "expected"),
    MUTATIONS,
    ids=[f"{number}-{kind}" for number, (kind, _, _) in enumerate(MUTATIONS)],
)
def test_every_mutation_is_named(kind: Kind, mutate: Mutation, expected: set[Kind]) -> None:
    """The judge is only worth what it catches, and it should not cry about anything else."""
    instance = small_instance()
    broken = mutate(small_solution(instance))
    assert kind in expected
    assert kinds(instance, broken) == expected


def test_the_mutations_cover_every_kind_the_judge_knows() -> None:
    """A new kind of violation must come with a mutation that provokes it."""
    assert {kind for kind, _, _ in MUTATIONS} == set(Kind) - BEYOND_FORMAT_1 - FLEET_KINDS


def test_violations_say_where() -> None:
    """A message without route and customer sends the reader on a search."""
    instance = small_instance()
    (violation,) = verify(instance, with_placement(small_solution(instance), 1, 2, y=2))
    assert (violation.kind, violation.route, violation.customer) == ("overlap", 2, 4)
    assert "item 1 of customer 4" in violation.message
    assert str(violation).startswith("route 2: ")
    assert violation.to_dict()["kind"] == "overlap"


def test_all_violations_are_listed_not_only_the_first() -> None:
    """Whoever mends a solution wants the whole list at once."""
    instance = small_instance()
    broken = with_route(with_placement(small_solution(instance), 1, 2, y=2), 0, cost=1, weight=1)
    assert kinds(instance, broken) == {"overlap", "wrong_cost", "wrong_weight"}


def test_without_lifo_only_the_floor_counts() -> None:
    """In the unrestricted variant an item may stand before one of an earlier stop."""
    rules = replace(Conventions.BENCHMARK, lifo=False)
    instance = small_instance()
    moved = with_placement(
        with_placement(
            with_placement(small_solution(instance, conventions=rules), 0, 0, y=3, load_step=3),
            0,
            1,
            y=0,
            load_step=1,
        ),
        0,
        2,
        y=0,
        load_step=2,
    )
    assert verify(instance, moved) == []
    assert "lifo" in kinds(instance, replace(moved, conventions=Conventions.BENCHMARK))


def test_items_of_one_customer_have_no_order_among_them() -> None:
    """LIFO is between stops: within one, any item may stand before any other."""
    instance = small_instance(
        customers=(Customer(3, 4, 10, (Item(4, 2), Item(4, 3))), Customer(6, 8, 0, ())),
        vehicle_count=1,
        depot_due=None,
    )
    below = Placement(1, 1, 0, 0, 4, 2, stop_index=1, load_step=1)
    above = Placement(1, 2, 0, 2, 4, 3, stop_index=1, load_step=2)
    for placements in (
        (below, above),
        (replace(below, y=4, load_step=2), replace(above, y=0, load_step=1)),
    ):
        route = Route((1, 2), 20, 10, 20, placements)
        assert (
            verify(
                instance, small_solution(instance, routes=(route,), objective=20, lower_bound=20)
            )
            == []
        )


def test_the_fleet_may_stay_at_home_only_if_the_convention_says_so() -> None:
    """``exactly`` and ``at-most`` differ when a vehicle is left over."""
    instance = small_instance(vehicle_count=3)
    solution = small_solution(instance)
    assert kinds(instance, solution) == {"wrong_vehicle_count"}
    at_most = replace(solution, conventions=replace(Conventions.BENCHMARK, fleet="at-most"))
    assert verify(instance, at_most) == []


def test_a_lone_customer_is_fine_where_it_is_allowed() -> None:
    """The planner's conventions allow a route with one customer."""
    instance = small_instance(
        customers=(Customer(3, 4, 10, (Item(2, 3),)),),
        vehicle_count=1,
        conventions=Conventions.PLANNER,
    )
    route = Route((1,), 10, 10, 6, (Placement(1, 1, 0, 0, 2, 3, stop_index=1, load_step=1),))
    solution = small_solution(instance, routes=(route,), objective=10, lower_bound=10)
    assert verify(instance, solution) == []


@pytest.mark.parametrize(
    ("distance", "cost"),
    [
        # sqrt(8) = 2.83 out and back
        ("truncated", 4),
        ("rounded", 6),
        ("exact", 2 * math.sqrt(8)),
    ],
)
def test_costs_follow_the_stated_convention(distance: DistanceConvention, cost: float) -> None:
    """The same tour costs 4, 6 or 5.66; the solution says which rule it used."""
    instance = small_instance(customers=(Customer(2, 2, 0, ()),), vehicle_count=1, depot_due=None)
    rules = Conventions(distance=distance)
    route = Route((1,), cost, 0, 0)
    solution = small_solution(
        instance, conventions=rules, routes=(route,), objective=cost, lower_bound=cost
    )
    assert verify(instance, solution) == []
    other = replace(rules, distance="rounded" if distance != "rounded" else "truncated")
    assert kinds(instance, replace(solution, conventions=other)) == {
        "wrong_cost",
        "wrong_objective",
    }


def test_an_exact_cost_may_differ_in_the_last_digits_only() -> None:
    """Sums of floats depend on their order; a real error is larger."""
    instance = small_instance(conventions=Conventions.PLANNER)
    solution = small_solution(instance)
    assert verify(instance, with_route(solution, 0, cost=20 * (1 + 1e-12))) == []
    assert kinds(instance, with_route(solution, 0, cost=20 * (1 + 1e-7))) == {"wrong_cost"}


def test_a_solution_at_another_scale_is_the_same_solution() -> None:
    """2.5 may be stored as 25 or 250; only what it means counts."""
    instance = small_instance()
    fine = small_instance(
        customers=tuple(
            replace(
                c,
                weight=c.weight * 10,
                items=tuple(Item(i.width * 100, i.length * 100) for i in c.items),
            )
            for c in instance.customers
        ),
        vehicle=Vehicle(400, 600, 700),
        units=Units(length_scale=100, weight_scale=10),
    )
    assert fine.sha256 == instance.sha256
    assert verify(fine, small_solution(instance)) == []
    shifted = with_placement(small_solution(instance), 1, 2, y=2)
    assert kinds(fine, shifted) == {"overlap"}


def test_a_vehicle_back_too_late_is_named() -> None:
    """The depot closes, too."""
    instance = small_instance()
    late = small_instance(depot_due=24.5)
    assert verify(late, small_solution(late)) == []
    # Route 1 is back at 22, route 2 at 24.
    closed = small_instance(depot_due=24)
    assert verify(closed, small_solution(closed)) == []
    waiting = small_instance(
        customers=(replace(instance.customers[0], service=4), *instance.customers[1:]),
        depot_due=24,
    )
    assert verify(waiting, small_solution(waiting)) == []
    slow = small_instance(
        customers=(replace(instance.customers[0], service=5), *instance.customers[1:]),
        depot_due=24,
    )
    (violation,) = verify(slow, small_solution(slow))
    assert violation.kind == "time_window"
    assert violation.message == "is back at the depot at 25, after its due time 24"


def test_messages_show_no_dust_of_a_sum_and_name_the_unit() -> None:
    """A planner reads 0.30000000000000004 as a mistake of the program."""
    units = Units(distance_unit="km")
    first, *others = small_instance().customers
    customers = (replace(first, service=4.1 + 0.2), *others)
    instance = small_instance(units=units, customers=customers, depot_due=24.1 + 0.1)
    found = verify(instance, small_solution(instance, objective=44.1 + 0.2, lower_bound=44.4 + 0.3))
    told = {str(violation.kind): violation.message for violation in found}
    assert told["time_window"] == "is back at the depot at 24.3, after its due time 24.2"
    assert told["wrong_objective"].startswith("the objective is 44.3 km, but the routes cost 44 km")
    above = "the lower bound 44.7 km is above the objective 44.3 km"
    assert told["bound_above_objective"] == above


def test_two_costs_that_differ_never_read_alike() -> None:
    """ "5 where 5 was expected" would help nobody."""
    instance = small_instance()
    (found,) = verify(instance, small_solution(instance, objective=44 + 2**-30, lower_bound=44))
    assert found.kind == "wrong_objective"
    assert "the objective is 44.000000000931, but the routes cost 44 under" in found.message


def test_infeasible_and_bound_only_solutions_need_no_routes() -> None:
    """A proof of infeasibility and a bare bound are results, too."""
    instance = small_instance()
    empty = small_solution(instance, routes=(), objective=None, gap=None)
    assert verify(instance, replace(empty, status="bound_only")) == []
    assert verify(instance, replace(empty, status="infeasible", lower_bound=None)) == []


def test_a_pile_of_overlapping_items_does_not_flood_the_report() -> None:
    """A hostile file with thousands of items on one spot is refuted briefly and at once."""
    count = 1000
    instance = small_instance(
        customers=(Customer(3, 4, 0, (Item(1, 1),) * count), Customer(6, 8, 0, ())),
        vehicle=Vehicle(100, 100, 70),
        vehicle_count=1,
    )
    pile = tuple(Placement(1, i + 1, 0, 0, 1, 1, 1, i + 1) for i in range(count))
    route = Route((1, 2), 20, 0, count, pile)
    found = verify(
        instance, small_solution(instance, routes=(route,), objective=20, lower_bound=20)
    )
    assert {violation.kind for violation in found} == {"overlap"}
    assert len(found) == MAX_PAIRS_NAMED + 1


def test_the_verdict_does_not_depend_on_the_callers_decimal_context() -> None:
    """A program that computes with three digits must still get a right verdict."""
    instance = small_instance(
        depot=(10**8, 0),
        conventions=replace(Conventions.BENCHMARK, lifo=True),
        depot_due=None,
        customers=(Customer(3, 4, 0, ()), Customer(6, 8, 0, ())),
        vehicle_count=1,
    )
    cost = instance.route_cost((1, 2))
    solution = small_solution(
        instance, routes=(Route((1, 2), cost, 0, 0),), objective=cost, lower_bound=cost
    )
    with decimal.localcontext() as context:
        context.prec = 3
        assert verify(instance, solution) == []


coordinates = st.integers(-(10**9), 10**9)


@given(
    points=st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=6),
    scale=st.sampled_from([1, 10, 1000, 10**9]),
    distance=st.sampled_from(["truncated", "rounded", "exact"]),
)
def test_judge_and_model_agree_on_every_cost(
    points: list[tuple[int, int]], scale: int, distance: DistanceConvention
) -> None:
    """Two arithmetics, integers here and decimals there, must come to the same cost."""
    instance = places_only(points, scale, distance)
    order = tuple(range(1, instance.n + 1))
    cost = instance.route_cost(order)
    solution = Solution(
        "costs",
        instance.sha256,
        instance.conventions,
        "feasible",
        cost,
        None,
        None,
        (Route(order, cost, 0, 0),),
    )
    assert verify(instance, solution) == []


integers = st.integers(-3, 8)


@given(
    customers=st.lists(st.lists(integers, max_size=4), max_size=3),
    numbers=st.lists(integers, min_size=8, max_size=8),
    cost=st.floats() | st.integers(-(10**24), 10**24),
    status=st.sampled_from(["optimal", "feasible", "infeasible", "bound_only"]),
    claims=st.tuples(*[st.none() | st.floats() | st.integers(-(10**24), 10**24)] * 3),
)
def test_no_solution_makes_the_judge_fail(
    customers: list[list[int]],
    numbers: list[int],
    cost: float,
    status: str,
    claims: tuple[float | None, float | None, float | None],
) -> None:
    """Whatever a solution claims, the answer is a list of violations and never an exception."""
    rotated = [
        dict(zip(PLACEMENT_INTEGERS, numbers[i:] + numbers[:i], strict=True)) for i in range(4)
    ]
    placements = tuple(Placement(**one, turned=bool(i % 2)) for i, one in enumerate(rotated))
    routes = tuple(Route(tuple(c), cost, numbers[0], numbers[1], placements) for c in customers)
    instance = small_instance()
    objective, bound, gap = claims
    solution = small_solution(
        instance,
        routes=routes,
        status=status,
        objective=objective,
        lower_bound=bound,
        gap=gap,
    )
    for violation in verify(instance, solution):
        assert violation.message
        assert violation.kind in set(Kind)


# What holds data and checks single values.
DATA = [
    "clock",
    "conventions",
    "costs",
    "customer",
    "distances",
    "errors",
    "exact",
    "fingerprint",
    "fleet",
    "instance",
    "instance_checks",
    "item",
    "limits",
    "matrix",
    "notebook_display",
    "obstacles",
    "plan_costs",
    "roads",
    "rounding",
    "route",
    "rules",
    "schedule",
    "solution",
    "stop_order",
    "travel",
    "units",
    "validation",
    "vehicle",
]
JUDGE = [
    "",
    ".case",
    ".claims",
    ".demands",
    ".globe",
    ".journey",
    ".judging",
    ".left_out",
    ".loading",
    ".numbers",
    ".sharing",
    ".statements",
    ".timetable",
    ".tour",
    ".violation",
    ".ways",
]


def test_the_judge_does_not_load_the_solver() -> None:
    """A judge that shares code with the solver would share its mistakes."""
    program = (
        "import importlib.util, sys, types\n"
        "package = types.ModuleType('tailgate')\n"
        "package.__path__ = [sys.argv[1]]\n"
        "sys.modules['tailgate'] = package\n"
        "import tailgate.model.judge\n"
        "print(*sorted(name for name in sys.modules if name.startswith('tailgate.')))\n"
    )
    folder = str(Path(errors.__file__).parents[1])
    loaded = subprocess.run(
        [sys.executable, "-c", program, folder], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(loaded) == {
        "tailgate.model",
        *(f"tailgate.model.{name}" for name in DATA),
        *(f"tailgate.model.judge{path}" for path in JUDGE),
    }


def test_a_wrong_area_is_told_to_the_last_digit() -> None:
    """A rounded number would look right: areas in square millimetres have eight digits."""
    side = 12_345
    instance = small_instance(
        customers=(Customer(3, 4, 10, (Item(side, side),)), Customer(6, 8, 10, (Item(1, 1),))),
        vehicle=Vehicle(width=2 * side, length=2 * side, capacity=70),
    )
    solution = small_solution(instance)
    route = replace(solution.routes[0], customers=(1, 2), area=1)
    violations = verify(instance, replace(solution, routes=(route,)))
    (told,) = [one.message for one in violations if one.kind is Kind.WRONG_AREA]
    assert f"add up to {side * side + 1}" in told
