"""Measures predictions on all questions and on those that bounds and dives leave, in groups."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tailgate.errors import InputError
from tailgate.network.dataset import Dataset
from tailgate.network.metrics import Flags, Floats, Scores, calibration_curve, scores
from tailgate.network.prediction import Part, predict
from tailgate.network.query_file import QueryTable
from tailgate.network.splits import apply_split
from tailgate.network.training import TrainedRun

LONG_ROUTE = 8
"""Stops; longer ones are counted with these."""
SETS = ("all", "rest")
"""All questions, and those that bounds and dives do not settle: what a network really sees."""
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


def test_questions(run: TrainedRun, dataset: Dataset) -> QueryTable:
    """Return what a run may be tested on.

    Of its own data set, the test part of its split. Of another one, every distinct question with
    a verdict that it was not trained on.
    """
    if dataset.id == run.split.dataset:
        return apply_split(run.split, dataset)["test"]
    return unseen_questions(dataset, run.training_keys)


def unseen_questions(dataset: Dataset, training_keys: NDArray[np.bytes_]) -> QueryTable:
    """Return every distinct question with a verdict that nobody was trained on."""
    table = dataset.queries.select(dataset.queries.is_known)
    _, first = np.unique(table.keys, return_index=True)
    table = table.select(np.sort(first))
    fresh = table.select(~np.isin(table.keys, training_keys))
    if not len(fresh):
        raise InputError(
            "has no question that the network has not seen in training", source=str(dataset.folder)
        )
    return fresh


def evaluate_run(run: TrainedRun, questions: QueryTable) -> Evaluation:
    """Measure the network of a run."""
    logits = predict(run.network, Part.of(questions))
    calibration = run.calibration
    return evaluate(questions, calibration.probabilities(logits), calibration.threshold)


def evaluate(questions: QueryTable, probabilities: Floats, threshold: float) -> Evaluation:
    """Measure predictions in all groups."""
    labels = questions.is_feasible
    groups = {}
    curves = {}
    for which in SETS:
        inside = ~questions.is_cheap if which == "rest" else np.ones(len(questions), dtype=bool)
        curves[which] = calibration_curve(probabilities[inside], labels[inside])
        for group, rows in _groups(questions):
            chosen = rows & inside
            if chosen.any():
                groups[which, group] = scores(probabilities[chosen], labels[chosen], threshold)
    return Evaluation(groups, curves)


def _groups(questions: QueryTable) -> Iterator[tuple[str, Flags]]:
    yield "overall", np.ones(len(questions), dtype=bool)
    for number in np.unique(questions.packing_class):
        yield f"class {number}", np.asarray(questions.packing_class == number)
    lengths = np.minimum(questions.stop_count, LONG_ROUTE)
    for length in np.unique(lengths):
        more = " or more" if length == LONG_ROUTE else ""
        yield f"stops {length}{more}", np.asarray(lengths == length)
    for stage in np.unique(questions.decided_by):
        yield f"stage {stage}", np.asarray(questions.decided_by == stage)


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

    def text(self, *, percent: bool = True) -> str:
        """Return "94.1 ± 0.3", in percent or as it is."""
        if math.isnan(self.mean):
            return "-"
        factor, digits = (100, 2) if percent else (1, 4)
        mean = f"{factor * self.mean:.{digits}f}"
        return mean if math.isnan(self.deviation) else f"{mean} ± {factor * self.deviation:.2f}"


def spreads(evaluations: Sequence[Evaluation]) -> dict[tuple[str, str], dict[str, Spread]]:
    """Return mean and deviation of every measure in every group that all runs have."""
    first, *others = evaluations
    summary = {}
    for place in first.groups:
        if all(place in other.groups for other in others):
            found = [evaluation.groups[place].to_dict() for evaluation in evaluations]
            summary[place] = {name: Spread.of([one[name] for one in found]) for name in MEASURES}
    return summary
