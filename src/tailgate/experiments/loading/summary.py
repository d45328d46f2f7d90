"""From measurements to one line per group: medians, tails, stages, and the ratio to CP-SAT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from tailgate.experiments.loading.measurement import Measurement, OurAnswer
from tailgate.experiments.tables import ALL


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of many answers, an undecided one counted as the time limit."""

    count: int
    median: float
    mean: float
    p90: float
    p99: float
    undecided_percent: float

    @classmethod
    def of(cls, seconds: Sequence[float], undecided: Sequence[bool], time_limit: float) -> Times:
        """Summarise answers."""
        counted = np.array(
            [
                time_limit if is_undecided else value
                for value, is_undecided in zip(seconds, undecided, strict=True)
            ]
        )
        p90, p99 = np.percentile(counted, [90, 99])
        return cls(
            count=len(counted),
            median=float(np.median(counted)),
            mean=float(counted.mean()),
            p90=float(p90),
            p99=float(p99),
            undecided_percent=100 * sum(undecided) / len(counted),
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ours and CP-SAT on the same questions; ratios say how many times faster ours is.

    Both are timed from the question to the answer: ours around the Python call, CP-SAT with the
    writing of its model. `cp_sat_solve_median` leaves the writing out.
    """

    ours: Times
    cp_sat: Times
    cp_sat_solve_median: float
    ratio_of_medians: float
    ratio_of_means: float


@dataclass(frozen=True, slots=True)
class Summary:
    """One class of one source. `call` is timed around the Python call, `core` inside the core."""

    source: str
    packing_class: int
    feasible_percent: float
    call: Times
    core: Times
    longest_call: float
    stage_percent: dict[str, float]
    millimetres: Times | None
    comparison: Comparison | None

    def to_dict(self) -> dict[str, object]:
        """Return the summary for machines."""
        return asdict(self)


def summarise(measurements: Sequence[Measurement], time_limit: float) -> list[Summary]:
    """Return a summary per source and class, in the order of first appearance.

    Where there are several sources, classes over all of them come last.
    """
    groups: dict[tuple[str, int], list[Measurement]] = {}
    over_all: dict[tuple[str, int], list[Measurement]] = {}
    for measurement in measurements:
        question = measurement.question
        groups.setdefault((question.source, question.packing_class), []).append(measurement)
        over_all.setdefault((ALL, question.packing_class), []).append(measurement)
    if len({source for source, _ in groups}) > 1:
        groups |= over_all
    return [
        _summary(source, packing_class, group, time_limit)
        for (source, packing_class), group in groups.items()
    ]


def _summary(
    source: str, packing_class: int, group: Sequence[Measurement], time_limit: float
) -> Summary:
    answers = [measurement.in_units for measurement in group]
    stages = Counter(answer.decided_by for answer in answers)
    in_millimetres = [
        measurement.in_millimetres
        for measurement in group
        if measurement.in_millimetres is not None
    ]
    return Summary(
        source=source,
        packing_class=packing_class,
        feasible_percent=100 * sum(a.verdict == "feasible" for a in answers) / len(answers),
        call=_times(answers, _call_seconds, time_limit),
        core=_times(answers, _core_seconds, time_limit),
        longest_call=max(answer.call_seconds for answer in answers),
        stage_percent={stage: 100 * count / len(answers) for stage, count in stages.most_common()},
        millimetres=(_times(in_millimetres, _call_seconds, time_limit) if in_millimetres else None),
        comparison=_comparison(group, time_limit),
    )


def _comparison(group: Sequence[Measurement], time_limit: float) -> Comparison | None:
    compared = [
        (measurement.in_units, measurement.cp_sat)
        for measurement in group
        if measurement.cp_sat is not None
    ]
    if not compared:
        return None
    ours = _times([answer for answer, _ in compared], _call_seconds, time_limit)
    cp_sat = Times.of(
        [theirs.writing_seconds + theirs.seconds for _, theirs in compared],
        [theirs.verdict == "unknown" for _, theirs in compared],
        time_limit,
    )
    return Comparison(
        ours=ours,
        cp_sat=cp_sat,
        cp_sat_solve_median=float(np.median([theirs.seconds for _, theirs in compared])),
        ratio_of_medians=cp_sat.median / ours.median,
        ratio_of_means=cp_sat.mean / ours.mean,
    )


def _call_seconds(answer: OurAnswer) -> float:
    return answer.call_seconds


def _core_seconds(answer: OurAnswer) -> float:
    return answer.core_seconds


def _times(
    answers: Sequence[OurAnswer], seconds: Callable[[OurAnswer], float], time_limit: float
) -> Times:
    return Times.of(
        [seconds(answer) for answer in answers],
        [answer.verdict == "unknown" for answer in answers],
        time_limit,
    )
