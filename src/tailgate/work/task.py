"""What a task is, what comes of it, and what can do it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

ATTEMPTS = 3
"""So often a task is begun, if its workers die under it, before it is given up."""


@dataclass(frozen=True, slots=True)
class Task:
    """A function and its arguments; both must survive the way to another process or machine.

    The function stands in a module, for it is found by its name, and returns its whole result: a
    file that it writes may be on another machine.
    """

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()

    def run(self) -> Any:
        """Do it."""
        return self.function(*self.arguments)


@dataclass(frozen=True, slots=True)
class Done:
    """What a task returned."""

    key: str
    value: Any
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Lost:
    """A task whose workers died, every time."""

    key: str
    attempts: int

    @property
    def reason(self) -> str:
        """Say it in words."""
        return (
            f"{self.key}: the process that worked on it died {self.attempts} times; "
            "perhaps there is too little memory"
        )


Outcome = Done | Lost


class Workers(Protocol):
    """Something that does tasks."""

    def run(self, tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        """Yield the outcome of every task as it is there, in any order.

        An exception of a task is raised here. Closing the generator ends what is still running.
        """
        ...
