"""Makes the screenshots of the planner's page, in docs/images, with the Chromium of this machine.

Run it with ``make screenshots``, or ``python docs/page_screenshots.py``.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect
from screenshots import DOCS, browser


def main() -> None:
    """Try the example: with a wrong cell, and solved."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=DOCS / "images", help="folder to fill")
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="path of the browser")
    arguments = parser.parse_args()
    with server() as url, browser(arguments.chromium) as one:
        page = one.new_page(viewport={"width": 1180, "height": 1000})
        page.goto(url)
        page.get_by_role("button", name="Try an example").click()
        show_orders(page, arguments.out)
        show_plan(page, arguments.out)


@contextmanager
def server() -> Iterator[str]:
    """Serve the page with no runs of earlier times."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tailgate", "serve", "--port", "0", "--json"]
        process = subprocess.Popen(
            [*command, "--data", folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        with process:
            lines = iter(process.stdout.readline, b"}\n")
            yield json.loads(b"".join([*lines, b"}"]))["url"]
            process.send_signal(signal.SIGINT)


def show_orders(page: Page, out: Path) -> None:
    """Picture the table with a cell that is wrong."""
    cell = page.get_by_label("Customer 4, weight")
    cell.fill("4100")
    expect(cell).to_have_attribute("aria-invalid", "true")
    page.locator("#orders").screenshot(path=out / "page-orders.png")
    cell.fill("410")
    expect(page.locator("#problems li")).to_have_count(0)


def show_plan(page: Page, out: Path) -> None:
    """Picture the proven plan."""
    page.get_by_role("button", name="Find the cheapest plan").click()
    expect(page.locator("#detail .badge")).to_have_text("proven cheapest", timeout=60_000)
    expect(page.locator(".trucks tbody tr")).to_have_count(5)
    page.locator("#runs").screenshot(path=out / "page-plan.png")


if __name__ == "__main__":
    main()
