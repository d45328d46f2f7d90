"""How good predictions are: every kind of model is measured alike."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CALIBRATION_BINS = 10


@dataclass(frozen=True, slots=True)
class Scores:
    """What predictions on one set of queries are worth; NaN where it has one verdict only."""

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
        """Return it for JSON."""
        names = {"true_positive_rate": "tpr", "true_negative_rate": "tnr"}
        return {names.get(name, name): or_none(value) for name, value in asdict(self).items()}


def or_none(value: float) -> float | None:
    """Return a number for JSON, which has no NaN."""
    return None if math.isnan(value) else value


def scores(probabilities: Floats, is_feasible: Flags, threshold: float) -> Scores:
    """Measure predictions; a query counts as predicted feasible from the threshold on."""
    predicted = probabilities >= threshold
    positives, negatives = int(is_feasible.sum()), int((~is_feasible).sum())
    return Scores(
        count=len(is_feasible),
        feasible=positives,
        true_positive_rate=float(predicted[is_feasible].mean()) if positives else math.nan,
        true_negative_rate=float((~predicted[~is_feasible]).mean()) if negatives else math.nan,
        roc_auc=roc_auc(probabilities, is_feasible),
        pr_auc=average_precision(probabilities, is_feasible),
        brier=float(np.mean((probabilities - is_feasible) ** 2)) if len(predicted) else math.nan,
        calibration_error=calibration_error(probabilities, is_feasible),
    )


def roc_auc(values: Floats, is_feasible: Flags) -> float:
    """Return the area under ROC; NaN where there is one verdict only."""
    # Loaded late: scikit-learn is of the extra "train".
    from sklearn.metrics import roc_auc_score

    both = 0 < is_feasible.sum() < len(is_feasible)
    return float(roc_auc_score(is_feasible, values)) if both else math.nan


def average_precision(values: Floats, is_feasible: Flags) -> float:
    """Return the area under precision over recall; NaN where there is one verdict only."""
    from sklearn.metrics import average_precision_score

    both = 0 < is_feasible.sum() < len(is_feasible)
    return float(average_precision_score(is_feasible, values)) if both else math.nan


def calibration_error(probabilities: Floats, is_feasible: Flags) -> float:
    """Return the expected calibration error over bins of equal width."""
    curve = calibration_curve(probabilities, is_feasible)
    errors = [one["count"] * abs(one["predicted"] - one["feasible"]) for one in curve]
    return sum(errors) / len(probabilities) if errors else math.nan


def calibration_curve(probabilities: Floats, is_feasible: Flags) -> list[dict[str, float]]:
    """Return for each bin that has queries: mean prediction, share of feasible, count."""
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
