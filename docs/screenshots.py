"""Makes the screenshots of the documentation, in docs/images, with the Chromium of this machine.

Run it with ``make screenshots``, or ``python docs/screenshots.py``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

import tailgate
from tailgate.report import html_report, sheets_html

DOCS = Path(__file__).resolve().parent
EXAMPLE = DOCS.parent / "examples" / "garden_centres"


def main() -> None:
    """Solve the example, and take a picture of all that is made from it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=DOCS / "images", help="folder to fill")
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="path of the browser")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, browser(arguments.chromium) as one:
        report, sheets = write_pages(Path(folder))
        show_report(one, report, arguments.out)
        show_sheets(one, sheets, arguments.out)


def write_pages(folder: Path) -> tuple[Path, Path]:
    """Return the report and the sheets of the example's optimum."""
    instance = tailgate.read(EXAMPLE)
    history: list[tuple[float, float, float | None]] = []
    result = tailgate.solve(
        instance,
        on_progress=lambda now: history.append((now.seconds, now.lower_bound, now.objective)),
    )
    if result.solution is None:
        raise SystemExit(f"the example was not solved: {result.headline}")
    report, sheets = folder / "report.html", folder / "sheets.html"
    report.write_text(html_report(instance, result.solution, history=history), encoding="utf-8")
    sheets.write_text(sheets_html(instance, result.solution), encoding="utf-8")
    return report, sheets


@contextmanager
def browser(executable: str | None) -> Iterator[Browser]:
    """Start Chromium, whose sandbox does not work for root."""
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        one = playwright.chromium.launch(executable_path=executable, args=arguments)
        yield one
        one.close()


def show_report(one: Browser, report: Path, out: Path) -> None:
    """Picture the report from its head, and a truck that is half unloaded in the dark."""
    page = opened(one, report, dark=False)
    page.set_viewport_size({"width": 1000, "height": 1690})
    page.screenshot(path=out / "report.png")
    page = opened(one, report, dark=True)
    section = page.locator("section.truck").first
    section.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    section.evaluate("section => section.scrollIntoView()")
    page.screenshot(path=out / "report-dark.png")


def show_sheets(one: Browser, sheets: Path, out: Path) -> None:
    """Picture both sides of the first truck's leaf."""
    page = opened(one, sheets, dark=False)
    for side in ("loading", "unloading"):
        page.locator(f"#truck-1-{side}").screenshot(path=out / f"sheet-{side}.png")


def opened(one: Browser, path: Path, *, dark: bool) -> Page:
    """Open a page from disk."""
    page = one.new_page(
        viewport={"width": 1000, "height": 1080}, color_scheme="dark" if dark else "light"
    )
    page.goto(path.as_uri())
    return page


if __name__ == "__main__":
    main()
