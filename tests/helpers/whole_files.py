"""Whether a file is a whole one of its kind."""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet

from tailgate.solver.network.weights import read_weights

TEMPORARY = ".tailgate-"
"""What a killed process may leave behind: nobody takes it for a result."""


def assert_all_whole(folder: Path) -> set[str]:
    """Look at every file under its final name; return their names."""
    names = set()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith(TEMPORARY):
            assert path.stat().st_size, f"{path} is empty"
            _CHECKS[path.suffix](path)
            names.add(str(path.relative_to(folder)))
    return names


def _ends_with(mark: bytes) -> Callable[[Path], None]:
    def check(path: Path) -> None:
        assert path.read_bytes().rstrip().endswith(mark), f"{path} breaks off"

    return check


def _check_table(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n"), f"{path} breaks off"
    assert len({len(cells) for cells in csv.reader(text.splitlines())}) == 1


def _check_lines(path: Path) -> None:
    # The last line may be half of one: whoever goes on drops it.
    for line in path.read_bytes().rpartition(b"\n")[0].splitlines():
        json.loads(line)


def _check_torch(path: Path) -> None:
    import torch

    torch.load(path, weights_only=True)


_CHECKS: dict[str, Callable[[Path], object]] = {
    ".json": lambda path: json.loads(path.read_bytes()),
    ".jsonl": _check_lines,
    ".toml": lambda path: tomllib.loads(path.read_text(encoding="utf-8")),
    ".csv": _check_table,
    ".html": _ends_with(b"</html>"),
    ".svg": _ends_with(b"</svg>"),
    ".png": _ends_with(b"IEND\xae\x42\x60\x82"),
    ".md": lambda path: path.read_text(encoding="utf-8"),
    ".parquet": pyarrow.parquet.read_table,
    ".npy": np.load,
    ".pt": _check_torch,
    ".safetensors": read_weights,
    ".checkpoint": lambda path: json.loads(path.read_bytes()),
}
