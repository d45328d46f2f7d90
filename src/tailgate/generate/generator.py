"""Makes an instance: customers, windows, items and weights, and a fleet that can do the work."""

from __future__ import annotations

from dataclasses import replace

from tailgate.errors import InputError, TailgateError
from tailgate.generate.bin_packing import count_floors
from tailgate.generate.customers import DEPOTS, DISTRIBUTIONS, Distribution, place_customers
from tailgate.generate.items import PACKING_CLASSES, SMALLEST_FLOOR_SIDE, draw_items
from tailgate.generate.random_streams import Aspect, random_stream
from tailgate.generate.routes import build_proven_routes
from tailgate.generate.time_windows import TimeWindows, draw_time_windows
from tailgate.generate.weights import DEFAULT_CAPACITY, draw_weight
from tailgate.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.loading import LoadingOracle, Verdict

PACKING_CLASS_NUMBERS = (1, *PACKING_CLASSES)

_ATTEMPTS_AT_ITEMS = 50
_DRAWS_PER_CUSTOMER = 1_000
_NODES_PER_CUSTOMER = 20_000


def generate_instance(
    n: int,
    packing_class: int,
    *,
    distribution: Distribution = "random",
    time_windows: bool = False,
    width: int = 20,
    length: int = 40,
    capacity: int | None = None,
    seed: int,
    name: str | None = None,
    conventions: Conventions = Conventions.BENCHMARK,
) -> Instance:
    """Make a random instance that is sure to have a solution.

    The same arguments give the same instance on every platform. `width` and `length` are the
    floor's sides in any unit; item sizes scale with them. Rules: docs/generator.md.
    """
    capacity = DEFAULT_CAPACITY if capacity is None else capacity
    _check_arguments(n, packing_class, distribution, width, length, capacity, seed)
    if name is None:
        name = default_name(n, packing_class, distribution, seed, time_windows=time_windows)
    points = place_customers(n, distribution, random_stream(seed, Aspect.CUSTOMERS))
    windows: TimeWindows | None = None
    if time_windows:
        stream = random_stream(seed, Aspect.TIME_WINDOWS)
        windows = draw_time_windows(points, distribution, stream)
    weight_stream = random_stream(seed, Aspect.WEIGHTS)
    weights = [draw_weight(capacity, weight_stream) for _ in range(n)]
    vehicle = Vehicle(width=width, length=length, capacity=capacity)

    for attempt in range(_ATTEMPTS_AT_ITEMS):
        items = _draw_loadable_items(n, packing_class, vehicle, seed, attempt)
        customers = []
        for index, (x, y) in enumerate(points):
            ready, due = windows.windows[index] if windows else (0, None)
            service = windows.service if windows else 0
            customers.append(
                Customer(
                    x=x,
                    y=y,
                    weight=weights[index],
                    items=items[index],
                    ready=ready,
                    due=due,
                    service=service,
                )
            )
        candidate = Instance(
            name=name,
            depot=DEPOTS[distribution],
            customers=tuple(customers),
            vehicle=vehicle,
            vehicle_count=n,
            conventions=conventions,
            depot_due=windows.depot_due if windows else None,
        )
        routes = build_proven_routes(candidate, seed=seed, enough=_fewest_vehicles(candidate))
        if routes is not None:
            return replace(candidate, vehicle_count=len(routes))
    raise TailgateError(
        f"no fleet found for {n} customers of class {packing_class} with seed {seed} in which "
        "every truck has two customers or more; try more customers or another seed"
    )


def default_name(
    n: int, packing_class: int, distribution: Distribution, seed: int, *, time_windows: bool
) -> str:
    """Name an instance after what made it."""
    windows_part = "-tw" if time_windows else ""
    return f"{distribution}{windows_part}-n{n}-c{packing_class}-s{seed}"


def _draw_loadable_items(
    n: int, packing_class: int, vehicle: Vehicle, seed: int, attempt: int
) -> list[tuple[Item, ...]]:
    """Draw every customer's items, again for a customer whose own items do not fit one truck."""
    stream = random_stream(seed, Aspect.ITEMS, attempt)
    drawn: list[tuple[Item, ...]] = []
    for number in range(1, n + 1):
        for _ in range(_DRAWS_PER_CUSTOMER):
            items = draw_items(packing_class, vehicle.width, vehicle.length, stream)
            if len(items) == 1 or _fit_one_truck(items, vehicle):
                drawn.append(items)
                break
        else:
            raise TailgateError(
                f"customer {number}: no loadable items in {_DRAWS_PER_CUSTOMER} draws "
                f"on a floor of {vehicle.width} x {vehicle.length}"
            )
    return drawn


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
    if n < 2:
        raise InputError(
            "must be at least 2, because no truck may visit one customer only", field="n"
        )
    if packing_class not in PACKING_CLASS_NUMBERS:
        raise InputError("must be 1, 2, 3, 4 or 5", field="packing_class")
    if distribution not in DISTRIBUTIONS:
        raise InputError(f"must be one of {', '.join(DISTRIBUTIONS)}", field="distribution")
    for side_name, side in (("width", width), ("length", length)):
        if side < SMALLEST_FLOOR_SIDE:
            raise InputError(
                f"must be at least {SMALLEST_FLOOR_SIDE}; choose a finer unit "
                "(millimetres instead of metres)",
                field=side_name,
            )
    if capacity < 2:
        raise InputError("must be at least 2", field="capacity")
    if seed < 0:
        raise InputError("must not be negative", field="seed")
