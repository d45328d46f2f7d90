"""What is in a data set, for people."""

from __future__ import annotations

from typing import Any

_TEXT = """\
# Loading questions

Data set `{id}`, made by `tailgate dataset` {tailgate}.

**What it holds.** Every question that was put to the loading check while {instances} instances were
solved: {rows:,} rows, {distinct:,} distinct questions, {labelled:,} of them with a verdict. Two
questions are the same if one follows from the other by symmetry: items of one customer in another
order, or the whole route backwards. `queries/` has a file per instance (Parquet, zstd);
`manifest.json` their checksums.

**Where it comes from.** {source}

**How questions arise.** Each instance is solved for about {seconds:g} s: branch-price-and-cut, then
column generation in which every route that prices out is checked. Verdicts are proofs (a plan, or
an exhaustive search). Questions that both leave open are asked again with up to 500,000 nodes and
one second. What is still open is stored as `unknown` and never becomes a label, so the hardest
questions are missing among the labels. Time limits decide how far a run gets: another machine gives
other questions of the same instances, which is why files have checksums.

## Contents

`cheap`: bounds and dives settle it alone, without memory of earlier questions. A network is asked
only about the rest.

{contents}

## Who settled them, and when they came up

`cache` and `heredity` mean that the run knew the answer from another question.

{stages}

## Route lengths

{stops}

## Columns

| column | meaning |
|---|---|
| `key` | canonical key: equal exactly for the same question |
| `instance`, `packing_class` | where it comes from; class 0 is not known |
| `floor_width`, `floor_length` | the floor; the door is at the end of the length |
| `route` | customers in visiting order |
| `items_per_stop`, `item_widths`, `item_lengths` | the items in visiting order |
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
        id=manifest["id"],
        tailgate=manifest["tailgate"],
        instances=manifest["instances"],
        rows=manifest["rows"],
        distinct=manifest["distinct"],
        labelled=manifest["labelled"],
        seconds=plan["seconds"],
        source=source,
        use=use,
        contents=_contents(by_class),
        stages=_shares(by_class, ("decided_by", "phases")),
        stops=_shares(by_class, ("stops",)),
    )


def _names(files: list[str]) -> list[str]:
    return sorted(file.replace("\\", "/").rsplit("/", 1)[-1] for file in files)


def _contents(by_class: dict[str, Any]) -> str:
    lines = [
        "| class | instances | distinct | feasible | infeasible | unknown | cheap, of the known "
        "| rest: feasible | rest: infeasible |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for number, part in by_class.items():
        known = max(1, part["feasible"] + part["infeasible"])
        lines.append(
            f"| {number} | {part['instances']} | {part['queries']:,} | {part['feasible']:,} | "
            f"{part['infeasible']:,} | {part['unknown']:,} | {part['cheap'] / known:.1%} | "
            f"{part['rest_feasible']:,} | {part['rest_infeasible']:,} |"
        )
    return "\n".join(lines)


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
    lines = [
        "| class | " + " | ".join(name for _, name in names) + " |",
        "|---" * (len(names) + 1) + "|",
    ]
    for number, part in by_class.items():
        counts = " | ".join(f"{part[group].get(name, 0):,}" for group, name in names)
        lines.append(f"| {number} | {counts} |")
    return "\n".join(lines)
