"""Where the time goes and which stage decides, by class, as Markdown for the docs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from root_summary import ALL, Totals
from tailgate.experiments.roots.measurement import PARTS

VERDICTS = ("feasible", "infeasible", "unknown")


@dataclass(slots=True)
class StageCount:
    """What one stage of the loading check has decided, and the seconds inside the check."""

    feasible: int = 0
    infeasible: int = 0
    unknown: int = 0
    seconds: float = 0.0

    @property
    def queries(self) -> int:
        """All that it decided."""
        return self.feasible + self.infeasible + self.unknown

    def add(self, other: StageCount) -> None:
        """Add the counts of another run."""
        self.feasible += other.feasible
        self.infeasible += other.infeasible
        self.unknown += other.unknown
        self.seconds += other.seconds


class Profile:
    """Loading queries counted by class, phase and deciding stage."""

    def __init__(self) -> None:
        """Begin with nothing counted."""
        self._counts: dict[tuple[str, str, str], StageCount] = {}

    def add_queries(
        self, packing_class: int, queries: Iterable[tuple[str, str, str, float]]
    ) -> None:
        """Count queries given as phase, stage, verdict and seconds."""
        for phase, stage, verdict, seconds in queries:
            one = StageCount(seconds=seconds, **{verdict: 1})
            for group in (str(packing_class), ALL):
                self._counts.setdefault((group, phase, stage), StageCount()).add(one)

    def add_file(self, packing_class: int, path: Path) -> None:
        """Count the queries that a run has recorded."""
        # Loaded here: the other parts of the benchmark do without the extra.
        from pyarrow import parquet

        names = ["phase", "decided_by", "verdict", "seconds"]
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(columns=names):
                columns = (batch.column(name).to_pylist() for name in names)
                self.add_queries(packing_class, zip(*columns, strict=True))

    def phases(self, group: str) -> list[str]:
        """Return the phases in which a class was asked anything."""
        return sorted({phase for counted, phase, _ in self._counts if counted == group})

    def stages(self, group: str, phase: str) -> dict[str, StageCount]:
        """Return the counts of a class and phase by stage, the most frequent first."""
        found = {
            stage: count
            for (counted, asked_in, stage), count in self._counts.items()
            if (counted, asked_in) == (group, phase)
        }
        return dict(sorted(found.items(), key=lambda entry: -entry[1].queries))

    def to_dict(self) -> list[dict[str, object]]:
        """Return the counts for machines."""
        return [
            {"class": group, "phase": phase, "stage": stage, **asdict(count)}
            for (group, phase, stage), count in sorted(self._counts.items())
        ]


def profile_markdown(
    totals: Sequence[Totals], profile: Profile, machine: Mapping[str, str], command: str
) -> str:
    """Return the page: how it was made, seconds by part, and checks by deciding stage."""
    made_by = "; ".join(f"{name} {value}" for name, value in machine.items())
    lines = [
        "# Where the time of the roots goes",
        "",
        f"Made by `{command}` ({made_by}). Seconds include the recording of every query.",
        "",
        "Share of the time by part; packing is the time of all loading checks, also of those in "
        "the heuristic and in pricing, which are counted without them:",
        "",
        *_time_table(totals),
    ]
    for group in (total.group for total in totals):
        for phase in profile.phases(group):
            lines += ["", _stage_heading(group, phase, profile.stages(group, phase)), ""]
            lines += _stage_table(profile.stages(group, phase))
    return "\n".join(lines) + "\n"


def _time_table(totals: Sequence[Totals]) -> list[str]:
    parts = (*PARTS, "other")
    rows = [
        [
            total.group,
            str(total.instances),
            str(total.converged),
            f"{total.seconds:.1f}",
            *(f"{total.part_percent[part]:.1f} %" for part in parts),
            *(f"{getattr(total, f'checks_{verdict}'):,}" for verdict in VERDICTS),
        ]
        for total in totals
    ]
    header = ["class", "instances", "converged", "seconds", *parts]
    return _markdown_table([*header, *(f"checks {verdict}" for verdict in VERDICTS)], rows)


def _stage_heading(group: str, phase: str, stages: Mapping[str, StageCount]) -> str:
    whose = "All classes" if group == ALL else f"Class {group}"
    queries = sum(count.queries for count in stages.values())
    seconds = sum(count.seconds for count in stages.values())
    asked = f"{queries:,} loading queries in {seconds:.2f} s"
    return f"{whose}, {phase} phase: {asked}, by deciding stage:"


def _stage_table(stages: Mapping[str, StageCount]) -> list[str]:
    queries = sum(count.queries for count in stages.values())
    seconds = sum(count.seconds for count in stages.values())
    rows = [
        [
            stage,
            f"{count.queries:,}",
            f"{100 * count.queries / queries:.1f} %",
            *(f"{getattr(count, verdict):,}" for verdict in VERDICTS),
            f"{count.seconds:.2f}",
            f"{100 * count.seconds / seconds if seconds else 0:.1f} %",
        ]
        for stage, count in stages.items()
    ]
    header = ["stage", "queries", "share", *VERDICTS, "seconds", "share of seconds"]
    return _markdown_table(header, rows)


def _markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [
        f"| {' | '.join(header)} |",
        "|" + "---|" * len(header),
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
