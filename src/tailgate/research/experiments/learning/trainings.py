"""Trainings that several experiments look at: made once, kept as rows."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tailgate.model.errors import TailgateError
from tailgate.research.dataset import DatasetOptions, Done, make_dataset
from tailgate.research.experiments.experiment import Experiment, Setting, Watch
from tailgate.research.experiments.instances import PAPER_ROOTS
from tailgate.research.experiments.published import published_path
from tailgate.research.experiments.row_store import Row
from tailgate.research.learning.configuration import ABLATIONS, PRESETS
from tailgate.research.learning.dataset import Dataset, read_dataset
from tailgate.research.learning.metrics import Flags, Floats
from tailgate.research.learning.query_file import QueryTable
from tailgate.research.learning.splits import By, Split, apply_split, make_split
from tailgate.solver.workers import Task, Workers

STORE = "trainings"
DATA_FOLDER = "data"
PUBLISHED_FOLDER = "published"
PUBLISHED_SECONDS = 6.0
"""For one instance, about."""
SEEDS, QUICK_SEEDS = 3, 1
EPOCHS, OUR_EPOCHS = 6, 12
"""The learning rate falls to its end within them. The paper's networks see every route ten times in
an epoch, ours once: twice as many epochs take about as long."""
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
    models_by_row: Sequence[str] = ()
    """Those that are trained and tested on a split by row, too, with one seed: to show what it
    does."""

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
        if setting.quick:
            return ["A quick run trains on a toy: its rates say that everything works, no more."]
        if setting.published is None:
            return ["Without the published instances there is no test on their routes."]
        return []

    def prepare(self, setting: Setting, workers: Workers, watch: Watch) -> None:
        """Make the data sets; what is given or there already stays."""

        def tell(done: int, total: int, last: Done) -> None:
            watch(done, total, f"data set: {last.name}")

        if setting.data is None:
            options = QUICK_DATA if setting.quick else DatasetOptions(seed=setting.seed)
            folder = setting.out / STORE / DATA_FOLDER
            make_dataset(folder, options, workers=workers, on_progress=tell)
        if setting.published is not None:
            files = tuple(
                str(published_path(setting.published, name)) for name in sorted(PAPER_ROOTS.names)
            )
            options = DatasetOptions(files=files, seconds=PUBLISHED_SECONDS)
            folder = setting.out / STORE / PUBLISHED_FOLDER
            make_dataset(folder, options, workers=workers, on_progress=tell)

    def tasks(self, setting: Setting) -> list[Task]:
        """Train every model with every seed; the models take turns."""
        dataset = read_dataset(setting.data or setting.out / STORE / DATA_FOLDER)
        published = None
        if setting.published is not None:
            published = read_dataset(setting.out / STORE / PUBLISHED_FOLDER)
        count = setting.repeats or (QUICK_SEEDS if setting.quick else SEEDS)
        where = f"data {dataset.id}" + (f"/test {published.id}" if published else "")
        size = "/quick" if setting.quick else ""

        def task(model: str, seed: int, by: By) -> Task:
            split = make_split(dataset, by=by, seed=setting.seed)
            work = train if model in PRESETS else train_baseline
            key = f"{model}/seed {seed}/by {by}/{where}{size}"
            tests = published if by == "instance" else None
            head = {"model": model, "seed": seed, "by": by, "dataset": dataset.id}
            head["commit"] = setting.commit
            return Task(key, work, (dataset, split, tests, head, setting.quick))

        seeds = range(setting.seed, setting.seed + count)
        return [
            *(task(model, seed, "instance") for seed in seeds for model in self.models),
            *(task(model, setting.seed, "row") for model in self.models_by_row),
        ]

    def line(self, row: Row) -> str:
        """Say what was trained."""
        return f"{row['model']}, seed {row['seed']}: {row['test_queries']:,} test queries"


def train(dataset: Dataset, split: Split, published: Dataset | None, head: Row, quick: bool) -> Row:
    """Train one network, and test it on what it has not seen."""
    from tailgate.research.learning.evaluation import test_queries
    from tailgate.research.learning.prediction import Part, predict
    from tailgate.research.learning.training import Training, read_run

    epochs = EPOCHS if head["model"] in ABLATIONS else OUR_EPOCHS
    configuration = PRESETS[head["model"]].with_training(seed=head["seed"], epochs=epochs)
    if quick:
        configuration = configuration.with_training(epochs=QUICK_EPOCHS, batch=QUICK_BATCH)
    history: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as place:
        training = Training(configuration, dataset, split, Path(place, "run"))
        training.begin()
        result = training.run(history.append)
        run = read_run(Path(place, "run"))

    def tested(data: Dataset) -> Row:
        queries = test_queries(run, data)
        probabilities = run.calibration.probabilities(predict(run.network, Part.of(queries)))
        return _tested(queries, probabilities, run.calibration.threshold)

    return {
        **head,
        "epochs": result["epochs"],
        "best_epoch": result["best_epoch"],
        "seconds": result["seconds"],
        "train_queries": result["train_queries"],
        **tested(dataset),
        "published": None if published is None else tested(published),
        "history": [
            {name: record[name] for name in ("epoch", "train_loss", "validation_loss")}
            for record in history
        ],
    }


def train_baseline(
    dataset: Dataset, split: Split, published: Dataset | None, head: Row, quick: bool
) -> Row:
    """Train a simple model on the same split."""
    del quick
    from tailgate.research.learning.baselines import Baseline
    from tailgate.research.learning.evaluation import unseen_queries

    parts = apply_split(split, dataset)
    baseline = Baseline(head["model"], seed=head["seed"])
    cost = PRESETS["default"].training.false_positive_cost
    baseline.fit(parts["train"], parts["validation"], cost)

    def tested(queries: QueryTable) -> Row:
        return _tested(queries, baseline.probabilities(queries), baseline.threshold)

    return {
        **head,
        "train_queries": len(parts["train"]),
        **tested(parts["test"]),
        "published": None
        if published is None
        else tested(unseen_queries(published, parts["train"].keys)),
        "history": [],
    }


def _tested(queries: QueryTable, probabilities: Floats, threshold: float) -> Row:
    """Return the rates in all groups, and the curves of the classes."""
    from tailgate.research.learning.evaluation import SETS, evaluate

    labels, classes = queries.is_feasible, queries.packing_class
    groups = {"overall": np.ones(len(queries), dtype=bool)}
    groups |= {f"class {number}": np.asarray(classes == number) for number in np.unique(classes)}
    curves = []
    for which in SETS:
        inside = ~queries.is_cheap if which == "rest" else np.ones(len(queries), dtype=bool)
        for group, rows in groups.items():
            curve = roc_curve(probabilities[rows & inside], labels[rows & inside])
            if curve is not None:
                curves.append({"set": which, "group": group, "tpr": curve})
    evaluation = evaluate(queries, probabilities, threshold).to_dict()
    return {"test_queries": len(queries), "groups": evaluation["groups"], "curves": curves}


def roc_curve(values: Floats, is_feasible: Flags) -> list[float] | None:
    """Return the true positive rate at 0, 1, ... 100 % of false positives; None: one verdict."""
    if not 0 < is_feasible.sum() < len(is_feasible):
        return None
    from sklearn import metrics

    false_positive, true_positive, _ = metrics.roc_curve(is_feasible, values)
    rates = np.interp(np.linspace(0, 1, ROC_STEPS + 1), false_positive, true_positive)
    return [round(float(rate), 5) for rate in rates]
