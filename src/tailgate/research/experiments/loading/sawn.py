"""Fine floors sawn into odd rectangles: no smaller integers say the same; none may be rounded."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tailgate.model.instance import Instance
from tailgate.research.experiments.loading.cases import Size, instance_of
from tailgate.research.experiments.variants import Variant

TRAILER = (2450, 13600)
PINWHEEL_SHARE = 0.25
"""Of the cuts: five rectangles around a centre, which no straight cuts can make."""
_Piece = tuple[int, int, int, int]
"""x, y, width, length"""


@dataclass(frozen=True, slots=True)
class SawnFloor:
    """A floor and its pieces, each a stop of its own, in the order of the visits.

    Without LIFO, or where the pieces are in the order of loading, they can be loaded as they were
    sawn. In any other order nobody knows.
    """

    instance: Instance
    is_loadable: bool


def sawn_floor(
    seed: int, variant: Variant, floor: tuple[int, int] = TRAILER, *, slack: int = 0
) -> SawnFloor:
    """Saw a floor into 13 to 18 pieces; from about half of them up to ``slack`` is taken each way.

    With LIFO every second floor has its pieces in any order. Pieces that may be turned are given
    either way.
    """
    dice = random.Random(f"{seed} {floor} {variant.lifo} {variant.turn} {slack}")
    pieces = _sawn(*floor, dice.randint(13, 18), dice)
    is_loadable = not variant.lifo or seed % 2 == 0
    if is_loadable:
        # From the door to the cab: what is unloaded first has nothing before it.
        pieces.sort(key=lambda piece: -piece[1])
    else:
        dice.shuffle(pieces)
    sizes = [_planed(piece[2:], slack, dice) for piece in pieces]
    if variant.turn:
        sizes = [_given(size, floor, dice) for size in sizes]
    instance = instance_of(*floor, [[size] for size in sizes])
    return SawnFloor(variant.of(instance), is_loadable)


def _sawn(width: int, length: int, count: int, dice: random.Random) -> list[_Piece]:
    pieces: list[_Piece] = [(0, 0, width, length)]
    while len(pieces) < count:
        piece = dice.choices(pieces, weights=[piece[2] * piece[3] for piece in pieces])[0]
        is_pinwheel = len(pieces) + 4 <= count and dice.random() < PINWHEEL_SHARE
        parts = (_pinwheel if is_pinwheel else _halves)(piece, dice)
        if min(min(part[2:]) for part in parts) * 200 < width:
            continue  # a sliver
        pieces.remove(piece)
        pieces += parts
    return pieces


def _halves(piece: _Piece, dice: random.Random) -> list[_Piece]:
    x, y, width, length = piece
    if dice.random() * 1.5 < width / length:
        cut = dice.randint(width // 8, width - width // 8)
        return [(x, y, cut, length), (x + cut, y, width - cut, length)]
    cut = dice.randint(length // 8, length - length // 8)
    return [(x, y, width, cut), (x, y + cut, width, length - cut)]


def _pinwheel(piece: _Piece, dice: random.Random) -> list[_Piece]:
    x, y, width, length = piece
    a, b = sorted(dice.randint(width // 5, width - width // 5) for _ in range(2))
    c, d = sorted(dice.randint(length // 5, length - length // 5) for _ in range(2))
    return [
        (x, y, b, c),
        (x + b, y, width - b, d),
        (x + a, y + d, width - a, length - d),
        (x, y + c, a, length - c),
        (x + a, y + c, b - a, d - c),
    ]


def _planed(size: Size, slack: int, dice: random.Random) -> Size:
    if dice.random() < 0.5:
        return size
    width, length = size
    return max(1, width - dice.randint(0, slack)), max(1, length - dice.randint(0, slack))


def _given(size: Size, floor: tuple[int, int], dice: random.Random) -> Size:
    """Return a piece as it was sawn or the other way; an instance has to have it fit as given."""
    other = size[::-1]
    fits = other[0] <= floor[0] and other[1] <= floor[1]
    return other if dice.random() < 0.5 and fits else size
