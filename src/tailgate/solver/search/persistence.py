"""The search on disk: when its state is written, and how an earlier run is resumed."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model.aliases import PathLike
from tailgate.solver.column import Column, columns_of
from tailgate.solver.loading import Verdict
from tailgate.solver.search import checkpoint_codec
from tailgate.solver.search.checkpoint import Checkpoint
from tailgate.solver.search.monitor import Monitor
from tailgate.solver.search.part import SearchPart
from tailgate.solver.search.state import SearchState

REPROOF_NODES = 300
"""For a column of an earlier run: what takes longer to prove again is left to pricing."""


@dataclass(eq=False)
class Persistence(SearchPart):
    """Writes the state of a search to its checkpoint, if it has one, and restores it."""

    monitor: Monitor
    checkpoint: Checkpoint | None
    earlier_columns: tuple[Column, ...] = ()

    @property
    def failure(self) -> str:
        """Why the last attempt to write failed; empty if it did not."""
        return "" if self.checkpoint is None else self.checkpoint.failure

    def save_if_due(self) -> None:
        """Write the state if the last one is old."""
        if self.checkpoint is not None and self.checkpoint.is_due:
            self.save()

    def save(self) -> None:
        """Write the state; report the first of several failures."""
        if self.checkpoint is None:
            return
        failed_before = bool(self.failure)
        self.checkpoint.write(self._state())
        if self.failure and not failed_before:
            self.monitor.report("checkpoint", self.failure)

    def _state(self) -> SearchState:
        bound = self.queue.lower_bound
        return SearchState(
            open_nodes=self.queue.unfinished,
            lower_bound=bound,
            incumbent=self.incumbent.solution("feasible", bound),
            infeasible_cores=tuple(
                column
                for kind, pricer in enumerate(self.generation.pricers)
                for column in columns_of(kind, pricer.forbidden)
            ),
            cores_in_any_order=tuple(
                Column(kind, core)
                for kind, pricer in enumerate(self.generation.pricers)
                for core, in_any_order in pricer.forbidden.items()
                if in_any_order
            ),
            loadable_columns=tuple(self.generation.master.columns),
            nodes_done=self.queue.nodes_done,
            seconds=self.monitor.elapsed,
            options={"seed": self.options.seed, "screen": self.options.screen},
        )

    def restore(self, path: PathLike) -> None:
        """Go on where the search of a checkpoint was."""
        state = checkpoint_codec.read(path, self.generation.instance)
        self.queue.restore(state.open_nodes, state.nodes_done)
        self.monitor.earlier_seconds = state.seconds
        in_any_order = frozenset(state.cores_in_any_order)
        for core in state.infeasible_cores:
            self.generation.pricers[core.kind].forbid(core.route, in_any_order=core in in_any_order)
        if state.incumbent is not None:
            self.incumbent.from_solution(state.incumbent)
        self.earlier_columns = state.loadable_columns

    def prove_earlier_routes(self) -> None:
        """Take the columns of an earlier run as far as they are quickly proven again."""
        proven, limit = [], self.time_limit
        for column in self.earlier_columns:
            if limit.expired:
                return
            oracle = self.generation.oracles[column.kind]
            result = oracle.check(column.route, max_nodes=REPROOF_NODES, time_limit=limit.remaining)
            if result.verdict is Verdict.FEASIBLE:
                proven.append(column)
        self.generation.master.add(proven)
