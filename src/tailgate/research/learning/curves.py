"""How a training went, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tailgate.io.text_file import writing


def draw_curves(history: Sequence[dict[str, Any]], path: Path) -> bool:
    """Draw losses and areas over the epochs as SVG; False: matplotlib is not there."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    epochs = [record["epoch"] for record in history]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    for name, label in (("train_loss", "training"), ("validation_loss", "validation")):
        left.plot(epochs, [record[name] for record in history], label=label)
    left.set(xlabel="epoch", ylabel="weighted cross-entropy")
    left.legend()
    for name, label in (
        ("validation_auc", "all queries"),
        ("validation_auc_rest", "after bounds and dives"),
    ):
        values = [record[name] for record in history]
        if None not in values:
            right.plot(epochs, values, label=label)
    right.set(xlabel="epoch", ylabel="area under ROC, validation")
    right.legend()
    with writing(path) as file:
        figure.savefig(file, format="svg")
    pyplot.close(figure)
    return True
