"""The restricted master problem: the best mixture of the routes known so far."""

from tailgate.master.edge_row import Edge, EdgeRow, edge_values, edges_of
from tailgate.master.restricted_master import (
    MasterError,
    MasterSolution,
    RestrictedMaster,
    Row,
)

__all__ = [
    "Edge",
    "EdgeRow",
    "MasterError",
    "MasterSolution",
    "RestrictedMaster",
    "Row",
    "edge_values",
    "edges_of",
]
