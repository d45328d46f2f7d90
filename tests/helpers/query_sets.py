"""Small data sets of loading questions, made in no time."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tailgate.model.instance import Instance
from tailgate.research.dataset import DatasetOptions
from tailgate.research.dataset.query_source import CHEAP_STAGES
from tailgate.research.generate import generate_instance
from tailgate.research.learning.dataset import (
    PLAN_FILE,
    QUERIES_FOLDER,
    Dataset,
    read_dataset,
    write_manifest,
)
from tailgate.research.learning.query_file import AskedQuery, write_queries
from tailgate.research.learning.query_key import canonical_key
from tailgate.solver.loading import LoadingOracle

NODES = 200


def asked(instance: Instance, routes: list[tuple[int, ...]]) -> list[AskedQuery]:
    """Ask about routes, each question once."""
    oracle = LoadingOracle(instance, use_cache=False)
    vehicle = instance.vehicle
    queries: dict[bytes, AskedQuery] = {}
    for route in routes:
        stops = [
            [(item.width, item.length) for item in instance.customer(customer).items]
            for customer in route
        ]
        key = canonical_key(stops, vehicle.width, vehicle.length)
        answer = oracle.check(route, max_nodes=NODES)
        queries.setdefault(
            key,
            AskedQuery(
                key=key,
                route=route,
                verdict=answer.verdict,
                decided_by=answer.decided_by,
                is_cheap=answer.decided_by in CHEAP_STAGES,
                nodes=answer.nodes,
                seconds=answer.seconds,
                phase="pricing",
            ),
        )
    return list(queries.values())


def random_queries(instance: Instance, count: int, seed: int) -> list[AskedQuery]:
    """Ask about random routes of two to six stops."""
    dice = random.Random(seed)
    customers = range(1, instance.n + 1)
    return asked(
        instance, [tuple(dice.sample(customers, dice.randint(2, 6))) for _ in range(count)]
    )


def make_small_dataset(
    folder: Path, *, instances: int = 9, queries: int = 60, name: str = "made"
) -> Dataset:
    """Write a data set of random routes through small generated instances of classes 2 to 4."""
    (folder / QUERIES_FOLDER).mkdir(parents=True)
    plan = DatasetOptions(instances=instances).plan()
    (folder / PLAN_FILE).write_text(json.dumps(plan), encoding="utf-8")
    for number in range(instances):
        packing_class = 2 + number % 3
        instance = generate_instance(10, packing_class, seed=number, name=f"{name}{number:02d}")
        path = folder / QUERIES_FOLDER / f"{number:05d}.parquet"
        write_queries(path, instance, packing_class, random_queries(instance, queries, number))
    write_manifest(folder)
    return read_dataset(folder)
