"""The restricted master problem: the best fractional solution over the routes known so far."""

from tailgate.solver.master.edge_row import Edge, EdgeRow, edge_values, edges_at
from tailgate.solver.master.lp_run import MasterError
from tailgate.solver.master.restricted_master import (
    MasterSolution,
    RestrictedMaster,
    Row,
    vehicle_limits,
)

__all__ = [
    "Edge",
    "EdgeRow",
    "MasterError",
    "MasterSolution",
    "RestrictedMaster",
    "Row",
    "edge_values",
    "edges_at",
    "vehicle_limits",
]
