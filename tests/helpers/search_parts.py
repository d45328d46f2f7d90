"""Searches that lack some of their parts, so that the others must do the work."""

from __future__ import annotations

import pytest

from tailgate.solver.column_generation import column_pricing, first_columns
from tailgate.solver.search import enumeration_finish
from tailgate.solver.search.primal_heuristics import PrimalHeuristics


def leave_out_heuristics(patch: pytest.MonkeyPatch) -> None:
    """Let the search find every plan by itself."""
    patch.setattr(PrimalHeuristics, "_show_first_plan", lambda _: None)
    patch.setattr(PrimalHeuristics, "_offer_best_of_search", lambda _: None)
    patch.setattr(PrimalHeuristics, "_improve", lambda *_: None)


def leave_out_enumeration(patch: pytest.MonkeyPatch) -> None:
    """Let no enumeration of routes be complete: cuts and branching must close the gap."""
    for limit in ("FIRST_PATHS", "FIRST_SETS", "MORE_PATHS", "MORE_SETS"):
        patch.setattr(enumeration_finish, limit, 0)


def treat_as_large(patch: pytest.MonkeyPatch) -> None:
    """Treat small instances as large ones are treated: first duals from walks, and smoothing."""
    patch.setattr(first_columns, "MANY_CUSTOMERS", 0)
    patch.setattr(column_pricing, "MANY_LABELS", -1)
