"""From single relaxations to totals by class, beside the paper's totals on the same instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from tailgate.experiments.roots.measurement import PARTS, RootMeasurement
from tailgate.experiments.roots.reference import PaperFigures

ALL = "all"


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums of one class, or of all. ``compared`` is what the paper has figures of, too."""

    group: str
    instances: int
    converged: int
    seconds: float
    longest_seconds: float
    longest_instance: str
    iterations: int
    columns: int
    exact_checks: int
    checks_feasible: int
    checks_infeasible: int
    checks_unknown: int
    part_percent: dict[str, float]
    compared: int
    compared_seconds: float
    paper_exact_seconds: float
    paper_neural_seconds: float

    def to_dict(self) -> dict[str, object]:
        """Return the totals for machines."""
        return asdict(self)


def totals_by_class(
    measurements: Sequence[RootMeasurement], paper: Mapping[str, PaperFigures]
) -> list[Totals]:
    """Return the totals of every class and, where there are several, of all."""
    classes = sorted({measurement.packing_class for measurement in measurements})
    totals = [
        _totals(str(group), [m for m in measurements if m.packing_class == group], paper)
        for group in classes
    ]
    if len(classes) > 1:
        totals.append(_totals(ALL, measurements, paper))
    return totals


def _totals(
    group: str, measurements: Sequence[RootMeasurement], paper: Mapping[str, PaperFigures]
) -> Totals:
    longest = max(measurements, key=lambda measurement: measurement.seconds)
    seconds = sum(measurement.seconds for measurement in measurements)
    parts = {
        part: sum(measurement.part_seconds(part) for measurement in measurements)
        for part in (*PARTS, "other")
    }
    compared = [
        (measurement, paper[measurement.instance])
        for measurement in measurements
        if measurement.source == "published" and measurement.instance in paper
    ]
    return Totals(
        group=group,
        instances=len(measurements),
        converged=sum(measurement.status == "converged" for measurement in measurements),
        seconds=seconds,
        longest_seconds=longest.seconds,
        longest_instance=longest.instance,
        iterations=sum(measurement.iterations for measurement in measurements),
        columns=sum(measurement.columns for measurement in measurements),
        exact_checks=sum(measurement.exact_checks for measurement in measurements),
        checks_feasible=sum(measurement.checks_feasible for measurement in measurements),
        checks_infeasible=sum(measurement.checks_infeasible for measurement in measurements),
        checks_unknown=sum(measurement.checks_unknown for measurement in measurements),
        part_percent={
            part: 100 * value / seconds if seconds else 0.0 for part, value in parts.items()
        },
        compared=len(compared),
        compared_seconds=sum(ours.seconds for ours, _ in compared),
        paper_exact_seconds=sum(theirs.exact_seconds for _, theirs in compared),
        paper_neural_seconds=sum(theirs.neural_seconds for _, theirs in compared),
    )
