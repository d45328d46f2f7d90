"""The judge's verdict on a page."""

from __future__ import annotations

from collections.abc import Sequence

from tailgate.report.html import NOTHING, Html, tag
from tailgate.report.truck import NOT_VERIFIED, VERIFIED
from tailgate.report.words import counted
from tailgate.verify import Violation

_MOST_VIOLATIONS = 20


def verdict_badge(*, verified: bool) -> Html:
    """Return one word, which is red where the judge has found something."""
    if verified:
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
