"""Moved to tailgate.master.edge_row; import from there (this file will be deleted)."""

from tailgate.master.edge_row import Edge, EdgeRow, edge_values, edges_of

__all__ = ["Edge", "EdgeRow", "edge_values", "edges_of"]
