"""A data set of loading queries: what is in it, and reading it.

A data set is a folder: `plan.json` says what is to be made, `queries/` has a file per instance,
`manifest.json` the checksums of all files and what is in them, `README.md` the same for people.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

import tailgate
from tailgate.io.text_file import read_text, write_text
from tailgate.model.errors import InputError, TailgateError
from tailgate.research.learning.data_card import data_card
from tailgate.research.learning.query_file import QueryTable, checksum, read_queries

FORMAT = "tailgate-dataset-1"
PLAN_FILE = "plan.json"
MANIFEST_FILE = "manifest.json"
CARD_FILE = "README.md"
QUERIES_FOLDER = "queries"

BENCHMARK_NAME = re.compile(r"2l_cvrp\d\d(\d\d)")
"""The published instances, whose last two digits are the packing class."""
UNKNOWN_CLASS = 0


def class_of_name(name: str) -> int:
    """Return the packing class that a published instance's name tells."""
    match = BENCHMARK_NAME.fullmatch(name)
    return int(match[1]) if match else UNKNOWN_CLASS


def write_manifest(folder: Path) -> dict[str, Any]:
    """Look at all files there are and write down what they hold."""
    paths = sorted((folder / QUERIES_FOLDER).glob("*.parquet"))
    if not paths:
        raise TailgateError("no instance could be solved: the data set is empty")
    files = [{"file": path.name, "sha256": checksum(path)} for path in paths]
    together = "".join(str(file["sha256"]) for file in files)
    table = read_queries(paths)
    plan = json.loads(read_text(folder / PLAN_FILE))
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "id": hashlib.sha256(together.encode("ascii")).hexdigest()[:16],
        "tailgate": tailgate.__version__,
        "plan": {name: value for name, value in plan.items() if name != "format"},
        "test_only": _is_test_only(table),
        **contents(table),
        "files": files,
    }
    write_text(folder / MANIFEST_FILE, json.dumps(manifest, indent=2) + "\n")
    write_text(folder / CARD_FILE, data_card(manifest))
    return manifest


def _is_test_only(table: QueryTable) -> bool:
    """Tell whether published instances are in it: nothing may be trained on them."""
    return any(BENCHMARK_NAME.fullmatch(name) for name in np.unique(table.instance))


def contents(table: QueryTable) -> dict[str, Any]:
    """Count what a data set holds; a query of two instances counts once."""
    _, first = np.unique(table.keys, return_index=True)
    distinct = table.select(np.sort(first))
    by_class: dict[str, Any] = {}
    for number in np.unique(distinct.packing_class):
        part = distinct.select(distinct.packing_class == number)
        known, feasible, rest = part.is_known, part.is_feasible, part.is_known & ~part.is_cheap
        flags = {
            **{"feasible": known & feasible, "infeasible": known & ~feasible, "unknown": ~known},
            **{"cheap": known & part.is_cheap},
            **{"rest_feasible": rest & feasible, "rest_infeasible": rest & ~feasible},
        }
        by_class[str(number)] = {
            "instances": len(np.unique(part.instance)),
            "queries": len(part),
            **{name: int(flag.sum()) for name, flag in flags.items()},
            "decided_by": _counts(part.decided_by),
            "phases": _counts(part.phase),
            "stops": _counts(part.stop_count),
        }
    return {
        "instances": len(np.unique(table.instance)),
        "rows": len(table),
        "distinct": len(distinct),
        "labelled": int(distinct.is_known.sum()),
        "by_class": by_class,
    }


def _counts(values: np.ndarray[Any, Any]) -> dict[str, int]:
    counted = Counter(values.tolist())
    return {str(name): counted[name] for name in sorted(counted)}


@dataclass(frozen=True)
class Dataset:
    """A data set that was read: its queries, and what its manifest says."""

    folder: Path
    manifest: dict[str, Any]
    queries: QueryTable

    @property
    def id(self) -> str:
        """Made of the checksums of its files."""
        return cast(str, self.manifest["id"])

    @property
    def is_test_only(self) -> bool:
        """Whether nothing may be trained on it."""
        return bool(self.manifest["test_only"])


def read_dataset(folder: Path) -> Dataset:
    """Read a data set after a look at the checksums of its files."""
    path = folder / MANIFEST_FILE
    if not path.exists():
        raise InputError(
            f"has no {MANIFEST_FILE}; make a data set with: tailgate dataset --out {folder}",
            source=str(folder),
        )
    manifest = json.loads(read_text(path))
    if manifest.get("format") != FORMAT:
        raise InputError(f"is not a manifest of the format {FORMAT}", source=str(path))
    paths = []
    for entry in manifest["files"]:
        file = folder / QUERIES_FOLDER / entry["file"]
        if not file.exists() or checksum(file) != entry["sha256"]:
            raise InputError(
                "is missing or not the file that the manifest names; make the data set again, or "
                "its manifest with: tailgate dataset",
                source=str(file),
            )
        paths.append(file)
    return Dataset(folder, manifest, read_queries(paths))
