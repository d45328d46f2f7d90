"""The names that ``import tailgate`` offers, some of which are loaded at their first use."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import tailgate
from builders import small_instance
from tailgate.research.generate import generate_instance


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
    """The command ``verify`` has a module of that name, and the function must win."""
    for first in ("tailgate", "tailgate.model.judge", "tailgate.apps.cli.verify", "tailgate.io"):
        subprocess.run(
            [
                sys.executable,
                "-c",
                f"import {first}; import tailgate.model.judge; assert callable(tailgate.verify)",
            ],
            check=True,
        )


def test_the_program_starts_without_what_is_slow_to_load() -> None:
    """Help comes at once: neither the core nor numpy nor rich is loaded for it."""
    script = (
        "import sys; from tailgate.apps.cli.main import main; main(['--help']); "
        "print(sorted({'numpy', 'rich', 'highspy', 'tailgate._core'} & set(sys.modules)))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert finished.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", ["small.json", "small.txt", "small"])
def test_what_is_written_can_be_read(name: str, tmp_path: Path) -> None:
    """The path says the format, to ``write`` as to ``read``."""
    instance = generate_instance(4, 2, seed=0)
    tailgate.write(instance, tmp_path / name)
    assert tailgate.read(tmp_path / name).sha256 == instance.sha256
    assert (tmp_path / name).is_dir() == (name == "small")


@pytest.mark.parametrize(("path", "words"), [("a.xml", "ends in .xml"), ("", "path is empty")])
def test_a_path_that_names_no_format_is_refused(path: str, words: str) -> None:
    """Nothing is guessed when files are written."""
    with pytest.raises(tailgate.InputError, match=words):
        tailgate.write(small_instance(), path)
