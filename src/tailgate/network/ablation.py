"""The paper's table: its network with parts left out, ours and simple models beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tailgate.network.baselines import BASELINES, Baseline
from tailgate.network.configuration import PRESETS, Configuration
from tailgate.network.dataset import Dataset
from tailgate.network.evaluation import (
    Evaluation,
    Spread,
    evaluate,
    evaluate_run,
    spreads,
    test_questions,
)
from tailgate.network.splits import Split, apply_split
from tailgate.network.training import CHECKPOINT_FILE, RESULT_FILE, Training, read_run

NAMES = {
    "paper": "paper",
    "paper-no-augmentation": "w/o augmentation",
    "paper-mlp": "w/o attention mechanism",
    "paper-positional": "w/o recurrence mechanism",
    "default": "ours",
    "pooled": "ours, one step per customer",
    "logistic": "logistic regression",
    "boosting": "gradient boosting",
}
GROUPS = ("overall", "class 2", "class 3", "class 4")


@dataclass(frozen=True)
class AblationRow:
    """One model, over all seeds."""

    model: str
    seeds: int
    groups: dict[tuple[str, str], dict[str, Spread]]

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "model": self.model,
            "seeds": self.seeds,
            "groups": [
                {
                    "set": which,
                    "group": group,
                    **{
                        measure: {"mean": _plain(spread.mean), "sd": _plain(spread.deviation)}
                        for measure, spread in measures.items()
                    },
                }
                for (which, group), measures in self.groups.items()
            ],
        }


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def run_ablation(
    dataset: Dataset,
    split: Split,
    folder: Path,
    *,
    models: Sequence[str],
    seeds: Sequence[int],
    change: Callable[[Configuration], Configuration],
    on_epoch: Callable[[str, dict[str, Any]], None],
) -> list[AblationRow]:
    """Train every model with every seed, and test it; what is finished is not done again."""
    rows = []
    for model in models:
        evaluations = []
        for seed in seeds:
            name = f"{model}-{split.by}-s{seed}"
            configuration = change(PRESETS[model]).with_training(seed=seed)
            _train(configuration, dataset, split, folder / name, name, on_epoch)
            run = read_run(folder / name)
            evaluations.append(evaluate_run(run, test_questions(run, dataset)))
        rows.append(AblationRow(model, len(evaluations), spreads(evaluations)))
    return rows


def _train(
    configuration: Configuration,
    dataset: Dataset,
    split: Split,
    folder: Path,
    name: str,
    on_epoch: Callable[[str, dict[str, Any]], None],
) -> None:
    if (folder / RESULT_FILE).exists():
        return
    training = Training(configuration, dataset, split, folder)
    if (folder / CHECKPOINT_FILE).exists():
        training.resume()
    else:
        training.begin()
    training.run(lambda record: on_epoch(name, record))


def evaluate_baselines(
    dataset: Dataset, split: Split, *, seeds: Sequence[int], false_positive_cost: float
) -> list[AblationRow]:
    """Train and test the simple models on the same split."""
    parts = apply_split(split, dataset)
    rows = []
    for name in BASELINES:
        evaluations: list[Evaluation] = []
        # Only the boosting draws anything.
        used = seeds if name == "boosting" else seeds[:1]
        for seed in used:
            baseline = Baseline(name, seed=seed)
            baseline.fit(parts["train"], parts["validation"], false_positive_cost)
            probabilities = baseline.probabilities(parts["test"])
            evaluations.append(evaluate(parts["test"], probabilities, baseline.threshold))
        rows.append(AblationRow(name, len(evaluations), spreads(evaluations)))
    return rows


def ablation_table(rows: Sequence[AblationRow], which: str) -> str:
    """Return the paper's table in Markdown, with the area under ROC beside TPR and TNR."""
    heads = [f"{group} {measure}" for group in GROUPS for measure in ("TPR", "TNR", "AUC")]
    lines = ["| model | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for row in rows:
        cells = [
            row.groups[which, group][measure].text() if (which, group) in row.groups else "-"
            for group in GROUPS
            for measure in ("tpr", "tnr", "roc_auc")
        ]
        lines.append(f"| {NAMES.get(row.model, row.model)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
