"""What others have published about root relaxations, to stand beside our figures."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tailgate.research.experiments.row_store import Row

PAPER_FILE = Path("reference", "ncg_paper_root_cg.csv")
PAPER_COLUMNS = (
    *("instance", "sota_seconds", "ncg_seconds"),
    *("sota_iterations", "ncg_iterations"),
)
# Values of the relaxation that two independent programs have agreed on.
KNOWN_LP_VALUES = {
    **{"0102": 283.25, "0202": 331.3333, "0402": 434.0},
    **{"1202": 604.5556, "1702": 850.125, "2304": 1057.045},
}
# The known values are rounded to three or four decimals.
_AGREEMENT = 1e-6


@dataclass(frozen=True, slots=True)
class Comparison:
    """A pipeline with a network beside the exact one, of one instance or in total, in percent."""

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


def read_paper_figures(benchmark_folder: Path) -> dict[str, Comparison]:
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
        row["instance"]: Comparison(*(float(row[column]) for column in PAPER_COLUMNS[1:]))
        for row in rows
    }


def wrong_values(rows: Sequence[Row]) -> list[str]:
    """Say what cannot be of an instance's rows: different LP values, a bound above the known one.

    All pipelines solve the same relaxation.
    """
    name = rows[0]["instance"]
    # Of items as given, unloaded in order.
    is_known = rows[0]["source"] == "published" and not rows[0].get("variant")
    known = KNOWN_LP_VALUES.get(name) if is_known else None
    values = {row["lp_value"] for row in rows if row["status"] == "converged"} - {None}
    wrong = []
    if known is not None:
        values.add(known)
        highest = max((row.get("lower_bound") or known for row in rows), default=known)
        if highest > known * (1 + _AGREEMENT):
            wrong.append(f"{name}: lower bound {highest}, known {known}")
        if any(row["status"] == "infeasible" for row in rows):
            wrong.append(f"{name}: called infeasible, known {known:g}")
    if values and not math.isclose(min(values), max(values), rel_tol=_AGREEMENT):
        listed = ", ".join(f"{value:.6f}" for value in sorted(values))
        wrong.append(f"{name}: different LP values {listed}")
    return wrong
