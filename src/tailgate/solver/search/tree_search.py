"""The loop over the tree: node by node, until all is proven or there is a reason to stop."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.solver.column_generation import is_trivially_infeasible
from tailgate.solver.master import MasterError
from tailgate.solver.search.monitor import Monitor
from tailgate.solver.search.node_solver import NodeSolver
from tailgate.solver.search.part import SearchPart
from tailgate.solver.search.persistence import Persistence
from tailgate.solver.search.primal_heuristics import PrimalHeuristics
from tailgate.solver.search.result import Reason


@dataclass(eq=False)
class TreeSearch(SearchPart):
    """Takes nodes from the queue, has them solved, and puts their children back."""

    monitor: Monitor
    persistence: Persistence
    heuristics: PrimalHeuristics
    node_solver: NodeSolver

    def run(self) -> Reason:
        """Search, and return why it has ended; what was proven by then is `queue.lower_bound`."""
        try:
            return self._explore()
        except KeyboardInterrupt:
            return "interrupted"
        except MemoryError:
            return "memory_limit"
        except MasterError:
            return "lp_failure"

    def _explore(self) -> Reason:
        if is_trivially_infeasible(self.generation.instance):
            self.queue.clear()
            return "proven"
        self.heuristics.find_first_plan()
        self.persistence.prove_earlier_routes()
        while True:
            reason = self.monitor.reason_to_stop
            if reason is not None and self.queue.open_count:
                return reason
            node = self.queue.take()
            if node is None:
                return self.queue.undecided_reason or "proven"
            children = self.node_solver.solve(node)
            if children is None:
                return self.monitor.reason_to_stop or "time_limit"
            self.queue.finish_current(children)
            self.monitor.report("node", "branching")
            self.persistence.save_if_due()
