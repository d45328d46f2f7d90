"""What is in a data set, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tailgate.research.experiments.tables import markdown_table

_TEXT = """\
# Loading queries

Data set `{id}`, made by `tailgate dataset` {tailgate}.

**What it holds.** Every query that was put to the loading check while {instances} instances were
solved: {rows:,} rows, {distinct:,} distinct queries, {labelled:,} of them with a verdict. Two
queries are the same if one follows from the other by symmetry: items of one customer in another
order, or the whole route backwards. `queries/` has a file per instance (Parquet, zstd);
`manifest.json` their checksums.

**Where it comes from.** {source}

**How queries arise.** Each instance is solved for about {seconds:g} s: branch-price-and-cut, then
column generation in which every route that prices out is checked. Verdicts are proofs (a plan, or
an exhaustive search). Queries that both leave open are asked again with up to 500,000 nodes and
one second. What is still open is stored as `unknown` and never becomes a label, so the hardest
queries are missing among the labels. Time limits decide how far a run gets: another machine gives
other queries of the same instances, which is why files have checksums.

## Contents

`cheap`: bounds and dives settle it alone, without memory of earlier queries. A network is asked
only about the rest.

{contents}

## Who settled them, and when they came up

`cache` and `heredity` mean that the run knew the answer from another query.

{stages}

## Route lengths

{stops}

## Columns

| column | meaning |
|---|---|
| `key` | canonical key: equal exactly for the same query |
| `instance`, `packing_class` | where it comes from; class 0 is not known |
| `floor_width`, `floor_length` | the floor; the door is at the end of the length |
| `route` | customers in visiting order |
| `items_per_stop`, `item_widths`, `item_lengths` | the items in visiting order |
| `item_turns` | 1 for an item that may be turned, else 0; there only if some item may be |
| `verdict` | `feasible`, `infeasible`, `unknown` |
| `decided_by`, `nodes`, `seconds` | the stage that settled it in the run, and its effort |
| `is_cheap` | whether bounds and dives settle it alone |
| `phase` | `heuristic`, `pricing` or `closing`: who asked first |

## Use

Train with `tailgate train --data FOLDER`; splits are by instance. {use}
"""


def data_card(manifest: dict[str, Any]) -> str:
    """Return the card as Markdown."""
    plan, by_class = manifest["plan"], manifest["by_class"]
    if plan["files"]:
        source = f"{len(plan['files'])} instance files: {', '.join(_names(plan['files']))}."
    else:
        source = (
            f"Generated instances (docs/generator.md) of {plan['least_customers']} to "
            f"{plan['most_customers']} customers, all three distributions, with and without time "
            f"windows, seed {plan['seed']}. No published instance is among them."
        )
    use = (
        "**For tests only**: published benchmark instances are in it, and training refuses it."
        if manifest["test_only"]
        else "The published benchmark instances are not in it."
    )
    return _TEXT.format(
        **manifest,
        seconds=plan["seconds"],
        source=source,
        use=use,
        contents="\n".join(markdown_table(*contents_table(by_class))),
        stages=_shares(by_class, ("decided_by", "phases")),
        stops=_shares(by_class, ("stops",)),
    )


def _names(files: list[str]) -> list[str]:
    return sorted(file.replace("\\", "/").rsplit("/", 1)[-1] for file in files)


def contents_table(by_class: dict[str, Any]) -> tuple[Sequence[str], list[Sequence[str]]]:
    """Return header and lines: how many queries of each verdict a class has."""
    counts = ("queries", "feasible", "infeasible", "unknown")
    header = (
        *("class", "instances", "distinct", "feasible", "infeasible", "unknown"),
        *("cheap, of the known", "rest: feasible", "rest: infeasible"),
    )
    rows: list[Sequence[str]] = [
        (
            *(number, str(part["instances"])),
            *(f"{part[name]:,}" for name in counts),
            f"{part['cheap'] / max(1, part['feasible'] + part['infeasible']):.1%}",
            *(f"{part[name]:,}" for name in ("rest_feasible", "rest_infeasible")),
        )
        for number, part in by_class.items()
    ]
    return header, rows


def _shares(by_class: dict[str, Any], groups: tuple[str, ...]) -> str:
    """Return a table of counts, a row per class and a column per value."""
    names = [
        (group, name)
        for group in groups
        for name in sorted(
            {name for part in by_class.values() for name in part[group]},
            key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name),
        )
    ]
    rows = [
        (number, *(f"{part[group].get(name, 0):,}" for group, name in names))
        for number, part in by_class.items()
    ]
    return "\n".join(markdown_table(("class", *(name for _, name in names)), rows))
