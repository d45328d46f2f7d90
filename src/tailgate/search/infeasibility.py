"""Why there is no plan: what a person can do something about."""

from __future__ import annotations

from itertools import combinations

from tailgate.instance import Instance
from tailgate.loading import LoadingOracle, Verdict
from tailgate.units import decimal_text, with_unit

GLANCE_NODES = 1_000


def explain(instance: Instance, oracle: LoadingOracle) -> str:
    """Return the plainest reason that can be shown, and what may help."""
    trucks = instance.vehicle_count
    conventions = instance.conventions
    least, why = trucks_needed(instance, oracle)
    if least > trucks:
        return f"{why} take at least {least} trucks, and there are {trucks}; give it more trucks"
    shortest = 2 if conventions.single_customer_routes == "forbid" else 1
    if conventions.fleet == "exactly" and shortest * trucks > instance.n:
        stops = "two stops" if shortest == 2 else "one stop"
        return (
            f"each of the {trucks} trucks must have at least {stops}, and there are only "
            f"{instance.n} customers; give it fewer trucks, or --fleet at-most"
        )
    if shortest == 2:
        alone = lonely_customers(instance, oracle)
        if alone:
            return (
                f"customer {instance.label(alone[0])} cannot share a truck with any other, and "
                "routes to a single customer are forbidden; --single-customer-routes allow may help"
            )
    looser = ["more trucks" if conventions.fleet == "at-most" else "another number of trucks"]
    if conventions.fleet == "exactly":
        looser.append("--fleet at-most")
    if shortest == 2:
        looser.append("--single-customer-routes allow")
    if instance.has_time_windows:
        looser.append("wider time windows")
    if conventions.lifo:
        looser.append("--no-lifo")
    remedies = ", ".join(looser)
    return f"every way to share the customers among {trucks} trucks fails; {remedies} may help"


def trucks_needed(instance: Instance, oracle: LoadingOracle) -> tuple[int, str]:
    """Return a number of trucks that is needed at least, and for what."""
    weight = sum(customer.weight for customer in instance.customers)
    area = sum(customer.area for customer in instance.customers)
    clique = strangers(instance, oracle)
    shown = ", ".join(map(instance.label, clique[:10])) + (", ..." if len(clique) > 10 else "")
    units = instance.units
    heavy = with_unit(units.weight_text(weight), units.weight_unit)
    square_unit = f"{units.length_unit}²" if units.length_unit else ""
    covered = with_unit(decimal_text(area, units.length_scale**2), square_unit)
    reasons = [
        (-(-weight // instance.vehicle.capacity), f"orders that weigh {heavy} together"),
        (-(-area // instance.vehicle.area), f"items of a total area of {covered}"),
        (len(clique), f"customers {shown}, of whom no two can share a truck,"),
    ]
    return max(reasons, key=lambda reason: reason[0])


def strangers(instance: Instance, oracle: LoadingOracle) -> list[int]:
    """Return customers of whom no two can share a truck, as many as a simple search finds."""
    apart = {number: set[int]() for number in range(1, instance.n + 1)}
    for first, second in combinations(range(1, instance.n + 1), 2):
        if not _may_share(instance, oracle, first, second):
            apart[first].add(second)
            apart[second].add(first)
    best: list[int] = []
    for start in apart:
        chosen, candidates = [start], set(apart[start])
        while candidates:
            further = max(candidates, key=lambda c: (len(apart[c] & candidates), -c))
            chosen.append(further)
            candidates &= apart[further]
        if len(chosen) > len(best):
            best = sorted(chosen)
    return best


def lonely_customers(instance: Instance, oracle: LoadingOracle) -> list[int]:
    """Return the customers who can share a truck with nobody."""
    everybody = range(1, instance.n + 1)
    return [
        one
        for one in everybody
        if not any(_may_share(instance, oracle, one, other) for other in everybody if other != one)
    ]


def _may_share(instance: Instance, oracle: LoadingOracle, first: int, second: int) -> bool:
    a, b = instance.customer(first), instance.customer(second)
    if a.weight + b.weight > instance.vehicle.capacity:
        return False
    if not any(instance.is_in_time(pair) for pair in ((first, second), (second, first))):
        return False
    result = oracle.check((first, second), max_nodes=GLANCE_NODES)
    return result.verdict is not Verdict.INFEASIBLE
