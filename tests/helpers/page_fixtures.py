"""The planner's page in a browser; a test file names this module in ``pytest_plugins``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from chromium import chromium
from serve_setting import Server, server


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of this file."""
    with server(tmp_path_factory.mktemp("page")) as one:
        yield one


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this file."""
    with chromium() as one:
        yield one


@pytest.fixture
def page(browser: Browser, running: Server) -> Iterator[Page]:
    """The page as a new visitor sees it; an error in a script fails the test."""
    context = browser.new_context(accept_downloads=True, viewport={"width": 1280, "height": 900})
    one = context.new_page()
    complaints: list[str] = []
    one.on("pageerror", lambda error: complaints.append(str(error)))
    one.on("console", lambda said: complaints.append(said.text) if _is_fault(said) else None)
    one.goto(running.url)
    yield one
    context.close()
    assert complaints == []


def _is_fault(said: ConsoleMessage) -> bool:
    """Whether the browser complains, other than about a file that was refused on purpose."""
    return said.type == "error" and "status of 422" not in said.text
