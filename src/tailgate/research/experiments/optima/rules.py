"""Which of the published instances are solved, and under which rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from tailgate.model.conventions import Conventions, TurnConvention

NUMBERS = range(1, 37)
CLASSES = range(1, 6)

CONVENTIONS = {
    # Of the exact methods, and of the heuristic literature.
    "benchmark": Conventions.BENCHMARK,
    "heuristic": Conventions(distance="exact", fleet="at-most", single_customer_routes="allow"),
}

_TURN = "/turn-"


def conventions_name(rules: Conventions) -> str:
    """Return the name of rules, or, where they have none, the rules themselves in one word."""
    if rules.turn != "as-given":
        return f"{conventions_name(replace(rules, turn='as-given'))}{_TURN}{rules.turn}"
    for name, known in CONVENTIONS.items():
        if rules == known:
            return name
    order = "lifo" if rules.lifo else "any-order"
    return "/".join((rules.distance, rules.fleet, rules.single_customer_routes, order))


def conventions_of(name: str) -> Conventions:
    """Read what ``conventions_name`` returned; ``ValueError`` says that it is none."""
    base, _, turn = name.partition(_TURN)
    if turn:
        return conventions_of(base).overridden({"turn": cast("TurnConvention", turn)})
    if name in CONVENTIONS:
        return CONVENTIONS[name]
    words = name.split("/")
    if len(words) != 4 or words[3] not in ("lifo", "any-order"):
        raise ValueError(f"there are no conventions {name!r}")
    return Conventions.from_dict(
        {
            "distance": words[0],
            "fleet": words[1],
            "single_customer_routes": words[2],
            "lifo": words[3] == "lifo",
        }
    )


def instance_names(asked: Sequence[str], classes: Sequence[int]) -> list[str]:
    """Return the four-digit names of those that were asked for, small instances first.

    Asked for is ``0102`` (one instance), ``0103-0204`` (names from one to the other), or ``3`` or
    ``3-7`` (numbers). But for single names, only the given classes are meant.
    """
    everything = [f"{number:02}{group:02}" for number in NUMBERS for group in sorted(classes)]
    names: set[str] = set()
    for word in asked:
        first, _, last = word.partition("-")
        last = last or first
        if len(first) != len(last) and 4 in (len(first), len(last)):
            raise ValueError(f"{word}: from a name to a name, or from a number to a number")
        if len(first) == 4 and first == last:
            names.add(first)
            continue
        found = {
            name
            for name in everything
            if (
                first <= name <= last
                if len(first) == 4
                else int(first) <= int(name[:2]) <= int(last)
            )
        }
        if not found:
            raise ValueError(f"{word}: there is no such instance in these classes")
        names |= found
    return sorted(names)
