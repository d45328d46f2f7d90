"""How the effort grows with the number of customers: medians by size, and a fitted power."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import linear_regression, median

from tailgate.experiments.roots.measurement import RootMeasurement

QUANTITIES: dict[str, Callable[[RootMeasurement], float]] = {
    "seconds": lambda measurement: measurement.seconds,
    "iterations": lambda measurement: measurement.iterations,
    "checks": lambda measurement: measurement.exact_checks,
    "labels": lambda measurement: measurement.labels,
    "columns": lambda measurement: measurement.columns,
}


@dataclass(frozen=True, slots=True)
class SizeSummary:
    """All instances of one class and size; medians over those that converged."""

    packing_class: int
    customers: int
    instances: int
    converged: int
    medians: dict[str, float]
    longest_seconds: float


@dataclass(frozen=True, slots=True)
class PowerFit:
    """``quantity = factor * customers ** exponent``, by least squares on logarithms."""

    exponent: float
    factor: float
    r_squared: float
    points: int

    def to_dict(self) -> dict[str, float]:
        """Return the fit for machines."""
        return asdict(self)


def summarise_sizes(measurements: Sequence[RootMeasurement]) -> list[SizeSummary]:
    """Return one line per class and size, in this order."""
    groups: dict[tuple[int, int], list[RootMeasurement]] = {}
    for measurement in measurements:
        key = (measurement.packing_class, measurement.customers)
        groups.setdefault(key, []).append(measurement)
    return [
        _size_summary(packing_class, customers, group)
        for (packing_class, customers), group in sorted(groups.items())
    ]


def _size_summary(
    packing_class: int, customers: int, group: Sequence[RootMeasurement]
) -> SizeSummary:
    converged = [measurement for measurement in group if measurement.status == "converged"]
    return SizeSummary(
        packing_class=packing_class,
        customers=customers,
        instances=len(group),
        converged=len(converged),
        medians={
            name: float(median(value(measurement) for measurement in converged))
            for name, value in QUANTITIES.items()
            if converged
        },
        longest_seconds=max(measurement.seconds for measurement in group),
    )


def fit_class(
    measurements: Sequence[RootMeasurement], packing_class: int, quantity: str
) -> PowerFit | None:
    """Fit all converged instances of a class; one that hit the limit says nothing of its effort."""
    value = QUANTITIES[quantity]
    return fit_power(
        [
            (measurement.customers, value(measurement))
            for measurement in measurements
            if measurement.packing_class == packing_class and measurement.status == "converged"
        ]
    )


def fit_power(points: Sequence[tuple[float, float]]) -> PowerFit | None:
    """Fit a power of x, or return None where fewer than two different sizes are known."""
    logarithms = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    sizes, values = [x for x, _ in logarithms], [y for _, y in logarithms]
    if len(set(sizes)) < 2:
        return None
    exponent, intercept = linear_regression(sizes, values)
    mean = sum(values) / len(values)
    total = sum((y - mean) ** 2 for y in values)
    residual = sum((y - intercept - exponent * x) ** 2 for x, y in logarithms)
    return PowerFit(
        exponent=exponent,
        factor=math.exp(intercept),
        r_squared=1 - residual / total if total > 0 else 1.0,
        points=len(logarithms),
    )
