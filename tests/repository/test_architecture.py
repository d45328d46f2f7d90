"""Which part of the package may use which: data flows one way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import REPOSITORY

PACKAGE = REPOSITORY / "src" / "tailgate"

# From the lowest to the highest, as in docs/architecture.md. Each may use those before it alone.
LAYERS = ["model", "io", "solver", "report", "research", "apps"]
# The parts of the solver, likewise.
SOLVER_PARTS = [
    "time_limit",
    "workers",
    "column",
    "merged_kinds",
    "loading",
    "recording",
    "road_arguments",
    "routing",
    "pricing",
    "highs",
    "master",
    "network",
    "screening",
    "stabilisation",
    "column_generation",
    "search",
]
# Above all layers: the public names, and where the program starts.
TOP = {"__init__.py", "__main__.py"}
# A module that is named in a text, to be imported by that name.
MODULE_NAME = re.compile(r"tailgate(?:\.\w+)+")


def used_modules(source: str) -> Iterator[str]:
    """Yield the modules of the package that a file imports or names, also inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module == "tailgate":
                yield from (f"tailgate.{alias.name}" for alias in node.names)
            elif (node.module or "").startswith("tailgate."):
                yield str(node.module)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name[:9] == "tailgate.")
        elif isinstance(node, ast.Constant) and MODULE_NAME.fullmatch(str(node.value).rstrip(".")):
            yield str(node.value).rstrip(".")


def parts_of(files: list[Path], depth: int) -> dict[Path, set[str]]:
    """Return the folders or files at that depth of the package that each file uses."""
    return {
        path: {
            module.split(".")[depth]
            for module in used_modules(path.read_text(encoding="utf-8"))
            if len(module.split(".")) > depth
        }
        for path in files
    }


def test_the_package_has_six_layers_and_nothing_else() -> None:
    """A seventh folder would have no place in the order."""
    found = {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py")}
    assert found == {*LAYERS, *TOP}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_uses_none_above_it(layer: str) -> None:
    """A cycle begins with one import in the wrong direction."""
    files = sorted((PACKAGE / layer).rglob("*.py"))
    assert files
    allowed = {*LAYERS[: LAYERS.index(layer) + 1]}
    # The compiled library is the solver's.
    if LAYERS.index(layer) >= LAYERS.index("solver"):
        allowed.add("_core")
    for path, used in parts_of(files, 1).items():
        assert used & {*LAYERS, "_core"} <= allowed, path


@pytest.mark.parametrize("part", SOLVER_PARTS)
def test_a_part_of_the_solver_uses_none_above_it(part: str) -> None:
    """The order of the paper: loading, pricing, master, screening, column generation, search."""
    folder = PACKAGE / "solver"
    files = [path for path in folder.rglob("*.py") if part_of_solver(path) == part]
    assert files
    allowed = set(SOLVER_PARTS[: SOLVER_PARTS.index(part) + 1])
    for path, used in parts_of(files, 2).items():
        assert used & set(SOLVER_PARTS) <= allowed, path


def part_of_solver(path: Path) -> str:
    """Return the folder or file directly below the layer."""
    return path.relative_to(PACKAGE / "solver").parts[0].removesuffix(".py")


def test_every_part_of_the_solver_is_known_here() -> None:
    """A new part needs a place in the order."""
    found = {part_of_solver(path) for path in (PACKAGE / "solver").rglob("*.py")} - {"__init__"}
    assert found == set(SOLVER_PARTS)


def test_the_judge_knows_only_data() -> None:
    """It must not be able to repeat a mistake of the solver."""
    files = sorted((PACKAGE / "model" / "judge").glob("*.py"))
    assert files
    allowed = {f"tailgate.model.{name}" for name in ("errors", "instance", "solution")}
    for path in files:
        used = set(used_modules(path.read_text(encoding="utf-8")))
        assert {name for name in used if name[:20] != "tailgate.model.judge"} <= allowed, path


def test_no_way_of_importing_goes_unseen() -> None:
    """A check that finds nothing would let everything pass."""
    source = (
        "import tailgate.io\nfrom tailgate import apps\n"
        "def f():\n    from tailgate.report.plan import Plan\n"
        "    import_module('tailgate.research.learning')\n"
        "    import_module(f'tailgate.solver.{name}')\n"
    )
    assert set(used_modules(source)) == {
        "tailgate.io",
        "tailgate.apps",
        "tailgate.report.plan",
        "tailgate.research.learning",
        "tailgate.solver",
    }
