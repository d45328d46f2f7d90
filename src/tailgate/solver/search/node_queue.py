"""The nodes of the tree that may still hold a better plan, and the bound of all of them."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from tailgate.solver.master import Row
from tailgate.solver.search.cost_rounding import CostRounding
from tailgate.solver.search.incumbent import Incumbent
from tailgate.solver.search.node import Node


class NodeQueue:
    """Open nodes by their bounds, the node at work, and those that stay undecided.

    Every plan that is cheaper than the incumbent lies in one of them. Ctrl-C may come between any
    two steps: a node is in two places rather than in none.
    """

    def __init__(self, incumbent: Incumbent, rounding: CostRounding) -> None:
        self._incumbent = incumbent
        self._rounding = rounding
        self._open: list[tuple[float, int, Node]] = [(0.0, 0, Node())]
        self._numbers = itertools.count(1)
        self._current: Node | None = None
        self._undecided: list[Node] = []
        """Nodes that end with a query beyond the oracle, or beyond the precision of numbers."""
        self.undecided_reason: Literal["undecided", "precision"] | None = None
        """Why nodes were left undecided, if any was; a loading query before anything else."""
        self.nodes_done = 0

    def restore(self, nodes: Iterable[Node], nodes_done: int) -> None:
        """Have the open nodes of an earlier run."""
        self._open = []
        for node in nodes:
            self._push(node)
        self.nodes_done = nodes_done

    def clear(self) -> None:
        """Take note that no part has a solution."""
        self._open.clear()

    @property
    def current(self) -> Node:
        """The node at work."""
        assert self._current is not None
        return self._current

    @property
    def open_count(self) -> int:
        """How many nodes are open, the one at work included."""
        return len(self._open) + (self._current is not None)

    @property
    def unfinished(self) -> tuple[Node, ...]:
        """All nodes that a later run has to look at, the one at work first."""
        current = [] if self._current is None else [self._current]
        return (*current, *(node for _, _, node in sorted(self._open)), *self._undecided)

    @property
    def lower_bound(self) -> float:
        """No plan costs less."""
        others = self._undecided if self._current is None else [*self._undecided, self._current]
        bounds = [node.lower_bound for node in others]
        # The first of a heap is the least.
        bounds += [bound for bound, _, _ in self._open[:1]]
        bound = self._rounding.rounded_up(min(bounds, default=math.inf))
        cost = self._incumbent.cost
        return bound if cost is None else min(bound, cost)

    def take(self) -> Node | None:
        """Begin with the open node of the least bound; None: none holds a better plan."""
        while self._open:
            node = self._open[0][2]
            if node.lower_bound < self._incumbent.cutoff:
                self._current = node
            heapq.heappop(self._open)
            if self._current is not None:
                return node
        return None

    def finish_current(self, parts: Iterable[Node]) -> None:
        """Put the parts of the node at work in its place."""
        for part in parts:
            self._push(part)
        self._current = None
        self.nodes_done += 1

    def defer_current(self, reason: Literal["undecided", "precision"]) -> None:
        """Keep the node at work as one that nobody can decide: its bound counts to the end."""
        self._undecided.append(self.current)
        if self.undecided_reason != "undecided":
            self.undecided_reason = reason

    def raise_current(self, bound: float) -> None:
        """Take over what is proven of the node at work."""
        if bound > self.current.lower_bound:
            self._current = replace(self.current, lower_bound=bound)

    def set_cuts_of_current(self, cuts: Iterable[Row]) -> None:
        """Keep the rows with which the node at work goes on: a later run starts from them."""
        self._current = replace(self.current, cuts=tuple(cuts))

    def raise_all(self, bound: float) -> None:
        """Take over a bound of the whole problem: it holds for every part."""
        nodes = [
            (number, replace(node, lower_bound=max(node.lower_bound, bound)))
            for _, number, node in self._open
        ]
        # In one step, for Ctrl-C may come at any: in order they are a heap.
        self._open = sorted((node.lower_bound, number, node) for number, node in nodes)

    def _push(self, node: Node) -> None:
        if node.lower_bound < self._incumbent.cutoff:
            heapq.heappush(self._open, (node.lower_bound, next(self._numbers), node))
