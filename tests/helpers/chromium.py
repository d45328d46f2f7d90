"""The Chromium of this machine, for tests in a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser, and end it with the block."""
    with sync_playwright() as playwright:
        # Its sandbox refuses to work for root, as whom containers run.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=_executable(), args=arguments)
        yield browser
        browser.close()


def _executable() -> str:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.fail(
            "there is no Chromium; install one (on Debian: apt-get install chromium) or name it "
            "in the environment variable CHROMIUM"
        )
    return found
