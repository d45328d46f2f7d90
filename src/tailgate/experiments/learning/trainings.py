"""Trainings that several experiments look at: made once, kept as rows."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tailgate.dataset import DatasetOptions, Done, make_dataset
from tailgate.errors import TailgateError
from tailgate.experiments.experiment import Experiment, Setting, Watch
from tailgate.experiments.row_store import Row
from tailgate.network.configuration import PRESETS
from tailgate.network.dataset import Dataset, read_dataset
from tailgate.network.metrics import Flags, Floats
from tailgate.network.query_file import QueryTable
from tailgate.work import Task, Workers

if TYPE_CHECKING:
    from tailgate.network.baselines import BaselineName

STORE = "trainings"
DATA_FOLDER = "data"
SEEDS, QUICK_SEEDS = 3, 1
QUICK_EPOCHS, QUICK_BATCH = 3, 256
QUICK_DATA = DatasetOptions(
    instances=9, classes=(2, 3, 4), least_customers=9, most_customers=11, seconds=1.5
)
ROC_STEPS = 100
_EXTRA = {"torch": "torch", "pyarrow": "pyarrow", "sklearn": "scikit-learn"}


class TrainingExperiment(Experiment):
    """An experiment whose tasks are trainings; all of them share their rows."""

    options: ClassVar[frozenset[str]] = frozenset({"repeats", "data"})
    models: Sequence[str]

    @property
    def store(self) -> str:
        """The same for all."""
        return STORE

    def require(self, setting: Setting) -> None:
        """Say how to get torch, before anything is made."""
        del setting
        absent = [name for module, name in _EXTRA.items() if not importlib.util.find_spec(module)]
        if absent:
            raise TailgateError(
                f"{self.name} trains networks and needs {', '.join(absent)}; install it with: "
                "pip install 'tailgate[train]'"
            )

    def missing(self, setting: Setting) -> list[str]:
        """The size of the data set rules everything; say so where it is a toy."""
        if not setting.quick:
            return []
        return ["A quick run trains on a toy: its rates say that everything works, and no more."]

    def prepare(self, setting: Setting, workers: Workers, watch: Watch) -> None:
        """Make the data set, unless one is given; one that is there already stays."""
        if setting.data is not None:
            return
        options = QUICK_DATA if setting.quick else DatasetOptions(seed=setting.seed)

        def tell(done: int, total: int, last: Done) -> None:
            watch(done, total, f"data set: {last.name}")

        folder = setting.out / STORE / DATA_FOLDER
        make_dataset(folder, options, workers=workers, on_progress=tell)

    def tasks(self, setting: Setting) -> list[Task]:
        """Train every model with every seed; the models take turns."""
        folder = setting.data or setting.out / STORE / DATA_FOLDER
        dataset = read_dataset(folder)
        count = setting.repeats or (QUICK_SEEDS if setting.quick else SEEDS)
        size = "/quick" if setting.quick else ""
        return [
            Task(
                f"{model}/seed {seed}/data {dataset.id}{size}",
                train if model in PRESETS else train_baseline,
                (dataset, model, seed, setting.seed, setting.quick, setting.commit),
            )
            for seed in range(setting.seed, setting.seed + count)
            for model in self.models
        ]

    def line(self, row: Row) -> str:
        """Say what was trained."""
        return f"{row['model']}, seed {row['seed']}: {row['test_queries']:,} test questions"


def train(
    dataset: Dataset, model: str, seed: int, split_seed: int, quick: bool, commit: str
) -> Row:
    """Train one network on the split by instance, and test it on what it has not seen."""
    from tailgate.network.prediction import Part, predict
    from tailgate.network.splits import apply_split, make_split
    from tailgate.network.training import Training, read_run

    configuration = PRESETS[model].with_training(seed=seed)
    if quick:
        configuration = configuration.with_training(epochs=QUICK_EPOCHS, batch=QUICK_BATCH)
    split = make_split(dataset, seed=split_seed)
    history: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as place:
        training = Training(configuration, dataset, split, Path(place, "run"))
        training.begin()
        result = training.run(history.append)
        run = read_run(Path(place, "run"))
    questions = apply_split(split, dataset)["test"]
    probabilities = run.calibration.probabilities(predict(run.network, Part.of(questions)))
    tested = _tested(questions, probabilities, run.calibration.threshold)
    return {
        **_head(dataset, model, seed, commit),
        "epochs": result["epochs"],
        "best_epoch": result["best_epoch"],
        "seconds": result["seconds"],
        "train_queries": result["train_queries"],
        **tested,
        "history": [
            {name: record[name] for name in ("epoch", "train_loss", "validation_loss")}
            for record in history
        ],
    }


def train_baseline(
    dataset: Dataset, model: BaselineName, seed: int, split_seed: int, quick: bool, commit: str
) -> Row:
    """Train a simple model on the same split."""
    del quick
    from tailgate.network.baselines import Baseline
    from tailgate.network.splits import apply_split, make_split

    parts = apply_split(make_split(dataset, seed=split_seed), dataset)
    baseline = Baseline(model, seed=seed)
    cost = PRESETS["default"].training.false_positive_cost
    baseline.fit(parts["train"], parts["validation"], cost)
    probabilities = baseline.probabilities(parts["test"])
    return {
        **_head(dataset, model, seed, commit),
        "train_queries": len(parts["train"]),
        **_tested(parts["test"], probabilities, baseline.threshold),
        "history": [],
    }


def _head(dataset: Dataset, model: str, seed: int, commit: str) -> Row:
    return {"model": model, "seed": seed, "dataset": dataset.id, "commit": commit}


def _tested(questions: QueryTable, probabilities: Floats, threshold: float) -> Row:
    """Return the rates in all groups, and the curves of the classes."""
    from tailgate.network.evaluation import SETS, evaluate

    labels, classes = questions.is_feasible, questions.packing_class
    groups = {"overall": np.ones(len(questions), dtype=bool)}
    groups |= {f"class {number}": np.asarray(classes == number) for number in np.unique(classes)}
    curves = []
    for which in SETS:
        inside = ~questions.is_cheap if which == "rest" else np.ones(len(questions), dtype=bool)
        for group, rows in groups.items():
            curve = roc_curve(probabilities[rows & inside], labels[rows & inside])
            if curve is not None:
                curves.append({"set": which, "group": group, "tpr": curve})
    evaluation = evaluate(questions, probabilities, threshold).to_dict()
    return {"test_queries": len(questions), "groups": evaluation["groups"], "curves": curves}


def roc_curve(values: Floats, is_feasible: Flags) -> list[float] | None:
    """Return the true positive rate at 0, 1, ... 100 % of false positives; None: one verdict."""
    positives, negatives = int(is_feasible.sum()), int((~is_feasible).sum())
    if not positives or not negatives:
        return None
    order = np.argsort(-values, kind="stable")
    # Between equal values there is no threshold.
    ends = np.flatnonzero(np.diff(values[order], append=-np.inf))
    hits, misses = np.cumsum(is_feasible[order])[ends], np.cumsum(~is_feasible[order])[ends]
    steps = np.linspace(0, 1, ROC_STEPS + 1)
    rates = np.interp(steps, np.r_[0, misses / negatives], np.r_[0, hits / positives])
    return [round(float(rate), 5) for rate in rates]
