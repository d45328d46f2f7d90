"""Makes a data set: many instances, solved one by one, and every loading query kept.

An instance that has its file is done, so an interrupted run goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tailgate.io.text_file import read_text, write_text
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.instance import Instance
from tailgate.research.dataset.query_source import QuerySource
from tailgate.research.generate import DISTRIBUTIONS, Distribution, default_name, generate_instance
from tailgate.research.learning.dataset import (
    FORMAT,
    PLAN_FILE,
    QUERIES_FOLDER,
    class_of_name,
    write_manifest,
)
from tailgate.research.learning.query_file import AskedQuery, import_pyarrow, write_queries
from tailgate.solver.loading import read
from tailgate.solver.workers import Lost, Outcome, Task, ThisProcess, Workers

MANIFEST_EVERY = 20
"""Instances; so that a run that is still going on can be used."""


@dataclass(frozen=True, slots=True)
class DatasetOptions:
    """What is to be made."""

    instances: int = 320
    classes: tuple[int, ...] = (2, 3, 4, 2, 3, 4, 4, 5)
    """In turns; a class that stands there more often gets more instances."""
    least_customers: int = 15
    most_customers: int = 40
    seconds: float = 20.0
    """For one instance, about."""
    seed: int = 0
    files: tuple[str, ...] = ()
    """Instances to solve instead of generated ones."""

    def plan(self) -> dict[str, Any]:
        """Return what must not change when a run is resumed; more instances may be added."""
        plan = asdict(self)
        del plan["instances"]
        return {**plan, "classes": list(self.classes), "files": list(self.files)}


@dataclass(frozen=True, slots=True)
class Job:
    """One instance to be solved."""

    name: str
    packing_class: int
    seconds: float
    seed: int
    path: str
    """Of the file that takes the queries."""
    source: str | None = None
    """A file to read the instance from; without it the rest says what to generate."""
    customers: int = 0
    distribution: Distribution = "random"
    time_windows: bool = False

    def generate(self) -> Instance:
        """Make the instance that has no file."""
        names = ("distribution", "time_windows", "seed", "name")
        options = {name: getattr(self, name) for name in names}
        return generate_instance(self.customers, self.packing_class, **options)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker has found out about one instance, or why it could not."""

    instance: Instance | None = None
    queries: tuple[AskedQuery, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """What came of one instance."""

    name: str
    packing_class: int
    keys: tuple[bytes, ...] = field(default=(), repr=False)
    problem: str = ""


def jobs(options: DatasetOptions, folder: Path) -> list[Job]:
    """List all instances of a data set; a longer list begins like a shorter one."""
    queries = folder / QUERIES_FOLDER
    if options.files:
        names = [Path(file).stem for file in options.files]
        if len(set(names)) != len(names):
            raise InputError("two instances have the same file name", field="--from")
        return [
            Job(
                name=name,
                packing_class=class_of_name(name),
                seconds=options.seconds,
                seed=options.seed,
                path=str(queries / f"{name}.parquet"),
                source=file,
            )
            for name, file in zip(names, options.files, strict=True)
        ]
    planned = []
    for number in range(options.instances):
        stream = np.random.default_rng([options.seed, number])
        customers = int(stream.integers(options.least_customers, options.most_customers + 1))
        distribution = DISTRIBUTIONS[int(stream.integers(len(DISTRIBUTIONS)))]
        time_windows = bool(stream.integers(2))
        # Far from small numbers, which people use for their own instances.
        seed = int(stream.integers(10**6, 10**9))
        packing_class = options.classes[number % len(options.classes)]
        name = default_name(customers, packing_class, distribution, seed, time_windows=time_windows)
        planned.append(
            Job(
                name=name,
                packing_class=packing_class,
                seconds=options.seconds,
                seed=seed,
                path=str(queries / f"{number:05d}-{name}.parquet"),
                customers=customers,
                distribution=distribution,
                time_windows=time_windows,
            )
        )
    return planned


def make_dataset(
    folder: Path,
    options: DatasetOptions,
    *,
    workers: Workers | None = None,
    on_progress: Callable[[int, int, Done], None] | None = None,
) -> dict[str, Any]:
    """Solve all instances that have no file yet, and write manifest and card; return the former.

    Without workers it is done in this process. `on_progress` gets the number of instances done,
    that of all, and what the last one gave.
    """
    import_pyarrow()
    (folder / QUERIES_FOLDER).mkdir(parents=True, exist_ok=True)
    _keep_plan(folder, options)
    planned = jobs(options, folder)
    left = [job for job in planned if not Path(job.path).exists()]
    count = len(planned) - len(left)
    try:
        for done in _run(left, workers or ThisProcess()):
            count += 1
            if on_progress is not None:
                on_progress(count, len(planned), done)
            if count % MANIFEST_EVERY == 0:
                write_manifest(folder)
    except KeyboardInterrupt:
        if any((folder / QUERIES_FOLDER).glob("*.parquet")):
            write_manifest(folder)
        raise
    return write_manifest(folder)


def _run(planned: Sequence[Job], workers: Workers) -> Iterator[Done]:
    by_path = {job.path: job for job in planned}
    tasks = []
    for job in planned:
        try:
            # Read here, for other machines may not have the file.
            given = None if job.source is None else read(job.source, lifo=True)
        except TailgateError as error:
            yield Done(job.name, job.packing_class, problem=str(error))
            continue
        tasks.append(Task(job.path, solve_job, (job, given)))
    for outcome in workers.run(tasks):
        yield _keep(by_path[outcome.key], outcome)


def solve_job(job: Job, given: Instance | None) -> Answer:
    """Solve one instance, perhaps far from the folder of the data set."""
    try:
        instance = job.generate() if given is None else given
        queries = QuerySource(instance, seed=job.seed).ask(job.seconds)
    except TailgateError as error:
        return Answer(problem=str(error))
    return Answer(instance, tuple(queries))


def _keep(job: Job, outcome: Outcome) -> Done:
    """Write the queries of one instance; a file is there wholly or not."""
    answer = Answer(problem=outcome.reason) if isinstance(outcome, Lost) else outcome.value
    if answer.instance is None:
        return Done(job.name, job.packing_class, problem=answer.problem)
    write_queries(Path(job.path), answer.instance, job.packing_class, answer.queries)
    return Done(job.name, job.packing_class, tuple(query.key for query in answer.queries))


def _keep_plan(folder: Path, options: DatasetOptions) -> None:
    """Store what is being made, or refuse to mix it with something else."""
    path = folder / PLAN_FILE
    plan = options.plan()
    if not path.exists():
        write_text(path, json.dumps({"format": FORMAT, **plan}, indent=2) + "\n")
        return
    stored = json.loads(read_text(path))
    differences = [name for name in plan if stored.get(name) != plan[name]]
    if differences:
        name = differences[0]
        raise InputError(
            f"the data set there was begun with {name} {stored.get(name)}, not {plan[name]}; "
            "use the same options or another folder",
            source=str(folder),
        )
