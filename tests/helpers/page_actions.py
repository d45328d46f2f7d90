"""What a planner does on the page: load, drop, paste, save, solve."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tailgate.model.instance import Instance
from tailgate.solver.loading import read


def load(page: Page, *paths: Path) -> None:
    """Choose files as a planner does."""
    page.locator("#files").set_input_files([str(path) for path in paths])
    expect(page.locator("#reading")).to_contain_text("Read.")


def solve(page: Page) -> str:
    """Press the button, and see the run appear."""
    rows = page.locator("#run-rows tr")
    # Comes with the list of runs.
    expect(page.locator("#version")).not_to_have_text("")
    before = rows.count()
    page.get_by_role("button", name="Find the cheapest plan").click()
    expect(rows).to_have_count(before + 1)
    number = rows.first.get_attribute("data-number")
    expect(page.locator("#detail h3")).to_contain_text(f"Run {number}:")
    assert number is not None
    return number


def drop(page: Page, target: str, *paths: Path) -> None:
    """Drag files and folders from the desktop over a part of the page, and let them fall."""
    box = page.locator(target).bounding_box()
    assert box is not None
    browser = page.context.new_cdp_session(page)
    dragged = {
        "x": box["x"] + box["width"] / 2,
        "y": box["y"] + box["height"] / 2,
        "data": {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1},
    }
    for step in ("dragEnter", "dragOver"):
        browser.send("Input.dispatchDragEvent", {"type": step, **dragged})
    expect(page.locator("#drop")).to_have_class(re.compile("over"))
    browser.send("Input.dispatchDragEvent", {"type": "drop", **dragged})
    expect(page.locator("#drop")).not_to_have_class(re.compile("over"))
    browser.detach()


def paste(page: Page, text: str) -> None:
    """Paste cells of a spreadsheet where the cursor is."""
    page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            const options = {clipboardData: data, bubbles: true, cancelable: true};
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", options));
        }""",
        text,
    )


def saved_orders(page: Page, folder: Path, ending: str) -> Instance:
    """Save the orders, and read the file."""
    name = "Save as spreadsheet" if ending == "xlsx" else "Save as JSON"
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name).click()
    path = folder / f"orders.{ending}"
    waiting.value.save_as(path)
    return read(path)
