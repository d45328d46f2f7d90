"""A page of results that somebody has written, with tables that no hand has touched.

Between ``<!-- begin root-cg/totals.md -->`` and ``<!-- end -->`` stands what that file beside the
page holds, or the figure; it is put there anew whenever an experiment has been run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tailgate.io.text_file import read_text, write_text
from tailgate.model.errors import InputError
from tailgate.research.experiments.experiment import Experiment

PAGE_FILE = "README.md"
SUMMARY_FILE = "summary.md"
"""A second page of a folder of results, with the figures that people quote."""
_BLOCK = re.compile(r"(<!-- begin (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
_PICTURES = (".svg", ".png")


def begin_page(folder: Path, experiments: Iterable[Experiment]) -> None:
    """Make a page with the main table of every experiment, unless there is one."""
    path = folder / PAGE_FILE
    if path.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    parts = ["# Results"]
    for one in experiments:
        parts.append(f"## [{one.title}]({one.name}/{PAGE_FILE})")
        parts.append(f"<!-- begin {one.name}/{one.main_table}.md -->\n<!-- end -->")
    write_text(path, "\n\n".join(parts) + "\n")


def refresh_page(folder: Path) -> None:
    """Bring the tables of the pages that there are up to date; tables still to come stay."""
    for path in (folder / PAGE_FILE, folder / SUMMARY_FILE):
        if not path.exists():
            continue
        text = read_text(path)
        fresh = page_text(text, folder)
        if fresh != text:
            write_text(path, fresh)


def page_text(text: str, folder: Path) -> str:
    """Return the page with the tables and figures that there are."""

    def block(match: re.Match[str]) -> str:
        file = folder / match[2]
        if not file.resolve().is_relative_to(folder.resolve()):
            raise InputError(f"{match[2]} is not in its folder", source=str(folder / PAGE_FILE))
        if not file.is_file():
            return match[0]
        is_picture = file.suffix in _PICTURES
        content = f"![{file.stem}]({match[2]})" if is_picture else read_text(file).rstrip()
        return f"{match[1]}\n{content}\n\n{match[3]}"

    return _BLOCK.sub(block, text)
