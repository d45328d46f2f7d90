"""What simple models on simple numbers achieve: a network has to beat them."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tailgate.model.errors import TailgateError
from tailgate.research.learning.calibration import cheapest_threshold
from tailgate.research.learning.query_file import QueryTable

BaselineName = Literal["logistic", "boosting"]
BASELINES: tuple[BaselineName, ...] = ("logistic", "boosting")

_SHARES = (1 / 3, 1 / 2, 2 / 3)


def simple_features(table: QueryTable) -> NDArray[np.float64]:
    """Return sums and extremes over the items of each route, a row per query."""
    item_counts = np.add.reduceat(table.items_per_stop, table.stop_starts[:-1])
    starts = np.cumsum(item_counts) - item_counts
    floor = np.repeat(table.floor, item_counts, axis=0)
    width, length = (table.item_sizes / floor).T
    area = width * length
    columns = [item_counts, table.stop_count]
    for values in (area, width, length, width * width, length * length, area * area):
        columns.append(np.add.reduceat(values, starts))
    for values in (width, length, area):
        columns.append(np.maximum.reduceat(values, starts))
        columns.append(np.minimum.reduceat(values, starts))
    for share in _SHARES:
        for side, other in ((width, length), (length, width)):
            beyond = side > share
            columns.append(np.add.reduceat(beyond.astype(np.float64), starts))
            columns.append(np.add.reduceat(np.where(beyond, other, 0.0), starts))
            columns.append(np.add.reduceat(np.where(beyond, area, 0.0), starts))
    stop_area = np.add.reduceat(area, table.item_starts[:-1])
    columns.append(np.maximum.reduceat(stop_area, table.stop_starts[:-1]))
    first = stop_area[table.stop_starts[:-1]]
    last = stop_area[table.stop_starts[1:] - 1]
    # A route and its reverse have the same answer, so they get the same numbers.
    columns += [np.minimum(first, last), np.maximum(first, last)]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


class Baseline:
    """A model of scikit-learn on simple features."""

    def __init__(self, name: BaselineName, *, seed: int = 0) -> None:
        self._model = _make(name, seed)
        self.threshold = 0.5

    def fit(self, train: QueryTable, validation: QueryTable, false_positive_cost: float) -> None:
        """Train it, and choose the threshold as for the networks."""
        self._model.fit(simple_features(train), train.is_feasible)
        rest = validation.select(~validation.is_cheap)
        if 0 < rest.is_feasible.sum() < len(rest):
            self.threshold = cheapest_threshold(
                self.probabilities(rest), rest.is_feasible, false_positive_cost
            )

    def probabilities(self, table: QueryTable) -> NDArray[np.float64]:
        """Predict."""
        return np.asarray(self._model.predict_proba(simple_features(table))[:, 1])


def _make(name: BaselineName, seed: int) -> Any:
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
    except ImportError as error:
        raise TailgateError(
            "baselines need scikit-learn; install it with: pip install 'tailgate[train]'"
        ) from error
    if name == "logistic":
        return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1_000))
    return HistGradientBoostingClassifier(
        max_iter=300, learning_rate=0.1, early_stopping=False, random_state=seed
    )
