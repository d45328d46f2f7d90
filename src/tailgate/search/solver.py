"""Branch-price-and-cut: from the bound of column generation to a proven optimum.

`_solve_node` is the heart: generate columns; while there is a gap, add cuts; where few routes fit
into the gap, list them all and close; otherwise split the node in two.
"""

from __future__ import annotations

import heapq
import itertools
import math
import os
import threading
import time
from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Literal

from tailgate import _core, validation
from tailgate.column_generation import (
    MANY_CUSTOMERS,
    MAX_SECONDS,
    ColumnGeneration,
    Outcome,
)
from tailgate.errors import InputError
from tailgate.instance import Instance
from tailgate.loading import Verdict
from tailgate.master import EdgeRow, MasterError, Row
from tailgate.pricing import SubsetRow
from tailgate.routing import RouteSearch
from tailgate.routing.route_search import MAX_SEED
from tailgate.screening import UndecidedLoadingError
from tailgate.search import branching
from tailgate.search.alarm import Alarm
from tailgate.search.background import BackgroundSearch
from tailgate.search.checkpoint import Checkpoint, SearchState, read
from tailgate.search.closing import Closing
from tailgate.search.cuts import CUTS, Cut
from tailgate.search.incumbent import Incumbent
from tailgate.search.infeasibility import explain
from tailgate.search.memory import MemoryLimit
from tailgate.search.node import Node
from tailgate.search.recombination import recombine
from tailgate.search.result import Event, Reason, SolveProgress, SolveResult
from tailgate.search.separation import Separation
from tailgate.solution import Solution, Status, relative_gap
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]
PathLike = str | os.PathLike[str]

WHOLE_COST = 1e-6
"""A bound that is above a whole number by less may be above it by rounding only."""
RELATIVE_COST = 1e-7
"""Real costs that differ by less, relatively, count as the same."""

FIRST_GAPS = (0.0025, 0.005, 0.01, 0.02, 0.04, 0.08)
"""Routes are listed for solutions within so much of the bound first, then within more."""
FIRST_PATHS, FIRST_SETS = 1_000_000, 30_000
MORE_PATHS, MORE_SETS = 150_000, 1_500
"""Limits of a list of routes: at first, and more for every second so far."""
LAST_CHANCE = 4.0
"""Times the limits, before a node is split."""
SHRINK_BEFORE_LISTING_AGAIN = 0.75
LEAST_CLOSING_SECONDS = 5.0
CLOSING_SHARE = 0.5
"""Of the time so far: closing that takes longer is given up, for cuts or branching may do more."""

IDLE_ROUNDS_OF_A_CUT = 2
CUT_ROUNDS_AT_ROOT = 60
CUT_ROUNDS_IN_TREE = 8
LEAST_PROGRESS = 0.02
"""Of the gap, over the last rounds; less does not pay."""
ROUNDS_OF_PROGRESS = 4
SLOW_ROUND = 10.0
"""Times the seconds of the node's first convergence; a round that takes longer is given up."""
LEAST_ROUND_SECONDS = 20.0

PROOF_NODES = 10_000
"""For a route that the relaxation uses; more only for one that a plan uses."""
WHOLE_PROOF_NODES = 1_000_000
"""For a route of a whole solution, as long as there are other ways to go on."""

HEURISTIC_SHARE = 0.25
"""Of the time so far may go into the search for better solutions."""
RECOMBINATION_SHARE = 0.25
"""Of that, for plans made of known routes."""
LEAST_HEURISTIC_SECONDS = 1.0
MOST_HEURISTIC_SECONDS = 30.0
TRIAL_SECONDS = 10.0
REPROOF_NODES = 300


@dataclass(frozen=True, slots=True)
class Options:
    """How to search."""

    screen: str = "exact"
    weights: PathLike | None = None
    """Of the network that the screen asks."""
    gap: float = 0.0
    seed: int = 0
    threads: int = 1
    node_limit: int | None = None
    memory_limit: float | None = None
    """In megabytes."""
    cuts: frozenset[str] = frozenset(CUTS)

    def to_dict(self) -> dict[str, object]:
        """Return what solution files and checkpoints say of it."""
        return {
            "screen": self.screen,
            "gap": self.gap,
            "threads": self.threads,
            "cuts": sorted(self.cuts),
        }


def solve(
    instance: Instance,
    *,
    time_limit: float | None = None,
    gap: float = 0.0,
    screen: str = "exact",
    weights: PathLike | None = None,
    seed: int = 0,
    threads: int = 1,
    node_limit: int | None = None,
    memory_limit: float | None = None,
    warm_start: Solution | PathLike | None = None,
    checkpoint: PathLike | None = None,
    resume: PathLike | None = None,
    cuts: Collection[str] | None = None,
    on_progress: Callable[[SolveProgress], None] | None = None,
    cancel: threading.Event | None = None,
) -> SolveResult:
    """Find the cheapest plan and prove it; or, at a limit, the best plan and bound so far.

    Ctrl-C ends it early in the same way, and so does ``cancel`` from another thread. The gap is
    relative: the search ends when ``(objective - lower_bound) / objective`` is not above it.

    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> result = tailgate.solve(instance, time_limit=60)
    >>> result.status, result.objective, result.gap
    ('optimal', 291, 0.0)
    """
    if time_limit is not None:
        validation.number(time_limit, "time_limit", low=0, high=MAX_SECONDS)
    validation.number(gap, "gap", low=0, high=1)
    chosen = frozenset(CUTS) if cuts is None else frozenset(cuts)
    if not chosen <= frozenset(CUTS):
        unknown = ", ".join(sorted(chosen - frozenset(CUTS)))
        raise InputError(f"knows no {unknown}; there are {', '.join(CUTS)}", field="cuts")
    options = Options(screen, weights, gap, seed, threads, node_limit, memory_limit, chosen)
    search = Search(instance, options, TimeLimit(time_limit, cancel=cancel), on_progress)
    if resume is not None:
        search.restore(resume)
    if warm_start is not None:
        search.incumbent.from_solution(warm_start)
    path = resume if checkpoint is None else checkpoint
    if path is not None:
        search.checkpoint = Checkpoint(path, instance)
    return search.run()


class Search:
    """One search: its open nodes, the best plan so far, and the column generation it drives."""

    def __init__(
        self,
        instance: Instance,
        options: Options,
        time_limit: TimeLimit,
        on_progress: Callable[[SolveProgress], None] | None = None,
    ) -> None:
        self.instance = instance
        self.options = options
        self._alarm = Alarm(time_limit.cancel, MemoryLimit(options.memory_limit))
        time_limit.cancel = self._alarm
        self.time_limit = time_limit
        self.generation = ColumnGeneration(
            instance,
            screen=options.screen,
            weights=options.weights,
            time_limit=time_limit,
            seed=options.seed,
        )
        self.generation.screen.proof_limit = PROOF_NODES
        self.oracle = self.generation.oracle
        self.incumbent = Incumbent(instance, self.oracle)
        self.separation = Separation(instance, self.oracle, options.cuts)
        self.checkpoint: Checkpoint | None = None
        self._on_progress = on_progress
        self._background: BackgroundSearch | None = None
        self._open: list[tuple[float, int, Node]] = [(0.0, 0, Node())]
        self._numbers = itertools.count(1)
        self._current: Node | None = None
        self._undecided: list[Node] = []
        """Nodes that end with a loading question beyond the oracle."""
        self._nodes = 0
        self._idle: dict[Cut, int] = {}
        """Rounds that each cut has had no dual."""
        self._earlier_seconds = 0.0
        self._routes_of_before: tuple[RoutePath, ...] = ()
        self._heuristic_seconds = 0.0
        self._seconds = dict.fromkeys(("heuristic", "generation", "listing", "closing"), 0.0)

    # --- The tree ---------------------------------------------------------------------------------

    def run(self) -> SolveResult:
        """Search until all is proven, or a limit is reached."""
        if self.checkpoint is not None:
            # A path that cannot be written is found out at once.
            self.checkpoint.write(self._state())
        try:
            with ExitStack() as stack:
                stack.callback(_core.set_cancel_event, None)
                _core.set_cancel_event(self._alarm)
                if self.options.threads > 1:
                    seed = (self.options.seed + 1) % MAX_SEED
                    background = BackgroundSearch(self.instance, seed=seed)
                    self._background = stack.enter_context(background)
                reason = self._explore()
        except KeyboardInterrupt:
            reason = "interrupted"
        except MemoryError:
            reason = "memory_limit"
        except MasterError:
            reason = "lp_failure"
        self._report("end", "done")
        self._save()
        return self._result(reason)

    def _explore(self) -> Reason:
        if self.generation.fleet_is_plainly_wrong:
            self._open.clear()
            return "proven"
        self._find_first_solution()
        self._raise_open_nodes(self.generation.lower_bound)
        self._prove_routes_of_before()
        while self._open:
            reason = self._reason_to_stop()
            if reason is not None:
                return reason
            # Ctrl-C may come between any two steps: a node is in two places rather than in none.
            node = self._open[0][2]
            if node.lower_bound < self.cutoff:
                self._current = node
            heapq.heappop(self._open)
            if self._current is None:
                continue
            children = self._solve_node(node)
            if children is None:
                return self._reason_to_stop() or "time_limit"
            for child in children:
                self._push(child)
            self._current = None
            self._nodes += 1
            self._report("node", "branching")
            self._save_now_and_then()
        return "undecided" if self._undecided else "proven"

    def _push(self, node: Node) -> None:
        if node.lower_bound < self.cutoff:
            heapq.heappush(self._open, (node.lower_bound, next(self._numbers), node))

    def _raise_open_nodes(self, bound: float) -> None:
        """Take over a bound of the whole problem: it holds for every part."""
        nodes = [
            (number, replace(node, lower_bound=max(node.lower_bound, bound)))
            for _, number, node in self._open
        ]
        # In one step, for Ctrl-C may come at any: in order they are a heap.
        self._open = sorted((node.lower_bound, number, node) for number, node in nodes)

    def _reason_to_stop(self) -> Reason | None:
        if self._alarm.is_interrupted:
            return "interrupted"
        if self._alarm.is_out_of_memory:
            return "memory_limit"
        if self.time_limit.expired:
            return "time_limit"
        if self.options.node_limit is not None and self._nodes >= self.options.node_limit:
            return "node_limit"
        cost = self.incumbent.cost
        if cost is not None and relative_gap(cost, self.lower_bound) <= self.options.gap:
            return "gap"
        return None

    @property
    def cutoff(self) -> float:
        """A node whose bound is there holds nothing better than the best plan."""
        cost = self.incumbent.cost
        return math.inf if cost is None else self._below(cost)

    def _below(self, cost: float) -> float:
        """Return what solutions that cost less than this cost at most."""
        if self._whole_costs:
            return cost - 1 + WHOLE_COST
        return cost - RELATIVE_COST * abs(cost)

    @property
    def _whole_costs(self) -> bool:
        return self.instance.conventions.distance != "exact"

    @property
    def lower_bound(self) -> float:
        """No plan costs less."""
        bounds = [node.lower_bound for _, _, node in self._open]
        bounds += [node.lower_bound for node in self._undecided]
        if self._current is not None:
            bounds.append(self._current.lower_bound)
        least = min(bounds, default=math.inf)
        if self._whole_costs and math.isfinite(least):
            # Whole distances make whole costs.
            least = math.ceil(least - WHOLE_COST)
        cost = self.incumbent.cost
        return least if cost is None else min(least, cost)

    # --- A node -----------------------------------------------------------------------------------

    def _solve_node(self, node: Node) -> list[Node] | None:
        """Return the parts in which something better may be; None: the time is over."""
        started = time.monotonic()
        self._restrict(node, node.cuts)
        heuristic_seconds = self._seconds["heuristic"]
        status = self._converge(None, improve=self.instance.n >= MANY_CUSTOMERS)
        first_seconds = time.monotonic() - started
        first_seconds -= self._seconds["heuristic"] - heuristic_seconds
        gap_listed = math.inf
        bounds: list[float] = []
        for round_number in itertools.count(1):
            if status in ("infeasible", "cut_off"):
                return []
            if status == "undecided":
                self._undecided.append(replace(node, lower_bound=self._bound_here))
                return []
            if status == "converged":
                status = self._offer_whole_solution(WHOLE_PROOF_NODES)
            if status in ("infeasible", "cut_off", "undecided"):
                continue
            if status != "converged":
                return None
            if self._bound_here >= self.cutoff:
                return []
            if self._reason_to_stop() is not None:
                return None
            bounds.append(self._relaxation_bound)
            gap = min(self.cutoff - bounds[-1], FIRST_GAPS[-1] * bounds[-1])
            if gap < SHRINK_BEFORE_LISTING_AGAIN * gap_listed:
                gap_listed = gap
                if self._close(1.0):
                    return []
            self._improve_incumbent()
            if self._reason_to_stop() is not None:
                return None
            self._save_now_and_then()

            # Cuts, as long as they raise the bound well.
            limit = CUT_ROUNDS_AT_ROOT if not node.decisions else CUT_ROUNDS_IN_TREE
            if round_number > limit or not self._is_progress(bounds):
                break
            rows = self.generation.master.rows
            if not self._add_cuts(node):
                break
            self._report("cuts", "adding cuts")
            cap = max(LEAST_ROUND_SECONDS, SLOW_ROUND * first_seconds)
            status = self._converge(cap)
            if status == "time_limit" and not self.time_limit.expired:
                # Too dear: without these cuts, then.
                bound = self._bound_here
                self.generation.restrict(rows, node.forbidden_edges, lower_bound=bound)
                status = self._converge(None)
                if status != "converged":
                    continue
                break

        if self._close(LAST_CHANCE):
            return []
        # A whole solution that is still in doubt must be proven now, whatever it takes.
        status = self._offer_whole_solution(None)
        if status == "undecided":
            self._undecided.append(replace(node, lower_bound=self._bound_here))
        if status != "converged":
            return None if status == "time_limit" else []
        if self._bound_here >= self.cutoff:
            return []
        return None if self.time_limit.expired else self._split(node)

    @property
    def _bound_here(self) -> float:
        assert self._current is not None
        return max(self._current.lower_bound, self.generation.lower_bound)

    @property
    def _relaxation_bound(self) -> float:
        """That of the last convergence alone, whatever else is known."""
        prices = self.generation.prices
        assert prices is not None
        return prices.bound(self.instance, self.instance.vehicle_count)

    def _raise_bound_here(self, bound: float) -> None:
        assert self._current is not None
        if bound > self._current.lower_bound:
            self._current = replace(self._current, lower_bound=bound)
        self.generation.lower_bound = max(self.generation.lower_bound, bound)

    def _restrict(self, node: Node, cuts: Collection[Row]) -> None:
        rows = [*node.rows(self.instance.n), *cuts]
        self.generation.restrict(rows, node.forbidden_edges, lower_bound=node.lower_bound)

    def _converge(
        self, seconds: float | None, *, improve: bool = False
    ) -> Outcome | Literal["undecided"]:
        """Generate columns, for some seconds at most; if wanted, plans get better meanwhile."""
        generation = self.generation
        generation.cutoff = self.cutoff
        limit = self.time_limit if seconds is None else self.time_limit.at_most(seconds)
        generation.time_limit = limit
        generation.on_round = self._improve_between_rounds if improve else self._between_rounds
        started, heuristic_seconds = time.monotonic(), self._seconds["heuristic"]
        try:
            return generation.converge()
        except UndecidedLoadingError:
            return "undecided"
        finally:
            generation.on_round = None
            generation.time_limit = self.time_limit
            self._seconds["generation"] += time.monotonic() - started
            self._seconds["generation"] -= self._seconds["heuristic"] - heuristic_seconds
            self._raise_bound_here(generation.lower_bound)

    def _improve_between_rounds(self) -> None:
        self._improve_incumbent(0.0)
        self.generation.cutoff = self.cutoff
        self._between_rounds()

    def _between_rounds(self) -> None:
        """A root may take hours, and a search may be killed at any moment."""
        self._raise_bound_here(self.generation.lower_bound)
        self._save_now_and_then()

    def _is_progress(self, bounds: list[float]) -> bool:
        if len(bounds) <= ROUNDS_OF_PROGRESS:
            return True
        gap = self.cutoff - bounds[-1 - ROUNDS_OF_PROGRESS]
        if math.isinf(gap):
            gap = 0.05 * bounds[-1]
        return bounds[-1] - bounds[-1 - ROUNDS_OF_PROGRESS] > LEAST_PROGRESS * gap

    def _add_cuts(self, node: Node) -> bool:
        """Replace cuts that have done nothing for a while by violated ones; are there any?"""
        solution = self.generation.solution
        assert solution is not None
        cuts = self._cuts(node)
        self._idle = {
            cut: 0 if cut in solution.row_duals else self._idle.get(cut, 0) + 1 for cut in cuts
        }
        useful = [cut for cut in cuts if self._idle[cut] <= IDLE_ROUNDS_OF_A_CUT]
        kept, fresh = self.separation.separate(solution.support, useful, self.time_limit)
        if not fresh:
            return False
        bound = self._bound_here
        rows = [*node.rows(self.instance.n), *kept, *fresh]
        self.generation.restrict(rows, node.forbidden_edges, lower_bound=bound)
        assert self._current is not None
        # Asked of the master later, it might be at a trial of branching.
        self._current = replace(self._current, cuts=(*kept, *fresh))
        return True

    def _cuts(self, node: Node) -> list[Cut]:
        decided = set(node.rows(self.instance.n))
        rows = self.generation.master.rows
        cuts = [row for row in rows if isinstance(row, SubsetRow | EdgeRow)]
        return [row for row in cuts if row not in decided]

    def _split(self, node: Node) -> list[Node]:
        solution = self.generation.solution
        assert solution is not None
        self._report("node", "choosing an edge to branch on")
        cuts = [row for row in self._cuts(node) if row in solution.row_duals]
        here = replace(node, lower_bound=self._bound_here)
        chosen = branching.choose(
            self.generation,
            here,
            cuts,
            seconds_per_trial=TRIAL_SECONDS,
            time_limit=self.time_limit,
            cutoff=self.cutoff,
        )
        if chosen is None:
            # Whole edges make whole routes, and these were offered. What they cost more than the
            # bound is due to rounding, and nobody can tell which of the two is right.
            self._undecided.append(here)
            return []
        return [
            here.child(decision, bound, cuts)
            for decision, bound in zip(chosen.decisions, chosen.lower_bounds, strict=True)
        ]

    # --- Closing ----------------------------------------------------------------------------------

    def _close(self, effort: float) -> bool:
        """List all routes of better solutions and solve over them; True: the node is done.

        First those of solutions near to the bound. If there is none so cheap, the bound has risen.
        """
        for share in (*FIRST_GAPS, math.inf):
            bound = self._bound_here
            if bound >= self.cutoff:
                return True
            cost = self.incumbent.cost
            target = math.ceil(bound * (1 + share)) if math.isfinite(share) else math.inf
            if self._whole_costs:
                target = max(target, math.ceil(bound - WHOLE_COST) + 1)
            if cost is not None:
                target = min(target, cost)
            if math.isinf(target):
                return False
            if not self._close_below(target, effort):
                return False
        return self._bound_here >= self.cutoff

    def _close_below(self, target: float, effort: float) -> bool:
        """Look for solutions cheaper than the target; False: that takes too long."""
        generation = self.generation
        prices = generation.prices
        if prices is None or self.time_limit.expired:
            return False
        rest = prices.bound(self.instance, self.instance.vehicle_count - 1)
        threshold = self._below(target) - rest
        self._save_now_and_then()
        self._report("closing", "listing routes")
        started = time.monotonic()
        listed = generation.pricer.enumerate(
            threshold,
            max_sets=int(effort * (FIRST_SETS + MORE_SETS * self._elapsed)),
            max_paths=int(effort * (FIRST_PATHS + MORE_PATHS * self._elapsed)),
            time_limit=self.time_limit,
        )
        self._seconds["listing"] += time.monotonic() - started
        if not listed.complete:
            return False
        self._report("closing", f"closing over {len(listed.routes):,} routes")
        started = time.monotonic()
        closing = Closing(
            self.instance,
            self.oracle,
            generation.pricer,
            listed.routes,
            cutoff=target,
            threads=self.options.threads,
            cuts=[row.members for row in generation.master.rows if isinstance(row, SubsetRow)],
        )
        seconds = max(LEAST_CLOSING_SECONDS, CLOSING_SHARE * self._elapsed)
        result = closing.run(self.time_limit.at_most(seconds))
        self._seconds["closing"] += time.monotonic() - started
        if result.routes is not None:
            self._offer(result.routes)
        if result.status == "solved":
            proven = result.lower_bound
            if result.routes is not None:
                # Of these routes, and not of the incumbent: where the time is over, they may not
                # have got there.
                proven = sum(map(self.instance.route_cost, result.routes))
            self._raise_bound_here(min(target, proven))
            return True
        self._raise_bound_here(min(target, result.lower_bound))
        return False

    # --- Solutions --------------------------------------------------------------------------------

    def _find_first_solution(self) -> None:
        started = time.monotonic()
        self._report("root", "looking for a first solution")
        self.generation.find_first_columns()
        self._offer_search()
        self.generation.improve_first_columns()
        spent = time.monotonic() - started
        self._seconds["heuristic"] += spent
        self._heuristic_seconds += spent
        self._offer_search()

    def _offer_search(self) -> None:
        search = self.generation.route_search
        if search is not None and search.routes is not None:
            self._offer(search.routes)

    def _improve_incumbent(self, least: float = LEAST_HEURISTIC_SECONDS) -> None:
        """Go on with the route search for a while, unless another thread does; then recombine."""
        if self._background is not None:
            routes = self._background.take()
            if routes is not None:
                self._offer(routes)
        search = self.generation.route_search
        if search is None or self._bound_here >= self.cutoff:
            return
        allowed = max(least, HEURISTIC_SHARE * self.time_limit.elapsed)
        seconds = min(allowed - self._heuristic_seconds, MOST_HEURISTIC_SECONDS)
        if seconds < 0.5 * LEAST_HEURISTIC_SECONDS:
            return
        self._report("node", "looking for better solutions")
        started = time.monotonic()
        if self._background is None:
            search.run(time_limit=self.time_limit.at_most(seconds).remaining)
            self._offer_search()
        if seconds >= LEAST_HEURISTIC_SECONDS:
            self._recombine(search, RECOMBINATION_SHARE * seconds)
        spent = time.monotonic() - started
        self._seconds["heuristic"] += spent
        # What the other thread has done counts as if it had been done here.
        self._heuristic_seconds += spent if self._background is None else seconds

    def _recombine(self, search: RouteSearch, seconds: float) -> None:
        """Make a better plan of the routes that are proven, if there is one."""
        solution, cost = self.generation.solution, self.incumbent.cost
        if solution is None or cost is None:
            return
        is_in_doubt = self.generation.screen.is_in_doubt
        proven = [route for route in self.generation.master.routes if not is_in_doubt(route)]
        routes = recombine(
            self.instance,
            [*search.pool, *proven],
            solution.duals,
            limit=self._below(cost),
            threads=self.options.threads,
            time_limit=self.time_limit.at_most(seconds),
        )
        if routes is not None:
            self._offer(routes)
            search.offer(routes, proven=True)

    def _offer_whole_solution(self, proof_nodes: int | None) -> Outcome | Literal["undecided"]:
        """Take the master's solution if it uses every edge wholly or not at all.

        Only then must all of it be proven, with so much effort for each column; where some is
        refuted, columns are generated again.
        """
        status: Outcome | Literal["undecided"] = "converged"
        screen, master = self.generation.screen, self.generation.master
        while status == "converged":
            solution = self.generation.solution
            assert solution is not None
            if branching.fractional(solution.support, self.instance):
                break
            screen.proof_limit = proof_nodes
            try:
                refuted = screen.refuted(solution.support, self.time_limit)
            except UndecidedLoadingError:
                return "undecided"
            finally:
                screen.proof_limit = PROOF_NODES
            if refuted:
                for route in refuted:
                    master.remove(route)
                status = self._converge(None)
                continue
            if not any(map(screen.is_in_doubt, solution.support)):
                # A route and its reverse, perhaps: one of each set.
                routes = {frozenset(route): route for route in solution.support}
                self._offer(routes.values())
            break
        return status

    def _offer(self, routes: Collection[RoutePath]) -> None:
        if self.incumbent.offer(routes, time_limit=self.time_limit):
            self.generation.master.add(routes)
            self._report("incumbent", "a better plan")

    # --- What it tells and keeps ------------------------------------------------------------------

    @property
    def _elapsed(self) -> float:
        return self._earlier_seconds + self.time_limit.elapsed

    def _report(self, event: Event, doing: str) -> None:
        if self._on_progress is None:
            return
        self._on_progress(
            SolveProgress(
                seconds=self._elapsed,
                nodes=self._nodes,
                open_nodes=len(self._open) + (self._current is not None),
                lower_bound=self.lower_bound,
                objective=self.incumbent.cost,
                columns=self.generation.master.column_count,
                exact_checks=self._exact_checks,
                doing=doing,
                event=event,
            )
        )

    @property
    def _exact_checks(self) -> int:
        statistics = self.oracle.statistics
        return int(sum(statistics[f"decided_{verdict}"] for verdict in Verdict))

    def _save_now_and_then(self) -> None:
        if self.checkpoint is not None and self.checkpoint.is_due:
            self._save()

    def _save(self) -> None:
        if self.checkpoint is None:
            return
        failed_before = bool(self.checkpoint.failure)
        self.checkpoint.write(self._state())
        if self.checkpoint.failure and not failed_before:
            self._report("checkpoint", self.checkpoint.failure)

    def _state(self) -> SearchState:
        nodes = [node for _, _, node in sorted(self._open)]
        if self._current is not None:
            nodes.insert(0, self._current)
        return SearchState(
            open_nodes=(*nodes, *self._undecided),
            lower_bound=self.lower_bound,
            incumbent=self.incumbent.solution("feasible", self.lower_bound),
            infeasible_cores=tuple(self.generation.pricer.forbidden),
            loadable_routes=tuple(self.generation.master.routes),
            nodes_done=self._nodes,
            seconds=self._elapsed,
            options={"seed": self.options.seed, "screen": self.options.screen},
        )

    def restore(self, path: PathLike) -> None:
        """Go on where the search of a checkpoint was."""
        state = read(path, self.instance)
        self._open = []
        for node in state.open_nodes:
            self._push(node)
        self._nodes = state.nodes_done
        self._earlier_seconds = state.seconds
        for core in state.infeasible_cores:
            self.generation.pricer.forbid(core)
        if state.incumbent is not None:
            self.incumbent.from_solution(state.incumbent)
        self._routes_of_before = state.loadable_routes

    def _prove_routes_of_before(self) -> None:
        """Take the columns of an earlier run as far as they are quickly proven again."""
        proven = []
        for route in self._routes_of_before:
            if self.time_limit.expired:
                return
            result = self.oracle.check(
                route, max_nodes=REPROOF_NODES, time_limit=self.time_limit.remaining
            )
            if result.verdict is Verdict.FEASIBLE:
                proven.append(route)
        self.generation.master.add(proven)

    def _result(self, reason: Reason) -> SolveResult:
        status: Status
        statistics = {f"seconds_{name}": value for name, value in self._seconds.items()}
        statistics["columns"] = self.generation.master.column_count
        for name, value in self.generation.screen.statistics.items():
            statistics[f"screen_{name}"] = value
        explanation = ""
        bound: float | None = self.lower_bound
        if reason == "proven" and self.incumbent.cost is None:
            status, bound = "infeasible", None
            explanation = explain(self.instance, self.oracle)
        elif reason == "proven":
            status = "optimal"
        else:
            status = "feasible" if self.incumbent.cost is not None else "bound_only"
            if status == "feasible" and self.lower_bound >= self.cutoff:
                status, reason = "optimal", "proven"
        solution = None
        if bound is not None:
            solution = self.incumbent.solution(
                status,
                bound,
                seed=self.options.seed,
                seconds=self._elapsed,
                options=self.options.to_dict(),
            )
        return SolveResult(
            status=status,
            reason=reason,
            lower_bound=bound,
            nodes=self._nodes,
            seconds=self._elapsed,
            conventions=self.instance.conventions,
            exact_checks=self._exact_checks,
            solution=solution,
            explanation=explanation,
            statistics=statistics,
            checkpoint_failure="" if self.checkpoint is None else self.checkpoint.failure,
            instance=self.instance,
        )
