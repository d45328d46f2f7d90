"""How far the search has come: what it reports, where its time goes, and when it must stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tailgate.model.solution import relative_gap
from tailgate.solver.search.part import SearchPart
from tailgate.solver.search.result import Event, Reason, SolveProgress
from tailgate.solver.search.stop_signal import StopSignal

PARTS = ("heuristic", "generation", "listing", "closing")


@dataclass(eq=False)
class Monitor(SearchPart):
    """Sees all of the search and changes nothing, but that it may end it."""

    signal: StopSignal
    on_progress: Callable[[SolveProgress], None] | None
    earlier_seconds: float = 0.0
    """Of the runs before this one."""
    unavoidable_cost: int | float = 0
    """Of the plans of interest; the gap is one of the rest of their costs."""
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    reported_cost: float | None = None

    @property
    def elapsed(self) -> float:
        """Seconds of all runs."""
        return self.earlier_seconds + self.time_limit.elapsed

    @contextmanager
    def timing(self, part: str) -> Iterator[None]:
        """Count the time of a block, without that of other parts in it."""
        started, counted = time.monotonic(), sum(self.seconds.values())
        try:
            yield
        finally:
            spent = time.monotonic() - started
            self.seconds[part] += spent - (sum(self.seconds.values()) - counted)

    def report(self, event: Event, doing: str) -> None:
        """Say what has happened, and look whether the plan is good enough by now."""
        if self.options.gap == 0 and self.on_progress is None:
            return
        cost, bound = self.incumbent.cost, self.queue.lower_bound
        if self.options.gap > 0:
            self.signal.gap_is_reached |= self._gap_is_reached
        if self.on_progress is None:
            return
        is_new = cost != self.reported_cost
        self.reported_cost = cost
        self.on_progress(
            SolveProgress(
                seconds=self.elapsed,
                nodes=self.queue.nodes_done,
                open_nodes=self.queue.open_count,
                lower_bound=bound,
                objective=cost,
                columns=self.generation.master.column_count,
                exact_checks=self.generation.exact_checks,
                doing=doing,
                event=event,
                new_plan=self.incumbent.solution("feasible", bound) if is_new else None,
            )
        )

    @property
    def reason_to_stop(self) -> Reason | None:
        """Why the search must end now; None: it goes on."""
        options = self.options
        if self.signal.is_interrupted:
            return "interrupted"
        if self.signal.is_out_of_memory:
            return "memory_limit"
        if self._gap_is_reached:
            return "gap"
        if self.time_limit.expired:
            return "time_limit"
        if options.node_limit is not None and self.queue.nodes_done >= options.node_limit:
            return "node_limit"
        return None

    @property
    def _gap_is_reached(self) -> bool:
        """Whether the best plan is as good as was asked for."""
        cost, bound = self.incumbent.cost, self.queue.lower_bound
        if cost is None:
            return False
        rest = cost - self.unavoidable_cost
        if self.unavoidable_cost and rest <= 0:
            return bound >= cost
        return relative_gap(rest, bound - self.unavoidable_cost) <= self.options.gap
