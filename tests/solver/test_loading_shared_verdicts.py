"""Loading queries whose verdicts were proven elsewhere: routes of the benchmark, sawn floors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from builders import benchmark_folder
from loading_cases import assert_sound
from tailgate.research.experiments.loading.labels import (
    Label,
    LabelSet,
    count_labels,
    label_sets,
    read_labels,
)
from tailgate.solver.loading import LoadingOracle, Verdict

SECONDS_PER_ROUTE = 10
SAMPLE = 100
"""Of each set, in the ordinary suite; all of them in the longer one."""


@pytest.fixture(scope="module")
def folder() -> Path:
    """Return the benchmark folder, or skip where this machine does not have it."""
    return benchmark_folder() or pytest.skip("the published benchmark: TAILGATE_BENCHMARK_DIR")


@pytest.fixture(scope="module")
def sets(folder: Path) -> list[LabelSet]:
    """Return the sets of labels that lie beside the benchmark, or skip without any."""
    return label_sets(folder) or pytest.skip("there are no labels beside the benchmark folder")


def count_answers(labels: Iterable[Label]) -> Counter[Verdict]:
    """Ask all; a wrong answer or a plan that the judge refuses fails at once."""
    counts: Counter[Verdict] = Counter()
    for label in labels:
        instance = label.instance
        oracle = LoadingOracle(instance, use_cache=False)
        result = oracle.check(label.route, time_limit=SECONDS_PER_ROUTE)
        counts[result.verdict] += 1
        assert_sound(instance, label.route, result, lifo=instance.conventions.lifo)
        if result.verdict is not Verdict.UNKNOWN:
            assert (result.verdict is Verdict.FEASIBLE) == label.is_feasible, label.name
    return counts


def test_a_sample_of_the_shared_verdicts_is_reproduced(folder: Path, sets: list[LabelSet]) -> None:
    """An even sample of every file and variant, short enough for every run."""
    for labels in sets:
        step = count_labels(folder, labels) // SAMPLE + 1
        counts = count_answers(read_labels(folder, labels, slice(None, None, step)))
        assert counts.total() >= SAMPLE / 2
        assert counts[Verdict.UNKNOWN] <= 0.01 * counts.total(), labels.name
        assert min(counts[Verdict.FEASIBLE], counts[Verdict.INFEASIBLE]) >= 5


@pytest.mark.long
def test_all_shared_verdicts_are_reproduced(folder: Path, sets: list[LabelSet]) -> None:
    """None wrong, at most one in a hundred unknown at ten seconds a route."""
    for labels in sets:
        counts = count_answers(read_labels(folder, labels, slice(None)))
        assert counts.total() == count_labels(folder, labels)
        assert counts[Verdict.UNKNOWN] <= 0.01 * counts.total(), labels.name
