"""Figures of results, as PNG and as SVG; matplotlib is optional and loaded here alone."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tailgate.io.text_file import writing
from tailgate.model.errors import TailgateError

FORMATS = ("png", "svg")
DOTS_PER_INCH = 144
# Readable in grey and by people who do not see all colours (Okabe and Ito).
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#555555")
MARKERS = "osD^vP*"


@dataclass(frozen=True)
class Figure:
    """A figure that is drawn when its files are written."""

    name: str
    """Of its files."""
    title: str
    draw: Callable[[Any], None]
    """Takes an empty figure of matplotlib."""
    size: tuple[float, float] = (8.0, 4.0)

    def save(self, folder: Path) -> list[Path]:
        """Write all its files; the same results give the same SVG."""
        matplotlib = importlib.import_module("matplotlib")
        canvas = importlib.import_module("matplotlib.figure")
        paths = []
        with matplotlib.rc_context({"svg.hashsalt": "tailgate", "font.size": 9}):
            figure = canvas.Figure(figsize=self.size, layout="constrained")
            self.draw(figure)
            for kind in FORMATS:
                path = folder / f"{self.name}.{kind}"
                metadata = {"Date": None} if kind == "svg" else {"Software": None}
                with writing(path) as file:
                    figure.savefig(file, format=kind, dpi=DOTS_PER_INCH, metadata=metadata)
                paths.append(path)
        return paths


def require_matplotlib() -> None:
    """Say how to get matplotlib, before anything is measured."""
    if importlib.util.find_spec("matplotlib") is None:
        raise TailgateError(
            "experiments draw figures and need matplotlib; install it with: "
            "pip install 'tailgate[plot]'"
        )


def draw_boxes(
    figure: Any, groups: Mapping[str, Mapping[str, Sequence[float]]], *, label: str
) -> None:
    """Draw a box per group and series, side by side, with every value as a point."""
    axes = figure.subplots()
    series = list(dict.fromkeys(name for group in groups.values() for name in group))
    width = 0.8 / max(1, len(series))
    for number, name in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        for place, values in enumerate(group.get(name, ()) for group in groups.values()):
            if not len(values):
                continue
            x = place + (number - (len(series) - 1) / 2) * width
            axes.boxplot(
                [list(values)],
                positions=[x],
                widths=0.8 * width,
                manage_ticks=False,
                showfliers=False,
                boxprops={"color": colour},
                whiskerprops={"color": colour},
                capprops={"color": colour},
                medianprops={"color": colour, "linewidth": 2},
            )
            axes.plot([x] * len(values), list(values), ".", color=colour, markersize=3, alpha=0.5)
        axes.plot([], [], color=colour, label=name)
    axes.axhline(0, color="#999999", linewidth=0.8)
    axes.set_xticks(range(len(groups)), list(groups))
    axes.set_ylabel(label)
    axes.legend()


def draw_shares(
    axes: Any,
    series: Mapping[str, Sequence[float]],
    totals: Mapping[str, int],
    *,
    label: str,
) -> None:
    """Draw which share of the total is done within what time, on a logarithmic axis."""
    for number, (name, values) in enumerate(series.items()):
        ordered = sorted(values)
        shares = [100 * (place + 1) / totals[name] for place in range(len(ordered))]
        axes.step(ordered, shares, where="post", color=COLOURS[number % len(COLOURS)], label=name)
    axes.set_xscale("log")
    axes.set(xlabel=label, ylabel="share, %", ylim=(0, 101))
    axes.legend()
