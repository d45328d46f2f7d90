"""The examples in docstrings run, and what people import has one."""

from __future__ import annotations

import doctest
import importlib
import re

import pytest

import tailgate
from builders import REPOSITORY

MODULES = [
    "tailgate.solver.column_generation.bound_result",
    "tailgate.solver.column_generation.root_relaxation",
    "tailgate.model.conventions",
    "tailgate.io",
    "tailgate.io.solution_file",
    "tailgate.solver.loading.loadable_instance",
    "tailgate.io.json_schemas",
    "tailgate.research.generate.generator",
    "tailgate.model.instance",
    "tailgate.solver.loading.oracle",
    "tailgate.solver.loading.result",
    "tailgate.model.plausibility",
    "tailgate.report.plan",
    "tailgate.solver.search.result",
    "tailgate.solver.search.solver",
    "tailgate.model.route",
    "tailgate.model.rules",
    "tailgate.model.solution",
    "tailgate.io.clock_times",
    "tailgate.model.travel",
    "tailgate.model.units",
    "tailgate.model.judge.judging",
    "tailgate.io.name_lists",
    "tailgate.research.generate.fleet_options",
]
# Small parts, which the examples of the others use.
WITHOUT_EXAMPLE = {
    "Customer",
    "InputError",
    "Item",
    "Placement",
    "PlausibilityWarning",
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


def test_the_python_reference_has_every_public_name() -> None:
    """The build of the documentation checks the parameters of these names alone."""
    page = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\.\. auto\w+:: tailgate\.(\w+)$", page, re.MULTILINE))
    assert listed == set(tailgate.__all__) - {"__version__"}
