"""Loading questions for the tests of the oracle, and what it takes to judge an answer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from builders import one_route
from tailgate.model.instance import Conventions, Instance
from tailgate.model.judge import Violation, verify
from tailgate.model.solution import Placement
from tailgate.research.experiments.loading.cases import (
    Size,
    Stops,
    in_millimetres,
    instance_of,
    stops_of,
)
from tailgate.solver.loading import LoadingOracle, LoadingResult, Verdict

__all__ = [
    "Size",
    "Stops",
    "assert_sound",
    "check",
    "cut_floor",
    "hard_question",
    "in_millimetres",
    "instance_of",
    "is_loadable",
    "plan_violations",
    "stops_of",
]


def check(
    width: int,
    length: int,
    stops: Stops,
    *,
    lifo: bool = True,
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> LoadingResult:
    """Ask a fresh oracle about all stops in their order; a plan must satisfy the judge."""
    instance = instance_of(width, length, stops)
    route = range(1, instance.n + 1)
    oracle = LoadingOracle(instance, lifo=lifo, use_cache=False)
    result = oracle.check(route, max_nodes=max_nodes, time_limit=time_limit)
    assert_sound(instance, route, result, lifo=lifo)
    return result


def is_loadable(width: int, length: int, stops: Stops, *, lifo: bool = True) -> bool:
    """Ask a fresh oracle a question small enough that it has to know the answer."""
    verdict = check(width, length, stops, lifo=lifo, max_nodes=2_000_000).verdict
    assert verdict is not Verdict.UNKNOWN
    return verdict is Verdict.FEASIBLE


def assert_sound(
    instance: Instance, route: Sequence[int], result: LoadingResult, *, lifo: bool = True
) -> None:
    """See that a yes comes with a plan that the judge accepts, and everything else with none."""
    if result.verdict is not Verdict.FEASIBLE:
        assert result.placements == ()
        return
    assert plan_violations(instance, route, result.placements, lifo=lifo) == []


def plan_violations(
    instance: Instance, route: Sequence[int], placements: Sequence[Placement], *, lifo: bool
) -> list[Violation]:
    """Let the judge look at one truck: an instance of the route's customers and nobody else."""
    if not route:
        assert not placements
        return []
    numbers = {customer: stop for stop, customer in enumerate(route, start=1)}
    customers = tuple(instance.customer(customer) for customer in route)
    weight = sum(customer.weight for customer in customers)
    alone = replace(
        instance,
        customers=customers,
        # The oracle answers for the floor; weight is somebody else's business.
        vehicle=replace(instance.vehicle, capacity=max(weight, instance.vehicle.capacity)),
        vehicle_count=1,
        conventions=replace(Conventions.PLANNER, lifo=lifo, turn=instance.conventions.turn),
    )
    visits = tuple(range(1, len(route) + 1))
    moved = [replace(one, customer=numbers[one.customer]) for one in placements]
    solution = one_route(alone, visits, moved)
    return verify(alone, solution)


def cut_floor(width: int, length: int, count: int, dice: random.Random) -> list[list[Size]]:
    """Saw the whole floor into pieces and group them into stops: loadable, and 100 % full.

    The pieces are loaded in an order in which nothing is loaded behind what stands in its way.
    """
    pieces = [(0, 0, width, length)]
    while len(pieces) < count:
        splittable = [piece for piece in pieces if max(piece[2:]) > 1]
        if not splittable:
            break
        piece = max(splittable, key=lambda piece: (piece[2] * piece[3], piece))
        pieces.remove(piece)
        x, y, piece_width, piece_length = piece
        # Keep the pieces roughly in the floor's own proportions.
        if piece_width > 1 and (piece_length == 1 or piece_width * length >= piece_length * width):
            cut = dice.randint(1, piece_width - 1)
            pieces += [(x, y, cut, piece_length), (x + cut, y, piece_width - cut, piece_length)]
        else:
            cut = dice.randint(1, piece_length - 1)
            pieces += [(x, y, piece_width, cut), (x, y + cut, piece_width, piece_length - cut)]
    loaded: list[tuple[int, int, int, int]] = []
    while pieces:
        free = [piece for piece in pieces if not any(_stands_behind(p, piece) for p in pieces)]
        piece = dice.choice(free)
        pieces.remove(piece)
        loaded.append(piece)
    stops: list[list[Size]] = [[]]
    for _, _, piece_width, piece_length in reversed(loaded):
        if stops[-1] and dice.random() < 0.5:
            stops.append([])
        stops[-1].append((piece_width, piece_length))
    return stops


def _stands_behind(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """Say whether one piece is nearer to the cab in a column that the two share."""
    return one[1] < other[1] and one[0] < other[0] + other[2] and other[0] < one[0] + one[2]


def hard_question(width: int = 101, length: int = 401) -> tuple[int, int, list[list[Size]]]:
    """Return a question beyond any test's patience: thirty stops, and no room to spare."""
    dice = random.Random(30)
    sizes = [size for stop in cut_floor(width, length, 30, dice) for size in stop]
    dice.shuffle(sizes)
    return width, length, [[size] for size in sizes]
