"""One question put to our oracle, in units and in millimetres, and to CP-SAT."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from tailgate.experiments.loading.cases import instance_of
from tailgate.experiments.loading.cp_sat import CpSatAnswer, ask_cp_sat
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
    question: Question, *, time_limit: float, with_millimetres: bool, with_cp_sat: bool, seed: int
) -> Measurement:
    """Ask all in turn, so that a busy moment of the machine hits all alike."""
    cp_sat = None
    in_units = _ask_ours(question, time_limit)
    if with_cp_sat:
        cp_sat = ask_cp_sat(
            question.width, question.length, question.stops, lifo=True, time_limit=time_limit
        )
    in_millimetres = None
    if with_millimetres:
        dice = random.Random(f"{seed} {question.instance} {question.route}")
        in_millimetres = _ask_ours(question.in_millimetres(dice), time_limit)
    return Measurement(question, in_units, in_millimetres, cp_sat)


def _ask_ours(question: Question, time_limit: float) -> OurAnswer:
    instance = instance_of(question.width, question.length, question.stops)
    # A new oracle without a cache: nothing can be known from an earlier question.
    oracle = LoadingOracle(instance, use_cache=False)
    route = list(range(1, instance.n + 1))
    started = time.perf_counter()
    result = oracle.check(route, time_limit=time_limit)
    call_seconds = time.perf_counter() - started
    return OurAnswer(result.verdict, result.decided_by, call_seconds, result.seconds, result.nodes)
