"""The planner's page in a real browser, from dropping a file to printing the sheets."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from builders import REPOSITORY
from page_actions import drop, load, paste, saved_orders, solve
from serve_setting import SLOW, Server, server
from tailgate.apps.serve.job_store import FILE_NAME
from tailgate.io import write
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.solver.loading import read

pytest_plugins = ["page_fixtures"]
pytestmark = pytest.mark.browser

EXAMPLES = REPOSITORY / "examples"
HOSTILE = '"><img src=x onerror="document.title=1"><script>document.title=2</script>'


@pytest.mark.parametrize("target", ["#drop", "header.top"])
def test_files_are_dropped_onto_the_page(page: Page, tmp_path: Path, target: str) -> None:
    """Every kind, into the frame or beside it; the next one takes the place of the one before."""
    drop(page, target, *sorted((EXAMPLES / "garden_centres").glob("*.*")))
    expect(page.locator("#verdict")).to_contain_text("10 customers")
    expect(page.get_by_label("Customer 1, name")).to_have_value("Rosenhof")
    workbook = tmp_path / "orders.xlsx"
    write(read(EXAMPLES / "trailer.json"), workbook)
    for path, customers in (
        (workbook, 24),
        (EXAMPLES / "random-n15-c2-s1.txt", 15),
        (EXAMPLES / "mixed-tw-n20-c3-s3.json", 20),
        (EXAMPLES / "farm_shops", 30),
    ):
        drop(page, target, path)
        expect(page.locator("#verdict")).to_contain_text(f"{customers} customers")
    assert page.title() == "Tailgate"


def test_a_file_is_dropped_from_another_program(page: Page) -> None:
    """An attachment has a name and content, and no place in any folder."""
    content = (EXAMPLES / "trailer.json").read_text("utf-8")
    taken = page.evaluate(
        """(content) => {
            const data = new DataTransfer();
            data.items.add(new File([content], "trailer.json"));
            const options = {dataTransfer: data, bubbles: true, cancelable: true};
            return !document.querySelector("#drop").dispatchEvent(new DragEvent("drop", options));
        }""",
        content,
    )
    assert taken
    expect(page.locator("#verdict")).to_contain_text("24 customers")


def test_a_dropped_file_that_cannot_be_read_keeps_what_was_there(
    page: Page, tmp_path: Path
) -> None:
    """The orders that were typed in are worth more than a wrong file."""
    drop(page, "#drop", EXAMPLES / "trailer.json")
    expect(page.locator("#verdict")).to_contain_text("customers")
    before = page.get_by_label("Customer 1, name").input_value()
    wrong = tmp_path / "photo.json"
    wrong.write_bytes(b"\xff\xd8\xff\xe0 no orders")
    drop(page, "#drop", wrong)
    expect(page.locator("#reading")).to_contain_text("photo.json")
    expect(page.locator("#reading")).not_to_contain_text("Read.")
    expect(page.get_by_label("Customer 1, name")).to_have_value(before)


def test_an_example_is_solved_and_taken_away(page: Page, tmp_path: Path) -> None:
    """The first minute of a newcomer: a proven plan, its trucks, and every download."""
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#verdict")).to_contain_text("12 customers, 30 items")
    solve(page)
    expect(page.locator("#detail .badge")).to_have_text("proven cheapest", timeout=30_000)
    expect(page.locator(".figure.cost dd")).to_have_text("313.8436 km")
    expect(page.locator(".figure.gap dd")).to_have_text("0 %")
    expect(page.locator(".trucks tbody tr")).to_have_count(5)
    expect(page.locator(".trucks")).to_contain_text("Hotel Meridian")
    for link, ending in (
        ("Download solution.json", "solution.json"),
        ("Download report.html", "report.html"),
        ("Download sheets.html", "sheets.html"),
    ):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=link).click()
        download = waiting.value
        assert download.suggested_filename.endswith(ending)
        download.save_as(tmp_path / ending)
    solution = Solution.from_dict(json.loads((tmp_path / "solution.json").read_text("utf-8")))
    example = REPOSITORY / "src" / "tailgate" / "apps" / "serve" / "page" / "example.json"
    assert verify(read(example), solution) == []
    assert "Hotel Meridian" in (tmp_path / "sheets.html").read_text("utf-8")


def opened_report(page: Page) -> Page:
    """Solve the example, and open its report."""
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#verdict")).to_contain_text("12 customers")
    solve(page)
    expect(page.locator("#detail .badge")).to_have_text("proven cheapest", timeout=30_000)
    with page.context.expect_page() as waiting:
        page.get_by_role("link", name="Report", exact=True).click()
    report = waiting.value
    report.wait_for_load_state()
    return report


def test_the_report_opens_in_its_sandbox(page: Page) -> None:
    """Its own script runs, and the server is out of its reach."""
    report = opened_report(page)
    expect(report.locator("body")).to_contain_text("Hotel Meridian")
    assert report.evaluate("window.origin") == "null"
    assert (
        report.evaluate("fetch('/api/state').then(() => 'reached', () => 'refused')") == "refused"
    )


def test_the_chart_looks_like_the_one_in_the_report(page: Page) -> None:
    """The same search twice: a line that is solid here must not be dashed there."""
    report = opened_report(page)
    dashes = "(line) => getComputedStyle(line).strokeDasharray"
    for line in ("path.best-plan", "path.bound"):
        drawn = page.locator(f"#detail .chart {line}").first.evaluate(dashes)
        assert drawn == report.locator(f"svg.chart {line}").first.evaluate(dashes)
    for one in (page.locator("#detail .chart text"), report.locator("svg.chart text")):
        assert {"best plan", "lower bound", "cost in km"} <= set(one.all_text_contents())


def test_a_wrong_cell_is_marked_until_it_is_mended(page: Page) -> None:
    """At the cell, in the list, and for a screen reader; the search does not start meanwhile."""
    page.get_by_role("button", name="Try an example").click()
    cell = page.get_by_label("Customer 4, weight")
    cell.fill("heavy")
    expect(cell).to_have_attribute("aria-invalid", "true")
    told = page.locator(f"#{cell.get_attribute('aria-describedby')}")
    expect(told).to_contain_text("must be a number and nothing else")
    expect(page.locator("#problems li")).to_have_count(1)
    expect(page.locator("#problems")).to_contain_text("Hotel Meridian, weight")
    before = page.locator("#run-rows tr").count()
    page.get_by_role("button", name="Find the cheapest plan").click()
    expect(page.locator("#start-message")).to_contain_text("Mend the problems")
    assert page.locator("#run-rows tr").count() == before
    cell.fill("410")
    expect(page.locator("#problems li")).to_have_count(0)
    expect(cell).not_to_have_attribute("aria-invalid", "true")


def test_a_wrong_item_leads_to_its_row(page: Page) -> None:
    """Items are folded away; the list of problems opens them."""
    load(page, *(EXAMPLES / "garden_centres").glob("*.*"))
    page.get_by_label("Customer 8, items").click()
    page.get_by_label("Customer 8, item 1, width").fill("9")
    page.get_by_label("Customer 8, items", exact=False).first.click()
    expect(page.locator("#problems")).to_contain_text("Meadow Market, item 1, width")
    expect(page.get_by_label("Customer 8, items")).to_have_attribute("aria-invalid", "true")
    page.locator("#problems button").click()
    expect(page.get_by_label("Customer 8, item 1, width")).to_be_focused()


def type_windows_that_no_plan_keeps(page: Page) -> None:
    """Have six customers of the example be the first stop of one of its five trucks."""
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#verdict")).to_contain_text("12 customers")
    page.get_by_label("time windows").check()
    for number, due in ((1, 14), (2, 17), (3, 16), (4, 19), (5, 16), (6, 16)):
        page.get_by_label(f"Customer {number}, open until").fill(str(due))
    page.get_by_label("All back by").fill("500")


def test_time_windows_without_their_tick_do_not_bind(page: Page) -> None:
    """What is not shown must not make a plan more expensive, or impossible."""
    type_windows_that_no_plan_keeps(page)
    page.get_by_label("time windows").uncheck()
    expect(page.locator("#times-note")).to_contain_text("not used")
    solve(page)
    expect(page.locator("#detail .badge")).to_have_text("proven cheapest", timeout=30_000)
    expect(page.locator(".figure.cost dd")).to_have_text("313.8436 km")
    page.get_by_label("time windows").check()
    expect(page.locator("#times-note")).to_have_text("")
    solve(page)
    expect(page.locator("#detail .badge")).to_have_text("proven: no plan exists", timeout=30_000)


@pytest.mark.parametrize("ending", ["xlsx", "json"])
def test_time_windows_without_their_tick_are_not_saved_and_not_lost(
    page: Page, tmp_path: Path, ending: str
) -> None:
    """The file follows the tick; what was typed comes back with it, after a reload, too."""
    type_windows_that_no_plan_keeps(page)
    tick = page.get_by_label("time windows")
    tick.uncheck()
    assert not saved_orders(page, tmp_path, ending).has_time_windows
    page.reload()
    expect(tick).not_to_be_checked()
    assert not saved_orders(page, tmp_path, ending).has_time_windows
    tick.check()
    expect(page.get_by_label("Customer 2, open until")).to_have_value("17")
    saved = saved_orders(page, tmp_path, ending)
    assert saved.has_time_windows
    assert saved.customers[1].due is not None


def test_a_hidden_time_that_is_wrong_does_not_keep_the_search_from_starting(page: Page) -> None:
    """Nobody can mend a cell that is not there."""
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#verdict")).to_contain_text("12 customers")
    page.get_by_label("time windows").check()
    page.get_by_label("Customer 2, open until").fill("soon")
    expect(page.locator("#problems li")).to_have_count(1)
    page.get_by_label("time windows").uncheck()
    expect(page.locator("#problems li")).to_have_count(0)
    page.get_by_label("time windows").check()
    expect(page.locator("#problems li")).to_have_count(1)


def test_cells_are_pasted_into_columns_that_are_shown(page: Page) -> None:
    """A column too many must not become opening hours that nobody sees."""
    page.get_by_role("button", name="Start with an empty table").click()
    page.get_by_label("Customer 1, name").focus()
    paste(page, "North\t1\t2\t30\t8\t9\t1\nSouth\t3\t4\t50\t8\t9\t1\n")
    expect(page.get_by_label("Customer 2, weight")).to_have_value("50")
    expect(page.locator("#reading")).to_contain_text("6 cells")
    page.get_by_label("time windows").check()
    for column in ("open from", "open until", "stop takes"):
        expect(page.get_by_label(f"Customer 1, {column}")).to_have_value("")
    page.get_by_label("Customer 1, name").focus()
    paste(page, "North\t1\t2\t30\t8\t9\t1\n")
    expect(page.get_by_label("Customer 1, open until")).to_have_value("9")
    expect(page.locator("#reading")).not_to_contain_text("cells")


def test_rows_are_added_removed_and_pasted(page: Page) -> None:
    """As in a spreadsheet, and by keyboard alone."""
    page.get_by_role("button", name="Start with an empty table").click()
    first = page.get_by_label("Customer 1, name")
    first.focus()
    paste(page, "North\t1\t2\t30\nSouth\t3\t4\t50\n")
    expect(page.get_by_label("Customer 2, weight")).to_have_value("50")
    page.get_by_label("Customer 1, x").press("Enter")
    expect(page.get_by_label("Customer 2, x")).to_be_focused()
    page.get_by_role("button", name="Add a customer").press("Enter")
    expect(page.get_by_label("Customer 3, name")).to_be_focused()
    page.get_by_role("button", name="Remove customer 3").click()
    expect(page.get_by_label("Customer 3, name")).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Customer 2, name")).to_have_value("South")


def test_a_search_is_watched_stopped_and_continued(page: Page) -> None:
    """The figures move while it runs, and stopping keeps the best plan."""
    load(page, SLOW)
    solve(page)
    detail = page.locator("#detail")
    expect(detail.locator(".badge")).to_have_text("searching", timeout=30_000)
    expect(detail.locator(".figure.cost dd")).to_have_text(re.compile(r"\d"), timeout=30_000)
    expect(detail.locator(".figure.bound dd")).to_have_text(re.compile(r"\d"), timeout=30_000)
    expect(detail.locator(".figure.gap dd")).to_have_text(re.compile(r"\d.* %"))
    expect(detail.locator(".chart .best-plan").first).to_have_attribute("d", re.compile("^M"))
    early = detail.locator(".figure.time dd").inner_text()
    expect(detail.locator(".figure.time dd")).not_to_have_text(early)
    page.get_by_role("button", name="Stop and keep the best plan").click()
    expect(detail.locator(".badge")).to_have_text("stopped", timeout=30_000)
    expect(detail).to_contain_text("the plan is valid")
    page.get_by_role("button", name="Continue the search").click()
    expect(detail.locator(".badge")).to_have_text("searching", timeout=30_000)
    page.get_by_role("button", name="Stop and keep the best plan").click()
    expect(detail.locator(".badge")).to_have_text("stopped", timeout=30_000)


def test_runs_are_compared_and_deleted(page: Page) -> None:
    """Two answers to one question, side by side."""
    numbers = []
    # Once: an example that arrives late would take the place of what was chosen meanwhile.
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#verdict")).to_contain_text("12 customers")
    for rule in ("true", "false"):
        page.get_by_text("Rules", exact=True).click()
        page.get_by_label("Unloading").select_option(rule)
        page.get_by_text("Rules", exact=True).click()
        numbers.append(solve(page))
        expect(page.locator("#detail .badge")).to_have_text("proven cheapest", timeout=30_000)
    for number in numbers:
        page.get_by_label(f"Compare run {number}").check()
    comparison = page.locator("#compare")
    expect(comparison).to_contain_text("These runs have the same orders and truck")
    expect(comparison).to_contain_text("(cheapest)")
    expect(comparison.locator("tr.differs", has_text="Unloading")).to_have_count(1)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_label(f"Delete run {numbers[1]}").click()
    expect(page.get_by_label(f"Show run {numbers[1]}")).to_have_count(0)
    expect(comparison).to_be_hidden()


def test_hostile_names_are_shown_and_not_run(page: Page, tmp_path: Path) -> None:
    """In the table, in the list of problems, in the list of runs and in the plan."""
    content = json.loads(SLOW.with_name("trailer.json").read_text("utf-8"))
    content["name"] = HOSTILE
    content["customers"] = content["customers"][:3]
    content["conventions"] = {"fleet": "at-most", "single_customer_routes": "allow"}
    content["customers"][0]["name"] = HOSTILE
    content["customers"][0]["items"][0]["name"] = HOSTILE
    path = tmp_path / "<img src=x onerror=alert(1)>.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    load(page, path)
    page.get_by_label("Customer 1, weight").fill("x")
    expect(page.locator("#problems")).to_contain_text(HOSTILE)
    page.get_by_label("Customer 1, weight").fill("10")
    expect(page.locator("#problems li")).to_have_count(0)
    solve(page)
    expect(page.locator("#detail .badge")).to_have_text("proven cheapest", timeout=30_000)
    expect(page.locator("#detail h3")).to_contain_text(HOSTILE)
    expect(page.locator(".trucks")).to_contain_text(HOSTILE)
    assert page.title() == "Tailgate"
    assert page.locator("img, #detail script").count() == 0


def test_a_file_that_cannot_be_read_is_told_on_the_page(page: Page, tmp_path: Path) -> None:
    """With line and column, beside where it was dropped."""
    for source in (EXAMPLES / "garden_centres").glob("*.*"):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    items = tmp_path / "items.csv"
    items.write_text(items.read_text("utf-8").replace("0.72", "wide", 1), encoding="utf-8")
    page.locator("#files").set_input_files([str(path) for path in tmp_path.glob("*.*")])
    expect(page.locator("#reading")).to_contain_text("items.csv:3: width: must be a number")


def test_a_list_of_runs_that_is_gone_is_told_on_the_page(browser: Browser, tmp_path: Path) -> None:
    """It is written again; where it cannot be, no run is taken, and the page says what to do."""
    folder = tmp_path / "data"
    with server(folder) as one:
        page = browser.new_page()
        page.goto(one.url)
        page.get_by_role("button", name="Try an example").click()
        expect(page.locator("#verdict")).to_contain_text("12 customers")
        (folder / FILE_NAME).write_bytes(b"garbage" * 1_000)
        expect(page.locator("#notices")).to_contain_text("jobs-kept-", timeout=15_000)
        expect(page.locator("#connection")).to_have_text("")
        solve(page)
        expect(page.locator("#detail .badge")).to_have_text("proven cheapest", timeout=30_000)
        (folder / FILE_NAME).unlink()
        (folder / FILE_NAME).mkdir()
        page.get_by_role("button", name="Find the cheapest plan").click()
        for place in ("#start-message", "#connection"):
            expect(page.locator(place)).to_contain_text("no new run is taken", timeout=15_000)
        expect(page.locator("#run-rows tr")).to_have_count(1)
        (folder / FILE_NAME).rmdir()
        expect(page.locator("#connection")).to_have_text("", timeout=15_000)
        solve(page)
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_usable_on_a_narrow_and_a_dark_screen(
    browser: Browser, running: Server, scheme: str
) -> None:
    """Nothing sticks out, and every control has a name."""
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": 420, "height": 800},
    )
    page = context.new_page()
    page.goto(running.url)
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#verdict")).to_contain_text("12 customers")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("input, select, button")].filter((element) =>
            !element.labels?.length && !element.ariaLabel && !element.textContent.trim()).length"""
    )
    assert unnamed == 0
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (light == "rgb(20, 24, 28)") == (scheme == "dark")
    context.close()


def test_what_looks_like_a_mistake_is_shown_and_does_not_stop_the_search(page: Page) -> None:
    """At its cell, in the list, and beside the run: whoever loads the truck may see only that."""
    page.get_by_role("button", name="Try an example").click()
    expect(page.get_by_label("Customer 4, weight")).not_to_have_value("")
    page.locator('[data-path="vehicles[0].width"]').fill("99")
    expect(page.locator("#problems li.warning")).to_contain_text("the floor is wider")
    page.get_by_role("button", name="Find the cheapest plan").click()
    expect(page.locator("#detail li.warning")).to_contain_text("the floor is wider")


def test_every_cost_of_a_run_has_its_unit(page: Page) -> None:
    """In the list and in the comparison as well as above the chart: runs may differ in it."""
    numbers = []
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#verdict")).to_contain_text("12 customers")
    for unit in ("km", "mi"):
        page.get_by_label("of distance").fill(unit)
        numbers.append(solve(page))
        expect(page.locator("#detail .badge")).to_have_text("proven cheapest", timeout=30_000)
        row = page.locator(f"#run-rows tr[data-number='{numbers[-1]}']")
        expect(row.locator("td").nth(4)).to_have_text(f"313.8436 {unit}")
        expect(row.locator("td").nth(5)).to_have_text(f"313.8436 {unit}")
    for number in numbers:
        page.get_by_label(f"Compare run {number}").check()
    for line in ("Best plan costs", "No plan costs less than"):
        cells = page.locator("#compare tr", has_text=line).locator("td")
        expect(cells.nth(0)).to_contain_text("313.8436 km")
        expect(cells.nth(1)).to_contain_text("313.8436 mi")


def test_a_run_that_is_over_does_not_promise_a_plan(page: Page) -> None:
    """There is none, and there will be none; no plan has been checked either."""
    type_windows_that_no_plan_keeps(page)
    solve(page)
    detail = page.locator("#detail")
    expect(detail.locator(".badge")).to_have_text("proven: no plan exists", timeout=30_000)
    expect(detail.locator(".figure.cost dd")).to_have_text("none")
    expect(detail.locator(".figure.bound dd")).to_have_text("none")
    expect(detail).not_to_contain_text("checked by the judge")
    expect(detail.locator(".chart-place")).to_have_text("Neither a plan nor a bound was found.")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (9.96, "10 s"),
        (59.7, "60 s"),
        (119.7, "2 min 0 s"),
        (5399.8, "1 h 30 min"),
        (7199, "1 h 59 min"),
    ],
)
def test_a_time_has_no_sixtieth_second(page: Page, seconds: float, text: str) -> None:
    """1 min 60 s is no time."""
    module = "import('/page/dom.js').then((dom) => dom.durationText(seconds))"
    assert page.evaluate(f"(seconds) => {module}", seconds) == text


def test_what_a_button_could_not_do_stays_on_the_page(browser: Browser, tmp_path: Path) -> None:
    """The figures are drawn again at once, and must not take the reason away."""
    folder = tmp_path / "data"
    with server(folder) as one:
        page = browser.new_page()
        page.goto(one.url)
        load(page, SLOW)
        solve(page)
        detail = page.locator("#detail")
        expect(detail.locator(".figure.cost dd")).to_have_text(re.compile(r"\d"), timeout=30_000)
        page.get_by_role("button", name="Stop and keep the best plan").click()
        expect(detail.locator(".badge")).to_have_text("stopped", timeout=30_000)
        (folder / FILE_NAME).unlink()
        (folder / FILE_NAME).mkdir()
        page.get_by_role("button", name="Continue the search").click()
        problem = detail.get_by_role("alert")
        expect(problem).to_contain_text("no new run is taken")
        page.wait_for_timeout(5_000)
        expect(problem).to_contain_text("no new run is taken")
        (folder / FILE_NAME).rmdir()
        page.get_by_role("button", name="Continue the search").click()
        expect(detail.locator(".badge")).to_have_text("searching", timeout=30_000)
        expect(problem).to_have_text("")
        page.close()


def test_a_stored_plan_that_the_judge_refuses_is_not_shown_as_checked(
    browser: Browser, tmp_path: Path
) -> None:
    """The page says that it is not valid, for as long as the run is looked at."""
    folder = tmp_path / "data"
    for attempt in ("solve", "look"):
        with server(folder) as one:
            page = browser.new_page()
            page.goto(one.url)
            if attempt == "solve":
                page.get_by_role("button", name="Try an example").click()
                solve(page)
                expect(page.locator("#detail")).to_contain_text(
                    "checked by the judge", timeout=30_000
                )
            else:
                detail = page.locator("#detail")
                expect(detail).to_contain_text("is not valid")
                page.wait_for_timeout(5_000)
                expect(detail).to_contain_text("is not valid")
                expect(detail).not_to_contain_text("checked by the judge")
            page.close()
        with sqlite3.connect(folder / FILE_NAME) as connection:
            connection.execute(
                "UPDATE jobs SET solution_text = replace(solution_text, '313.', '1.')"
            )
        connection.close()
