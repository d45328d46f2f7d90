"""Which instances an experiment takes: those asked for, the published ones, or generated ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tailgate.io.text_file import name_from
from tailgate.model.conventions import Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.research.experiments.experiment import Setting
from tailgate.research.experiments.optima.rules import CLASSES, NUMBERS, instance_names
from tailgate.research.experiments.published import FOLDER_VARIABLE, published_path
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.variants import variant_name
from tailgate.research.generate import DISTRIBUTIONS, generate_instance
from tailgate.solver.loading import read
from tailgate.solver.workers import Task


@dataclass(frozen=True, slots=True)
class Chosen:
    """An instance and where it comes from."""

    name: str
    source: str
    """published, generated or file"""
    packing_class: int
    """0 where it is not known."""
    instance: Instance

    def under(self, rules: Callable[[Conventions], Conventions]) -> Chosen:
        """Return the same instance under what becomes of its conventions."""
        conventions = rules(self.instance.conventions)
        return replace(self, instance=replace(self.instance, conventions=conventions))

    @property
    def variant(self) -> str:
        """What is not as in the exact literature: items turned, unloaded in any order."""
        return variant_name(self.instance.conventions)


@dataclass(frozen=True, slots=True)
class Series:
    """Instances by numbers: of the publication, and those generated in their place."""

    numbers: Sequence[int] = NUMBERS
    classes: Sequence[int] = CLASSES
    sizes: Sequence[int] = (15, 20, 25)
    quick_sizes: Sequence[int] = (8, 10)
    only: Sequence[str] = ()
    """Names of published ones, if not all of the numbers in the classes."""

    @property
    def names(self) -> list[str]:
        """Of the published ones."""
        every = (f"{number:02}{group:02}" for group in self.classes for number in self.numbers)
        return list(self.only or every)

    def choose(self, setting: Setting) -> list[Chosen]:
        """Return the instances of a run."""
        if setting.instances:
            return _asked(setting, self.classes)
        if setting.published is not None:
            return [published(setting.published, name) for name in self.names]
        sizes = self.quick_sizes if setting.quick else self.sizes
        return generated(sizes, self.classes, seed=setting.seed)


PAPER_ROOTS = Series(numbers=range(1, 20), classes=(2, 3, 4))
"""Those of the paper's tables."""


def task_for_each(
    series: Series, setting: Setting, function: Callable[..., Row], limit: float, *options: str
) -> list[Task]:
    """Return a task for each instance: a function of it, the options, seed, limit and commit."""
    return [
        Task(
            "/".join((chosen.name, *options, f"seed {setting.seed}")),
            function,
            (chosen, *options, setting.seed, limit, setting.commit),
        )
        for chosen in series.choose(setting)
    ]


def published(folder: Path, name: str) -> Chosen:
    """Read a published instance."""
    path = published_path(folder, name)
    if not path.is_file():
        raise InputError(
            f"is absent: there is no {path.name} in the folder of the published instances; "
            "see: tailgate benchmark-instances",
            field=f"instance {name}",
        )
    return Chosen(name, "published", int(name[2:]), read(path))


def generated(sizes: Sequence[int], classes: Sequence[int], *, seed: int) -> list[Chosen]:
    """Make one instance of every size and class, with the distributions in turns."""
    chosen = []
    for number, size in enumerate(sizes):
        for packing_class in classes:
            distribution = DISTRIBUTIONS[number % len(DISTRIBUTIONS)]
            instance = generate_instance(
                size, packing_class, distribution=distribution, seed=seed + 1
            )
            chosen.append(Chosen(instance.name, "generated", packing_class, instance))
    return chosen


def _asked(setting: Setting, classes: Sequence[int]) -> list[Chosen]:
    files = [word for word in setting.instances if Path(word).suffix or Path(word).exists()]
    words = [
        part for word in setting.instances if word not in files for part in word.split(",") if part
    ]
    chosen = [Chosen(name_from(file), "file", 0, read(file)) for file in files]
    if words:
        if setting.benchmark is None:
            raise InputError(
                f"{words[0]} is no file; to take published instances by their numbers, name their "
                f"folder in {FOLDER_VARIABLE} (see: tailgate benchmark-instances)",
                field="--instances",
            )
        try:
            names = instance_names(words, classes)
        except ValueError as error:
            raise InputError(str(error), field="--instances") from error
        chosen += [published(setting.benchmark, name) for name in names]
    names = [one.name for one in chosen]
    if len(set(names)) != len(names):
        raise InputError("two instances have the same name", field="--instances")
    return chosen
