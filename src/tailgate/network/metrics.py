"""How good predictions are. Plain numpy, so that every kind of model is measured alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CALIBRATION_BINS = 10


@dataclass(frozen=True, slots=True)
class Scores:
    """What predictions on one set of questions are worth; NaN where it has one verdict only."""

    count: int
    feasible: int
    true_positive_rate: float
    true_negative_rate: float
    roc_auc: float
    pr_auc: float
    brier: float
    calibration_error: float
    """Mean distance between predicted and true share of feasible ones, over bins."""

    def to_dict(self) -> dict[str, float | int | None]:
        """Return it for JSON, which has no NaN."""
        return {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in (
                ("count", self.count),
                ("feasible", self.feasible),
                ("tpr", self.true_positive_rate),
                ("tnr", self.true_negative_rate),
                ("roc_auc", self.roc_auc),
                ("pr_auc", self.pr_auc),
                ("brier", self.brier),
                ("calibration_error", self.calibration_error),
            )
        }


def scores(probabilities: Floats, is_feasible: Flags, threshold: float) -> Scores:
    """Measure predictions; a question counts as predicted feasible from the threshold on."""
    predicted = probabilities >= threshold
    positives, negatives = int(is_feasible.sum()), int((~is_feasible).sum())
    both = positives and negatives
    return Scores(
        count=len(is_feasible),
        feasible=positives,
        true_positive_rate=float(predicted[is_feasible].mean()) if positives else math.nan,
        true_negative_rate=float((~predicted[~is_feasible]).mean()) if negatives else math.nan,
        roc_auc=roc_auc(probabilities, is_feasible) if both else math.nan,
        pr_auc=average_precision(probabilities, is_feasible) if both else math.nan,
        brier=float(np.mean((probabilities - is_feasible) ** 2)) if len(predicted) else math.nan,
        calibration_error=calibration_error(probabilities, is_feasible),
    )


def roc_auc(values: Floats, is_feasible: Flags) -> float:
    """Return the share of pairs of a feasible and an infeasible one in the right order."""
    positives = int(is_feasible.sum())
    negatives = len(is_feasible) - positives
    if not positives or not negatives:
        return math.nan
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[inverse]
    return float(
        (ranks[is_feasible].sum() - positives * (positives + 1) / 2) / (positives * negatives)
    )


def average_precision(values: Floats, is_feasible: Flags) -> float:
    """Return the area under precision over recall, as a sum over the thresholds."""
    order = np.argsort(-values, kind="stable")
    hits = np.cumsum(is_feasible[order])
    # Only where the value changes is there a threshold between.
    ends = np.flatnonzero(np.diff(values[order], append=-math.inf))
    precision = hits[ends] / (ends + 1)
    recall = hits[ends] / max(1, int(is_feasible.sum()))
    return float(np.sum(np.diff(recall, prepend=0.0) * precision))


def calibration_error(probabilities: Floats, is_feasible: Flags) -> float:
    """Return the expected calibration error over bins of equal width."""
    if not len(probabilities):
        return math.nan
    bins = np.minimum((probabilities * CALIBRATION_BINS).astype(int), CALIBRATION_BINS - 1)
    predicted = np.bincount(bins, probabilities, CALIBRATION_BINS)
    true = np.bincount(bins, is_feasible.astype(float), CALIBRATION_BINS)
    return float(np.abs(predicted - true).sum() / len(probabilities))


def calibration_curve(probabilities: Floats, is_feasible: Flags) -> list[dict[str, float]]:
    """Return for each bin that has questions: mean prediction, share of feasible, count."""
    bins = np.minimum((probabilities * CALIBRATION_BINS).astype(int), CALIBRATION_BINS - 1)
    curve = []
    for number in range(CALIBRATION_BINS):
        rows = bins == number
        if rows.any():
            curve.append(
                {
                    "predicted": float(probabilities[rows].mean()),
                    "feasible": float(is_feasible[rows].mean()),
                    "count": int(rows.sum()),
                }
            )
    return curve


def sigmoid(logits: Floats) -> Floats:
    """Return probabilities without overflow at either end."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * np.asarray(logits, dtype=np.float64))))
