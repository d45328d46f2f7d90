"""Reads the instance of a command, and reports what looks like a mistake in it."""

from __future__ import annotations

import argparse
from collections.abc import Collection

from tailgate.apps.cli.arguments import convention_overrides
from tailgate.apps.cli.leaving_out import leaves_out_any
from tailgate.apps.cli.output import print_note
from tailgate.apps.cli.standard_streams import read_instance
from tailgate.model.instance import Instance
from tailgate.model.plausibility import PlausibilityWarning, Subject, check_plausibility

ALL: frozenset[Subject] = frozenset({"floor", "weight", "distance", "time", "cost"})
LOADING: frozenset[Subject] = frozenset({"floor", "weight"})
"""For who loads one route and drives nowhere: x and y may well be all 0."""


def read_with_warnings(
    arguments: argparse.Namespace, subjects: Collection[Subject] = ALL
) -> Instance:
    """Read the instance, and print warnings before the work begins; a JSON result has its own."""
    instance = read_instance(
        arguments.instance,
        all_optional=leaves_out_any(arguments),
        **convention_overrides(arguments),
    )
    if not (arguments.quiet or arguments.json):
        for warning in _warnings(instance, subjects):
            print_note(f"warning: {warning}")
    return instance


def warnings_content(
    instance: Instance, subjects: Collection[Subject] = ALL
) -> dict[str, list[dict[str, str]]]:
    """Return the warnings for a JSON result."""
    return {"warnings": [warning.to_dict() for warning in _warnings(instance, subjects)]}


def _warnings(instance: Instance, subjects: Collection[Subject]) -> list[PlausibilityWarning]:
    return [one for one in check_plausibility(instance) if one.subject in subjects]
