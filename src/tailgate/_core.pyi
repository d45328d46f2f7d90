"""The compiled core of Tailgate."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class Answer:
    """What the oracle says of one route."""

    @property
    def verdict(self) -> str: ...

    @property
    def decided_by(self) -> str: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def core(self) -> list[int]:
        """
        Part of an infeasible route, perhaps backwards, that is infeasible by itself.
        """

    @property
    def in_any_order(self) -> bool:
        """Is the core infeasible in any order of its customers?"""

    @property
    def positions(self) -> list[list[tuple[int, int, bool]]]:
        """
        One list of (x, y, turned) per stop, in visiting order; empty unless feasible.
        """

class LoadingOracle:
    """Decides whether routes can be loaded. Safe to share between threads."""

    def __init__(self, width: int, length: int, customers: Sequence[Sequence[tuple[int, int, bool]]], lifo: bool, cache_bytes: int, use_cache: bool) -> None:
        """
        Customers are lists of (width, length, may turn); routes name them by index.
        """

    def check(self, route: Sequence[int], max_nodes: int, max_seconds: float) -> Answer:
        """Negative limits mean none."""

    def recall(self, route: Sequence[int]) -> Answer:
        """What is known already; unknown if nothing is."""

    def pushed_together(self, route: Sequence[int], positions: Sequence[Sequence[tuple[int, int, bool]]]) -> list[list[tuple[int, int, bool]]]:
        """The same plan without gaps towards the cab and the left wall."""

    def statistics(self) -> dict[str, float]: ...

    def set_guess(self, predictor: RoutePredictor, least_logit: float) -> None:
        """
        Try nothing with at least this logit as an infeasible core of an expensive proof.
        """

    def clear(self) -> None: ...

    def record_queries(self, on: bool) -> None:
        """While on, every query is kept, whoever asks it, until it is taken."""

    def take_queries(self) -> list[tuple[list[int], str, str, int, float, int]]:
        """
        Recorded (route, verdict, decided_by, nodes, seconds, max_nodes), oldest first; a negative max_nodes means no limit.
        """

class Network:
    """Guesses whether routes can be loaded."""

    def __init__(self, tensors: Mapping[str, Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], step_per_customer: bool, heads: int) -> None:
        """
        Arrays of 32-bit floats by name; a ValueError names the one that does not fit.
        """

    @property
    def customer_features(self) -> int: ...

    @property
    def route_features(self) -> int: ...

class RoutePredictor:
    """
    The network for the routes of one instance. Not to be shared between threads.
    """

    def __init__(self, network: Network, items: Sequence[Sequence[float]], features: Sequence[Sequence[float]], terms: Sequence[Sequence[float]]) -> None:
        """
        One list of numbers per customer each: width and length of every item, features, and terms whose sums are the features of a route.
        """

    def logit(self, route: Sequence[int]) -> float:
        """Customers 1..n in visiting order."""

    def logits(self, routes: Sequence[Sequence[int]]) -> list[float]:
        """Of many, with less work."""

    @property
    def steps(self) -> int: ...

    @property
    def steps_saved(self) -> int: ...

def set_cancel_event(event: object | None, seconds_between_looks: float = 0.05) -> None:
    """
    A threading.Event that ends what this thread asks of the core; None for none.
    """

class PricingAnswer:
    """What one call of the pricer found."""

    @property
    def routes(self) -> list[list[int]]:
        """Customers 1..n in visiting order."""

    @property
    def reduced_costs(self) -> list[float]:
        """Of the routes, ascending, without the dual of the fleet."""

    @property
    def complete(self) -> bool:
        """
        False: it was stopped, and no routes does not mean that there are none.
        """

    @property
    def bound(self) -> float:
        """No route that is not forbidden costs less."""

class Pricer:
    """
    Finds routes of negative reduced cost. Not to be shared between threads.
    """

    def __init__(self, cost: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], duration: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], weight: Sequence[int], area: Sequence[int], capacity: int, floor_area: int, ready: Sequence[float], due: Sequence[float], service: Sequence[float], time_tolerance: float, waiting_cost: float, max_duration: float, distance: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], max_distance: float, max_stops: int, lifo: bool, single_customer_routes: bool, other_costs: float, groups: Sequence[Sequence[int]], walk_bounds: bool = True, growing_neighbourhoods: bool = True, resumed_search: bool = True) -> None:
        """
        Lists by node, the depot first; cost, duration and distance are matrices by rows, infinite where there is no road. Without a clock due is empty; with an empty duration the travel time is the cost. Limits are infinite where there are none, and 0 for max_stops; distance may be empty where it has no limit. Duals may be as large as other_costs allow. Of the customers of a group a route visits all or none. The last three are ways of saving work that can be left out.
        """

    def forbid(self, sequence: Sequence[int], in_any_order: bool = False) -> None:
        """
        No route may contain this sequence, or its customers in any order: the loading is proven infeasible.
        """

    def defer(self, sequence: Sequence[int]) -> None:
        """Skip routes with this sequence until release_all."""

    def skips(self, route: Sequence[int]) -> bool:
        """Is this route ruled out, or deferred, by what is known now?"""

    def release_all(self) -> None: ...

    @property
    def deferred_count(self) -> int: ...

    def set_forbidden_edges(self, edges: Sequence[tuple[int, int]]) -> None:
        """
        No route goes directly from one to the other, either way; replaces those before.
        """

    def set_duals(self, visits: Sequence[float], cost_factor: float, edges: Sequence[tuple[int, int, float]], rows: Sequence[tuple[Sequence[int], Sequence[int], float]]) -> None:
        """
        By customer; with a cost factor of 0 routes are free. Edges are (place, place, price), subset rows (members, memory, penalty).
        """

    def rounded_dual(self, dual: float) -> float:
        """As the pricer understands it."""

    def price(self, threshold: float, max_routes: int, max_seconds: float) -> PricingAnswer:
        """
        The cheapest routes below the threshold. Negative max_seconds means no limit.
        """

    def price_more(self, max_routes: int, max_seconds: float) -> PricingAnswer:
        """
        The next ones, under the same duals: none that was returned since price. No routes does not mean that there are no others.
        """

    def cheapest_walks(self) -> tuple[list[list[int]], float]:
        """
        For every last customer a cheap walk, and a bound below which no route is.
        """

    def enumerate_sets(self, threshold: float, max_sets: int, max_paths: int, max_seconds: float) -> tuple[list[list[int]], bool]:
        """
        For every set of customers with a route below the threshold the cheapest of them; and whether they are all.
        """

    def cheapest_order(self, customers: Sequence[int], max_seconds: float) -> list[int] | None:
        """
        The cheapest order that is not forbidden, empty if there is none; None if the time was over before that was known.
        """

    def statistics(self) -> dict[str, float]: ...

class RoutingProblem:
    """An instance as one kind of vehicle sees it."""

    def __init__(self, costs: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], weights: Sequence[int], areas: Sequence[int], capacity: int, floor_area: int, vehicles: int, whole_fleet: bool, min_stops: int, ready_times: Sequence[float], due_times: Sequence[float], service_times: Sequence[float], durations: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], time_tolerance: float, waiting_cost: float, max_duration: float, distances: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], max_distance: float, max_stops: int, accepts: Sequence[bool]) -> None:
        """
        Lists have one entry per place, the depot first; costs, durations (empty: the same as the costs) and distances (empty without a limit) are tables by rows, with an infinite cost where there is no way. No stops at most means no limit, and nobody in `accepts` that all may be visited.
        """

class RouteSearch:
    """Looks for good solutions whose routes are proven loadable."""

    def __init__(self, oracles: Sequence[LoadingOracle], kinds: Sequence[RoutingProblem], lifo: bool, seed: int, max_nodes: int, max_pool: int, leave_out_costs: Sequence[float] = [], apart: Sequence[tuple[int, int]] = [], groups: Sequence[Sequence[int]] = [], first_stops: Sequence[Sequence[int]] = []) -> None:
        """
        Oracles, kinds and first stops by kind; leave-out costs by place, infinite for who must be served, and empty if all must.
        """

    def run(self, max_iterations: int, max_seconds: float) -> None:
        """Negative limits mean none."""

    def offer(self, routes: Sequence[tuple[int, Sequence[int]]], is_proven: bool, max_nodes: int) -> bool:
        """
        True if this is the new best; ValueError if it breaks a rule other than loading.
        """

    def set_doubts(self, kind: int, predictor: RoutePredictor, least_logit: float) -> None:
        """Pass over most of the routes with a smaller logit."""

    def routes(self) -> list[tuple[int, list[int]]] | None: ...

    def left_out(self) -> list[int] | None: ...

    def pool(self) -> list[tuple[int, list[int]]]: ...

    def statistics(self) -> dict[str, float]: ...

    def improvements(self) -> list[tuple[float, int, float]]:
        """Tuples of seconds, iteration and cost."""

def build_info() -> dict[str, str]:
    """How this extension was compiled."""
