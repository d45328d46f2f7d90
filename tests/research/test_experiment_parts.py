"""What experiments are made of: intervals, tables, rows that survive a kill, pages, manifests."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import ClassVar

import pytest

from tailgate.model.errors import InputError
from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.figures import Figure
from tailgate.research.experiments.intervals import median_interval, sum_of_medians
from tailgate.research.experiments.loading.answers import (
    answer_of,
    answers_of,
    counted,
    text_of,
)
from tailgate.research.experiments.loading.sawn import sawn_floor
from tailgate.research.experiments.page import begin_page, page_text
from tailgate.research.experiments.row_store import Row, RowStore
from tailgate.research.experiments.running import check_experiments, run_experiment
from tailgate.research.experiments.tables import Table, csv_of_rows
from tailgate.research.experiments.variants import VARIANTS, Variant
from tailgate.solver.workers import Outcome, Task, ThisProcess

pytest.importorskip("matplotlib")


def ignore(_done: int, _total: int, _text: str) -> None:
    """Watch nothing."""


# --- Intervals ------------------------------------------------------------------------------------


def test_an_interval_contains_its_median_and_comes_out_again() -> None:
    """The same seed, the same interval: results are compared with committed ones."""
    values = [3.0, 1.0, 2.0, 10.0, 4.0]
    interval = median_interval(values, seed=1)
    assert interval.middle == 3
    assert 1 <= interval.low <= 3 <= interval.high <= 10
    assert interval == median_interval(values, seed=1)


def test_more_values_make_it_narrower() -> None:
    """Otherwise it would be no confidence interval."""
    few = median_interval([float(value) for value in range(5)])
    many = median_interval([value / 40 for value in range(200)])
    assert many.high - many.low < few.high - few.low


def test_totals_add_up_medians() -> None:
    """The total of instances is that of their medians; one value each has no spread."""
    total = sum_of_medians([[1.0, 2.0, 9.0], [5.0]])
    assert total.middle == 7
    assert sum_of_medians([[4.0], [5.0]]).text() == "9.00"
    assert total.text(1).startswith("7.0 [")


# --- Tables ---------------------------------------------------------------------------------------


def test_a_table_is_read_by_people_and_programs() -> None:
    """Markdown is aligned, CSV is bare."""
    table = Table("t", "Title", ("name", "s"), (("a", "1.5"), ("long", "-")))
    assert table.markdown.splitlines()[2] == "| a    | 1.5 |"
    assert table.csv == "name,s\na,1.5\nlong,-\n"


def test_rows_may_have_different_columns() -> None:
    """An absent value is an empty cell."""
    assert csv_of_rows([{"a": 1}, {"a": None, "b": "x"}]) == "a,b\n1,\n,x\n"


# --- Rows -----------------------------------------------------------------------------------------


def test_rows_survive_a_kill(tmp_path: Path) -> None:
    """Half a line at the end is what a kill leaves; it is dropped, and the next row is whole."""
    path = tmp_path / "rows.jsonl"
    store = RowStore(path)
    store.add("first", {"seconds": 1.5})
    store.add("second", {"seconds": 2.5})
    with path.open("ab") as file:
        file.write(b'{"key": "third", "ro')
    again = RowStore(path)
    assert list(again.rows) == ["first", "second"]
    again.add("first", {"seconds": 9.0})
    assert RowStore(path).rows == {"first": {"seconds": 9.0}, "second": {"seconds": 2.5}}


def test_a_damaged_row_is_named(tmp_path: Path) -> None:
    """In the middle of the file it is no kill, but somebody's editor."""
    path = tmp_path / "rows.jsonl"
    path.write_text('{"key": "a", "row": {}}\nnonsense\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"rows\.jsonl:2: is not a row"):
        RowStore(path)


# --- Running --------------------------------------------------------------------------------------

CALLS: list[str] = []


def double(number: int) -> Row:
    """Remember that it was called; the first one was stopped by its limit."""
    CALLS.append(str(number))
    return {"instance": str(number), "value": 2 * number, "time_limit": 1.0, "stopped": number == 1}


class InterruptedAfterTwo(ThisProcess):
    """Workers of somebody who is in a hurry."""

    def run(self, tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        """Do two tasks."""
        yield from super().run(list(tasks)[:2])
        raise KeyboardInterrupt


class Doubling(Experiment):
    """The smallest experiment."""

    name: ClassVar[str] = "doubling"
    title: ClassVar[str] = "Doubling"
    explanation: ClassVar[str] = "Numbers are doubled."
    main_table: ClassVar[str] = "doubles"

    def tasks(self, setting: Setting) -> list[Task]:
        """Four numbers."""
        del setting
        return [Task(str(number), double, (number,)) for number in range(1, 5)]

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """One table, one figure."""
        cells = tuple((key, str(row["value"])) for key, row in rows.items())
        return Report(
            tables=[Table("doubles", "Doubles", ("number", "double"), cells)],
            figures=[Figure("line", "A line", lambda figure: figure.subplots().plot([1, 2]))],
            rows=list(rows.values()),
            remarks=["Numbers are small."],
            facts={"seeds": [setting.seed]},
        )


@pytest.fixture
def _fresh() -> None:
    CALLS.clear()


@pytest.mark.usefixtures("_fresh")
def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """What was measured before Ctrl-C is not measured again; what was stopped early is."""
    with pytest.raises(KeyboardInterrupt):
        run_experiment(Doubling(), Setting(tmp_path), InterruptedAfterTwo(), ignore)
    finished = run_experiment(Doubling(), Setting(tmp_path, resume=True), ThisProcess(), ignore)
    assert CALLS == ["1", "2", "3", "4"]
    assert (finished.tasks, finished.measured) == (4, 2)
    longer = Setting(tmp_path, resume=True, time_limit=2.0)
    assert run_experiment(Doubling(), longer, ThisProcess(), ignore).measured == 1


@pytest.mark.usefixtures("_fresh")
def test_everything_is_written(tmp_path: Path) -> None:
    """CSV, Markdown, PNG, SVG, and a manifest that names no place of this machine."""
    finished = run_experiment(Doubling(), Setting(tmp_path, seed=7), ThisProcess(), ignore)
    folder = tmp_path / "doubling"
    expected = ["README.md", "doubles.csv", "doubles.md", "line.png", "line.svg"]
    assert list(finished.files) == [*expected, "manifest.json", "rows.csv"]
    assert all((folder / name).stat().st_size for name in finished.files)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["options"]["seed"] == 7
    (run,) = manifest["runs"]
    assert run["measured"] == 4
    assert {"commit", "processor", "python", "numpy", "tailgate"} <= set(run)
    page = (folder / "README.md").read_text(encoding="utf-8")
    for text in (page, json.dumps(manifest)):
        assert str(tmp_path) not in text
    assert "| 4      | 8      |" in page
    assert "tailgate experiment doubling --out results --seed 7" in page
    first = (folder / "line.svg").read_bytes()
    run_experiment(Doubling(), Setting(tmp_path, seed=7, resume=True), ThisProcess(), ignore)
    assert (folder / "line.svg").read_bytes() == first
    assert json.loads((folder / "manifest.json").read_text(encoding="utf-8")) == manifest


@pytest.mark.usefixtures("_fresh")
def test_results_are_not_overwritten(tmp_path: Path) -> None:
    """Hours of results need --resume or another folder."""
    run_experiment(Doubling(), Setting(tmp_path), ThisProcess(), ignore)
    with pytest.raises(InputError, match="go on with --resume"):
        check_experiments([Doubling()], Setting(tmp_path))
    check_experiments([Doubling()], Setting(tmp_path, resume=True))


@pytest.mark.usefixtures("_fresh")
def test_the_page_of_all_results_gets_fresh_tables(tmp_path: Path) -> None:
    """Text by hand, tables by command, and one that is still to come stays as it is."""
    begin_page(tmp_path, [Doubling()])
    later = "<!-- begin other/later.md -->\n<!-- end -->"
    picture = "<!-- begin doubling/line.svg -->\nold\n<!-- end -->"
    with (tmp_path / "README.md").open("a", encoding="utf-8") as file:
        file.write(f"\n{picture}\n\n{later}\n")
    run_experiment(Doubling(), Setting(tmp_path), ThisProcess(), ignore)
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "old" not in page
    assert "| 4      | 8      |" in page
    assert "![line](doubling/line.svg)" in page
    assert later in page
    assert page_text(page, tmp_path) == page
    begin_page(tmp_path, [])
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == page


def test_a_page_takes_nothing_from_elsewhere(tmp_path: Path) -> None:
    """A table is beside the page."""
    with pytest.raises(InputError, match="not in its folder"):
        page_text("<!-- begin ../secret.md -->\n<!-- end -->", tmp_path)


# --- Floors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_sawn_floor_is_full_and_has_pieces_that_fit(variant: Variant) -> None:
    """To the last square millimetre, in 13 to 18 stops of one piece each; the same every time."""
    for seed in range(6):
        floor = sawn_floor(seed, variant)
        instance = floor.instance
        assert 13 <= instance.n <= 18
        items = [item for customer in instance.customers for item in customer.items]
        assert len(items) == instance.n
        assert sum(item.area for item in items) == instance.vehicle.area
        assert all(instance.may_turn(item) == variant.turn for item in items)
        assert floor.is_loadable or variant.lifo
        assert sawn_floor(seed, variant) == floor


def test_compact_answers_come_back() -> None:
    """To three digits: thousands of them are committed."""
    answers = [answer_of("feasible", 0.000012345), answer_of("unknown", 0.5)]
    text = text_of([*answers, answer_of("infeasible", 12.0)])
    assert text == "f0.0123 u500 i1.2e+04"
    again = answers_of(text)
    assert [one.verdict for one in again] == ["feasible", "unknown", "infeasible"]
    assert again[2].milliseconds == 12_000
    assert counted(again, 0.4).tolist() == [0.0123, 400, 12_000]
    assert text_of([]) == ""
    assert answers_of("") == []
