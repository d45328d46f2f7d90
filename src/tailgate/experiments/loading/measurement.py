"""Questions put to our oracle, in units and in millimetres, and to CP-SAT."""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tailgate.experiments.loading.cases import instance_of
from tailgate.experiments.loading.cp_sat import CpSatAnswer, CpSatQuestion, ask_cp_sat
from tailgate.experiments.loading.questions import Question
from tailgate.loading import LoadingOracle, Verdict


@dataclass(frozen=True, slots=True)
class OurAnswer:
    """What the oracle said, and the seconds of the Python call and inside the core."""

    verdict: Verdict
    decided_by: str
    call_seconds: float
    core_seconds: float
    nodes: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """All answers to one question; None where it was not asked."""

    question: Question
    in_units: OurAnswer
    in_millimetres: OurAnswer | None
    cp_sat: CpSatAnswer | None

    @property
    def contradicts_itself(self) -> bool:
        """Two answers that are not unknown, and not the same."""
        answers = [self.in_units, self.in_millimetres, self.cp_sat]
        verdicts = {str(answer.verdict) for answer in answers if answer is not None}
        return len(verdicts - {"unknown"}) > 1


def measure(
    questions: Sequence[Question],
    *,
    time_limit: float,
    with_millimetres: bool,
    asked_of_cp_sat: Collection[int],
    seed: int,
) -> list[Measurement]:
    """Ask all in turn, so that a busy moment of the machine hits all alike.

    Each gets all questions before the next one does: in use, too, question follows question.
    ``asked_of_cp_sat`` are positions in the list.
    """
    in_units = _ask_ours(questions, time_limit)
    cp_sat = [
        ask_cp_sat(CpSatQuestion(question.width, question.length, question.stops, True, time_limit))
        if position in asked_of_cp_sat
        else None
        for position, question in enumerate(questions)
    ]
    in_millimetres: Sequence[OurAnswer | None] = [None] * len(questions)
    if with_millimetres:
        blown_up = [
            question.in_millimetres(random.Random(f"{seed} {question.instance} {question.route}"))
            for question in questions
        ]
        in_millimetres = _ask_ours(blown_up, time_limit)
    return list(map(Measurement, questions, in_units, in_millimetres, cp_sat))


def _ask_ours(questions: Sequence[Question], time_limit: float) -> list[OurAnswer]:
    # Every one is put to a new oracle without a cache: nothing is known from an earlier question.
    asked = []
    for question in questions:
        instance = instance_of(question.width, question.length, question.stops)
        route = list(range(1, instance.n + 1))
        asked.append((LoadingOracle(instance, use_cache=False), route))
    return [_timed(oracle, route, time_limit) for oracle, route in asked]


def _timed(oracle: LoadingOracle, route: list[int], time_limit: float) -> OurAnswer:
    started = time.perf_counter()
    result = oracle.check(route, time_limit=time_limit)
    call_seconds = time.perf_counter() - started
    return OurAnswer(result.verdict, result.decided_by, call_seconds, result.seconds, result.nodes)
