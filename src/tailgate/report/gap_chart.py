"""How bound and best plan drew nearer to each other during a search, as a chart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailgate.model.rounding import number_text
from tailgate.model.units import with_unit
from tailgate.report.svg_text import LINE, SOFT_INK, paper, svg_document, svg_text

Progress = tuple[float, float, float | None]
"""Seconds since the start, lower bound, and the cost of the best plan so far or ``None``."""

_WIDTH, _HEIGHT = 760, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 24, 18, 52


@dataclass(frozen=True, slots=True)
class _Line:
    """One of the two lines; ``name`` is for people, ``style`` for a page's style sheet."""

    name: str
    style: str
    colour: str
    dashes: str

    @property
    def look(self) -> str:
        """The attributes of a path."""
        dashing = f' stroke-dasharray="{self.dashes}"' if self.dashes else ""
        return (
            f'class="{self.style}" fill="none" stroke="{self.colour}" stroke-width="2.5"{dashing}'
        )


_BEST_PLAN = _Line("best plan", "best-plan", "#D55E00", "")
_BOUND = _Line("lower bound", "bound", "#0072B2", "6 4")


def changes(history: Sequence[Progress]) -> list[Progress]:
    """Return the first moment, every moment at which bound or plan changed, and the last one."""
    known = [entry for entry in history if math.isfinite(entry[1])]
    kept: list[Progress] = []
    for entry in known:
        if not kept or kept[-1][1:] != entry[1:]:
            kept.append(entry)
    if known and kept[-1] is not known[-1]:
        kept.append(known[-1])
    return kept


def gap_chart_svg(history: Sequence[Progress], unit: str) -> str:
    """Draw bound and best plan over time; nothing if the history says nothing."""
    moments = changes(history)
    if not moments:
        return ""
    axes = _Axes.of(moments)
    label = "Lower bound and cost of the best plan over time"
    parts = [
        paper(_WIDTH, _HEIGHT),
        *axes.svg(unit),
        _steps(axes, [(seconds, bound) for seconds, bound, _ in moments], _BOUND),
        _steps(
            axes,
            [(seconds, cost) for seconds, _, cost in moments if cost is not None],
            _BEST_PLAN,
        ),
        *_legend(),
    ]
    return svg_document(_WIDTH, _HEIGHT, parts, label=label, class_="chart")


def axis_note(history: Sequence[Progress], unit: str) -> str:
    """Return what a reader must know of a cost axis that does not begin low enough, or nothing."""
    moments = changes(history)
    if not moments:
        return ""
    lowest = _Axes.of(moments).lowest
    if all(bound >= lowest for _, bound, _ in moments):
        return ""
    begin = with_unit(number_text(round(lowest, 2)), unit)
    return f"The cost axis begins at {begin}; a lower bound below that is drawn on it."


@dataclass(frozen=True, slots=True)
class _Axes:
    """The ranges of the chart, and where a point lies in it."""

    seconds: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, moments: Sequence[Progress]) -> _Axes:
        bounds = [bound for _, bound, _ in moments]
        costs = [cost for _, _, cost in moments if cost is not None]
        highest = max([*bounds, *costs])
        # A bound that starts near zero would press all that matters into the upper edge.
        lowest = max(min(bounds), 0.8 * min([*costs, max(bounds)]))
        # Also where all is known from the first moment.
        room = 0.05 * ((highest - lowest) or max(1.0, abs(highest)))
        return cls(max(moments[-1][0], 1e-3), lowest, highest + room)

    def x(self, seconds: float) -> float:
        """Return where a moment lies."""
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * seconds / self.seconds

    def y(self, value: float) -> float:
        """Return where a value lies; what is below the axis lies on it."""
        share = (max(value, self.lowest) - self.lowest) / (self.highest - self.lowest)
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share

    def svg(self, unit: str) -> Iterator[str]:
        """Draw the axes with their numbers."""
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        for value in _ticks(self.lowest, self.highest):
            y = self.y(value)
            line = f"M{_LEFT},{y:.1f} H{right}"
            yield f'<path class="line" d="{line}" stroke="{LINE}" opacity="0.5"/>'
            yield svg_text(
                _LEFT - 8, y + 4, number_text(value), size=12, anchor="end", fill=SOFT_INK
            )
        for seconds in _ticks(0.0, self.seconds):
            x = self.x(seconds)
            yield f'<path class="line" d="M{x:.1f},{bottom} v6" stroke="{LINE}"/>'
            yield svg_text(
                x, bottom + 20, number_text(seconds), size=12, anchor="middle", fill=SOFT_INK
            )
        yield (
            f'<path class="line" d="M{_LEFT},{_TOP} V{bottom} H{right}" fill="none" '
            f'stroke="{LINE}" stroke-width="1.5"/>'
        )
        yield svg_text(right, _HEIGHT - 12, "seconds", size=12, anchor="end", fill=SOFT_INK)
        words = f"cost in {unit}" if unit else "cost"
        yield svg_text(16, (_TOP + bottom) / 2, words, size=12, anchor="middle", upwards=True)


def _steps(axes: _Axes, points: Sequence[tuple[float, float]], line: _Line) -> str:
    """Draw a line that stays level until the next change, up to the end of the search."""
    if not points:
        return ""
    path = f"M{axes.x(points[0][0]):.1f},{axes.y(points[0][1]):.1f}"
    for seconds, value in points[1:]:
        path += f" H{axes.x(seconds):.1f} V{axes.y(value):.1f}"
    path += f" H{axes.x(axes.seconds):.1f}"
    return f'<path d="{path}" {line.look}/>'


def _legend() -> Iterator[str]:
    y = _HEIGHT - 16
    for x, line in ((_LEFT, _BEST_PLAN), (_LEFT + 130, _BOUND)):
        yield f'<path d="M{x},{y} h30" {line.look}/>'
        yield svg_text(x + 36, y + 4, line.name, size=12)


def _ticks(lowest: float, highest: float) -> list[float]:
    """Return about five round numbers between the two."""
    rough = (highest - lowest) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = math.ceil(lowest / step)
    last = math.floor(highest / step + 1e-9)
    return [round(index * step, 12) for index in range(first, last + 1)]
