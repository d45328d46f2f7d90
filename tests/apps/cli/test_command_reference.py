"""docs/commands.md and docs/python.md name everything that there is."""

from __future__ import annotations

import argparse
import re

import pytest

import tailgate
from builders import REPOSITORY
from tailgate.apps.cli.main import build_parser

PAGE = (REPOSITORY / "docs" / "commands.md").read_text("utf-8")
SECTIONS = dict(
    re.findall(r"^## `tailgate ([a-z-]+)`[^\n]*\n(.*?)(?=^## |\Z)", PAGE, flags=re.S | re.M)
)
EXPLAINED_ONCE = {"--help", "--json", "--quiet", "--seed"}


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of every command."""
    [commands] = [
        action
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    return dict(commands.choices)


def options(parser: argparse.ArgumentParser) -> set[str]:
    """Return the long options of a command, but those that the top of the page explains."""
    return {
        name
        for action in parser._actions
        for name in action.option_strings
        if name.startswith("--")
    } - EXPLAINED_ONCE


def test_every_command_has_its_section_and_none_is_made_up() -> None:
    """A command that the page does not know might as well not exist."""
    assert set(SECTIONS) == set(parsers())


@pytest.mark.parametrize("command", sorted(SECTIONS))
def test_the_section_of_a_command_has_all_its_options(command: str) -> None:
    """Each is explained: in a table or in a sentence, not only in the synopsis."""
    section = re.sub(r"^```\n.*?^```", "", SECTIONS[command], flags=re.S | re.M)
    named = set(re.findall(r"--[a-z][a-z-]*", section))
    assert options(parsers()[command]) - named == set()


@pytest.mark.parametrize("command", sorted(SECTIONS))
def test_the_section_of_a_command_names_no_option_of_nobody(command: str) -> None:
    """An option that was renamed stays behind in the page."""
    known = set().union(*(options(parser) for parser in parsers().values())) | EXPLAINED_ONCE
    named = set(re.findall(r"`(--[a-z][a-z-]*)", SECTIONS[command]))
    assert named <= known


def test_the_python_reference_has_every_public_name() -> None:
    """The page lists them by hand, in an order that a reader can follow."""
    page = (REPOSITORY / "docs" / "python.md").read_text("utf-8")
    listed = set(re.findall(r"^\.\. auto\w+:: [\w.]+\.(\w+)$", page, flags=re.M))
    assert set(tailgate.__all__) - {"__version__"} <= listed
