"""Rows that tighten the relaxation: every plan keeps them, a fractional solution may not."""

from tailgate.solver.search.cuts.capacity import CapacityRows
from tailgate.solver.search.cuts.family import Cut, CutFamily, CutQuery
from tailgate.solver.search.cuts.k_path import KPathRows
from tailgate.solver.search.cuts.subset_rows import SubsetRows, widen

CUTS: dict[str, type[CutFamily[Cut]]] = {
    "capacity": CapacityRows,
    "k-path": KPathRows,
    "subset-row": SubsetRows,
}
"""By the name that switches them, in the order of separation: rows over edges first."""

__all__ = ["CUTS", "Cut", "CutFamily", "CutQuery", "SubsetRows", "widen"]
