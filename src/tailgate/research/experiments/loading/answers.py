"""Answers to loading queries in as few characters as can be: thousands of them are committed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_VERDICTS = {"f": "feasible", "i": "infeasible", "u": "unknown"}
_MILLISECONDS = 1e3


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict, and the milliseconds from the query to it."""

    verdict: str
    milliseconds: float

    @property
    def is_undecided(self) -> bool:
        """Whether a limit came first."""
        return self.verdict == "unknown"


def answer_of(verdict: str, seconds: float) -> Answer:
    """Return an answer that took so many seconds."""
    return Answer(verdict, _MILLISECONDS * seconds)


def text_of(answers: Iterable[Answer]) -> str:
    """Return ``f0.0123 i4.5``: the first letter of each verdict, and its milliseconds."""
    return " ".join(f"{one.verdict[0]}{one.milliseconds:.3g}" for one in answers)


def answers_of(text: str) -> list[Answer]:
    """Read what ``text_of`` returned."""
    return [Answer(_VERDICTS[word[0]], float(word[1:])) for word in text.split()]


def counted(answers: Sequence[Answer], limit: float) -> NDArray[np.float64]:
    """Return the milliseconds of all answers; an undecided one counts as the limit."""
    return np.array(
        [_MILLISECONDS * limit if one.is_undecided else one.milliseconds for one in answers]
    )


def percent(answers: Sequence[Answer], verdict: str) -> float:
    """Return how many of a hundred answers are this verdict."""
    return 100 * sum(one.verdict == verdict for one in answers) / len(answers)
