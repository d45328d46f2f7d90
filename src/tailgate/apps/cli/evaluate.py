"""``tailgate evaluate``: how good networks are on queries they have not seen."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tailgate.apps.cli.arguments import Commands
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import counted, print_json, table
from tailgate.apps.cli.train import add_data_option, require_torch

if TYPE_CHECKING:
    from tailgate.research.learning.evaluation import Spread

_DESCRIPTION = """\
Measure trained networks: share of feasible routes that are recognised (TPR), of infeasible ones
(TNR), areas under ROC and under precision and recall, Brier score and calibration error; by class,
route length and the stage that settled the query. First on all queries, then on those that
bounds and dives leave open, which are the ones a network is asked.

Of the data set that a run was trained on, its test part is used; of another, every query that it
was not trained on. Several runs, say of several seeds, give mean and standard deviation."""

_EXAMPLES = """\
  tailgate evaluate run --data data
  tailgate evaluate run-0 run-1 run-2 --data data --baselines
  tailgate evaluate run --data benchmark --json"""

_HEADER = ("queries", "n", "feasible", "TPR %", "TNR %", "ROC %", "PR %", "Brier", "calibration")


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("evaluate", run, description=_DESCRIPTION, examples=_EXAMPLES)
    parser.add_argument(
        "runs", type=Path, nargs="+", metavar="RUN", help="folders made by: tailgate train"
    )
    add_data_option(parser)
    parser.add_argument(
        "--baselines",
        action="store_true",
        help="also train and measure a logistic regression and gradient boosting on simple numbers",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Measure and print."""
    require_torch()
    from tailgate.research.learning.dataset import read_dataset
    from tailgate.research.learning.evaluation import (
        ModelScores,
        evaluate_baselines,
        evaluate_run,
        test_queries,
    )
    from tailgate.research.learning.training import read_run

    dataset = read_dataset(arguments.data)
    runs = [read_run(folder) for folder in arguments.runs]
    queries = [test_queries(one, dataset) for one in runs]
    evaluations = [evaluate_run(one, q) for one, q in zip(runs, queries, strict=True)]
    rows = [ModelScores("network", evaluations)]
    if arguments.baselines:
        cost = runs[0].configuration.training.false_positive_cost
        rows += evaluate_baselines(
            dataset, runs[0].split, seeds=range(len(runs)), false_positive_cost=cost
        )
    if arguments.json:
        print_json(
            {
                "data": dataset.id,
                "models": [row.to_dict() for row in rows],
                "runs": [
                    {"run": str(folder), **evaluation.to_dict()}
                    for folder, evaluation in zip(arguments.runs, evaluations, strict=True)
                ],
            }
        )
        return ExitCode.DONE
    counts = {
        place: (score.count, score.feasible) for place, score in evaluations[0].groups.items()
    }
    for row in rows:
        title = f"{row.model}, {counted(len(row.evaluations), 'run')}"
        for which, meaning in (("all", "all queries"), ("rest", "after bounds and dives")):
            lines = [
                (group, f"{counts[place][0]:,}", f"{counts[place][1]:,}", *_cells(measures))
                for place, measures in row.groups.items()
                for group in [place[1]]
                if place[0] == which
            ]
            if lines:
                print(f"{title}: {meaning}")
                print(table(_HEADER, lines, left=frozenset({"queries"})) + "\n")
    return ExitCode.DONE


def _cells(measures: dict[str, Spread]) -> list[str]:
    percent = ("tpr", "tnr", "roc_auc", "pr_auc")
    return [
        *(measures[name].text() for name in percent),
        *(measures[name].text(percent=False) for name in ("brier", "calibration_error")),
    ]
