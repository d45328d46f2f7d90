"""Small words that pictures, sheets and reports share."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Return "1 item", "2 items"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def load_step_text(load_step: int) -> str:
    """Return the mark of a loading step; its letter keeps it apart from the number of a stop."""
    return f"L{load_step}"


def time_text(time: int | float) -> str:
    """Return a time in the unit of the orders; nobody drives to the thousandth of it."""
    return f"{time:.2f}".rstrip("0").rstrip(".")


def share_text(share: float) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.1f} %"
