"""Makes probabilities of logits that come true, and chooses the threshold by what errors cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tailgate.research.learning.metrics import sigmoid

Floats = NDArray[np.float64]

_ROUNDS = 100
_LEAST_SLOPE, _MOST_SLOPE = 0.05, 20.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Probability = sigmoid((logit + shift) / temperature); feasible from the threshold on."""

    temperature: float = 1.0
    shift: float = 0.0
    threshold: float = 0.5

    def probabilities(self, logits: Floats) -> Floats:
        """Return what the network says, in probabilities."""
        return sigmoid((logits + self.shift) / self.temperature)


def fit_temperature(logits: Floats, is_feasible: NDArray[np.bool_], *, shift: bool) -> Calibration:
    """Fit temperature, and the shift if wanted, by maximum likelihood (Newton's method).

    A shift undoes what weights in the loss did to the predicted share of feasible routes; without
    one, which routes are above one half stays as it was.
    """
    target = is_feasible.astype(np.float64)
    if not 0 < target.sum() < len(target):
        return Calibration()
    columns = np.stack([logits, np.ones_like(logits)], axis=1) if shift else logits[:, None]
    weights = np.array([1.0, 0.0]) if shift else np.array([1.0])
    for _ in range(_ROUNDS):
        p = sigmoid(columns @ weights)
        gradient = columns.T @ (p - target)
        curvature = (columns * (p * (1 - p) + 1e-9)[:, None]).T @ columns
        change = np.linalg.solve(curvature + 1e-9 * np.eye(len(weights)), gradient)
        # Short steps: far from the solution the quadratic model is wrong.
        weights = weights - np.clip(change, -0.5, 0.5)
        if np.abs(change).max() < 1e-9:
            break
    slope = float(np.clip(weights[0], _LEAST_SLOPE, _MOST_SLOPE))
    return Calibration(temperature=1 / slope, shift=float(weights[1]) / slope if shift else 0.0)


def cheapest_threshold(
    probabilities: Floats, is_feasible: NDArray[np.bool_], false_positive_cost: float
) -> float:
    """Return the threshold at which errors cost least, a false negative being one check."""
    order = np.argsort(probabilities, kind="stable")
    values, labels = probabilities[order], is_feasible[order]
    # With the threshold before entry k, the k lowest are predicted infeasible.
    missed = np.concatenate([[0], np.cumsum(labels)])
    accepted = np.concatenate([[0], np.cumsum(~labels)])
    cost = missed + false_positive_cost * (accepted[-1] - accepted)
    middle = (values[1:] + values[:-1]) / 2
    # Between neighbours there may be no other number.
    middle = np.where(middle > values[:-1], middle, values[1:])
    between = np.concatenate([[0.0], middle, [(values[-1] + 1) / 2]])
    is_cut = np.concatenate([[True], values[1:] > values[:-1], [between[-1] > values[-1]]])
    best = int(np.argmin(np.where(is_cut, cost, np.inf)))
    return float(between[best])
