"""``loading``: the loading check beside CP-SAT, question by question."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, ClassVar

from tailgate.experiments.experiment import Experiment, Report, Setting
from tailgate.experiments.figures import Figure, draw_shares
from tailgate.experiments.instances import ABSENT, Chosen, Series
from tailgate.experiments.intervals import median_interval
from tailgate.experiments.loading.cp_sat import CpSatAnswer
from tailgate.experiments.loading.measurement import Measurement, OurAnswer
from tailgate.experiments.loading.measurement import measure as measure_questions
from tailgate.experiments.loading.questions import Question, questions_of
from tailgate.experiments.loading.summary import Summary, summarise
from tailgate.experiments.row_store import Row
from tailgate.experiments.tables import ABSENT as DASH
from tailgate.experiments.tables import Table, number_text
from tailgate.loading import Verdict
from tailgate.work import Task

TIME_LIMIT = 0.5
"""Seconds for one question."""
ROUTES, QUICK_ROUTES = 40, 6
CP_SAT_EVERY = 4
"""CP-SAT is asked one question of so many; of a quick run, all."""
MILLISECONDS = 1e3


def measure(
    chosen: Chosen, routes: int, cp_sat_every: int, time_limit: float, seed: int, commit: str
) -> Row:
    """Ask about the routes of one instance, all who are asked in turns."""
    questions = questions_of(
        chosen.source, chosen.packing_class, chosen.name, chosen.instance, routes, seed
    )
    measurements = measure_questions(
        questions,
        time_limit=time_limit,
        with_millimetres=True,
        asked_of_cp_sat=range(0, len(questions), cp_sat_every) if cp_sat_every else (),
        seed=seed,
    )
    answers = [
        {
            "route": "-".join(map(str, measurement.question.route)),
            "items": measurement.question.item_count,
            "fill": round(measurement.question.fill, 4),
            "ours": asdict(measurement.in_units),
            "millimetres": _plain(measurement.in_millimetres),
            "cp_sat": _plain(measurement.cp_sat),
        }
        for measurement in measurements
    ]
    return {
        "instance": chosen.name,
        "source": chosen.source,
        "packing_class": chosen.packing_class,
        "time_limit": time_limit,
        "seed": seed,
        "commit": commit,
        "answers": answers,
    }


def _plain(answer: OurAnswer | CpSatAnswer | None) -> dict[str, Any] | None:
    return None if answer is None else asdict(answer)


class LoadingCheck(Experiment):
    """Ours, ours in millimetres, and CP-SAT."""

    name: ClassVar[str] = "loading"
    title: ClassVar[str] = "The loading check"
    explanation: ClassVar[str] = (
        "Routes at 60 to 100 % fill. Each question is put to a fresh oracle without a cache, to "
        "CP-SAT on one thread (OR-Tools, with the same time limit), and again to a fresh oracle "
        "with all sizes in odd millimetres, the three in turns, one instance at a time. Times are "
        "from the question to the answer in Python, for CP-SAT with the writing of its model; an "
        "undecided question counts as the limit."
    )
    main_table: ClassVar[str] = "cp-sat"
    series: ClassVar[Series] = Series(
        numbers=range(1, 25), classes=(2, 3, 4, 5), sizes=(20, 30, 40), quick_sizes=(15,)
    )

    def missing(self, setting: Setting) -> list[str]:
        """CP-SAT is optional, and so are the published instances."""
        remarks = []
        if setting.published is None and not (setting.instances or setting.quick):
            remarks.append(ABSENT)
        if not _has_cp_sat():
            remarks.append(
                "OR-Tools is not installed: CP-SAT is not asked. To have it: "
                "pip install 'tailgate[compare]'"
            )
        return remarks

    def tasks(self, setting: Setting) -> list[Task]:
        """One task for the routes of one instance."""
        limit = setting.time_limit or TIME_LIMIT
        routes = QUICK_ROUTES if setting.quick else ROUTES
        every = 0 if not _has_cp_sat() else 1 if setting.quick else CP_SAT_EVERY
        return [
            Task(
                f"{chosen.name}/{routes} routes/limit {limit:g}/seed {setting.seed}",
                measure,
                (chosen, routes, every, limit, setting.seed, setting.commit),
            )
            for chosen in self.series.choose(setting)
        ]

    def line(self, row: Row) -> str:
        """Say how many were asked."""
        return f"{row['instance']}: {len(row['answers'])} questions"

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Compare the times, and list answers that contradict each other."""
        measurements = [one for row in rows.values() for one in _measurements(row)]
        limit = setting.time_limit or TIME_LIMIT
        summaries = summarise(measurements, limit)
        draw = partial(_draw, asked=measurements)
        return Report(
            tables=[
                _times(summaries, measurements, limit, seed=setting.seed),
                _comparison(summaries),
                _stages(summaries),
            ],
            figures=[Figure("decided", "Decided within a time", draw, size=(11, 3.5))],
            rows=[flat for row in rows.values() for flat in _flat(row)],
            problems=[
                f"{one.question.instance} {one.question.route}: two answers contradict each other"
                for one in measurements
                if one.contradicts_itself
            ],
            facts={"seeds": [setting.seed], "seconds_per_question": limit},
        )


def _has_cp_sat() -> bool:
    return importlib.util.find_spec("ortools") is not None


def _measurements(row: Row) -> list[Measurement]:
    return [
        Measurement(
            Question(
                source=row["source"],
                packing_class=row["packing_class"],
                instance=row["instance"],
                route=tuple(int(stop) for stop in answer["route"].split("-")),
                # What is in the truck is in the instance, and not in the results.
                width=0,
                length=0,
                stops=(),
            ),
            _our_answer(answer["ours"]),
            None if answer["millimetres"] is None else _our_answer(answer["millimetres"]),
            None if answer["cp_sat"] is None else CpSatAnswer(**answer["cp_sat"]),
        )
        for answer in row["answers"]
    ]


def _our_answer(stored: Mapping[str, Any]) -> OurAnswer:
    return OurAnswer(**{**stored, "verdict": Verdict(stored["verdict"])})


def _flat(row: Row) -> list[dict[str, Any]]:
    common = {name: row[name] for name in ("instance", "source", "packing_class", "commit")}
    lines = []
    for answer in row["answers"]:
        line = {**common, **{name: answer[name] for name in ("route", "items", "fill")}}
        for who in ("ours", "millimetres", "cp_sat"):
            line |= {f"{who}_{name}": value for name, value in (answer[who] or {}).items()}
        lines.append(line)
    return lines


def _group(measurements: Sequence[Measurement], summary: Summary) -> list[Measurement]:
    return [
        one
        for one in measurements
        if (one.question.source, one.question.packing_class)
        == (summary.source, summary.packing_class)
    ]


def _times(
    summaries: Sequence[Summary], measurements: Sequence[Measurement], limit: float, *, seed: int
) -> Table:
    header = ["source", "class", "routes", "feasible %", "median ms", "mean ms", "p90 ms"]
    header += ["p99 ms", "undecided %", "mean ms in millimetres"]
    lines = []
    for one in summaries:
        counted = [
            limit if answer.verdict is Verdict.UNKNOWN else answer.call_seconds
            for answer in (member.in_units for member in _group(measurements, one))
        ]
        median = median_interval([MILLISECONDS * value for value in counted], seed=seed)
        blown_up = one.millimetres
        lines.append(
            (
                one.source,
                str(one.packing_class),
                str(one.call.count),
                f"{one.feasible_percent:.0f}",
                median.text(3),
                *(
                    f"{MILLISECONDS * value:.2f}"
                    for value in (one.call.mean, one.call.p90, one.call.p99)
                ),
                f"{one.call.undecided_percent:.2f}",
                number_text(None if blown_up is None else MILLISECONDS * blown_up.mean),
            )
        )
    return Table("times", "Ours", tuple(header), tuple(lines))


def _comparison(summaries: Sequence[Summary]) -> Table:
    header = ["source", "class", "routes asked of both", "ours median ms", "CP-SAT median ms"]
    header += ["ours mean ms", "CP-SAT mean ms", "ours undecided %", "CP-SAT undecided %"]
    header += ["medians, times faster", "means, times faster"]
    lines = []
    for one in summaries:
        both = one.comparison
        cells = [one.source, str(one.packing_class)]
        if both is None:
            lines.append((*cells, "0", *[DASH] * 8))
            continue
        figures = (both.ours.median, both.cp_sat.median, both.ours.mean, both.cp_sat.mean)
        cells += [str(both.ours.count), *(f"{MILLISECONDS * value:.3f}" for value in figures)]
        cells += [f"{both.ours.undecided_percent:.2f}", f"{both.cp_sat.undecided_percent:.2f}"]
        cells += [f"{both.ratio_of_medians:,.0f}", f"{both.ratio_of_means:,.1f}"]
        lines.append(tuple(cells))
    return Table("cp-sat", "Ours beside CP-SAT", tuple(header), tuple(lines))


def _stages(summaries: Sequence[Summary]) -> Table:
    names = list(dict.fromkeys(name for one in summaries for name in one.stage_percent))
    lines = tuple(
        (
            one.source,
            str(one.packing_class),
            *(f"{one.stage_percent.get(name, 0.0):.1f}" for name in names),
        )
        for one in summaries
    )
    return Table("stages", "What decides, in percent", ("source", "class", *names), lines)


def _draw(figure: Any, *, asked: Sequence[Measurement]) -> None:
    asked = [one for one in asked if one.cp_sat is not None] or list(asked)
    classes = sorted({one.question.packing_class for one in asked})
    for place, packing_class in enumerate(classes, start=1):
        group = [one for one in asked if one.question.packing_class == packing_class]
        series: dict[str, list[float]] = {"ours": [], "CP-SAT": []}
        for one in group:
            if one.in_units.verdict is not Verdict.UNKNOWN:
                series["ours"].append(MILLISECONDS * one.in_units.call_seconds)
            answer = one.cp_sat
            if answer is not None and answer.verdict != "unknown":
                seconds = answer.seconds + answer.writing_seconds
                series["CP-SAT"].append(MILLISECONDS * seconds)
        axes = figure.add_subplot(1, len(classes), place)
        axes.set_title(f"class {packing_class}")
        draw_shares(axes, series, dict.fromkeys(series, len(group)), label="milliseconds")
