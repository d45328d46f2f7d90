"""What a release says of itself, and of how it is built."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    """Return pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_is_the_same_everywhere(project: dict[str, Any]) -> None:
    """A citation or a changelog of another version sends people astray."""
    version = project["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[([^\]]+)\]", changelog, re.MULTILINE)
    assert headings[0] == version
    assert len(set(headings)) == len(headings)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (\S+)$", citation, re.MULTILINE) == [version]
    assert importlib.metadata.version("tailgate") == version


def test_the_licence_is_the_same_everywhere(project: dict[str, Any]) -> None:
    """The file itself goes into every package."""
    assert project["project"]["license-files"] == ["LICENSE"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nlicense: {project['project']['license']}\n" in citation
    assert project["project"]["license"] in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_wheels_are_built_for_every_python_that_is_supported(project: dict[str, Any]) -> None:
    """From the oldest that the package claims to run on."""
    oldest = project["project"]["requires-python"].removeprefix(">=").replace(".", "")
    settings = project["tool"]["cibuildwheel"]
    assert settings["build"][0] == f"cp{oldest}-*"
    assert {"linux", "macos", "windows"} <= set(settings)
    for command in settings["test-command"]:
        for path in re.findall(r"\{project\}/(\S+)", command):
            assert (ROOT / path).is_file()


def test_the_workflow_needs_no_secret() -> None:
    """Anybody's fork can build the same wheels."""
    workflow = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    assert "secrets" not in workflow
    assert "cibuildwheel" in workflow
    target = re.findall(r"run: make (\S+)", workflow)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{name}:" in makefile for name in target)
