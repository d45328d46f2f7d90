"""Which 2L-VRPTW instances are solved, and under which conventions."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from tailgate.io.text_file import name_from
from tailgate.io.vrptw_rows import CONVENTIONS, DECIMALS
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.travel import Travel
from tailgate.research.experiments.experiment import Setting
from tailgate.research.experiments.instances import Chosen
from tailgate.research.experiments.published import FOLDER_VARIABLE
from tailgate.research.experiments.vrptw.reference import read_published_plans
from tailgate.research.generate import DISTRIBUTIONS, generate_instance
from tailgate.solver.loading import read

FOLDER = "2l_vrptw"
"""Beside the folder of the 2L-CVRP instances."""
KHEBBACHE = "khebbache"
SERIES = {KHEBBACHE: "2l-CVRP-", "solomon": "2L_VRPTW-", "training": "2L_VRPTW-"}
"""Its folders, and how the names of their files begin."""
SIZES, QUICK_SIZES = (12, 15), (7,)
CLASSES = (2, 3, 4)

_CLASS = re.compile(r"PC(\d)|(\d)$")


def under_published_conventions(instance: Instance) -> Instance:
    """Return the problem whose solutions are published.

    Distances are rounded to one decimal, which are the travel times, too. Weights are ignored,
    there are as many trucks as wanted, and items are unloaded in any order.
    """
    if instance.travel.metric != "euclidean":
        raise InputError(
            "must have x and y, for distances are straight lines here; for roads there is: "
            "tailgate experiment optima",
            field=f"instance {instance.name}",
        )
    weight = sum(customer.weight for customer in instance.customers)
    return replace(
        instance,
        travel=Travel.euclidean(decimals=DECIMALS),
        conventions=CONVENTIONS,
        vehicle=replace(instance.vehicle, capacity=max(instance.vehicle.capacity, weight)),
        vehicle_count=instance.n,
    )


def published_folder(setting: Setting) -> Path | None:
    """Return where the 2L-VRPTW instances are, if this machine has them."""
    if setting.benchmark is None:
        return None
    folder = setting.benchmark.parent / FOLDER
    return folder if folder.is_dir() else None


def choose(setting: Setting) -> list[Chosen]:
    """Return the instances of a run: those asked for, the published ones, or generated ones."""
    folder = published_folder(setting)
    if setting.instances:
        chosen = [one for word in setting.instances for one in _asked(word, folder)]
        names = [one.name for one in chosen]
        if len(set(names)) != len(names):
            raise InputError("two instances have the same name", field="--instances")
        return chosen
    if folder is None or setting.quick:
        return _generated(QUICK_SIZES if setting.quick else SIZES, setting.seed)
    files = _files(folder, KHEBBACHE)
    assert setting.benchmark is not None
    with_plans = read_published_plans(setting.benchmark)
    return [
        _read(name, file) for name, file in files.items() if not with_plans or name in with_plans
    ]


def _asked(word: str, folder: Path | None) -> list[Chosen]:
    if Path(word).is_file():
        return [_read(name_from(word), Path(word), source="file")]
    if folder is None:
        raise InputError(
            f"{word} is no file; to take published instances by their names, they must be in the "
            f"folder {FOLDER} beside the one that {FOLDER_VARIABLE} names",
            field="--instances",
        )
    if word in SERIES:
        return [_read(name, file) for name, file in _files(folder, word).items()]
    for series in SERIES:
        file = _files(folder, series).get(word)
        if file is not None:
            return [_read(word, file)]
    raise InputError(
        f"{word} is neither a file, nor an instance such as A102 or C101-25-PC2, nor one of "
        f"{', '.join(SERIES)}",
        field="--instances",
    )


def _files(folder: Path, series: str) -> dict[str, Path]:
    """Return the files of a series by their names, small instances first where numbers say so."""
    beginning = SERIES[series]
    files = {
        path.stem.removeprefix(beginning): path
        for path in (folder / series).glob("*")
        if path.stem.startswith(beginning)
    }
    return dict(sorted(files.items(), key=lambda one: (one[0][:1], len(one[0]), one[0])))


def _read(name: str, file: Path, *, source: str = "published") -> Chosen:
    match = _CLASS.search(name)
    packing_class = int(match[1] or match[2]) if match else 0
    return Chosen(name, source, packing_class, under_published_conventions(read(file)))


def _generated(sizes: tuple[int, ...], seed: int) -> list[Chosen]:
    chosen = []
    for size in sizes:
        for number, packing_class in enumerate(CLASSES):
            distribution = DISTRIBUTIONS[number % len(DISTRIBUTIONS)]
            instance = generate_instance(
                size, packing_class, distribution=distribution, time_windows=True, seed=seed + 1
            )
            instance = under_published_conventions(instance)
            chosen.append(Chosen(instance.name, "generated", packing_class, instance))
    return chosen
