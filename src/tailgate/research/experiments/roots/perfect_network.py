"""``perfect-network``: what a network that is never wrong would save, the ceiling of screening."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from tailgate.model.instance import Instance
from tailgate.research.experiments.instances import Chosen
from tailgate.research.experiments.roots.measurement import measure, solve_with
from tailgate.research.experiments.roots.pipelines import RootPipelines
from tailgate.research.experiments.row_store import Row
from tailgate.solver.column_generation import BoundResult, bound
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.network import Predictor
from tailgate.solver.pricing import Pricer
from tailgate.solver.screening import LazyScreen
from tailgate.solver.screening.lazy import LOADABLE

NEVER_WRONG = "never wrong"
TRUTH_SECONDS = 5.0


class Truth:
    """Predicts what an oracle of its own has found out, and knows how long that took."""

    uncounted = 0.0
    """Processor seconds of all truths."""

    def __init__(self, instance: Instance) -> None:
        self.calls = 0
        self.seconds = 0.0
        self._oracle = LoadingOracle(instance)

    def predicts_feasible(self, route: Sequence[int]) -> bool:
        """Tell whether a route can be loaded."""
        self.calls += 1
        started = time.process_time()
        verdict = self._oracle.check(route, time_limit=TRUTH_SECONDS).verdict
        Truth.uncounted += time.process_time() - started
        return verdict is Verdict.FEASIBLE


class NeverWrong(LazyScreen):
    """The lazy screen with true predictions."""

    def __init__(self, pricer: Pricer, oracle: LoadingOracle) -> None:
        super().__init__(pricer, oracle, Truth(oracle.instance))
        self.guide = Predictor(oracle.instance)
        oracle.guess_cores(self.guide, loadable=LOADABLE)

    def _is_sure_of(self, route: tuple[int, ...]) -> bool:
        return self._predictions[route]


def _solve_never_wrong(
    instance: Instance, *, seed: int, time_limit: float, **_: Any
) -> BoundResult:
    screen = NeverWrong(Pricer(instance), LoadingOracle(instance))
    return solve_with(screen, seed, time_limit)


def measure_truth(chosen: Chosen, screen: str, seed: int, time_limit: float, commit: str) -> Row:
    """Solve one relaxation; the time of the truth is not counted."""
    before = Truth.uncounted
    solve = _solve_never_wrong if screen == NEVER_WRONG else bound
    row = measure(chosen, screen, seed, time_limit, commit, solve=solve)
    uncounted = Truth.uncounted - before
    counted = {name: row[name] - uncounted for name in ("seconds", "processor_seconds")}
    return row | counted


class PerfectNetwork(RootPipelines):
    """Exact, lazy, and lazy with predictions that are the truth."""

    name: ClassVar[str] = "perfect-network"
    title: ClassVar[str] = "What a network that is never wrong would save"
    explanation: ClassVar[str] = (
        "Three pipelines in turns: exact, lazy with the network of the package, and lazy with "
        "predictions that are the truth. The truth comes from a loading oracle of its own, whose "
        f"time is not counted; where it takes longer than {TRUTH_SECONDS:g} s, the prediction is "
        '"infeasible". In both lazy pipelines the network of the package guides the route search '
        "and the choice of infeasible cores. Saved is 1 - T / T_exact, of seconds of the processor."
    )
    options: ClassVar[frozenset[str]] = frozenset({"instances", "time_limit", "repeats"})
    main_table: ClassVar[str] = "processor"
    screens: ClassVar[Sequence[str]] = ("exact", "lazy", NEVER_WRONG)
    measure: ClassVar[Callable[..., Row]] = staticmethod(measure_truth)
