"""The judge's verdict on a page, and what looks like a mistake in the orders."""

from __future__ import annotations

from collections.abc import Sequence

from tailgate.model.judge import Violation
from tailgate.model.plausibility import PlausibilityWarning
from tailgate.model.rounding import counted
from tailgate.report.html import NOTHING, Html, tag
from tailgate.report.plan import Plan
from tailgate.report.words import NOT_VERIFIED, VERIFIED

_MOST_VIOLATIONS = 20


NO_PLAN = "no plan: nothing to verify"


def verdict_badge(plan: Plan) -> Html:
    """Return a few words: green for a plan that passed, red where the judge has found something.

    A result without a plan gets neither colour: there was nothing to judge.
    """
    if plan.verified and not plan.trucks and not plan.solution.left_out:
        return tag("p", NO_PLAN, class_="badge")
    if plan.verified:
        return tag("p", f"✓ {VERIFIED}", class_="badge verified")
    return tag("p", NOT_VERIFIED, class_="badge alarm")


def violation_list(violations: Sequence[Violation]) -> Html:
    """Return what the judge has found, or nothing."""
    if not violations:
        return NOTHING
    shown = [tag("li", str(violation)) for violation in violations[:_MOST_VIOLATIONS]]
    more = len(violations) - len(shown)
    if more:
        shown.append(tag("li", f"and {more} more"))
    return tag(
        "div",
        tag("p", f"The judge has found {counted(len(violations), 'violation')}:"),
        tag("ul", *shown),
        class_="violations alarm",
        role="alert",
    )


def warning_box(warnings: Sequence[PlausibilityWarning]) -> Html:
    """Return a box, or nothing where there are none."""
    if not warnings:
        return NOTHING
    return tag(
        "aside",
        tag("p", "This looks like a mistake in the orders:"),
        tag("ul", *(tag("li", str(warning)) for warning in warnings)),
        class_="warnings",
    )
