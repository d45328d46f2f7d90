"""The names that ``import tailgate`` offers, some of which are loaded at their first use."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import tailgate


@pytest.mark.parametrize("name", tailgate.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    """A name in the table of lazy names may point to the wrong module."""
    assert getattr(tailgate, name) is not None
    assert name in dir(tailgate)


def test_a_name_that_does_not_exist_is_refused_as_usual() -> None:
    """A misspelt name must not look like a broken installation."""
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        getattr(tailgate, "sov" + "le")


def test_the_version_is_that_of_the_installed_package() -> None:
    """One place holds it: the package's metadata."""
    assert tailgate.__version__ == version("tailgate")


def test_the_judge_stays_callable_whatever_is_imported_first() -> None:
    """The module ``tailgate.verify`` and the function share a name, and the function must win."""
    for first in ("tailgate", "tailgate.verify", "tailgate.cli.verify", "tailgate.formats"):
        subprocess.run(
            [
                sys.executable,
                "-c",
                f"import {first}; import tailgate.verify; assert callable(tailgate.verify)",
            ],
            check=True,
        )


def test_the_program_starts_without_what_is_slow_to_load() -> None:
    """Help comes at once: neither the core nor numpy nor rich is loaded for it."""
    script = (
        "import sys; from tailgate.cli.main import main; main(['--help']); "
        "print(sorted({'numpy', 'rich', 'highspy', 'tailgate._core'} & set(sys.modules)))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert finished.stdout.splitlines()[-1] == "[]"
