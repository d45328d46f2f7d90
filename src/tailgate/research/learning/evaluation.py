"""Measures predictions on all queries and on those that bounds and dives leave, in groups."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tailgate.model.errors import InputError
from tailgate.research.learning.baselines import BASELINES, Baseline
from tailgate.research.learning.dataset import Dataset
from tailgate.research.learning.metrics import (
    Flags,
    Floats,
    Scores,
    calibration_curve,
    or_none,
    scores,
)
from tailgate.research.learning.prediction import Part, predict
from tailgate.research.learning.query_file import QueryTable
from tailgate.research.learning.splits import Split, apply_split
from tailgate.research.learning.training import TrainedRun

LONG_ROUTE = 8
"""Stops; longer ones are counted with these."""
SETS = ("all", "rest")
"""All queries, and those that bounds and dives do not settle: what a network really sees."""
MEASURES = ("tpr", "tnr", "roc_auc", "pr_auc", "brier", "calibration_error")


@dataclass(frozen=True)
class Evaluation:
    """The scores of one model on one test set."""

    groups: dict[tuple[str, str], Scores]
    """By set and group."""
    curves: dict[str, list[dict[str, float]]]
    """Calibration, by set."""

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "groups": [
                {"set": which, "group": group, **score.to_dict()}
                for (which, group), score in self.groups.items()
            ],
            "calibration": self.curves,
        }


def test_queries(run: TrainedRun, dataset: Dataset) -> QueryTable:
    """Return what a run may be tested on.

    Of its own data set, the test part of its split. Of another one, every distinct query with
    a verdict that it was not trained on.
    """
    if dataset.id == run.split.dataset:
        return apply_split(run.split, dataset)["test"]
    return unseen_queries(dataset, run.training_keys)


def unseen_queries(dataset: Dataset, training_keys: NDArray[np.bytes_]) -> QueryTable:
    """Return every distinct query with a verdict that nobody was trained on."""
    table = dataset.queries.select(dataset.queries.is_known)
    _, first = np.unique(table.keys, return_index=True)
    table = table.select(np.sort(first))
    fresh = table.select(~np.isin(table.keys, training_keys))
    if not len(fresh):
        raise InputError(
            "has no query that the network has not seen in training", source=str(dataset.folder)
        )
    return fresh


def evaluate_run(run: TrainedRun, queries: QueryTable) -> Evaluation:
    """Measure the network of a run."""
    logits = predict(run.network, Part.of(queries))
    calibration = run.calibration
    return evaluate(queries, calibration.probabilities(logits), calibration.threshold)


def evaluate(queries: QueryTable, probabilities: Floats, threshold: float) -> Evaluation:
    """Measure predictions in all groups."""
    labels = queries.is_feasible
    groups = {}
    curves = {}
    for which in SETS:
        inside = ~queries.is_cheap if which == "rest" else np.ones(len(queries), dtype=bool)
        curves[which] = calibration_curve(probabilities[inside], labels[inside])
        for group, rows in _groups(queries):
            chosen = rows & inside
            if chosen.any():
                groups[which, group] = scores(probabilities[chosen], labels[chosen], threshold)
    return Evaluation(groups, curves)


def _groups(queries: QueryTable) -> Iterator[tuple[str, Flags]]:
    yield "overall", np.ones(len(queries), dtype=bool)
    for number in np.unique(queries.packing_class):
        yield f"class {number}", np.asarray(queries.packing_class == number)
    lengths = np.minimum(queries.stop_count, LONG_ROUTE)
    for length in np.unique(lengths):
        more = " or more" if length == LONG_ROUTE else ""
        yield f"stops {length}{more}", np.asarray(lengths == length)
    for stage in np.unique(queries.decided_by):
        yield f"stage {stage}", np.asarray(queries.decided_by == stage)


@dataclass(frozen=True)
class Spread:
    """Mean and deviation over several runs; the deviation of a single one is NaN."""

    mean: float
    deviation: float

    @staticmethod
    def of(values: Sequence[float | None]) -> Spread:
        """Summarise what several seeds gave."""
        known = [value for value in values if value is not None and not math.isnan(value)]
        if not known:
            return Spread(math.nan, math.nan)
        deviation = float(np.std(known, ddof=1)) if len(known) > 1 else math.nan
        return Spread(float(np.mean(known)), deviation)

    def to_dict(self) -> dict[str, float | None]:
        """Return it for JSON, which has no NaN."""
        return {"mean": or_none(self.mean), "sd": or_none(self.deviation)}

    def text(self, *, percent: bool = True) -> str:
        """Return "94.1 ± 0.3", in percent or as it is."""
        if math.isnan(self.mean):
            return "-"
        factor, digits = (100, 2) if percent else (1, 4)
        mean = f"{factor * self.mean:.{digits}f}"
        return mean if math.isnan(self.deviation) else f"{mean} ± {factor * self.deviation:.2f}"


@dataclass(frozen=True)
class ModelScores:
    """One model, over several runs."""

    model: str
    evaluations: Sequence[Evaluation]

    @property
    def groups(self) -> dict[tuple[str, str], dict[str, Spread]]:
        """Mean and deviation of every measure in every set and group that all runs have."""
        first, *others = self.evaluations
        summary = {}
        for place in first.groups:
            if all(place in other.groups for other in others):
                found = [evaluation.groups[place].to_dict() for evaluation in self.evaluations]
                summary[place] = {
                    name: Spread.of([one[name] for one in found]) for name in MEASURES
                }
        return summary

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "model": self.model,
            "seeds": len(self.evaluations),
            "groups": [
                {
                    "set": which,
                    "group": group,
                    **{name: spread.to_dict() for name, spread in measures.items()},
                }
                for (which, group), measures in self.groups.items()
            ],
        }


def evaluate_baselines(
    dataset: Dataset, split: Split, *, seeds: Sequence[int], false_positive_cost: float
) -> list[ModelScores]:
    """Train and test the simple models on the same split."""
    parts = apply_split(split, dataset)
    rows = []
    for name in BASELINES:
        evaluations = []
        # Only the boosting draws anything.
        for seed in seeds if name == "boosting" else seeds[:1]:
            baseline = Baseline(name, seed=seed)
            baseline.fit(parts["train"], parts["validation"], false_positive_cost)
            probabilities = baseline.probabilities(parts["test"])
            evaluations.append(evaluate(parts["test"], probabilities, baseline.threshold))
        rows.append(ModelScores(name, evaluations))
    return rows
