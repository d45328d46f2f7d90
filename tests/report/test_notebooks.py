"""What notebooks show, and the tables for pandas."""

from __future__ import annotations

import sys
from html.parser import HTMLParser

import pytest

import tailgate
from builders import REPOSITORY, small_instance, small_solution
from report_cases import HOSTILE_NAMES, furniture_day, lined_up
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.notebook_display import NotebookDisplay
from tailgate.report.notebook_html import html_of
from tailgate.report.pandas_tables import tables_of
from tailgate.report.svg_text import TIMES

INSTANCE = tailgate.read(REPOSITORY / "examples" / "garden_centres")


@pytest.fixture(scope="module")
def result() -> tailgate.SolveResult:
    """Solve the example once."""
    return tailgate.solve(INSTANCE, time_limit=20)


class Outline(HTMLParser):
    """Collects tags and words of a piece of HTML, and sees that all tags are closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.words = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element."""
        self.tags.append(tag)
        self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Remember the words."""
        self.words += data


def shown(thing: NotebookDisplay) -> Outline:
    """Return what a notebook shows of a thing."""
    return Outline(thing._repr_html_())


def test_an_instance_shows_its_customers() -> None:
    """With names and real units."""
    outline = shown(INSTANCE)
    assert "Garden centres, Tuesday" in outline.words
    assert "Rosenhof" in outline.words
    assert f"2.48 {TIMES} 4.4 m" in outline.words
    assert outline.tags.count("tr") == INSTANCE.n + 1


def test_a_large_instance_does_not_flood_the_notebook() -> None:
    """A thousand rows are no overview; the rest is counted."""
    customer = tailgate.Customer(x=1, y=1, weight=1, items=(tailgate.Item(1, 1),))
    many = small_instance(customers=(customer,) * 500, depot_due=None)
    outline = shown(many)
    assert outline.tags.count("tr") < 100
    assert "and 440 more" in outline.words


def test_time_windows_are_shown_where_there_are_any() -> None:
    """Elsewhere three empty columns would be noise."""
    assert "Due" in shown(small_instance()).words
    assert "Due" not in shown(INSTANCE).words


def test_clock_places_and_money_are_shown_as_they_were_given() -> None:
    """Latitude before longitude, hours as on a clock, euros beside kilometres and hours."""
    instance, solution = furniture_day()
    outline = shown(instance)
    for word in ("lat", "lon", "45.77", "12:00", "14:00", "Service, min", "12 rue Neuve"):
        assert word in outline.words
    frame = instance.to_pandas()
    assert frame["lat"].tolist()[0] == 45.77
    assert frame["address"].tolist()[0] == "12 rue Neuve"
    words = shown(tailgate.Plan.of(instance, solution)).words
    assert "cost 316.42 EUR" in words
    assert "161.01 EUR (fixed 120.00, distance 13.06, time 27.96), 14.5 km, leaves at" in words
    assert "cost 316.42 EUR" in shown(solution).words


def test_a_result_shows_its_plans(result: tailgate.SolveResult) -> None:
    """Judged, with a map and one picture per truck."""
    outline = shown(result)
    assert "optimal: proven" in outline.words
    assert "✓ verified" in outline.words
    assert outline.tags.count("svg") == 1 + len(result.routes)
    assert outline.tags.count("details") == len(result.routes)


def test_pictures_on_one_page_have_ids_of_their_own(result: tailgate.SolveResult) -> None:
    """All outputs of a notebook share a page; with equal ids a hatch would show another's."""
    ids = shown(result).ids
    assert ids
    assert len(ids) == len(set(ids))


def test_a_solution_alone_says_that_it_was_not_judged(result: tailgate.SolveResult) -> None:
    """Nothing is drawn as valid that nobody has checked."""
    assert result.solution is not None
    outline = shown(result.solution)
    assert "Not judged here" in outline.words
    assert "svg" not in outline.tags
    plan = tailgate.Plan.of(INSTANCE, result.solution)
    assert "✓ verified" in shown(plan).words


def test_a_wrong_solution_is_marked() -> None:
    """The judge speaks in notebooks, too."""
    wrong = small_solution(objective=43)
    outline = shown(tailgate.Plan.of(small_instance(), wrong))
    assert "NOT VERIFIED" in outline.words
    assert "violation" in outline.words


def test_loading_results_show_the_plan_or_the_verdict() -> None:
    """Both answers are results."""
    assert "svg" in shown(tailgate.check_loading(INSTANCE, [2, 3, 7, 6])).tags
    refused = shown(tailgate.check_loading(INSTANCE, [2, 3, 6, 7]))
    assert refused.words.startswith("infeasible")
    assert "svg" not in refused.tags


def test_a_bound_shows_its_routes() -> None:
    """With the share of each."""
    outline = shown(tailgate.bound(INSTANCE))
    assert outline.words.startswith("converged; lower bound 119.87")
    assert "1.0000" in outline.words


def test_hostile_names_stay_text() -> None:
    """A notebook would run a script that slips in with a customer's name."""
    instance, solution = lined_up(HOSTILE_NAMES)
    for thing in (instance, solution, tailgate.Plan.of(instance, solution)):
        outline = shown(thing)
        assert not {"script", "img", "h1", "b "} & set(outline.tags)


def test_every_table_of_everything_can_be_made(result: tailgate.SolveResult) -> None:
    """Columns are there also where no row is."""
    assert result.solution is not None
    things: list[NotebookDisplay] = [
        INSTANCE,
        result,
        result.solution,
        tailgate.Plan.of(INSTANCE, result.solution),
        tailgate.bound(INSTANCE),
        tailgate.check_loading(INSTANCE, [2, 3, 7, 6]),
    ]
    for thing in things:
        for name, (columns, _) in tables_of(thing).items():
            frame = thing.to_pandas(name)
            assert list(frame.columns) == list(columns)
            # Nothing is left out here.
            assert len(frame) > 0 or name == "left_out", (type(thing).__name__, name)


def test_tables_are_in_the_units_of_the_file(result: tailgate.SolveResult) -> None:
    """Metres and kilograms, not stored integers."""
    customers = INSTANCE.to_pandas()
    assert customers["weight"].tolist()[:2] == [640, 815.5]
    assert customers["x"].tolist()[0] == 3.2
    items = INSTANCE.to_pandas("items")
    assert items["width"].tolist()[:3] == [0.8, 0.8, 0.72]
    assert result.to_pandas("placements")["from_cab"].max() <= 4.4
    assert result.to_pandas()["cost"].sum() == pytest.approx(result.objective)
    assert result.to_pandas()["area"].sum() == pytest.approx(customers["area"].sum())


def test_an_empty_table_keeps_its_columns() -> None:
    """Code that selects a column must not fail for want of rows."""
    refused = tailgate.check_loading(INSTANCE, [2, 3, 6, 7])
    assert "from_cab" in refused.to_pandas().columns


def test_an_unknown_table_is_refused_with_those_there_are() -> None:
    """And with the one that was probably meant."""
    with pytest.raises(InputError, match=r"customers, items.*customers"):
        INSTANCE.to_pandas("custmers")


def test_without_pandas_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pandas is optional."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(TailgateError, match=r"pip install 'tailgate\[pandas\]'"):
        INSTANCE.to_pandas()


def test_other_things_have_no_picture() -> None:
    """A new class in notebooks must be given one."""
    with pytest.raises(InputError, match="no picture of int"):
        html_of(3)
    with pytest.raises(InputError, match="no tables of int"):
        tables_of(3)
