"""Makes an instance: customers, roads, windows, items and weights, and a fleet for the work."""

from __future__ import annotations

from dataclasses import replace

from numpy.random import Generator

from tailgate.model import validation
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.model.limits import MAX_LENGTH, MAX_WEIGHT
from tailgate.research.generate.bin_packing import count_floors
from tailgate.research.generate.customers import (
    DEPOTS,
    DISTRIBUTIONS,
    Distribution,
    place_customers,
)
from tailgate.research.generate.fleet import with_fleet
from tailgate.research.generate.fleet_options import FleetOptions
from tailgate.research.generate.items import PACKING_CLASSES, SMALLEST_FLOOR_SIDE, draw_items
from tailgate.research.generate.random_streams import Aspect, random_stream
from tailgate.research.generate.road_instance import on_roads
from tailgate.research.generate.road_options import RoadOptions
from tailgate.research.generate.routes import build_proven_routes
from tailgate.research.generate.time_windows import draw_time_windows
from tailgate.research.generate.weights import DEFAULT_CAPACITY, draw_weight
from tailgate.solver.loading import LoadingOracle, Verdict

DEFAULT_WIDTH = 20
DEFAULT_LENGTH = 40
PACKING_CLASS_NUMBERS = (1, *PACKING_CLASSES)

# Beyond this, proving a loading for every route takes too long.
MOST_CUSTOMERS = 10_000
# A road matrix has the square of it.
MOST_CUSTOMERS_ON_ROADS = 2_000
MAX_SEED = 10**30

_ATTEMPTS = 200
_DRAWS_PER_CUSTOMER = 1_000
_NODES_PER_CUSTOMER = 20_000


def generate_instance(
    n: int,
    packing_class: int,
    *,
    distribution: Distribution = "random",
    time_windows: bool = False,
    width: int = DEFAULT_WIDTH,
    length: int = DEFAULT_LENGTH,
    capacity: int | None = None,
    roads: RoadOptions | None = None,
    fleet: FleetOptions | None = None,
    seed: int,
    name: str | None = None,
    conventions: Conventions | None = None,
) -> Instance:
    """Make a random instance that is sure to have a solution.

    Rules: docs/generator.md.

    Parameters
    ----------
    n : int
        Number of customers.
    packing_class : int
        1 to 5 as in the benchmark: how many items a customer has, and of which shapes.
    distribution : {"random", "clustered", "mixed"}
        Where the customers are.
    time_windows : bool
        Whether customers have due times; on roads these are opening hours of a day.
    width : int
        Width of the floor, in any unit; item sizes scale with it.
    length : int
        Length of the floor, in the same unit.
    capacity : int, optional
        Weight that a vehicle may carry; by default that of the benchmark.
    roads : RoadOptions, optional
        Distances and durations of a random road network, in kilometres and minutes, with shifts
        and costs; by default straight lines. Import it from ``tailgate.research.generate``.
    fleet : FleetOptions, optional
        Kinds of vehicles, orders that may be left out, and rules; by default one kind, and all
        must be served. Import it from ``tailgate.research.generate``.
    seed : int
        The same arguments and seed give the same instance on every platform.
    name : str, optional
        By default made of the arguments.
    conventions : Conventions
        By default those of the benchmark, and on roads those of planners.

    Examples
    --------
    >>> import tailgate
    >>> tailgate.generate_instance(6, 2, seed=1).name
    'random-n6-c2-s1'
    """
    capacity = DEFAULT_CAPACITY if capacity is None else capacity
    _check_arguments(n, packing_class, distribution, width, length, capacity, seed)
    conventions = _check_roads(n, roads, conventions)
    if fleet is not None:
        validation.expect(fleet, FleetOptions, "fleet")
        # Each kind has a route, and no route one customer alone.
        validation.integer(n, "n", low=2 * fleet.kinds, high=MOST_CUSTOMERS)
    if name is None:
        floor = {"width": width, "length": length, "capacity": capacity}
        name = default_name(
            n,
            packing_class,
            distribution,
            seed,
            time_windows=time_windows,
            roads=roads,
            fleet=fleet,
            **floor,
        )
    vehicle = Vehicle(width=width, length=length, capacity=capacity)
    for attempt in range(_ATTEMPTS):
        customer_stream, window_stream, item_stream, weight_stream = (
            random_stream(seed, aspect, attempt)
            for aspect in (Aspect.CUSTOMERS, Aspect.TIME_WINDOWS, Aspect.ITEMS, Aspect.WEIGHTS)
        )
        points = place_customers(n, distribution, customer_stream)
        candidate = Instance(
            name=name,
            depot=DEPOTS[distribution],
            customers=tuple(
                Customer(
                    x=x,
                    y=y,
                    weight=draw_weight(capacity, weight_stream),
                    items=_draw_loadable_items(packing_class, vehicle, item_stream),
                )
                for x, y in points
            ),
            vehicle=vehicle,
            vehicle_count=n,
            conventions=conventions,
        )
        if roads is not None:
            on_its_roads = on_roads(
                candidate, roads, time_windows=time_windows, seed=seed, attempt=attempt
            )
            if on_its_roads is None:
                continue
            candidate = on_its_roads
        elif time_windows:
            candidate = _with_windows(candidate, distribution, window_stream)
        enough = _fewest_vehicles(candidate)
        if fleet is not None:
            mixed = with_fleet(candidate, fleet, enough=enough, seed=seed, attempt=attempt)
            if mixed is not None:
                return mixed
            continue
        routes = build_proven_routes(candidate, seed=seed, enough=enough)
        if routes is not None:
            return replace(candidate, vehicle_count=len(routes))
    raise TailgateError(
        f"no fleet found for {n} customers of class {packing_class} with seed {seed} in which "
        "every truck has two customers or more; try more customers or another seed"
    )


def default_name(
    n: int,
    packing_class: int,
    distribution: Distribution,
    seed: int,
    *,
    time_windows: bool,
    width: int = DEFAULT_WIDTH,
    length: int = DEFAULT_LENGTH,
    capacity: int | None = None,
    roads: RoadOptions | None = None,
    fleet: FleetOptions | None = None,
) -> str:
    """Name an instance after what made it; an unusual floor or capacity is part of the name."""
    parts: list[str] = [
        distribution,
        *(["roads"] if roads is not None else []),
        *(["tw"] if time_windows else []),
        *(f"n{n}", f"c{packing_class}"),
    ]
    if (width, length) != (DEFAULT_WIDTH, DEFAULT_LENGTH):
        parts.append(f"{width}x{length}")
    if capacity not in (None, DEFAULT_CAPACITY):
        parts.append(f"q{capacity}")
    if roads is not None:
        parts += roads.name_parts
    if fleet is not None:
        parts += fleet.name_parts
    return "-".join([*parts, f"s{seed}"])


def _with_windows(instance: Instance, distribution: Distribution, stream: Generator) -> Instance:
    points = [(customer.x, customer.y) for customer in instance.customers]
    drawn = draw_time_windows(points, distribution, stream)
    customers = tuple(
        replace(customer, ready=ready, due=due, service=drawn.service)
        for customer, (ready, due) in zip(instance.customers, drawn.windows, strict=True)
    )
    return replace(instance, customers=customers, depot_due=drawn.depot_due)


def _draw_loadable_items(
    packing_class: int, vehicle: Vehicle, stream: Generator
) -> tuple[Item, ...]:
    """Draw one customer's items, again if they do not fit into one truck."""
    for _ in range(_DRAWS_PER_CUSTOMER):
        items = draw_items(packing_class, vehicle.width, vehicle.length, stream)
        if len(items) == 1 or _fit_one_truck(items, vehicle):
            return items
    raise TailgateError(
        f"no customer's items fit a floor of {vehicle.width} x {vehicle.length} in "
        f"{_DRAWS_PER_CUSTOMER} draws"
    )


def _fit_one_truck(items: tuple[Item, ...], vehicle: Vehicle) -> bool:
    if count_floors(items, vehicle.width, vehicle.length) == 1:
        return True
    if sum(item.width * item.length for item in items) > vehicle.width * vehicle.length:
        return False
    alone = Instance(
        name="one customer",
        depot=(0, 0),
        customers=(Customer(x=0, y=0, weight=0, items=items),),
        vehicle=vehicle,
        vehicle_count=1,
    )
    verdict = LoadingOracle(alone).check((1,), max_nodes=_NODES_PER_CUSTOMER).verdict
    return verdict is Verdict.FEASIBLE


def _fewest_vehicles(instance: Instance) -> int:
    """Count as the benchmark does: trucks for all items, or for all weights if that says more."""
    vehicle = instance.vehicle
    items = [item for customer in instance.customers for item in customer.items]
    total_weight = sum(customer.weight for customer in instance.customers)
    return max(
        count_floors(items, vehicle.width, vehicle.length),
        -(-total_weight // vehicle.capacity),
    )


def _check_arguments(
    n: int,
    packing_class: int,
    distribution: str,
    width: int,
    length: int,
    capacity: int,
    seed: int,
) -> None:
    # Two at least, because the benchmark lets no truck visit one customer only.
    validation.integer(n, "n", low=2, high=MOST_CUSTOMERS)
    if packing_class not in PACKING_CLASS_NUMBERS:
        raise InputError("must be 1, 2, 3, 4 or 5", field="packing_class")
    validation.choice(distribution, "distribution", DISTRIBUTIONS)
    for side, value in (("width", width), ("length", length)):
        validation.integer(value, side, low=SMALLEST_FLOOR_SIDE, high=MAX_LENGTH)
    validation.integer(capacity, "capacity", low=2, high=MAX_WEIGHT)
    validation.integer(seed, "seed", low=0, high=MAX_SEED)


def _check_roads(n: int, roads: RoadOptions | None, conventions: Conventions | None) -> Conventions:
    """Return the conventions; a matrix leaves nothing to round."""
    if roads is None:
        return Conventions.BENCHMARK if conventions is None else conventions
    validation.expect(roads, RoadOptions, "roads")
    validation.integer(n, "n", low=2, high=MOST_CUSTOMERS_ON_ROADS)
    if conventions is None:
        return Conventions.PLANNER
    if conventions.distance != "exact":
        raise InputError(
            f'must be "exact" on roads, whose distances are given, got "{conventions.distance}"',
            field="distance",
        )
    return conventions
