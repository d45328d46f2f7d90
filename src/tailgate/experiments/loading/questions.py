"""The routes that the loading benchmark asks about."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tailgate.experiments.loading.cases import Size, in_millimetres, stops_of
from tailgate.experiments.loading.random_routes import RouteSampler
from tailgate.experiments.published import published_path
from tailgate.formats import read
from tailgate.generate import DISTRIBUTIONS, generate_instance
from tailgate.instance import Instance

GENERATED_CUSTOMERS = (20, 30, 40)


@dataclass(frozen=True, slots=True)
class Question:
    """One route: where it comes from, the floor, and the items of its stops in visiting order."""

    source: str
    packing_class: int
    instance: str
    route: tuple[int, ...]
    width: int
    length: int
    stops: tuple[tuple[Size, ...], ...]

    @property
    def item_count(self) -> int:
        """Items of all stops."""
        return sum(map(len, self.stops))

    @property
    def fill(self) -> float:
        """Share of the floor that the items cover."""
        area = sum(width * length for stop in self.stops for width, length in stop)
        return area / (self.width * self.length)

    def in_millimetres(self, dice: random.Random) -> Question:
        """Return the same question in large odd numbers; the verdict is the same for sure.

        Each item is multiplied and then shrunk, each floor multiplied and perhaps widened, by so
        little that no set of items fits side by side, or behind one another, that did not fit
        before; and what fitted still does. See `in_millimetres` in tests/loading_cases.py.
        """
        width, length, stops = in_millimetres(self.width, self.length, self.stops, dice)
        return replace(self, width=width, length=length, stops=tuple(map(tuple, stops)))


def benchmark_questions(
    folder: Path, numbers: Sequence[int], classes: Sequence[int], per_instance: int, seed: int
) -> list[Question]:
    """Return routes through the published instances."""
    questions = []
    for packing_class in classes:
        for number in numbers:
            name = f"{number:02}{packing_class:02}"
            instance = read(published_path(folder, name))
            questions += questions_of(
                "benchmark", packing_class, name, instance, per_instance, seed
            )
    return questions


def generated_questions(
    count: int, classes: Sequence[int], per_instance: int, seed: int
) -> list[Question]:
    """Return routes through so many generated instances per class."""
    questions = []
    for packing_class in classes:
        for number in range(count):
            instance = generate_instance(
                GENERATED_CUSTOMERS[number % len(GENERATED_CUSTOMERS)],
                packing_class,
                distribution=DISTRIBUTIONS[number % len(DISTRIBUTIONS)],
                seed=1_000 * seed + number,
            )
            questions += questions_of(
                "generated", packing_class, instance.name, instance, per_instance, seed
            )
    return questions


def questions_of(
    source: str, packing_class: int, name: str, instance: Instance, count: int, seed: int
) -> list[Question]:
    """Return so many routes through one instance."""
    sampler = RouteSampler(instance, f"{seed} {name}")
    return [
        Question(
            source=source,
            packing_class=packing_class,
            instance=name,
            route=route,
            width=instance.vehicle.width,
            length=instance.vehicle.length,
            stops=tuple(map(tuple, stops_of(instance, route))),
        )
        for route in sampler.sample_distinct(count)
    ]
