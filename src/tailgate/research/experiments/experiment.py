"""What an experiment is: tasks that give rows, and a report made of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from tailgate.model.conventions import Conventions
from tailgate.research.experiments.figures import Figure
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import Table
from tailgate.solver.workers import Task, Workers

ABSENT = (
    "The published instances are absent: instances are generated, and the paper's figures cannot "
    "stand beside ours. See: tailgate benchmark-instances"
)

Watch = Callable[[int, int, str], None]
"""Takes how many are done, how many there are, and a few words about the last one."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The options of a run."""

    out: Path
    instances: Sequence[str] = ()
    """Names of published ones, or files; empty for those of the experiment."""
    time_limit: float | None = None
    """Seconds per task; None for those of the experiment."""
    repeats: int | None = None
    seed: int = 0
    quick: bool = False
    resume: bool = False
    benchmark: Path | None = None
    """The folder of the published instances, if there is one."""
    data: Path | None = None
    """A data set to train on, if there is one."""
    conventions: str | None = None
    """The name of those under which instances are solved; None for their own."""
    lifo: bool | None = None
    """Whether every stop unloads straight out of the door; None for what conventions say."""
    turn: bool | None = None
    """Whether all items may be turned, or none; None for what conventions say."""
    checkpoints: Path | None = None
    """The folder of searches that are stored, and resumed."""
    weights: str | None = None
    """A file of weights, or a network of the package."""
    python: str | None = None
    """The interpreter of another installation, to stand beside this one."""
    core: int | None = None
    """The processor's core that children are bound to."""
    screen: str | None = None
    kinds: Sequence[str] = ()
    """What is measured of every instance, where an experiment has several."""
    commit: str = "unknown"

    @property
    def published(self) -> Path | None:
        """The published instances, unless it has to be quick: then they play no part."""
        return None if self.quick else self.benchmark

    def seconds(self, full: float, quick: float) -> float:
        """Return the limit of a task, unless another one was given."""
        return self.time_limit or (quick if self.quick else full)

    def loading_rules(self, rules: Conventions) -> Conventions:
        """Return conventions with what was asked for about the floor in their place."""
        if self.lifo is not None:
            rules = replace(rules, lifo=self.lifo)
        if self.turn is not None:
            rules = replace(rules, turn="all" if self.turn else "none")
        return rules

    def options(self) -> dict[str, Any]:
        """Return what the manifest says of it: no path, for that is of one machine."""
        return {
            "instances": [Path(word).name for word in self.instances],
            **{name: getattr(self, name) for name in ("time_limit", "repeats", "seed", "quick")},
            "with_published_instances": self.published is not None,
            "with_given_data": self.data is not None,
            "lifo": self.lifo,
            "turn": self.turn,
            "core": self.core,
            "screen": self.screen,
            "kinds": list(self.kinds),
        }


@dataclass(frozen=True)
class Report:
    """What an experiment says in the end."""

    tables: Sequence[Table]
    figures: Sequence[Figure] = ()
    rows: Sequence[Mapping[str, Any]] = ()
    """Lines of the CSV file, where they are not the rows of the tasks as they are."""
    remarks: Sequence[str] = ()
    """What a reader must know: what is missing, what does not compare."""
    problems: Sequence[str] = ()
    """What must not be: values that contradict each other."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """For the manifest, beside the seeds and limits of the rows."""


class Experiment(ABC):
    """One section of the paper, or one of ours."""

    name: ClassVar[str]
    title: ClassVar[str]
    explanation: ClassVar[str]
    """What is measured and how, for the page."""
    options: ClassVar[frozenset[str]] = frozenset({"instances", "time_limit"})
    """Those of a setting that make a difference to it, of the ones that not all share."""
    main_table: ClassVar[str]
    """The one that a page with all results shows."""

    @property
    def store(self) -> str:
        """The folder of its rows; experiments that need the same runs share one."""
        return self.name

    def missing(self, setting: Setting) -> list[str]:
        """Say what it has to do without: the published instances, if it takes any."""
        is_given = setting.instances or setting.quick or "instances" not in self.options
        return [ABSENT] if setting.published is None and not is_given else []

    def require(self, setting: Setting) -> None:
        """Complain about an extra that is not installed, before anything is measured."""
        del setting

    def prepare(self, setting: Setting, workers: Workers, watch: Watch) -> None:
        """Make what the tasks need, such as a data set; what is there stays."""
        del setting, workers, watch

    @abstractmethod
    def tasks(self, setting: Setting) -> list[Task]:
        """List what is to be done; each returns a row, and its key says all that matters."""

    def answers(self, setting: Setting, row: Row) -> bool:
        """Tell whether a stored row makes its task needless: one stopped earlier does not."""
        limit = setting.time_limit
        return not (row.get("stopped") and limit is not None and row["time_limit"] < limit)

    def line(self, row: Row) -> str:
        """Say in a few words what a row holds."""
        name = " ".join(str(row[column]) for column in ("instance", "screen") if column in row)
        return f"{name}: {row['status']}, {row['seconds']:.2f} s" if "status" in row else name

    @abstractmethod
    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Make tables and figures of the rows of all tasks that are done."""
