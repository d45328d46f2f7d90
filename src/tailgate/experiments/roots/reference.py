"""What others have published about root relaxations, to stand beside our figures."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tailgate.experiments.roots.measurement import RootMeasurement

PAPER_FILE = Path("reference", "ncg_paper_root_cg.csv")
PAPER_COLUMNS = (
    "instance",
    "sota_seconds",
    "ncg_seconds",
    "sota_iterations",
    "ncg_iterations",
)
# Values of the relaxation that two independent programs have agreed on.
KNOWN_LP_VALUES = {
    "0102": 283.25,
    "0202": 331.3333,
    "0402": 434.0,
    "1202": 604.5556,
    "1702": 850.125,
    "2304": 1057.045,
}
# The known values are rounded to three or four decimals.
_AGREEMENT = 1e-6


@dataclass(frozen=True, slots=True)
class Comparison:
    """A pipeline with a network beside the exact one, on one instance or in sum; all in percent."""

    exact_seconds: float
    seconds: float
    exact_iterations: float
    iterations: float

    @property
    def gain(self) -> float:
        """How much longer the exact pipeline takes than the other: the paper's figure."""
        return 100 * (self.exact_seconds - self.seconds) / self.seconds

    @property
    def saved(self) -> float:
        """The share of the exact pipeline's time that the other saves."""
        return 100 * (self.exact_seconds - self.seconds) / self.exact_seconds

    @property
    def growth(self) -> float:
        """How many more iterations there are with a network."""
        return 100 * (self.iterations - self.exact_iterations) / max(1.0, self.exact_iterations)


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """One instance in the paper: its exact pipeline, and the one with a network."""

    exact_seconds: float
    neural_seconds: float
    exact_iterations: int
    neural_iterations: int

    @property
    def comparison(self) -> Comparison:
        """The two beside each other."""
        return Comparison(
            self.exact_seconds, self.neural_seconds, self.exact_iterations, self.neural_iterations
        )


def read_paper_figures(benchmark_folder: Path) -> dict[str, PaperFigures]:
    """Read the paper's figures from beside the benchmark's folder, by instance.

    ``FileNotFoundError`` or ``ValueError`` says what is missing.
    """
    path = benchmark_folder.parent / PAPER_FILE
    if not path.is_file():
        raise FileNotFoundError(
            f"the paper's figures are absent: {path} is no file; it belongs beside the folder of "
            "the instances, with the columns " + ", ".join(PAPER_COLUMNS)
        )
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows or not set(PAPER_COLUMNS) <= set(rows[0]):
        raise ValueError(f"{path} lacks one of the columns " + ", ".join(PAPER_COLUMNS))
    return {
        row["instance"]: PaperFigures(
            exact_seconds=float(row["sota_seconds"]),
            neural_seconds=float(row["ncg_seconds"]),
            exact_iterations=int(row["sota_iterations"]),
            neural_iterations=int(row["ncg_iterations"]),
        )
        for row in rows
    }


def wrong_values(measurements: Sequence[RootMeasurement]) -> list[str]:
    """Name every converged value that is not the known one, and every bound above it."""
    wrong = []
    for measurement in measurements:
        known = KNOWN_LP_VALUES.get(measurement.instance)
        if known is None or measurement.source != "published":
            continue
        slack = _AGREEMENT * known
        if measurement.status == "infeasible":
            wrong.append(f"{measurement.instance}: called infeasible, known {known:g}")
        elif measurement.status == "converged" and not _agree(measurement.lp_value, known):
            wrong.append(f"{measurement.instance}: LP value {measurement.lp_value}, known {known}")
        elif measurement.lower_bound is not None and measurement.lower_bound > known + slack:
            wrong.append(
                f"{measurement.instance}: lower bound {measurement.lower_bound}, known {known}"
            )
    return wrong


def _agree(value: float | None, known: float) -> bool:
    return value is not None and math.isclose(value, known, rel_tol=_AGREEMENT)
