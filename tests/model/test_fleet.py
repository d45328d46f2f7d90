"""Instances with several kinds of vehicles, and customers that may be left out."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from builders import small_instance
from fleet_day import (
    BAKERY,
    CHEMIST,
    DAIRY,
    ESTATE,
    FARM,
    GARAGE,
    LORRY,
    VAN,
    fleet_day,
)
from fleet_instances import all_fleet_routes, fleet_instance
from rich_instances import TravelKind, all_travel_kinds, rich_instance
from seeds import with_seeds
from tailgate.model.errors import InputError, SeveralKindsError
from tailgate.model.instance import Conventions, Instance, Item, Units, Vehicle


def test_kinds_are_counted_and_found_by_name() -> None:
    """What people ask of a fleet."""
    instance = fleet_day()
    assert instance.vehicles == (LORRY, VAN)
    assert (instance.vehicle_count, instance.has_kinds) == (4, True)
    assert instance.kind_named("van") == 1
    with pytest.raises(
        InputError, match=r"there is no kind of vehicle 'Van'; did you mean \"van\""
    ):
        instance.kind_named("Van")
    assert "4 vehicles: 2 lorry of 4 x 6 and 100, 2 van of 2 x 4 and 30" in repr(instance)


@pytest.mark.parametrize(
    "ask",
    [
        lambda instance: instance.vehicle,
        lambda instance: instance.clock,
        lambda instance: instance.costs,
        lambda instance: instance.route_cost((1,)),
        lambda instance: instance.is_allowed((1,)),
        lambda instance: instance.schedule((1,)),
    ],
)
def test_what_depends_on_the_kind_is_asked_of_a_kind(ask: Any) -> None:
    """The first of several kinds would be a wrong answer that nobody notices."""
    with pytest.raises(
        SeveralKindsError, match=r"several kinds of vehicles \(lorry, van\)"
    ) as caught:
        ask(fleet_day())
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    ask(fleet_day().of_kind(1))


def test_a_kind_alone_has_the_same_customers() -> None:
    """With its own floor, costs and count, and the roads that all share."""
    instance = fleet_day()
    lorry, van = instance.of_kind(0), instance.of_kind(1)
    assert (lorry.vehicle, van.vehicle, van.vehicle_count) == (LORRY, VAN, 2)
    assert lorry.customers is instance.customers
    assert lorry.roads is van.roads is instance.roads
    assert lorry.rules is instance.rules
    assert instance.of_kind(0) is lorry
    assert van.of_kind(0) is van
    assert (lorry.route_cost((CHEMIST,)), van.route_cost((CHEMIST,))) == (50, 23)
    with pytest.raises(IndexError, match="numbered 0 to 1, got 2"):
        instance.of_kind(2)


def test_one_kind_is_its_own_view() -> None:
    """A fleet of one kind is as simple as ever."""
    instance = small_instance()
    assert instance.of_kind(0) is instance
    assert not instance.has_kinds
    assert instance.vehicle.count == instance.vehicle_count == 2
    assert instance.optional == frozenset()
    assert instance.rules.is_empty
    assert instance.interchangeable_kinds == ((0,),)
    assert instance.total_cost([(0, (1, 2))]) == instance.route_cost((1, 2))
    assert instance.cost_step == instance.costs.step


def test_one_kind_can_be_given_in_three_ways() -> None:
    """With its count beside it, within it, or as a list of one."""
    instance = small_instance()
    kind = instance.vehicle
    given: dict[str, Any] = {
        name: getattr(instance, name)
        for name in ("name", "depot", "customers", "conventions", "depot_due")
    }
    assert Instance(**given, vehicle=replace(kind, count=1), vehicle_count=2) == instance
    assert Instance(**given, vehicle=kind) == instance
    assert Instance(**given, vehicles=[kind]) == instance
    assert replace(instance, vehicle_count=3).vehicles == (replace(kind, count=3),)
    # A vehicle that says no count leaves it as it is.
    assert replace(instance, vehicle=Vehicle(9, 9, 99)).vehicle == Vehicle(9, 9, 99, count=2)
    assert replace(instance, vehicle=Vehicle(9, 9, 99, count=5)).vehicle_count == 5


def test_whom_a_kind_accepts() -> None:
    """The customer's own list, its items, its weight, its times, and those it rides with."""
    instance = fleet_day(
        {BAKERY: {"vehicles": ("van",)}, GARAGE: {"weight": 31}},
        vehicles=(LORRY, replace(VAN, max_distance=19)),
    )
    accepted = {
        kind: {number for number in range(1, 7) if instance.accepts(number, kind)}
        for kind in (0, 1)
    }
    # Farm is too wide for a van, and Estate rides with Farm; Chemist is too far for it.
    assert accepted[0] == {CHEMIST, DAIRY, ESTATE, FARM, GARAGE}
    assert accepted[1] == {BAKERY, DAIRY}
    assert instance.of_kind(1).accepts(DAIRY, 0)
    assert not instance.of_kind(1).is_allowed((CHEMIST,))
    with pytest.raises(IndexError):
        instance.accepts(7, 0)


@all_travel_kinds
@with_seeds(6, 100)
def test_views_forbid_what_rules_forbid_and_cost_what_kinds_cost(
    travel: TravelKind, seeds: range
) -> None:
    """A view against an instance of its kind without any rules, and the rules by themselves."""
    for seed in seeds:
        instance = fleet_instance(seed, travel)
        bare = tuple(
            replace(
                customer,
                vehicles=None,
                not_with=(),
                together=(),
                position=None,
                leave_out_cost=0,
            )
            for customer in instance.customers
        )
        for kind, vehicle in enumerate(instance.vehicles):
            view = instance.of_kind(kind)
            free = replace(instance, customers=bare, vehicles=(replace(vehicle, count=1),))
            arcs = view.costs.arcs
            for route in (stops for other, stops in all_fleet_routes(instance, 3) if other == kind):
                assert view.is_allowed(route) == (
                    all(instance.accepts(number, kind) for number in route)
                    and instance.rules.allows(route)
                    and free.is_allowed(route)
                )
                if instance.rules.first.isdisjoint(route[1:]) and instance.rules.last.isdisjoint(
                    route[:-1]
                ):
                    assert view.route_cost(route) == free.route_cost(route)
                    assert view.schedule(route) == free.schedule(route)
                else:
                    assert view.schedule(route) is None
                    legs = pairwise((0, *route, 0))
                    assert any(arcs[leg] == math.inf for leg in legs)


@all_travel_kinds
@with_seeds(6, 100)
def test_totals_are_exact_and_multiples_of_their_step(travel: TravelKind, seeds: range) -> None:
    """Sums over kinds and customers left out, in fractions."""
    for seed in seeds:
        instance = fleet_instance(seed, travel)
        routes = [
            (kind, route)
            for kind, route in all_fleet_routes(instance, 2)
            if instance.of_kind(kind).is_allowed(route)
        ]
        views = [instance.of_kind(kind) for kind in range(len(instance.vehicles))]
        left_out = sorted(instance.optional)
        total = instance.total_cost(routes, left_out)
        plain = math.fsum(views[kind].route_cost(route) for kind, route in routes)
        missed = sum(instance.leave_out_cost(number) for number in left_out)
        assert total == pytest.approx(plain + missed, rel=1e-12)
        step = instance.cost_step
        assert total == instance.total_cost(routes[::-1], left_out[::-1])
        if step is not None:
            for kind, route in routes:
                exact = views[kind].costs.exact(route)
                assert isinstance(exact, Fraction)
                assert (exact / step).denominator == 1
            for number in left_out:
                cost = Fraction(str(instance.leave_out_cost(number)))
                assert (cost / step).denominator == 1


def test_the_step_covers_every_cost() -> None:
    """The search rounds bounds up to it: it must not jump over a cost."""
    whole = Conventions.PLANNER.overridden({"distance": "truncated"})
    instance = fleet_day(conventions=whole)
    assert instance.cost_step == Fraction(1, 2)
    assert fleet_day({GARAGE: {"leave_out_cost": 30}}, conventions=whole).cost_step == 1
    even = (replace(LORRY, fixed_cost=10), replace(LORRY, name="old", fixed_cost=4))
    changed = fleet_day({GARAGE: {"leave_out_cost": 6}}, conventions=whole, vehicles=even)
    assert changed.cost_step == 2
    free = replace(LORRY, fixed_cost=0, cost_per_distance=0)
    waiting = fleet_day({GARAGE: {"leave_out_cost": 6}}, vehicles=(free,))
    assert waiting.cost_step == waiting.total_cost([(0, (1, 2))], [GARAGE]) == 6
    # Distances are roots.
    assert fleet_day().cost_step is None
    with pytest.raises(InputError, match="must be served"):
        instance.leave_out_cost(BAKERY)


def test_a_kind_without_rates_costs_nothing_beside_one_with_rates() -> None:
    """Only where no kind names a rate does a route cost its distance."""
    plain = [Vehicle(4, 6, 100, name) for name in ("a", "b")]
    assert [one.rates for one in fleet_day(vehicles=plain).vehicles] == [(1, 0), (1, 0)]
    hired = replace(plain[1], cost_per_time=2)
    mixed = fleet_day(vehicles=(plain[0], hired))
    assert [one.rates for one in mixed.vehicles] == [(0, 0), (0, 2)]


def test_who_may_be_left_out() -> None:
    """Whoever rides with a customer that must be served must be served, too."""
    assert fleet_day().optional == {GARAGE}
    both: dict[int, dict[str, Any]] = {ESTATE: {"leave_out_cost": 1}, FARM: {"leave_out_cost": 2}}
    assert fleet_day(both).optional == {ESTATE, FARM, GARAGE}
    assert fleet_day({ESTATE: both[ESTATE]}).optional == {GARAGE}
    assert fleet_day(both).leave_out_cost(FARM) == 2


def test_a_customer_whom_nobody_can_serve_may_wait() -> None:
    """It is no mistake of the instance that an order fits no vehicle, if it need not be served."""
    instance = fleet_day(
        {GARAGE: {"items": (Item(5, 1),)}}, units=Units(length_unit="m", weight_unit="kg")
    )
    assert instance.is_hopeless(GARAGE)
    assert not instance.is_hopeless(BAKERY)
    assert instance.why_hopeless(BAKERY) == ""
    reason = (
        "fits no vehicle: item 1 has width 5 m on floors of 4 m and 2 m; it would fit turned: let "
        "it be turned (turn: yes), or all items (--turn)"
    )
    assert instance.why_hopeless(GARAGE) == reason
    with pytest.raises(InputError) as caught:
        replace(
            instance,
            customers=(
                *instance.customers[:5],
                replace(instance.customers[5], leave_out_cost=None),
            ),
        )
    assert caught.value.problem.startswith(f"customer Garage {reason}; correct it, or state")
    assert caught.value.field == "customers[5].items[0].width"


# Each row: changes of customers, of the fleet, and why the Garage can be served by nobody.
HOPELESS: list[tuple[dict[str, Any], tuple[Vehicle, ...], str]] = [
    (
        {"weight": 101},
        (LORRY, VAN),
        "weighs 101, more than every vehicle carries: capacities of 100 and 30",
    ),
    (
        {"items": (Item(4, 6), Item(1, 1))},
        (LORRY, replace(LORRY, name="long", length=6, width=4)),
        "fits no vehicle: the items cover 25 on floor areas of 24",
    ),
    (
        {"vehicles": ("van",), "weight": 31},
        (LORRY, VAN),
        "can be served by no vehicle: neither by lorry (accepts van only), nor by van (weighs 31, "
        "more than the capacity 30)",
    ),
    (
        {"due": 49},
        (LORRY, VAN),
        "is due by 49, but a vehicle that leaves the depot at 0 arrives at 50 at the earliest",
    ),
    (
        {"vehicles": ("van",)},
        (LORRY, replace(VAN, count=0)),
        "can be served by no vehicle: neither by lorry (accepts van only), nor by van (there is "
        "none)",
    ),
    (
        {},
        (replace(LORRY, max_distance=99), replace(VAN, max_duration=80)),
        "can be served by no vehicle: neither by lorry (is 100 away and back, farther than "
        "max_distance (99)), nor by van (takes a vehicle 100 at least, longer than max_duration "
        "(80))",
    ),
    (
        {"together": ("Dairy",), "weight": 75},
        (LORRY, VAN),
        "can be served by no vehicle: neither by lorry (Dairy and Garage weigh 105 together, more "
        "than the capacity 100), nor by van (weighs 75, more than the capacity 30)",
    ),
    (
        {"together": ("Bakery", "Dairy")},
        (replace(LORRY, max_stops=2),),
        "Bakery, Dairy and Garage are 3 stops, more than max_stops (2)",
    ),
]


@pytest.mark.parametrize(("demands", "vehicles", "reason"), HOPELESS)
def test_why_nobody_can_serve_a_customer(
    demands: dict[str, Any], vehicles: tuple[Vehicle, ...], reason: str
) -> None:
    """One sentence, also where every kind has a reason of its own."""
    waiting = {BAKERY: {"leave_out_cost": 1}, DAIRY: {"leave_out_cost": 1}}
    instance = fleet_day(waiting | {GARAGE: demands}, vehicles=vehicles)
    assert instance.why_hopeless(GARAGE) == reason
    with pytest.raises(InputError) as caught:
        fleet_day(waiting | {GARAGE: demands | {"leave_out_cost": None}}, vehicles=vehicles)
    # Of those that ride together, the first is named.
    rides_alone = GARAGE not in instance.rules.partners
    assert (reason if rides_alone else "together") in caught.value.problem


# Each row: arguments, the field that is named, and words of the problem.
BAD_FLEETS: list[tuple[dict[str, Any], str, str]] = [
    ({"vehicles": ()}, "vehicles", "at least one kind"),
    ({"vehicles": (LORRY, "van")}, "vehicles[1]", "a Vehicle"),
    (
        {"vehicles": (LORRY, replace(VAN, name=""))},
        "vehicles[1].name",
        "must be given where there are several kinds",
    ),
    (
        {"vehicles": (LORRY, replace(VAN, name="lorry"))},
        "vehicles[1].name",
        "'lorry' is the name of two kinds",
    ),
    (
        {"vehicles": (replace(LORRY, count=0), replace(VAN, count=0))},
        "vehicles",
        "at least one vehicle",
    ),
    ({"vehicles": (replace(LORRY, count=0),)}, "vehicle_count", "at least one vehicle"),
    ({"vehicle_count": 3}, "vehicle_count", "there are several; change vehicles"),
    ({"vehicle": VAN}, "vehicle", "there are several; change vehicles"),
    (
        {"changes": {BAKERY: {"vehicles": ("vans",)}}},
        "customers[0].vehicles",
        "there is no kind of vehicle 'vans'; did you mean \"van\"?",
    ),
    (
        {"changes": {BAKERY: {"vehicles": ("bus",)}}},
        "customers[0].vehicles",
        "there is no kind of vehicle 'bus'; there are 'lorry', 'van'",
    ),
    (
        {"vehicles": (replace(LORRY, name=""),), "changes": {BAKERY: {"vehicles": ("van",)}}},
        "customers[0].vehicles",
        "the only kind has no name",
    ),
    (
        {"vehicles": (LORRY, replace(VAN, count=1, first_stops=("Nobody",)))},
        "vehicles[1].first_stops",
        "there is no customer 'Nobody'",
    ),
    (
        {"vehicles": (LORRY, replace(VAN, count=1, first_stops=("Bakery", "Dairy")))},
        "vehicles[1].first_stops",
        "customer Dairy is stop 2, but must be the first",
    ),
    (
        {"vehicles": (replace(LORRY, count=1, first_stops=("Farm", "Estate")), VAN)},
        "vehicles[0].first_stops",
        "customer Farm is stop 1, but must be the last",
    ),
    (
        {
            "vehicles": (replace(LORRY, count=1, first_stops=("Chemist", "Farm")), VAN),
        },
        "vehicles[0].first_stops",
        "customers Chemist and Farm must not share a truck",
    ),
    (
        {
            "vehicles": (
                replace(LORRY, count=1, first_stops=("Bakery",)),
                replace(VAN, count=1, first_stops=("Bakery",)),
            ),
        },
        "vehicles[1].first_stops",
        "customer Bakery is on lorry already",
    ),
]


@pytest.mark.parametrize(("arguments", "field", "words"), BAD_FLEETS)
def test_a_fleet_that_cannot_be_is_refused(
    arguments: dict[str, Any], field: str, words: str
) -> None:
    """The message names the kind, and what to write instead."""
    with pytest.raises(InputError) as caught:
        fleet_day(**arguments)
    assert caught.value.field == field
    assert words in caught.value.problem


@pytest.mark.parametrize(
    ("changes", "field", "word"),
    [
        ({"count": -1}, "count", "at least 0"),
        ({"count": 1.5}, "count", "integer"),
        ({"count": 2, "first_stops": ("Bakery",)}, "count", "must be 1"),
        ({"first_stops": "Bakery"}, "first_stops", "sequence"),
    ],
)
def test_a_kind_that_cannot_be_is_refused(changes: dict[str, Any], field: str, word: str) -> None:
    """Whatever the customers are."""
    with pytest.raises(InputError) as caught:
        replace(VAN, **changes)
    assert caught.value.field == field
    assert word in caught.value.problem


def test_a_truck_under_way_begins_with_its_first_stops() -> None:
    """Its routes have no other arcs, and the others do not come to these customers."""
    under_way = replace(VAN, name="van 7", count=1, first_stops=("Dairy", "Bakery"))
    instance = fleet_day(vehicles=(LORRY, VAN, under_way))
    view = instance.of_kind(2)
    assert view.is_allowed((DAIRY, BAKERY))
    assert view.is_allowed((DAIRY, BAKERY, GARAGE))
    assert not view.is_allowed((DAIRY,))
    assert not view.is_allowed((GARAGE,))
    assert not view.is_allowed((BAKERY, DAIRY))
    assert view.has_missing_roads
    assert not view.is_symmetric
    arcs = view.costs.arcs
    assert {end for end in range(1, 7) if arcs[0, end] < math.inf} == {DAIRY}
    assert {end for end in range(7) if arcs[DAIRY, end] < math.inf} == {BAKERY, DAIRY}
    assert {start for start in range(7) if arcs[start, BAKERY] < math.inf} == {BAKERY, DAIRY}
    for kind in (0, 1):
        assert not instance.accepts(DAIRY, kind)
        assert not instance.of_kind(kind).is_allowed((BAKERY,))
    assert instance.accepts(BAKERY, 2)
    with pytest.raises(InputError, match="is served by van 7, which is under way"):
        fleet_day({BAKERY: {"vehicles": ("van", "lorry")}}, vehicles=instance.vehicles)


def test_kinds_that_differ_in_nothing_but_their_name_are_interchangeable() -> None:
    """The search treats them as one, and plans tell them apart."""
    twin = replace(VAN, name="twin", count=1, cost_per_time=0)
    assert fleet_day(vehicles=(LORRY, VAN, twin)).interchangeable_kinds == ((0,), (1, 2))
    only_one = fleet_day({BAKERY: {"vehicles": ("van", "lorry")}}, vehicles=(LORRY, VAN, twin))
    assert only_one.interchangeable_kinds == ((0,), (1,), (2,))
    # They all accept whoever cannot be served by either.
    named = {"vehicles": ("van", "lorry")}
    alone = fleet_day({ESTATE: {"together": ()}, FARM: named}, vehicles=(LORRY, VAN, twin))
    assert alone.interchangeable_kinds == ((0,), (1, 2))
    # Unless it rides with others, whose reasons may be other ones.
    with_others = fleet_day({FARM: named}, vehicles=(LORRY, VAN, twin))
    assert with_others.interchangeable_kinds == ((0,), (1,), (2,))


def test_the_fingerprint_covers_kinds_and_rules_and_not_how_they_are_said() -> None:
    """A solution belongs to its instance, not to another with one rule less."""
    day = fleet_day()
    others = [
        fleet_day(vehicles=(VAN, LORRY)),
        fleet_day(vehicles=(LORRY, replace(VAN, count=3))),
        fleet_day(vehicles=(LORRY, replace(VAN, width=3))),
        fleet_day(vehicles=(LORRY, replace(VAN, fixed_cost=4))),
        fleet_day(vehicles=(LORRY,)),
        fleet_day({GARAGE: {"leave_out_cost": 25}}),
        fleet_day({GARAGE: {"leave_out_cost": None}}),
        fleet_day({BAKERY: {"vehicles": ("van",)}}),
        fleet_day({BAKERY: {"vehicles": ("lorry",)}}),
        fleet_day({BAKERY: {"not_with": ("Garage",)}}),
        fleet_day({CHEMIST: {"not_with": ()}}),
        fleet_day({BAKERY: {"together": ("Garage",)}}),
        fleet_day({BAKERY: {"position": "first"}}),
        fleet_day({BAKERY: {"position": "last"}}),
        fleet_day(vehicles=(LORRY, replace(VAN, count=1, first_stops=("Bakery",)))),
        fleet_day(vehicles=(LORRY, replace(VAN, count=1))),
    ]
    digests = [day.sha256, *(other.sha256 for other in others)]
    assert len(set(digests)) == len(digests)
    same = [
        fleet_day(vehicles=(replace(LORRY, name="truck"), VAN)),
        fleet_day({FARM: {"not_with": ("Chemist",)}}),
        fleet_day({FARM: {"not_with": ("Chemist",), "together": ("Estate",)}}),
        fleet_day({BAKERY: {"vehicles": ("van", "lorry")}}),
        fleet_day({GARAGE: {"leave_out_cost": 25.50}}),
    ]
    assert {other.sha256 for other in same} == {day.sha256}


def test_one_kind_without_rules_keeps_its_fingerprint() -> None:
    """Solutions and checkpoints of older versions name it."""
    instance = small_instance()
    assert instance.is_format_1
    named = replace(instance.vehicle, name="van")
    assert replace(instance, vehicle=named).sha256 == instance.sha256
    open_to_all = tuple(replace(one, vehicles=("van",)) for one in instance.customers)
    asked = replace(instance, vehicle=named, customers=open_to_all)
    assert asked.sha256 == instance.sha256
    assert not asked.is_format_1


@pytest.mark.parametrize(
    "demand",
    [
        {"leave_out_cost": 0},
        {"not_with": ("Farm",)},
        {"together": ("Farm",)},
        {"position": "first"},
    ],
)
def test_a_demand_needs_format_2(demand: dict[str, Any]) -> None:
    """Format 1 would drop it."""
    plain = Vehicle(9, 9, 999)
    bare: dict[str, Any] = {
        "leave_out_cost": None,
        "not_with": (),
        "together": (),
        "position": None,
    }
    everybody = dict.fromkeys(range(1, 7), bare)
    assert fleet_day(everybody, vehicles=(plain,)).is_format_1
    changed = fleet_day(everybody | {BAKERY: bare | demand}, vehicles=(plain,))
    assert not changed.is_format_1


def test_instances_with_kinds_survive_pickling() -> None:
    """Worker processes get them so, views included."""
    instance = fleet_day()
    copy = pickle.loads(pickle.dumps(instance))
    assert copy == instance
    assert copy.sha256 == instance.sha256
    assert copy.of_kind(1).route_cost((CHEMIST,)) == 23
    assert not copy.accepts(FARM, 1)


@with_seeds(6, 60)
def test_one_kind_among_others_that_do_not_exist_is_the_kind_alone(seeds: range) -> None:
    """Splitting a fleet into views changes nothing about what each view is."""
    for seed in seeds:
        alone = rich_instance(seed, "matrices")
        own = replace(alone.vehicle, name="own")
        among = replace(alone, vehicles=(replace(own, name="none", count=0), own))
        view = among.of_kind(1)
        for route in [(number,) for number in range(1, alone.n + 1)] + [(1, 2), (2, 1)]:
            assert view.is_allowed(route) == alone.is_allowed(route)
            assert view.route_cost(route) == alone.route_cost(route)
            assert view.schedule(route) == alone.schedule(route)
        assert view.has_time_windows == alone.has_time_windows
        assert view.is_symmetric == alone.is_symmetric
