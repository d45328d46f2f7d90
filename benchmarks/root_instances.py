"""Which relaxations are solved: published instances by name, generated ones by size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tailgate.experiments.published import published_path
from tailgate.formats import read
from tailgate.generate import DISTRIBUTIONS, default_name, generate_instance
from tailgate.instance import Instance

PAPER_NUMBERS = range(1, 20)
LARGE_NUMBERS = range(20, 25)
GROWTH_SIZES = (15, 25, 40, 60, 80, 100)


@dataclass(frozen=True, slots=True)
class Task:
    """One instance to solve, which is made when its turn has come."""

    name: str
    source: str
    packing_class: int
    make: Callable[[], Instance]


def instance_names(
    asked: Sequence[str] | None, numbers: Sequence[int], classes: Sequence[int]
) -> list[str]:
    """Return four-digit names: of the numbers in the classes, or those that were asked for.

    Asked for is ``0102``, one instance, or ``12`` or ``3-7``, those numbers in the classes.
    """
    if asked is None:
        return [_name(number, group) for group in classes for number in numbers]
    names: list[str] = []
    for word in asked:
        if len(word) == 4 and word.isdecimal():
            names.append(word)
            continue
        first, _, last = word.partition("-")
        chosen = range(int(first), int(last or first) + 1)
        names += [_name(number, group) for group in classes for number in chosen]
    return list(dict.fromkeys(names))


def published_tasks(folder: Path, names: Sequence[str]) -> list[Task]:
    """Return published instances; ``FileNotFoundError`` names one that is absent."""
    tasks = []
    for name in names:
        path = published_path(folder, name)
        if not path.is_file():
            raise FileNotFoundError(f"there is no instance {name}: {path} is no file")
        tasks.append(Task(name, "published", int(name[2:]), partial(read, path)))
    return tasks


def growth_tasks(sizes: Sequence[int], classes: Sequence[int], seeds: int) -> list[Task]:
    """Return so many generated instances per size and class, small ones first."""
    tasks = []
    for size in sizes:
        for packing_class in classes:
            for seed in range(1, seeds + 1):
                distribution = DISTRIBUTIONS[(seed - 1) % len(DISTRIBUTIONS)]
                make = partial(
                    generate_instance, size, packing_class, distribution=distribution, seed=seed
                )
                name = default_name(size, packing_class, distribution, seed, time_windows=False)
                tasks.append(Task(name, "generated", packing_class, make))
    return tasks


def _name(number: int, packing_class: int) -> str:
    return f"{number:02}{packing_class:02}"
