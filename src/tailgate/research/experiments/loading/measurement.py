"""Routes put to our oracle and to CP-SAT, in four variants of the loading problem."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tailgate.model.instance import Instance
from tailgate.research.experiments.instances import Chosen
from tailgate.research.experiments.loading.answers import Answer, answer_of, text_of
from tailgate.research.experiments.loading.cases import (
    alone,
    in_millimetres,
    instance_of,
    stops_of,
)
from tailgate.research.experiments.loading.cp_sat import CpSatQuery, ask_cp_sat
from tailgate.research.experiments.loading.random_routes import LOWEST_FILL, RouteSampler
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.variants import AS_GIVEN, VARIANTS
from tailgate.solver.loading import LoadingOracle


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked about the routes of an instance."""

    lowest_fill: float
    """Of the floor; the highest is 1."""
    routes: int
    cp_sat_every: int
    """CP-SAT is asked about one of so many; 0 if it is not there."""
    time_limit: float
    seed: int


def measure(chosen: Chosen, plan: Plan, commit: str) -> Row:
    """Ask about routes of one instance in all variants, one after the other.

    Ours and CP-SAT are asked in turns, so that a busy moment of the machine hits both. Each gets
    all queries of a variant before the other one does: in use, too, query follows query.
    """
    instance = chosen.instance
    seed = f"{plan.seed} {chosen.name}"
    routes = RouteSampler(instance, seed, plan.lowest_fill).sample_distinct(plan.routes)
    names = ["-".join(map(str, route)) for route in routes]
    variants = {}
    problems = []
    for variant in VARIANTS:
        queries = [alone(variant.of(instance), route) for route in routes]
        ours, decided_by = _ask_ours(queries, plan.time_limit)
        every = plan.cp_sat_every
        cp_sat = _ask_cp_sat(queries[::every], plan.time_limit) if every else []
        problems += _contradictions(names[::every], ours[::every], cp_sat) if every else []
        blown_up: list[Answer] = []
        if variant is AS_GIVEN and plan.lowest_fill == LOWEST_FILL:
            blown_up, _ = _ask_ours(_in_millimetres(instance, routes, seed), plan.time_limit)
            problems += _contradictions(names, ours, blown_up)
        more = {
            "cp_sat": text_of(cp_sat),
            "millimetres": text_of(blown_up),
            "undecided": [name for name, one in zip(names, ours, strict=True) if one.is_undecided],
        }
        variants[variant.name] = {
            "ours": text_of(ours),
            "decided_by": dict(Counter(decided_by)),
            # What is empty is left out.
            **{name: value for name, value in more.items() if value},
        }
    return {
        "instance": chosen.name,
        "source": chosen.source,
        "packing_class": chosen.packing_class,
        "lowest_fill": plan.lowest_fill,
        "time_limit": plan.time_limit,
        "seed": plan.seed,
        "commit": commit,
        "cp_sat_every": plan.cp_sat_every,
        "variants": variants,
        "problems": problems,
    }


def _in_millimetres(
    instance: Instance, routes: Sequence[Sequence[int]], seed: str
) -> list[Instance]:
    floor = instance.vehicle
    return [
        instance_of(
            *in_millimetres(
                floor.width,
                floor.length,
                stops_of(instance, route),
                random.Random(f"{seed} {route}"),
            )
        )
        for route in routes
    ]


def _ask_ours(queries: Sequence[Instance], time_limit: float) -> tuple[list[Answer], list[str]]:
    """Return the answers, and what has decided each."""
    # Every one is put to a new oracle without a cache: nothing is known from an earlier query.
    oracles = [LoadingOracle(query, use_cache=False) for query in queries]
    answers, decided_by = [], []
    for oracle in oracles:
        route = range(1, oracle.instance.n + 1)
        started = time.perf_counter()
        result = oracle.check(route, time_limit=time_limit)
        answers.append(answer_of(result.verdict.value, time.perf_counter() - started))
        decided_by.append(result.decided_by)
    return answers, decided_by


def _ask_cp_sat(queries: Sequence[Instance], time_limit: float) -> list[Answer]:
    answers = []
    for query in queries:
        said = ask_cp_sat(CpSatQuery(query, range(1, query.n + 1), time_limit))
        # It has to write its model first.
        answers.append(answer_of(said.verdict, said.writing_seconds + said.seconds))
    return answers


def _contradictions(
    names: Sequence[str], ours: Sequence[Answer], others: Sequence[Answer]
) -> list[str]:
    return [
        f"{name}: {one.verdict}, and another answer is {other.verdict}"
        for name, one, other in zip(names, ours, others, strict=True)
        if not (one.is_undecided or other.is_undecided) and one.verdict != other.verdict
    ]
