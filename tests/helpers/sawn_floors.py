"""Fine floors sawn into odd rectangles: no smaller integers say the same; none may be rounded."""

from __future__ import annotations

import random
from dataclasses import dataclass

from loading_cases import Size
from tailgate import _core

TRAILER = (2450, 13600)
PINWHEEL_SHARE = 0.25
"""Of the cuts: five rectangles around a centre, which no straight cuts can make."""


@dataclass(frozen=True, slots=True)
class SawnFloor:
    """A question about a floor and its pieces, each piece a customer of its own.

    Without LIFO, or where the pieces are in the order of loading, they can be loaded as they were
    sawn. In any other order nobody knows.
    """

    width: int
    length: int
    pieces: list[Size]  # in the order of the visits
    lifo: bool
    turn: bool  # every piece may be turned
    is_loadable: bool

    def ask(self, *, max_nodes: int = -1, max_seconds: float = -1) -> _core.Answer:
        """Ask a fresh oracle about all pieces."""
        oracle = _core.LoadingOracle(
            width=self.width,
            length=self.length,
            customers=[[(*piece, self.turn)] for piece in self.pieces],
            lifo=self.lifo,
            cache_bytes=0,
            use_cache=False,
        )
        return oracle.check(list(range(len(self.pieces))), max_nodes, max_seconds)


def sawn_floor(
    seed: int, floor: tuple[int, int] = TRAILER, *, lifo: bool, turn: bool, slack: int = 0
) -> SawnFloor:
    """Saw a floor into 13 to 18 pieces; from about half of them up to ``slack`` is taken each way.

    With LIFO every second floor has its pieces in any order. Pieces that may be turned are given
    either way.
    """
    dice = random.Random(f"{seed} {floor} {lifo} {turn} {slack}")
    pieces = _sawn(*floor, dice.randint(13, 18), dice)
    is_loadable = not lifo or seed % 2 == 0
    if is_loadable:
        # From the door to the cab: what is unloaded first has nothing before it.
        pieces.sort(key=lambda piece: -piece[1])
    else:
        dice.shuffle(pieces)
    sizes = [_planed(piece[2:], slack, dice) for piece in pieces]
    if turn:
        sizes = [size[::-1] if dice.random() < 0.5 else size for size in sizes]
    return SawnFloor(*floor, sizes, lifo, turn, is_loadable)


_Piece = tuple[int, int, int, int]
"""x, y, width, length"""


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
