"""The data model: what it accepts, what it refuses, and how it measures."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from itertools import permutations
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import small_instance, small_solution
from file_cases import places_only
from tailgate.model.conventions import DistanceConvention
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.instance import Conventions, Customer, Instance, Item, Travel, Units, Vehicle
from tailgate.model.judge import ViolationKind, verify
from tailgate.model.limits import MAX_CUSTOMERS, MAX_ITEMS_PER_CUSTOMER, MAX_LENGTH
from tailgate.model.solution import Route
from tailgate.model.units import decimal_text
from tiny_instances import tiny_instance

NAN = math.nan

# The same classes, for wrong arguments that a type checker would not let through.
loose_item: Any = Item
loose_customer: Any = Customer
loose_vehicle: Any = Vehicle
loose_conventions: Any = Conventions

# Each row: what is built, the argument that the message must name, and a word of the problem.
REFUSALS: list[tuple[Callable[[], object], str, str]] = [
    (lambda: loose_item(0, 1), "width", "at least 1"),
    (lambda: loose_item(1, -3), "length", "at least 1"),
    (lambda: loose_item(2.45, 1), "width", "Units"),
    (lambda: loose_item(True, 1), "width", "integer"),
    (lambda: loose_item("2", 1), "width", "integer"),
    (lambda: loose_item(NAN, 1), "width", "integer"),
    (lambda: loose_item(MAX_LENGTH + 1, 1), "width", "at most"),
    (lambda: loose_item(10**5000, 1), "width", "at most"),
    (lambda: loose_item(1, 1, name=7), "name", "text"),
    (lambda: loose_item(1, 1, name="two\nlines"), "name", "line breaks"),
    (lambda: loose_item(1, 1, name="\ud800"), "name", "control"),
    (lambda: loose_item(1, 1, name=" blank"), "name", "blank"),
    (lambda: loose_item(1, 1, name="x" * 201), "name", "200"),
    (lambda: loose_customer(0.5, 0, 1, ()), "x", "integer"),
    (lambda: loose_customer(0, 10**10, 1, ()), "y", "at most"),
    (lambda: loose_customer(0, 0, -1, ()), "weight", "at least 0"),
    (lambda: loose_customer(0, 0, None, ()), "weight", "integer"),
    (lambda: loose_customer(0, 0, 1, None), "items", "sequence"),
    (lambda: loose_customer(0, 0, 1, "items"), "items", "sequence"),
    (lambda: loose_customer(0, 0, 1, ((2, 3),)), "items[0]", "Item"),
    (
        lambda: loose_customer(0, 0, 1, (loose_item(1, 1),) * (MAX_ITEMS_PER_CUSTOMER + 1)),
        "items",
        "at most",
    ),
    (lambda: loose_customer(0, 0, 1, (), ready=NAN), "ready", "finite"),
    (lambda: loose_customer(0, 0, 1, (), ready=-1), "ready", "between 0"),
    (lambda: loose_customer(0, 0, 1, (), due=math.inf), "due", "finite"),
    (lambda: loose_customer(0, 0, 1, (), due="9:00"), "due", "number"),
    (lambda: loose_customer(0, 0, 1, (), ready=5, due=4), "due", "ready"),
    (lambda: loose_customer(0, 0, 1, (), service=-0.5), "service", "between 0"),
    (lambda: loose_vehicle(0, 1, 1), "width", "at least 1"),
    (lambda: loose_vehicle(1, 0, 1), "length", "at least 1"),
    (lambda: loose_vehicle(1, 1, 0), "capacity", "at least 1"),
    (lambda: loose_vehicle(1, 1, 1.5), "capacity", "integer"),
    (lambda: Units(length_scale=20), "length_scale", "power of ten"),
    (lambda: Units(weight_scale=0), "weight_scale", "at least 1"),
    (lambda: Units(coordinate_scale=10**12), "coordinate_scale", "at most"),
    (lambda: Units(length_unit="\t"), "length_unit", "control"),
    (lambda: loose_conventions(distance="manhattan"), "distance", "truncated"),
    (lambda: loose_conventions(fleet="any"), "fleet", "at-most"),
    (lambda: loose_conventions(single_customer_routes=True), "single_customer_routes", "forbid"),
    (lambda: loose_conventions(lifo=1), "lifo", "true or false"),
    (lambda: Conventions.from_dict({"lfio": True}), "lfio", 'did you mean "lifo"'),
    (lambda: small_instance(name=None), "name", "text"),
    (lambda: small_instance(depot=(0,)), "depot", "pair"),
    (lambda: small_instance(depot=(0, 0.5)), "depot.y", "integer"),
    (lambda: small_instance(customers=()), "customers", "at least one"),
    (lambda: small_instance(customers=None), "customers", "sequence"),
    (lambda: small_instance(customers=[1]), "customers[0]", "Customer"),
    (
        lambda: small_instance(customers=[loose_customer(0, 0, 0, ())] * (MAX_CUSTOMERS + 1)),
        "customers",
        "at most",
    ),
    (lambda: small_instance(vehicle=(4, 6, 70)), "vehicle", "Vehicle"),
    (lambda: small_instance(vehicle_count=0), "vehicle_count", "at least 1"),
    (lambda: small_instance(vehicle_count=2.0), "vehicle_count", "integer"),
    (lambda: small_instance(conventions="benchmark"), "conventions", "Conventions"),
    (lambda: small_instance(units=None), "units", "Units"),
    (lambda: small_instance(depot_ready=9, depot_due=3), "depot_due", "depot_ready"),
    # One customer alone that no vehicle can serve.
    (
        lambda: small_instance(vehicle=loose_vehicle(3, 6, 70)),
        "customers[1].items[0].width",
        "floor",
    ),
    (
        lambda: small_instance(vehicle=loose_vehicle(4, 2, 70)),
        "customers[0].items[0].length",
        "floor",
    ),
    (lambda: small_instance(vehicle=loose_vehicle(4, 6, 29)), "customers[2].weight", "capacity 29"),
    (
        lambda: small_instance(customers=[loose_customer(0, 1, 0, (loose_item(4, 4),) * 2)]),
        "customers[0].items",
        "cover 32",
    ),
    (
        lambda: small_instance(customers=[loose_customer(3, 4, 0, (), due=4)]),
        "customers[0].due",
        "arrives at 5",
    ),
    (
        lambda: small_instance(customers=[loose_customer(3, 4, 0, (), ready=26)], depot_due=30),
        "customers[0].ready",
        "back at 31",
    ),
    (
        lambda: small_instance(customers=[loose_customer(3, 4, 0, (), service=21)], depot_due=30),
        "customers[0].service",
        "back at 31",
    ),
    (
        lambda: small_instance(customers=[loose_customer(3, 4, 0, ())], depot_due=9.5),
        "depot_due",
        "back at 10",
    ),
    # Names that would confuse people.
    (
        lambda: small_instance(customers=[loose_customer(0, 1, 0, (), name="A")] * 2),
        "customers[1].name",
        "both called 'A'",
    ),
    (
        lambda: small_instance(
            customers=[loose_customer(0, 1, 0, (), name="2"), loose_customer(0, 1, 0, ())]
        ),
        "customers[1].name",
        "both called '2'",
    ),
    (
        lambda: small_instance(customers=[loose_customer(0, 1, 0, (), name="Depot")]),
        "customers[0].name",
        "depot",
    ),
    (
        lambda: small_instance(
            customers=[loose_customer(0, 1, 0, (), name="2"), loose_customer(0, 1, 0, (), name="1")]
        ),
        "customers",
        "order",
    ),
]


@pytest.mark.parametrize(("build", "argument", "word"), REFUSALS)
def test_a_refusal_names_the_argument(
    build: Callable[[], object], argument: str, word: str
) -> None:
    """Whoever builds an instance in code must learn which argument is wrong, and why."""
    with pytest.raises(InputError) as caught:
        build()
    assert caught.value.field == argument
    assert word in caught.value.problem
    assert str(caught.value).startswith(f"{argument}: ")
    assert len(str(caught.value)) < 400


def test_an_input_error_is_both_ours_and_a_value_error() -> None:
    """Callers may catch the package's errors or the ordinary kind."""
    error = InputError("is wrong", source="a.txt", line=3, field="width")
    assert isinstance(error, TailgateError)
    assert isinstance(error, ValueError)
    assert str(error) == "a.txt:3: width: is wrong"
    assert str(InputError("is wrong", line=3)) == "line 3: is wrong"
    assert str(InputError("is wrong")) == "is wrong"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_everything_is_immutable() -> None:
    """Caches and hashes rely on an instance that never changes."""
    instance = small_instance()
    for thing, attribute in (
        (instance, "name"),
        (instance.vehicle, "width"),
        (instance.customers[0], "weight"),
        (instance.customers[0].items[0], "width"),
        (instance.conventions, "lifo"),
        (instance.units, "length_scale"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, attribute, getattr(thing, attribute))


def test_an_instance_survives_copy_pickle_and_hashing() -> None:
    """Instances travel to worker processes and serve as keys."""
    instance = small_instance()
    assert instance.sha256
    for twin in (pickle.loads(pickle.dumps(instance)), copy.deepcopy(instance)):
        assert twin == instance
        assert hash(twin) == hash(instance)
        assert twin.sha256 == instance.sha256


def test_numpy_integers_become_plain_ones() -> None:
    """Numbers often come out of arrays, and must not leak numpy types into JSON."""
    item = loose_item(np.int64(2), np.int32(3))
    customer = loose_customer(np.int64(1), np.int64(2), np.int64(3), [item], ready=np.float64(4.0))
    assert type(item.width) is int
    assert type(customer.weight) is int
    assert type(customer.ready) is int
    assert customer.items == (item,)


def test_customers_are_numbered_from_one() -> None:
    """Number 0 is the depot; asking for a customer beyond the end is a mistake."""
    instance = small_instance()
    assert instance.n == 4
    assert instance.customer(1) is instance.customers[0]
    for number in (0, 5, -1):
        with pytest.raises(IndexError, match="1 to 4"):
            instance.customer(number)


def test_labels_are_names_or_numbers() -> None:
    """People call a customer by its name if it has one."""
    plain = small_instance().customers
    instance = small_instance(customers=[replace(plain[0], name="Bakery"), *plain[1:]])
    assert [instance.label(number) for number in (1, 2)] == ["Bakery", "2"]
    assert instance.number_of("Bakery") == 1
    assert instance.number_of("3") == 3
    with pytest.raises(InputError, match='did you mean "Bakery"'):
        instance.number_of("Bakary")
    with pytest.raises(InputError, match="no customer '1'"):
        instance.number_of("1")


def test_a_name_that_repeats_the_number_is_dropped() -> None:
    """Files number their customers 1, 2, 3; that is no name."""
    customers = small_instance().customers
    numbered = [replace(c, name=str(number)) for number, c in enumerate(customers, start=1)]
    assert small_instance(customers=numbered) == small_instance()


@pytest.mark.parametrize(
    ("distance", "expected"),
    [("truncated", 2), ("rounded", 3), ("exact", math.sqrt(8))],
)
def test_distance_follows_the_convention(distance: DistanceConvention, expected: float) -> None:
    """sqrt(8) = 2.83 is 2 for the exact literature and 3 when rounded."""
    instance = small_instance(customers=[Customer(2, 2, 0, ())], depot_due=None)
    instance = instance.with_conventions(distance=distance)
    assert instance.distance(0, 1) == expected
    assert instance.route_cost([1]) == 2 * expected
    assert instance.route_cost([]) == 0


coordinates = st.integers(-(10**9), 10**9) | st.integers(-20, 20)
distances = st.sampled_from(["truncated", "rounded", "exact"])


@given(
    points=st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=6),
    scale=st.sampled_from([1, 10, 100, 10**9]),
    distance=distances,
)
def test_matrix_and_single_distances_agree_and_are_exact(
    points: list[tuple[int, int]], scale: int, distance: DistanceConvention
) -> None:
    """The vectorised and the scalar way must give the same bits, and truncation must be true."""
    instance = places_only(points, scale, distance)
    matrix = instance.distance_matrix()
    for i, (x, y) in enumerate(points):
        for j, (other_x, other_y) in enumerate(points):
            value = instance.distance(i, j)
            assert matrix[i, j] == value
            squared = Fraction((x - other_x) ** 2 + (y - other_y) ** 2, scale**2)
            if distance == "truncated":
                assert value**2 <= squared < (value + 1) ** 2
            elif distance == "rounded":
                low = Fraction(2 * int(value) - 1, 2)
                assert low < 0 or low**2 <= squared
                assert squared < (low + 1) ** 2
            else:
                assert value == pytest.approx(math.sqrt(squared), rel=1e-15)


def test_time_windows_are_seen_where_they_bind() -> None:
    """Without any due time no route can be late."""
    free = small_instance(customers=[Customer(3, 4, 0, (), ready=5)], depot_due=None)
    assert not free.has_time_windows
    assert small_instance().has_time_windows
    assert small_instance(customers=[Customer(3, 4, 0, ())], depot_due=10).has_time_windows


def test_conventions_travel_as_dictionaries() -> None:
    """Logs and solution files state the conventions in full."""
    for conventions in (Conventions.BENCHMARK, Conventions.PLANNER, Conventions(lifo=False)):
        assert Conventions.from_dict(conventions.to_dict()) == conventions
    assert Conventions.from_dict({"lifo": False}) == replace(Conventions.PLANNER, lifo=False)
    assert Conventions.BENCHMARK.to_dict() == {
        "distance": "truncated",
        "fleet": "exactly",
        "single_customer_routes": "forbid",
        "lifo": True,
    }
    assert Conventions("exact", "at-most", "allow", True) == Conventions.PLANNER


def test_with_conventions_changes_nothing_else() -> None:
    """The same problem under another rule has the same fingerprint."""
    instance = small_instance()
    other = instance.with_conventions(Conventions.PLANNER, lifo=False)
    assert other.conventions == replace(Conventions.PLANNER, lifo=False)
    assert other.with_conventions(instance.conventions) == instance
    assert other.sha256 == instance.sha256


def scaled(instance: Instance, factor: int) -> Instance:
    """Return the same instance in finer integers."""
    return replace(
        instance,
        depot=(instance.depot[0] * factor, instance.depot[1] * factor),
        customers=tuple(
            replace(
                c,
                x=c.x * factor,
                y=c.y * factor,
                weight=c.weight * factor,
                items=tuple(Item(i.width * factor, i.length * factor) for i in c.items),
            )
            for c in instance.customers
        ),
        vehicle=Vehicle(
            instance.vehicle.width * factor,
            instance.vehicle.length * factor,
            instance.vehicle.capacity * factor,
        ),
        units=Units(length_scale=factor, weight_scale=factor, coordinate_scale=factor),
    )


def test_the_fingerprint_is_of_the_content_in_real_units() -> None:
    """A solution belongs to a problem, not to a file name, a scale or a label."""
    instance = small_instance()
    same: list[Instance] = [
        replace(instance, name="other"),
        scaled(instance, 1000),
        replace(
            instance,
            customers=(replace(instance.customers[0], name="Bakery"), *instance.customers[1:]),
        ),
        replace(instance, units=Units(length_unit="m")),
    ]
    for twin in same:
        assert twin.sha256 == instance.sha256
    changes: list[dict[str, Any]] = [
        {"depot": (0, 1)},
        {"vehicle": Vehicle(5, 6, 70)},
        {"vehicle": Vehicle(4, 6, 71)},
        {"vehicle_count": 3},
        {"depot_due": 31},
        {"depot_ready": 1},
        {"customers": instance.customers[::-1]},
        {"customers": instance.customers[:3]},
        {"customers": (replace(instance.customers[0], weight=11), *instance.customers[1:])},
        {"customers": (replace(instance.customers[0], service=2), *instance.customers[1:])},
        {"customers": (replace(instance.customers[0], due=8.5), *instance.customers[1:])},
        {"units": Units(length_scale=10)},
    ]
    fingerprints = {replace(instance, **change).sha256 for change in changes}
    assert len(fingerprints | {instance.sha256}) == len(changes) + 1


def test_the_fingerprint_never_changes_between_releases() -> None:
    """Old solution files must still find their instance."""
    assert small_instance().sha256 == (
        "becccbf3d9441a913f76d4d706b1c2214b5f44fcadf73ff1e9d9b2f5ba449203"
    )


def test_the_scale_does_not_change_distances() -> None:
    """Costs are in the file's unit, however finely its numbers are stored."""
    instance = small_instance()
    for distance in ("truncated", "rounded", "exact"):
        one = instance.with_conventions(distance=distance)
        other = scaled(instance, 1000).with_conventions(distance=distance)
        tolerance = 1e-15 if distance == "exact" else 0
        np.testing.assert_allclose(
            one.distance_matrix(), other.distance_matrix(), rtol=tolerance, atol=0
        )


def is_in_time_for_the_judge(instance: Instance, route: tuple[int, ...]) -> bool:
    """Let the judge look at the times of one route; whatever else is wrong does not matter."""
    solution = small_solution(
        instance, routes=(Route(customers=route, cost=0, weight=0, area=0, placements=()),)
    )
    return all(
        violation.kind is not ViolationKind.TIME_WINDOW for violation in verify(instance, solution)
    )


@pytest.mark.parametrize("distance", get_args(DistanceConvention))
def test_a_route_is_in_time_when_the_judge_says_so(distance: DistanceConvention) -> None:
    """Columns are made of what is in time here; the judge does its sums in another way."""
    late = in_time = 0
    for seed in range(30):
        instance = tiny_instance(
            f"times-{seed}", Conventions(distance=distance), time_windows=True, most=4
        )
        for size in range(1, instance.n + 1):
            for route in permutations(range(1, instance.n + 1), size):
                expected = is_in_time_for_the_judge(instance, route)
                assert instance.is_allowed(route) == expected, (instance, route)
                in_time += expected
                late += not expected
    assert min(late, in_time) > 200


def test_a_customer_who_is_in_time_by_a_detour_only_is_accepted() -> None:
    """Truncated distances break the triangle inequality: 3 and 3 over the other, 7 directly."""
    customers = [Customer(3, 2, 1, ()), Customer(5, 5, 1, (), due=6)]
    instance = small_instance(
        customers=customers, depot_due=None, conventions=Conventions(distance="truncated")
    )
    assert not instance.is_allowed((2,))
    assert instance.is_allowed((1, 2))
    assert instance.clock.earliest_arrivals(0, 0)[1:] == [3, 6]
    with pytest.raises(InputError, match="arrives at 6 at the earliest"):
        small_instance(
            customers=[customers[0], replace(customers[1], due=5)],
            depot_due=None,
            conventions=Conventions(distance="truncated"),
        )


def test_a_way_back_may_be_a_detour() -> None:
    """The depot's due time is kept over another customer, who is served on the way home."""
    conventions = Conventions(distance="truncated")
    customers = [Customer(3, 2, 1, ()), Customer(5, 5, 1, ())]
    instance = small_instance(customers=customers, depot_due=12, conventions=conventions)
    assert instance.is_allowed((1, 2)) is False
    with pytest.raises(InputError, match="back at 12 at the earliest"):
        small_instance(customers=customers, depot_due=11, conventions=conventions)


def test_a_customer_from_whom_nobody_comes_back_is_refused() -> None:
    """A one-way road to a customer, and hours to keep: no search is needed to see it."""
    customers = [Customer(0, 0, 1, (), due=9), Customer(0, 0, 1, ())]
    roads: list[list[float | None]] = [[0, 1, 2], [None, 0, None], [1, 1, 0]]
    travel = Travel.from_matrix(roads)
    with pytest.raises(InputError, match="no vehicle comes back from customer 1") as caught:
        small_instance(
            customers=customers, travel=travel, depot_due=30, conventions=Conventions.PLANNER
        )
    assert caught.value.field == "customers[0]"


def test_no_route_in_time_is_earlier_than_the_earliest_arrival() -> None:
    """What is refused, or called incompatible, must be impossible for every order of stops."""
    tried = 0
    for seed in range(40):
        instance = tiny_instance(
            f"detours-{seed}", Conventions(distance="truncated"), time_windows=True, most=4
        )
        arrivals = instance.clock.earliest_arrivals(0, instance.depot_ready)
        for size in range(1, instance.n + 1):
            for route in permutations(range(1, instance.n + 1), size):
                clock, place = instance.depot_ready, 0
                for number in route:
                    clock += instance.distance(place, number)
                    assert clock >= arrivals[number] - 1e-9
                    if instance.clock.is_late(number, clock):
                        break
                    customer = instance.customer(number)
                    clock = max(clock, customer.ready) + customer.service
                    place = number
                    tried += 1
    assert tried > 500


def test_a_route_may_be_late_by_rounding_only() -> None:
    """A due time that was worked out from the same distances must not be missed by them."""
    way = math.sqrt(2)

    def diagonal(late: float) -> Instance:
        customers = (Customer(1, 1, 1, (), due=way - late), Customer(2, 2, 1, ()))
        return Instance("diagonal", (0, 0), customers, Vehicle(1, 1, 9), 1, depot_due=6 * way)

    assert diagonal(1.4e-9).is_allowed((1, 2))
    with pytest.raises(InputError, match="arrives"):
        diagonal(1.5e-9)
    back = replace(diagonal(0), depot_due=4 * way - 5.6e-9)
    assert back.is_allowed((1, 2))
    assert not back.is_allowed((2, 1))
    # A customer on the way takes an instant: too long by a hair.
    first, second = back.customers
    slower = replace(back, customers=(replace(first, service=2e-10), second))
    assert not slower.is_allowed((1, 2))


def test_without_due_times_nobody_is_late() -> None:
    """Ready times and service alone make nobody wait for ever."""
    instance = small_instance(
        depot_due=None,
        customers=[
            replace(customer, due=None, ready=50, service=99)
            for customer in small_instance().customers
        ],
    )
    assert not instance.has_time_windows
    assert all(instance.is_allowed(route) for route in permutations((1, 2, 3, 4)))


def test_repr_fits_a_line_and_speaks_real_units() -> None:
    """At a prompt one wants the size of the problem, not a thousand items."""
    instance = scaled(small_instance(), 100)
    instance = replace(instance, units=replace(instance.units, length_unit="m", weight_unit="kg"))
    assert repr(instance) == (
        "Instance('small': 4 customers, 6 items, 2 vehicles of 4 x 6 m and 70 kg; "
        "distance=truncated, fleet=exactly, single_customer_routes=forbid, lifo=True)"
    )
    customers = (Customer(x=1, y=1, weight=1, items=(Item(1, 1),)),)
    alone = Instance("alone", (0, 0), customers, Vehicle(width=2, length=2, capacity=9), 1)
    assert "'alone': 1 customer, 1 item, 1 vehicle of 2 x 2 and 9;" in repr(alone)


@given(st.integers(-(10**20), 10**20), st.integers(0, 9))
def test_decimal_text_is_exact_and_short(value: int, places: int) -> None:
    """What is written must be read back as the same number, without idle zeros."""
    text = decimal_text(value, 10**places)
    assert Fraction(text) == Fraction(value, 10**places)
    assert not ("." in text and text.endswith(("0", ".")))
