"""The examples in docstrings run, and what people import has one."""

from __future__ import annotations

import doctest
import importlib

import pytest

import tailgate
from builders import REPOSITORY

MODULES = [
    "tailgate.column_generation",
    "tailgate.conventions",
    "tailgate.formats",
    "tailgate.formats.json_schemas",
    "tailgate.generate.generator",
    "tailgate.instance",
    "tailgate.loading.oracle",
    "tailgate.loading.result",
    "tailgate.report.plan",
    "tailgate.search.result",
    "tailgate.search.solver",
    "tailgate.solution",
    "tailgate.units",
    "tailgate.verify",
]
# Small parts, which the examples of the others use.
WITHOUT_EXAMPLE = {
    "Customer",
    "InputError",
    "Item",
    "Placement",
    "Route",
    "SolveProgress",
    "TailgateError",
    "Vehicle",
    "Verdict",
    "Violation",
    "__version__",
}


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An example that has gone stale is worse than none."""
    monkeypatch.chdir(REPOSITORY)
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.parametrize("name", sorted(set(tailgate.__all__) - WITHOUT_EXAMPLE))
def test_public_names_have_an_example(name: str) -> None:
    """In a module whose examples are run."""
    thing = getattr(tailgate, name)
    assert ">>>" in (thing.__doc__ or "")
    assert thing.__module__ in MODULES
