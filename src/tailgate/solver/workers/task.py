"""What a task is, what comes of it, and what can do it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

ATTEMPTS = 3
"""So often a task is begun, if its workers die under it, before it is given up."""


@dataclass(frozen=True, slots=True)
class Task:
    """A function and its arguments; both must survive pickling.

    The function is in a module, for it is found by its name, and returns its whole result: a
    file that it writes may be on another machine.
    """

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()

    def run(self) -> Any:
        """Do it."""
        return self.function(*self.arguments)


class Done(NamedTuple):
    """What a task returned."""

    key: str
    value: Any
    attempts: int = 1


class Lost(NamedTuple):
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


class ThisProcess:
    """Starts nothing: for one job that may take the program down with it."""

    def run(self, tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        """Yield the outcomes in the order of the tasks."""
        for task in tasks:
            yield Done(task.key, task.run())
