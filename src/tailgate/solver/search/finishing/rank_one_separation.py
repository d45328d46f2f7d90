"""Cuts of rank one that a fractional solution violates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

import numpy as np
import numpy.typing as npt

from tailgate.solver.search.finishing.columns import Floats
from tailgate.solver.search.finishing.pool_lp import INTEGRALITY
from tailgate.solver.search.finishing.rank_one_cut import RankOneCut, subset_row

MIN_VIOLATION = 0.02
MAX_CUTS = 100
"""In one round."""
MAX_CUTS_PER_CUSTOMER = 10
"""In one round: cuts of the same customers mostly do the same work."""
MOST_NEIGHBOURS = 20
SEEDS = 60
MAX_SWEEPS = 4

FIVE_WEIGHTS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((1, 1, 1, 1, 1), 2),
    ((1, 1, 1, 1, 1), 3),
    ((2, 2, 1, 1, 1), 3),
    ((2, 2, 1, 1, 1), 4),
    ((3, 1, 1, 1, 1), 4),
    ((3, 2, 2, 1, 1), 5),
    ((3, 3, 2, 2, 1), 4),
)
"""The best weights for five rows: Pecin, Pessoa, Poggi, Uchoa and Santos (2017)."""

_Scored = tuple[float, RankOneCut]


class Separator:
    """One fractional solution: which cuts does it violate?"""

    def __init__(self, visits: npt.NDArray[np.uint8], values: Floats) -> None:
        """Take one column of `visits` per route in use; its rows are the customers."""
        # Customers whose route is fixed are in no violated cut.
        fractional = values < 1 - INTEGRALITY
        visits = visits[:, fractional]
        used = np.flatnonzero(visits.any(axis=1))
        self._customers: list[int] = (used + 1).tolist()
        self._visits = visits[used].astype(np.float64)
        self._values = values[fractional]
        self._triples: list[tuple[float, tuple[int, int, int]]] = []

    def subset_rows(self, known: Collection[RankOneCut]) -> list[RankOneCut]:
        """Return violated cuts over all triples of customers."""
        visits, values = self._visits, self._values
        together = (visits * values) @ visits.T
        scored: list[_Scored] = []
        near: list[tuple[float, tuple[int, int, int]]] = []
        for first in range(len(visits) - 2):
            own = visits[first] > 0
            rest = visits[first + 1 :, own]
            all_three = (rest * values[own]) @ rest.T
            with_first = together[first, first + 1 :]
            # Two of them: counted once; three: counted three times, and twice too often.
            score = (
                with_first[:, None]
                + with_first[None, :]
                + together[first + 1 :, first + 1 :]
                - 2.0 * all_three
            )
            seconds, thirds = np.nonzero(np.triu(score, 1) > 1 - MIN_VIOLATION)
            for second, third in zip(seconds.tolist(), thirds.tolist(), strict=True):
                members = (first, first + 1 + second, first + 1 + third)
                value = float(score[second, third])
                near.append((value, members))
                if value > 1 + MIN_VIOLATION:
                    i, j, k = (self._customers[member] for member in members)
                    scored.append((value - 1, subset_row((i, j, k))))
        near.sort(key=lambda entry: (-entry[0], entry[1]))
        self._triples = near[:SEEDS]
        return _choose(scored, known)

    def four_customers(self, known: Collection[RankOneCut]) -> list[RankOneCut]:
        """Return violated cuts with the weights 2/3, 1/3, 1/3, 1/3."""
        scored: list[_Scored] = []
        for hub in range(len(self._visits)):
            own = self._visits[hub] > 0
            with_hub = self._visits[:, own] @ self._values[own]
            with_hub[hub] = 0.0
            others = np.flatnonzero(with_hub > MIN_VIOLATION)
            others = np.sort(others[np.argsort(-with_hub[others], kind="stable")][:MOST_NEIGHBOURS])
            if len(others) < 3:
                continue
            one = with_hub[others]
            near = self._visits[np.ix_(others, own)]
            two = (near * self._values[own]) @ near.T
            around = self._visits[others]
            pairs = around[:, None, :] * around[None, :, :] * self._values
            three = pairs @ around.T
            # The hub with at least one of the others, or the others without the hub.
            score = (
                one[:, None, None]
                + one[None, :, None]
                + one[None, None, :]
                - two[:, :, None]
                - two[:, None, :]
                - two[None, :, :]
                + three
            )
            for j, k, m in np.argwhere(score > 1 + MIN_VIOLATION).tolist():
                if j < k < m:
                    places = (hub, others[j], others[k], others[m])
                    members = tuple(self._customers[place] for place in places)
                    cut = RankOneCut(members, (2, 1, 1, 1), 3)
                    scored.append((float(score[j, k, m]) - 1, cut))
        return _choose(scored, known)

    def five_customers(self, known: Collection[RankOneCut]) -> list[RankOneCut]:
        """Return violated cuts over five customers that a local search finds."""
        if len(self._visits) < 5:
            return []
        found: dict[RankOneCut, float] = {}
        for numerators, denominator in FIVE_WEIGHTS:
            upper = sum(numerators) // denominator
            for _, seed in self._triples:
                members, score = self._improve(list(seed), numerators, denominator)
                if score > upper + MIN_VIOLATION:
                    found[self._cut(members, numerators, denominator)] = score - upper
        return _choose(((violation, cut) for cut, violation in found.items()), known)

    def _improve(
        self, members: list[int], numerators: tuple[int, ...], denominator: int
    ) -> tuple[list[int], float]:
        """Add members, then exchange one at a time, as long as the violation grows."""
        values = self._values
        weighted = {numerator: numerator * self._visits for numerator in set(numerators)}
        sums = np.zeros(len(values))
        for member, numerator in zip(members, numerators, strict=False):
            sums += weighted[numerator][member]
        best = -1.0
        for sweep in range(MAX_SWEEPS):
            before = best
            for place, numerator in enumerate(numerators):
                if sweep == 0 and place < len(members) and len(members) < len(numerators):
                    continue
                if place < len(members):
                    sums -= weighted[numerator][members[place]]
                    others = members[:place] + members[place + 1 :]
                else:
                    others = members
                counted = sums + weighted[numerator]
                counted /= denominator
                counted += 1e-9
                scores = np.floor(counted, out=counted) @ values
                scores[others] = -1.0
                choice = int(scores.argmax())
                if place < len(members):
                    if scores[choice] <= scores[members[place]] + 1e-9:
                        choice = members[place]
                    members[place] = choice
                else:
                    members.append(choice)
                best = float(scores[choice])
                sums += weighted[numerator][choice]
            if best <= before + 1e-9:
                break
        return members, best

    def _cut(self, members: list[int], numerators: tuple[int, ...], denominator: int) -> RankOneCut:
        """Return the cut with its members in one order for each weight."""
        named = sorted(
            (-numerator, self._customers[member])
            for member, numerator in zip(members, numerators, strict=True)
        )
        return RankOneCut(
            tuple(customer for _, customer in named),
            tuple(-numerator for numerator, _ in named),
            denominator,
        )


def _choose(scored: Iterable[_Scored], known: Collection[RankOneCut]) -> list[RankOneCut]:
    """Return the most violated cuts, not too many of the same customers."""
    chosen: list[RankOneCut] = []
    uses: Counter[int] = Counter()
    for _, cut in sorted(scored, key=lambda entry: (-entry[0], entry[1].members)):
        if cut in known or any(uses[stop] >= MAX_CUTS_PER_CUSTOMER for stop in cut.members):
            continue
        uses.update(cut.members)
        chosen.append(cut)
        if len(chosen) >= MAX_CUTS:
            break
    return chosen
