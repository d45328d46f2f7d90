"""Rows that tighten the relaxation: every plan keeps them, a mixture of routes may not."""

from tailgate.search.cuts.capacity import CapacityRows
from tailgate.search.cuts.family import Cut, CutFamily
from tailgate.search.cuts.k_path import KPathRows
from tailgate.search.cuts.subset_rows import SubsetRows, widen

CUTS: dict[str, type[CutFamily]] = {
    "subset-row": SubsetRows,
    "capacity": CapacityRows,
    "k-path": KPathRows,
}
"""By the name that switches them."""

__all__ = ["CUTS", "CapacityRows", "Cut", "CutFamily", "KPathRows", "SubsetRows", "widen"]
