"""``network``: rates of the network and of its ablations, beside the paper's, and ROC curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from tailgate.research.experiments.experiment import Report, Setting
from tailgate.research.experiments.figures import COLOURS, Figure
from tailgate.research.experiments.learning.paper_rates import GROUPS, PAPER_RATES, PROTOTYPE_RATES
from tailgate.research.experiments.learning.trainings import ROC_STEPS, TrainingExperiment
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import DASH, Table, grouped
from tailgate.research.learning.configuration import ABLATIONS

NAMES = {
    "paper": "paper",
    "paper-no-augmentation": "w/o augmentation",
    "paper-mlp": "w/o attention mechanism",
    "paper-positional": "w/o recurrence mechanism",
    "default": "ours",
    "logistic": "logistic regression",
    "boosting": "gradient boosting",
}
MEASURES = {"tpr": "TPR", "tnr": "TNR", "roc_auc": "AUC"}
ALL_QUERIES = "All queries"
OPEN_QUERIES = "Queries that bounds and dives leave open"


class Network(TrainingExperiment):
    """The paper's table of ablations, ours and simple models beside it."""

    name: ClassVar[str] = "network"
    title: ClassVar[str] = "The network that predicts loading verdicts"
    explanation: ClassVar[str] = (
        "The paper's network, the same with parts left out, ours and two simple models, each with "
        "several seeds on one split of the data set by instance: no query of the test comes "
        "from an instance that was trained on. Beside it the queries that column generation asks "
        "on the published instances, none of which was trained on. The paper split by query, so "
        "that routes of one instance were on both sides: the last table does the same, to show the "
        "difference. Its own rates are of its own data and shown for orientation."
    )
    main_table: ClassVar[str] = "rates"
    models = (*ABLATIONS, "default", "logistic", "boosting")
    models_by_row = ("paper", "default")

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Tabulate the rates and draw the curves."""
        by_split = dict(grouped(rows.values(), "by"))
        by_model, by_row = (
            dict(grouped(by_split.get(by, ()), "model")) for by in ("instance", "row")
        )
        on_published = {
            model: [row["published"] for row in found if row["published"] is not None]
            for model, found in by_model.items()
        }
        tables = [
            _rates(by_model, "rates", "all", ALL_QUERIES, with_paper=True),
            _at_equal_tnr(by_model),
            _rates(by_model, "rates-rest", "rest", OPEN_QUERIES),
        ]
        if any(on_published.values()):
            where = "published instances 01-19, classes 2-4"
            tables += [
                _rates(on_published, "rates-published", "all", f"{ALL_QUERIES}, {where}"),
                _rates(on_published, "rates-published-rest", "rest", f"{OPEN_QUERIES}, {where}"),
            ]
        if by_row:
            title = f"{ALL_QUERIES}, split by query as in the paper"
            tables.append(_rates(by_row, "rates-by-row", "all", title, with_paper=True))
        figures = [
            Figure(
                f"roc-{which}",
                f"ROC: {title}",
                partial(_draw, by_model=by_model, which=which),
                size=(11, 3.6),
            )
            for which, title in (("all", ALL_QUERIES), ("rest", OPEN_QUERIES))
        ]
        return Report(
            tables=tables,
            figures=figures,
            rows=[flat for row in rows.values() for flat in _flat(row)],
            facts=facts(setting, rows),
        )


def facts(setting: Setting, rows: Mapping[str, Row]) -> dict[str, Any]:
    """Return what the manifest says of trainings."""
    return {
        "seeds": sorted({row["seed"] for row in rows.values()}),
        "split_seed": setting.seed,
        "dataset": sorted({row["dataset"] for row in rows.values()}),
    }


def _flat(row: Row) -> list[dict[str, Any]]:
    names = ("model", "seed", "by", "dataset", "epochs", "seconds")
    head = {name: row.get(name) for name in names}
    published = row["published"] or {"groups": []}
    return [
        {**head, "test": test, **group}
        for test, groups in (("held out", row["groups"]), ("published", published["groups"]))
        for group in groups
    ]


def _rates(
    by_model: Mapping[str, Sequence[Row]],
    name: str,
    which: str,
    title: str,
    *,
    with_paper: bool = False,
) -> Table:
    # Loaded late: torch takes its time.
    from tailgate.research.learning.evaluation import Spread

    header = ["model", "runs"]
    header += [f"{group} {measure}" for group in GROUPS for measure in MEASURES.values()]
    lines = []
    for model, rows in by_model.items():
        cells = [NAMES[model], str(len(rows))]
        found = [
            {group["group"]: group for group in row["groups"] if group["set"] == which}
            for row in rows
        ]
        for group in GROUPS:
            for measure in MEASURES:
                values = [one[group][measure] for one in found if group in one]
                cells.append(Spread.of(values).text())
        lines.append(tuple(cells))
        if with_paper and model in PAPER_RATES:
            published = [DASH]
            for group in GROUPS:
                true_positive, true_negative = PAPER_RATES[model][group]
                published += [f"{true_positive:.2f}", f"{true_negative:.2f}", DASH]
            lines.append((f"{NAMES[model]}, as published", *published))
    note = (
        "Percent; mean and standard deviation over the seeds. A dash: not published, or the test "
        "part has one verdict only."
    )
    return Table(name, title, tuple(header), tuple(lines), note=note)


def _at_equal_tnr(by_model: Mapping[str, Sequence[Row]]) -> Table:
    """Move every model's threshold to where others stand: only so can TPR be compared alone."""
    from tailgate.research.learning.evaluation import Spread

    references = {"as published": PAPER_RATES["paper"], "prototype": PROTOTYPE_RATES}
    places = [
        (group, *rates, whose)
        for whose, reference in references.items()
        for group, rates in reference.items()
    ]
    header = ["model", "runs"]
    header += [f"{group} at {true_negative:g}" for group, _, true_negative, _ in places]
    lines = []
    for model, rows in by_model.items():
        cells = [NAMES[model], str(len(rows))]
        for group, _, true_negative, _ in places:
            rates = [_rate_at(row, group, true_negative) for row in rows]
            cells.append(Spread.of(rates).text())
        lines.append(tuple(cells))
    for whose in references:
        stated = [f"{positive:g}" if whose == by else DASH for _, positive, _, by in places]
        lines.append((f"{NAMES['paper']}, {whose}", DASH, *stated))
    note = (
        "TPR in percent, each at the TNR that the column names: that of the paper's network as "
        "published, and that of an early prototype of it on fewer queries. Read off the ROC "
        "curve in steps of one percent; mean and standard deviation over the seeds."
    )
    title = f"{ALL_QUERIES}: TPR at the TNR of others"
    return Table("rates-at-equal-tnr", title, tuple(header), tuple(lines), note=note)


def _rate_at(row: Row, group: str, true_negative: float) -> float | None:
    """Return the true positive rate of a model at a true negative rate in percent."""
    for curve in row["curves"]:
        if (curve["set"], curve["group"]) == ("all", group):
            steps = np.linspace(0, 100, ROC_STEPS + 1)
            return float(np.interp(100 - true_negative, steps, curve["tpr"]))
    return None


def _draw(figure: Any, *, by_model: Mapping[str, Sequence[Row]], which: str) -> None:
    steps = np.linspace(0, 100, ROC_STEPS + 1)
    for place, group in enumerate(GROUPS, start=1):
        axes = figure.add_subplot(1, len(GROUPS), place)
        for number, (model, rows) in enumerate(by_model.items()):
            curves = [
                curve["tpr"]
                for row in rows
                for curve in row["curves"]
                if (curve["set"], curve["group"]) == (which, group)
            ]
            if curves:
                mean = 100 * np.mean(curves, axis=0)
                axes.plot(steps, mean, color=COLOURS[number % len(COLOURS)], label=model)
        axes.plot([0, 100], [0, 100], ":", color="#999999")
        axes.set(title=group, xlabel="false positives, %", ylabel="true positives, %")
        axes.set_aspect("equal")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    if labels:
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
