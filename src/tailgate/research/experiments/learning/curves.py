"""``training-curves``: validation loss over the epochs, with and without augmentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from tailgate.research.experiments.experiment import Report, Setting
from tailgate.research.experiments.figures import COLOURS, Figure
from tailgate.research.experiments.intervals import median_interval
from tailgate.research.experiments.learning.network import facts
from tailgate.research.experiments.learning.trainings import TrainingExperiment
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import Table, grouped

MODELS = {"paper": "with augmentation", "paper-no-augmentation": "without augmentation"}


class TrainingCurves(TrainingExperiment):
    """The paper's figure of validation losses."""

    name: ClassVar[str] = "training-curves"
    title: ClassVar[str] = "Training with and without augmentation"
    explanation: ClassVar[str] = (
        "The paper's network is trained with ten permutations of every customer's items and with "
        "none, on the same split by instance; the loss on the validation part after every epoch. "
        "A training ends when it has not improved for some epochs, so that curves may be of "
        "different length. The runs are those of `network`."
    )
    main_table: ClassVar[str] = "losses"
    models = tuple(MODELS)

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Draw the losses and tabulate the best."""
        by_model = dict(grouped(rows.values(), "model"))
        lines = []
        for model, label in MODELS.items():
            runs = by_model[model]
            best = [min(epoch["validation_loss"] for epoch in run["history"]) for run in runs]
            last = [run["history"][-1]["validation_loss"] for run in runs]
            lines.append(
                (
                    label,
                    str(len(runs)),
                    median_interval(best, seed=setting.seed).text(4),
                    median_interval(last, seed=setting.seed).text(4),
                    median_interval([run["best_epoch"] for run in runs]).text(0),
                    median_interval([run["epochs"] for run in runs]).text(0),
                )
            )
        header = ("network", "runs", "best loss", "last loss", "best epoch", "epochs")
        return Report(
            tables=[Table("losses", "Validation loss", header, tuple(lines))],
            figures=[
                Figure("validation-loss", "Validation loss", partial(_draw, by_model=by_model))
            ],
            rows=[
                {"model": run["model"], "seed": run["seed"], "dataset": run["dataset"], **epoch}
                for runs in by_model.values()
                for run in runs
                for epoch in run["history"]
            ],
            facts=facts(setting, rows),
        )


def _draw(figure: Any, *, by_model: Mapping[str, Sequence[Row]]) -> None:
    axes = figure.subplots()
    for number, (model, label) in enumerate(MODELS.items()):
        for run in by_model[model]:
            epochs = [record["epoch"] for record in run["history"]]
            losses = [record["validation_loss"] for record in run["history"]]
            axes.plot(epochs, losses, color=COLOURS[number], linewidth=1, alpha=0.7)
        axes.plot([], [], color=COLOURS[number], label=label)
    axes.set(xlabel="epoch", ylabel="validation loss")
    axes.legend()
