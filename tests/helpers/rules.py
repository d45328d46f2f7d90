"""Conventions to run a test under, with and without time windows."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import pytest

from tailgate.model.instance import Conventions

CHOICES: dict[str, tuple[Any, ...]] = {
    "distance": ("exact", "truncated"),
    "fleet": ("exactly", "at-most"),
    "single_customer_routes": ("forbid", "allow"),
    "lifo": (True, False),
}


class Rule(NamedTuple):
    """What a plan has to keep."""

    conventions: Conventions
    time_windows: bool


def each_rule(**fixed: str) -> pytest.MarkDecorator:
    """Run a test under all conventions but for the fixed ones."""
    free = {name: values for name, values in CHOICES.items() if name not in fixed}
    rules = []
    for *values, time_windows in product(*free.values(), (False, True)):
        changes: dict[str, Any] = {**fixed, **dict(zip(free, values, strict=True))}
        words = (*map(str, values), "windows" if time_windows else "any_time")
        rules.append(pytest.param(Rule(Conventions(**changes), time_windows), id="-".join(words)))
    return pytest.mark.parametrize("rule", rules)
