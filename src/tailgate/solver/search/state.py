"""All that a search must know to go on where another one has stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tailgate.model.solution import Solution
from tailgate.solver.column import Column
from tailgate.solver.search.node import Node

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class SearchState:
    """All that a search must know to go on: the parts that are open, and what has been learnt."""

    open_nodes: tuple[Node, ...]
    """The parts of the solutions not done with; none: the search is at its end."""
    lower_bound: float
    """No solution of any part costs less."""
    incumbent: Solution | None = None
    """The best plan so far."""
    infeasible_cores: tuple[Column, ...] = ()
    """Sequences that no route of a kind contains, mostly for they cannot be loaded."""
    cores_in_any_order: tuple[Column, ...] = ()
    """Those of which the order does not matter."""
    loadable_columns: tuple[Column, ...] = ()
    """Routes of a kind proven to be loadable."""
    nodes_done: int = 0
    seconds: float = 0.0
    """Spent so far, in all runs."""
    options: Mapping[str, Scalar] = field(default_factory=dict, hash=False)
    """With which the search was started: seed, screen, ..."""
